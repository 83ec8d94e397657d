package chart

import (
	"cmp"
	"fmt"
	"html/template"
	"math/big"
)

// Bars is a bar chart of named amounts, in the given order.
type Bars struct {
	ID        string // unique in its page, of letters and hyphens
	Title     string
	Heading   string // heading of the names in the table, such as Category
	Measure   string // heading of the amounts in the table, such as Emissions
	EmptyText string // shown if all amounts are zero
	Unit      Unit
	Bars      []Bar
	Tone      Tone // of all bars; First if it is empty
}

// Bar is a name and its amount.
type Bar struct {
	Name   string
	Amount int64
	Path   string // of the page with what it counts; empty for none
}

// HTML returns the chart with the amount beside each bar and a summary. Screen readers read it as a table.
func (b Bars) HTML() (template.HTML, error) { return render("bars", b.draw()) }

type barsView struct {
	Bars
	Empty   bool
	Summary string
	Rows    []barRow
	Total   string
}

type barRow struct{ Name, Text, Share, Width, Path string }

func (b Bars) draw() barsView {
	b.Tone = cmp.Or(b.Tone, First)
	v := barsView{Bars: b}
	all, most := new(big.Int), new(big.Int)
	first := ""
	for _, bar := range b.Bars {
		amount := big.NewInt(bar.Amount)
		all.Add(all, amount)
		if amount.Cmp(most) > 0 {
			most, first = amount, bar.Name
		}
	}
	if v.Empty = all.Sign() <= 0; v.Empty {
		return v
	}
	for _, bar := range b.Bars {
		amount := big.NewInt(bar.Amount)
		if amount.Sign() <= 0 {
			bar.Path = "" // its list is empty
		}
		v.Rows = append(v.Rows, barRow{
			Name: bar.Name, Text: b.Unit.Text(amount), Width: hundredths(part(amount, most, 100_00)) + "%", Share: share(amount, all), Path: bar.Path,
		})
	}
	v.Total = b.Unit.Text(all)
	v.Summary = fmt.Sprintf("%s in all. Most: %s, %s.", v.Total, first, b.Unit.Text(most))
	return v
}

// share returns a part in whole per cent; a positive part that rounds to 0 is shown as less than 1%.
func share(amount, all *big.Int) string {
	percent := part(amount, all, 100)
	if percent == 0 && amount.Sign() > 0 {
		return "under 1%"
	}
	return fmt.Sprintf("%d%%", percent)
}
