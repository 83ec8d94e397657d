// Package chart draws amounts as pictures that also read as tables: columns by month
// or day, bars by name, and small lines. What it makes is HTML with SVG in it, of
// presentation attributes and classes alone, so that it fits every width, both colour
// schemes and the strictest policy for scripts and styles. No amount is rounded, but
// on axes, which have round ones.
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

// Tone is a colour that means something, from the style sheet of the console.
type Tone string

// The tones there are. The first three mean nothing but that series differ.
const (
	First  Tone = "first"
	Second Tone = "second"
	Third  Tone = "third"
	Good   Tone = "good"
	Wait   Tone = "wait"
	Bad    Tone = "bad"
)

// Series is one kind of amount at every place of a chart, in the chart's least unit.
// Amounts below nothing are drawn as nothing.
type Series struct {
	Name    string
	Tone    Tone
	Amounts []int64
}

// Place is where a column stands, such as a month.
type Place struct{ Short, Long string }

// render runs one of the templates; they escape what is put into them.
func render(name string, data any) (template.HTML, error) {
	var out bytes.Buffer
	if err := templates.ExecuteTemplate(&out, name, data); err != nil {
		return "", fmt.Errorf("chart: %s: %w", name, err)
	}
	return template.HTML(out.String()), nil // #nosec G203 -- html/template has escaped it
}

// total adds amounts without a bound.
func total(amounts []int64) *big.Int {
	sum := new(big.Int)
	for _, a := range amounts {
		sum.Add(sum, big.NewInt(a))
	}
	return sum
}

// hundredths is a length as SVG takes it, from hundredths of a pixel or a per cent.
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

// part is how much of a length an amount takes up of a whole.
func part(amount, whole *big.Int, length int64) int64 {
	if amount.Sign() <= 0 || whole.Sign() <= 0 {
		return 0
	}
	n := new(big.Int).Mul(amount, big.NewInt(length))
	return n.Quo(n, whole).Int64()
}
