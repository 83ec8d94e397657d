package extract

import (
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
)

// itemsWithoutTable reads the lines of goods of a document without a table: each is a group of
// labelled fields, or one line with labels inside.
func (r *reading) itemsWithoutTable(columns *lexicon) {
	var t table
	var open *item
	for _, row := range r.rows {
		for _, c := range row.cells {
			if c.taken {
				continue
			}
			if i := r.inlineItem(columns, c); i != nil {
				t.items = append(t.items, i)
				open = nil
				c.taken = true
				continue
			}
			k, value := r.pair(columns, c)
			switch {
			case k == "description":
				open = &item{row: row, cells: map[key][]*cell{}, heads: map[key]*cell{}}
				t.items = append(t.items, open)
			case k == "" || open == nil || open.cells[k] != nil:
				continue
			}
			open.cells[k], open.heads[k] = []*cell{value}, c
		}
	}
	if len(t.items) > 0 && len(t.items) <= maxItems {
		r.tables = append(r.tables, t)
	}
	if len(t.items) > 1 {
		for _, i := range t.items { // fields of a single line are not fields of the whole
			for _, k := range []key{"net", "gross", "packages", "volume", "origin", "amount"} {
				if head := i.heads[k]; head != nil {
					head.taken = true
				}
			}
		}
	}
}

// pair reads a field such as "Unit price: 12.50", in one cell or in two, by the words for
// column headers.
func (r *reading) pair(columns *lexicon, c *cell) (key, *cell) {
	k, n := columns.begin(c.words)
	if n == 0 || c.words[0].start > 0 {
		return "", nil
	}
	rest := strings.TrimSpace(c.Text[c.words[n-1].end:])
	value := *c
	switch {
	case strings.HasPrefix(rest, ":"):
		value.Text = strings.TrimSpace(rest[1:])
	case rest == "" && c.number < len(c.row.cells):
		value.Text, value.Plain = c.row.cells[c.number].Text, c.row.cells[c.number].Plain
	default:
		return "", nil
	}
	if k == "line" {
		k = "description" // "Item: Bluetooth speakers"
	}
	value.label, value.rest = "", ""
	if value.Text == "" {
		return "", nil
	}
	return k, &value
}

var (
	dashes     = lazyregexp.New(` [-–|;/] |, (?:qty|quantity|hs)\b`)
	numbered   = lazyregexp.New(`^\(?\d{1,3}[.)] `)
	statedCode = lazyregexp.New(`(?i)^(?:hs|h\.s\.|hts|commodity|tariff)(?: ?code)?[ :.]*(\d[\d. ]{4,12}\d)$`)
)

// inlineItem reads a line such as "1. Mugs - HS 691200 - Qty: 400 - Unit price: EUR 4.50".
func (r *reading) inlineItem(columns *lexicon, c *cell) *item {
	text := numbered.ReplaceAllString(c.row.text(), "")
	parts := dashes.Split(text, -1)
	if len(parts) < minColumns || c.number > 1 {
		return nil
	}
	i := &item{row: c.row, cells: map[key][]*cell{}, heads: map[key]*cell{}}
	put := func(k key, text string) {
		own := *c
		own.Text, own.label, own.rest = strings.TrimSpace(text), "", ""
		i.cells[k] = []*cell{&own}
	}
	put("description", parts[0])
	known := 0
	for _, part := range parts[1:] {
		part = strings.TrimSpace(part)
		if m := statedCode.FindStringSubmatch(part); m != nil {
			put("code", m[1])
			known++
			continue
		}
		words := wordsOf(part)
		if k, n := columns.begin(words); n > 0 {
			put(k, strings.TrimLeft(part[words[n-1].end:], " :"))
			known++
		}
	}
	if known < minColumns-1 || i.cells["quantity"] == nil && i.cells["amount"] == nil {
		return nil
	}
	return i
}

// text returns the whole line.
func (row *row) text() string {
	var parts []string
	for _, c := range row.cells {
		parts = append(parts, c.Text)
	}
	return strings.Join(parts, " ")
}
