package extract_test

import (
	"context"
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/assist/extract"
	"github.com/tidewaiter/tidewaiter/internal/document/source"
	"github.com/tidewaiter/tidewaiter/test/documents"
)

// changed returns a copy of a document with other lines.
func changed(doc source.Document, change func([]source.Line) []source.Line) source.Document {
	doc.Pages = slices.Clone(doc.Pages)
	for i := range doc.Pages {
		lines := slices.Clone(doc.Pages[i].Lines)
		for n := range lines {
			lines[n].Cells = slices.Clone(lines[n].Cells)
		}
		doc.Pages[i].Lines = change(lines)
	}
	return doc
}

// eachLine returns a change of each line, eachCell one of each cell.
func eachLine(change func(*source.Line)) func(source.Document) source.Document {
	return func(doc source.Document) source.Document {
		return changed(doc, func(lines []source.Line) []source.Line {
			for n := range lines {
				change(&lines[n])
			}
			return lines
		})
	}
}

func eachCell(change func(*source.Cell)) func(source.Document) source.Document {
	return eachLine(func(l *source.Line) {
		for i := range l.Cells {
			change(&l.Cells[i])
		}
	})
}

// scaled returns a change of all distances.
func scaled(percent int) func(source.Document) source.Document {
	return eachLine(func(l *source.Line) {
		l.Bottom, l.Top = l.Bottom*percent/100, l.Top*percent/100
		for i := range l.Cells {
			l.Cells[i].Left, l.Cells[i].Right = l.Cells[i].Left*percent/100, l.Cells[i].Right*percent/100
		}
	})
}

var germanDate = regexp.MustCompile(`\b(\d\d)\.(\d\d)\.(20\d\d)\b`)

var months = strings.Fields("Januar Februar März April Mai Juni Juli August September Oktober November Dezember")

// datesAs returns a change of how dates are written.
func datesAs(write func(day, month, year string) string) func(source.Document) source.Document {
	return eachCell(func(c *source.Cell) {
		c.Text = germanDate.ReplaceAllStringFunc(c.Text, func(d string) string {
			m := germanDate.FindStringSubmatch(d)
			return write(m[1], m[2], m[3])
		})
	})
}

// labelled matches a label with a colon and its value.
var labelled = regexp.MustCompile(`^(\pL[\pL .-]{2,30}): ?(\S.*)$`)

// groups matches a German number with thousands.
var groups = regexp.MustCompile(`\b(\d{1,3})\.(\d{3}),(\d\d)\b`)

// disturbances change a page as another program would have written it.
var disturbances = []struct {
	name   string
	least  float64 // percent
	change func(source.Document) source.Document
}{
	{"as it is", 99, func(d source.Document) source.Document { return d }},
	{"smaller", 99, scaled(80)},
	{"larger", 99, scaled(125)},
	{"moved", 99, eachLine(func(l *source.Line) {
		for i := range l.Cells {
			l.Cells[i].Left, l.Cells[i].Right = l.Cells[i].Left+150, l.Cells[i].Right+150
		}
	})},
	{"capitals", 97.5, eachCell(func(c *source.Cell) { c.Text = strings.ToUpper(c.Text) })},
	{"no colons", 99, eachCell(func(c *source.Cell) { c.Text = strings.TrimSuffix(c.Text, ":") })},
	{"no colon before values", 98.5, eachCell(func(c *source.Cell) {
		if m := labelled.FindStringSubmatch(c.Text); m != nil {
			c.Text = m[1] + " " + m[2]
		}
	})},
	{"labels apart", 98, eachLine(func(l *source.Line) {
		var cells []source.Cell
		for _, c := range l.Cells {
			m := labelled.FindStringSubmatch(c.Text)
			if m == nil {
				cells = append(cells, c)
				continue
			}
			a, b := c, c
			a.Text, b.Text = m[1]+":", m[2]
			at := c.Left + (c.Right-c.Left)*(len(m[1])+2)/max(1, len(c.Text))
			a.Right, b.Left = at-10, at
			cells = append(cells, a, b)
		}
		l.Cells = cells
	})},
	{"labels joined", 98, eachLine(func(l *source.Line) {
		var cells []source.Cell
		for i := 0; i < len(l.Cells); i++ {
			c := l.Cells[i]
			if strings.HasSuffix(c.Text, ":") && i+1 < len(l.Cells) {
				i++
				c.Text += " " + l.Cells[i].Text
				c.Right = l.Cells[i].Right
			}
			cells = append(cells, c)
		}
		l.Cells = cells
	})},
	{"wide spacing", 99, eachLine(func(l *source.Line) {
		h := l.Top - l.Bottom
		l.Bottom = l.Bottom * 140 / 100
		l.Top = l.Bottom + h
	})},
	{"long dates", 99, datesAs(func(day, month, year string) string {
		n := int(month[0]-'0')*10 + int(month[1]-'0')
		if n < 1 || n > 12 {
			return day + "." + month + "." + year
		}
		return strings.TrimPrefix(day, "0") + ". " + months[n-1] + " " + year
	})},
	{"ISO dates", 99, datesAs(func(day, month, year string) string { return year + "-" + month + "-" + day })},
	{"spaced numbers", 99, eachCell(func(c *source.Cell) { c.Text = groups.ReplaceAllString(c.Text, "$1 $2,$3") })},
	{"Swiss numbers", 99, eachCell(func(c *source.Cell) { c.Text = groups.ReplaceAllString(c.Text, "$1'$2.$3") })},
	{"page break", 97, func(d source.Document) source.Document {
		if len(d.Pages) == 0 {
			return d
		}
		pages := slices.Clone(d.Pages)
		at := len(pages[0].Lines) * 2 / 3
		a, b := pages[0], pages[0]
		a.Lines, b.Lines = a.Lines[:at], b.Lines[at:]
		d.Pages = append([]source.Page{a, b}, pages[1:]...)
		return d
	}},
}

// Invoices of the public corpus are read alike when their labels, dates, numbers and distances are changed. At least this share of the
// fields of the head is right; the half that is held apart takes no part.
func TestDisturbedLayouts(t *testing.T) {
	all, err := documents.Invoices("../../../" + documents.Corpus)
	if errors.Is(err, documents.ErrNoCorpus) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	made, _ := documents.Split(all)
	engine := extract.New()
	for _, s := range disturbances {
		r, err := documents.Measure(made, func(one documents.Sample) ([]byte, error) {
			doc, err := source.Read(context.Background(), one.File)
			if err != nil {
				return nil, err
			}
			return json.Marshal(engine.ReadPages(extract.Invoice, s.change(doc)).Document)
		})
		if err != nil {
			t.Fatal(err)
		}
		var head documents.Score
		for field, score := range r.Fields {
			if !strings.HasPrefix(field, "lineItems.") {
				head.Labelled, head.Right = head.Labelled+score.Labelled, head.Right+score.Right
			}
		}
		if head.Recall() < s.least {
			t.Errorf("%s: %.1f %% of the head", s.name, head.Recall())
			for _, m := range r.Misses {
				t.Logf("%s: %s is %q, not %q", m.Sample, m.Field, m.Got, m.Want)
			}
		}
	}
}
