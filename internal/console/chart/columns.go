package chart

import (
	"fmt"
	"html/template"
	"math/big"
	"slices"
	"strings"
)

// Columns is a chart of stacked columns at places in order, such as months.
type Columns struct {
	ID        string // unique in its page, of letters and hyphens
	Title     string
	Heading   string // heading of the places in the table, such as Month
	EmptyText string // shown if all amounts are zero
	Unit      Unit
	Places    []Place
	Series    []Series // each with an amount for every place; at most maxSeries
}

// maxSeries is the number of series that patterns can distinguish without colours.
const maxSeries = 4

// Vertical lengths in hundredths of a pixel; the width follows the page.
const (
	plotTop    = 8_00
	plotHeight = 150_00
	plotBottom = plotTop + plotHeight
)

// HTML returns the chart with its summary and its table.
func (c Columns) HTML() (template.HTML, error) {
	if len(c.Series) > maxSeries {
		return "", fmt.Errorf("chart: %s: %d series", c.ID, len(c.Series))
	}
	for _, s := range c.Series {
		if len(s.Amounts) != len(c.Places) {
			return "", fmt.Errorf("chart: %s: %d amounts of %s at %d places", c.ID, len(s.Amounts), s.Name, len(c.Places))
		}
	}
	return render("columns", c.draw())
}

type columnsView struct {
	Columns
	Empty   bool
	Summary string
	Legend  []swatch
	Lines   []line
	Bars    []column
	Rows    []row
	Totals  []string
}

// line is an axis line with its amount.
type line struct{ Y, TextY, Text string }

// swatch is the colour and pattern of a series.
type swatch struct {
	Name string
	Tone Tone
	Fill int // pattern, from 0 for none
}

// column is the stack of blocks at one place.
type column struct {
	X, Width, Middle string // per cent
	Label            string
	Odd              bool // whether the label is hidden on narrow screens
	Blocks           []block
	Name, Path       string // of the place; Path is empty for none
}

type block struct {
	swatch
	Y, Height string
	Text      string
	Path      string // of the page with what it counts; empty for none
}

// row is a row of the table.
type row struct {
	Name  string
	Path  string // of the place; empty for none
	Cells []cell
}

type cell struct {
	Text string
	Path string // of the page with what it counts; empty for none
}

// Linked reports whether a column leads to a page: it is then no mere picture.
func (v columnsView) Linked() bool {
	return slices.ContainsFunc(v.Bars, func(c column) bool {
		return c.Path != "" || slices.ContainsFunc(c.Blocks, func(b block) bool { return b.Path != "" })
	})
}

func (c Columns) draw() columnsView {
	v := columnsView{Columns: c}
	sums, all := c.sums()
	if v.Empty = all.Sign() == 0; v.Empty {
		return v
	}
	for i, s := range c.Series {
		v.Legend = append(v.Legend, swatch{s.Name, s.Tone, i})
	}
	a := newAxis(largest(sums))
	for _, tick := range a.ticks {
		y := plotBottom - part(tick, a.top, plotHeight)
		v.Lines = append(v.Lines, line{hundredths(y), hundredths(y + 4_00), c.Unit.Short(tick)})
	}
	for i := range c.Places {
		bar, line := c.column(i, a.top), c.row(i, sums[i])
		bar.Name, line.Path = line.Name, c.Places[i].Path
		if !slices.ContainsFunc(bar.Blocks, func(b block) bool { return b.Path != "" }) {
			bar.Path = line.Path // links do not contain each other
		}
		v.Bars, v.Rows = append(v.Bars, bar), append(v.Rows, line)
	}
	v.Totals, v.Summary = c.totals(all), c.summary(sums, all)
	return v
}

// sums returns the totals at each place and the overall total. Negative amounts are included.
func (c Columns) sums() (at []*big.Int, all *big.Int) {
	at, all = make([]*big.Int, len(c.Places)), new(big.Int)
	for i := range c.Places {
		at[i] = new(big.Int)
		for _, s := range c.Series {
			at[i].Add(at[i], big.NewInt(s.Amounts[i]))
		}
		all.Add(all, at[i])
	}
	return at, all
}

func largest(amounts []*big.Int) *big.Int {
	most := new(big.Int)
	for _, a := range amounts {
		if a.Cmp(most) > 0 {
			most = a
		}
	}
	return most
}

func (c Columns) column(i int, top *big.Int) column {
	slot := int64(100_00 / len(c.Places))
	x, width := slot*int64(i)+slot*14/100, slot*72/100
	out := column{
		X: hundredths(x) + "%", Width: hundredths(width) + "%", Middle: hundredths(x+width/2) + "%",
		Label: c.Places[i].Short, Odd: (len(c.Places)-1-i)%2 == 1,
	}
	below := new(big.Int)
	for n, s := range c.Series {
		amount := big.NewInt(s.Amounts[i])
		if amount.Sign() <= 0 {
			continue
		}
		from := part(below, top, plotHeight)
		below.Add(below, amount)
		height := max(part(below, top, plotHeight)-from, 1_00) // positive amounts stay visible
		out.Blocks = append(out.Blocks, block{
			swatch: swatch{s.Name, s.Tone, n}, Y: hundredths(plotBottom - from - height), Height: hundredths(height),
			Text: fmt.Sprintf("%s, %s: %s", c.Places[i].Long, s.Name, c.Unit.Text(amount)), Path: s.path(i),
		})
	}
	return out
}

// path returns the path of the page with what an amount counts; empty for none.
func (s Series) path(i int) string {
	if i >= len(s.Paths) {
		return ""
	}
	return s.Paths[i]
}

func (c Columns) row(i int, sum *big.Int) row {
	r := row{Name: c.Places[i].Long}
	for _, s := range c.Series {
		shown := cell{Text: c.Unit.Text(big.NewInt(s.Amounts[i]))}
		if s.Amounts[i] != 0 {
			shown.Path = s.path(i)
		}
		r.Cells = append(r.Cells, shown)
	}
	if len(c.Series) > 1 {
		r.Cells = append(r.Cells, cell{Text: c.Unit.Text(sum)})
	}
	return r
}

func (c Columns) totals(all *big.Int) (cells []string) {
	for _, s := range c.Series {
		cells = append(cells, c.Unit.Text(total(s.Amounts)))
	}
	if len(c.Series) > 1 {
		cells = append(cells, c.Unit.Text(all))
	}
	return cells
}

// summary describes the chart in one or two sentences.
func (c Columns) summary(sums []*big.Int, all *big.Int) string {
	most := 0
	for i := range sums {
		if sums[i].Cmp(sums[most]) > 0 {
			most = i
		}
	}
	text := fmt.Sprintf("%s in all. Most: %s, %s.", c.Unit.Text(all), c.Places[most].Long, c.Unit.Text(sums[most]))
	if len(c.Series) == 1 {
		return text
	}
	var parts []string
	for _, s := range c.Series {
		parts = append(parts, s.Name+" "+c.Unit.Text(total(s.Amounts)))
	}
	return text + " " + strings.Join(parts, ", ") + "."
}
