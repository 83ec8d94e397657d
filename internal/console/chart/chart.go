// Package chart draws charts that can also be read as tables: columns by month or day, bars by name,
// and sparklines. It returns HTML with SVG that uses only presentation attributes and classes, so that
// it works at every width, in both colour schemes and with a content security policy that forbids
// inline scripts and styles. Amounts are not rounded, except on axes.
package chart

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"math/big"
)

//go:embed *.html
var files embed.FS

var templates = template.Must(template.New("").Funcs(template.FuncMap{"fill": newFill}).ParseFS(files, "*.html"))

// fill is the pattern of a series in one chart.
type fill struct {
	ID string
	swatch
}

func newFill(id string, of any) (fill, error) {
	switch s := of.(type) {
	case swatch:
		return fill{id, s}, nil
	case block:
		return fill{id, s.swatch}, nil
	}
	return fill{}, fmt.Errorf("chart: a %T has no pattern", of)
}

// Tone is a colour with a meaning, defined in the console's style sheet.
type Tone string

// The tones. The first three only distinguish series.
const (
	First  Tone = "first"
	Second Tone = "second"
	Third  Tone = "third"
	Good   Tone = "good"
	Wait   Tone = "wait"
	Bad    Tone = "bad"
)

// Series has one amount for every place of a chart, in the chart's smallest unit. Negative amounts are
// drawn as zero.
type Series struct {
	Name    string
	Tone    Tone
	Amounts []int64
	Paths   []string // of the pages with what each amount counts; nil for none
}

// Place is the position of a column, such as a month.
type Place struct {
	Short, Long string
	Path        string // of the page with what the column counts; empty for none
}

// render executes a template; html/template escapes the data.
func render(name string, data any) (template.HTML, error) {
	var out bytes.Buffer
	if err := templates.ExecuteTemplate(&out, name, data); err != nil {
		return "", fmt.Errorf("chart: %s: %w", name, err)
	}
	return template.HTML(out.String()), nil // #nosec G203 -- html/template has escaped it
}

// total adds amounts without overflow.
func total(amounts []int64) *big.Int {
	sum := new(big.Int)
	for _, a := range amounts {
		sum.Add(sum, big.NewInt(a))
	}
	return sum
}

// hundredths formats a length or percentage, given in hundredths, for SVG.
func hundredths(n int64) string {
	text := fmt.Sprintf("%d.%02d", n/100, n%100)
	for text[len(text)-1] == '0' {
		text = text[:len(text)-1]
	}
	if text[len(text)-1] == '.' {
		text = text[:len(text)-1]
	}
	return text
}

// part returns the share of a length that corresponds to amount/whole.
func part(amount, whole *big.Int, length int64) int64 {
	if amount.Sign() <= 0 || whole.Sign() <= 0 {
		return 0
	}
	n := new(big.Int).Mul(amount, big.NewInt(length))
	return n.Quo(n, whole).Int64()
}
