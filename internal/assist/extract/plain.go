package extract

import (
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
)

// plainConcepts are the words of a label that names a number without its document.
var plainConcepts = []concept{numero, "ref", "our", "document"}

// firstTable returns the place of the first line of a table; -1 if there is none.
func (r *reading) firstTable() int {
	return slices.IndexFunc(r.rows, func(row *row) bool { return slices.ContainsFunc(row.cells, func(c *cell) bool { return c.taken }) })
}

// headRows returns the lines before the first table; none if there is no table.
func (r *reading) headRows() []*row { return r.rows[:max(0, r.firstTable())] }

// plainNumber reads the number of the document from a label that names only a number or reference, such as "Ref. no.": the only one
// before the table.
func (r *reading) plainNumber() (only *Text) {
	for _, row := range r.headRows() {
		for i, c := range row.cells {
			n := plainLabel(c)
			if n == 0 || ofOtherField(c) {
				continue
			}
			from := candidate{text: c.Text[c.words[n-1].end:], cell: c, label: c, sure: behindLabel}
			if n == len(c.words) && i+1 < len(row.cells) && row.cells[i+1].label == "" {
				from = candidate{text: row.cells[i+1].Text, cell: row.cells[i+1], label: c, sure: beside}
			}
			number, sure, ok := r.identifier(from)
			if !ok {
				continue
			}
			if only != nil {
				return nil
			}
			only = field(number, from, sure.times(inTitle))
		}
	}
	return only
}

// plainLabel returns how many words at the beginning of a cell only say that a number follows; 0 for none.
func plainLabel(c *cell) (n int) {
	for n < len(c.words) && slices.ContainsFunc(c.words[n].concepts, func(k concept) bool { return slices.Contains(plainConcepts, k) }) {
		n++
	}
	return n
}

// ofOtherField reports whether a cell has the label of another field.
func ofOtherField(c *cell) bool {
	switch c.label {
	case "", "invoiceNumber", "other", "yourReference":
		return false
	}
	return true
}

// onlyDay returns the only date before the table that no label of another field has.
func (r *reading) onlyDay() (only *Text) {
	for _, row := range r.headRows() {
		for i, c := range row.cells {
			if c.label != "" || i > 0 && points(row.cells[i-1]) && row.cells[i-1].rest == "" || len(c.words) > maxTitle {
				continue
			}
			from := candidate{text: c.Text, cell: c, sure: behindLabel}
			day, sure, ok := r.date(from)
			if !ok {
				continue
			}
			if only != nil && only.Value != day {
				return nil
			}
			only = field(day, from, sure.times(inTitle))
		}
	}
	return only
}

// placeThenDay matches a line such as "Toulouse, le 3 mars 2026": a name, a comma, at most one small word, and a date.
var placeThenDay = lazyregexp.New(`^\p{Lu}[\pL' .()/-]{1,40}, (?:\p{Ll}{1,4}\.? )?(\d{1,2}[^,;:]{5,20})$`)

// placeAndDay returns the only date before the table that stands behind the name of a place alone, as letters have it.
func (r *reading) placeAndDay() (only *Text) {
	head := r.headRows()
	if len(head) == 0 {
		head = r.rows[:min(len(r.rows), windowLines)]
	}
	for _, row := range head {
		for _, c := range row.cells {
			m := placeThenDay.FindStringSubmatch(strings.TrimSpace(c.Text))
			if m == nil || points(c) || !onlyDate(m[1]) {
				continue
			}
			from := candidate{text: m[1], cell: c, sure: behindLabel}
			day, sure, ok := r.date(from)
			if !ok || only != nil && only.Value != day {
				return nil
			}
			only = field(day, from, sure)
		}
	}
	return only
}

// maxTitle is the number of words of a line such as "Toulouse, le 3 mars 2026".
const maxTitle = 8
