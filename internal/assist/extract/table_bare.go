package extract

import (
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/document/source"
)

// Size of a table that is found without a known header: words and three numbers on each of two lines or more. Each three columns of the
// first lines are tried, so these and the tables that are tried are limited.
const (
	minBareColumns = 4
	maxBareColumns = 12
	minBareLines   = 2
	bareSample     = 20
	maxBareTables  = 8
)

// readBareTable finds the lines of goods of an invoice whose table has no header, or one without a known name: lines of equally many
// cells below each other, of which two numbers multiply to a third.
func (r *reading) readBareTable() {
	tried := 0
	for at := 0; at < len(r.rows) && tried < maxBareTables; {
		n := r.bareLines(at)
		if n < minBareLines {
			at++
			continue
		}
		tried++
		if t := r.bareTable(at, n); t != nil {
			for _, row := range r.rows[at : at+n] {
				take(row)
			}
			if head := r.bareHead(at); head != nil {
				take(head)
			}
			r.repeated = append(r.repeated, r.constants(t)...)
			r.tables = append(r.tables, *t)
			return
		}
		at += n
	}
}

// bareTable is the table of lines whose columns the first of them tell; nil if no product holds on nearly all.
func (r *reading) bareTable(at, n int) *table {
	t := &table{columns: r.bareColumns(at, n)}
	nameColumns(t.columns)
	sample := min(n, bareSample)
	for _, row := range r.rows[at : at+sample] {
		t.items = append(t.items, t.assign(row))
	}
	r.recognise(t)
	if !t.has("amount") || !t.has("quantity") || !t.has("description") {
		return nil
	}
	for _, row := range r.rows[at+sample : at+n] {
		t.items = append(t.items, t.assign(row))
	}
	if q, p, a := r.numbersOf(t, "quantity"), r.numbersOf(t, "unitPrice"), r.numbersOf(t, "amount"); q == nil || p == nil || a == nil || !product(q, p, a) && !product(q, t.reduced(p), a) {
		return nil
	}
	return t
}

// bareLines is the number of lines from one on that have its number of cells below each other, with words and at least three numbers.
func (r *reading) bareLines(from int) (n int) {
	first := r.rows[from]
	for _, row := range r.rows[from:] {
		if row.page != first.page || len(row.cells) != len(first.cells) || !r.isBareLine(row) || !isBelow(first, row) || n == maxItems {
			break
		}
		n++
	}
	return n
}

// isBareLine reports whether a line has the cells of a line of goods, and begins with no label.
func (r *reading) isBareLine(row *row) bool {
	if len(row.cells) < minBareColumns || len(row.cells) > maxBareColumns {
		return false
	}
	numbers, words := 0, 0
	for _, c := range row.cells {
		if _, ok := r.numberOf(c); ok {
			numbers++
		} else if countLetters(c.Text) >= shortestPart {
			words++
		}
		if c.taken || c.colon {
			return false
		}
	}
	return numbers >= len(multiplied) && words > 0 && row.cells[0].label == "" &&
		!totalLike.MatchString(phrase(row.cells[0].Text))
}

// isBelow reports whether each cell of a line is below the one of another, by their places.
func isBelow(above, below *row) bool {
	for i, c := range below.cells {
		if above.cells[i].Overlap(c.Cell) <= 0 {
			return false
		}
	}
	return true
}

// bareHead is the line above a table if it has a text above each column; nil if there is none.
func (r *reading) bareHead(at int) *row {
	if at == 0 || r.rows[at-1].page != r.rows[at].page {
		return nil
	}
	head := r.rows[at-1]
	isNumber := func(c *cell) bool { _, ok := r.numberOf(c); return ok }
	if len(head.cells) != len(r.rows[at].cells) || !isBelow(head, r.rows[at]) || slices.ContainsFunc(head.cells, isNumber) {
		return nil
	}
	return head
}

// bareColumns are the columns of lines, as wide as their cells.
func (r *reading) bareColumns(at, n int) []column {
	columns := make([]column, len(r.rows[at].cells))
	for i := range columns {
		left, right := r.rows[at].cells[i].Left, r.rows[at].cells[i].Right
		for _, row := range r.rows[at : at+n] {
			left, right = min(left, row.cells[i].Left), max(right, row.cells[i].Right)
		}
		columns[i].head = &cell{Cell: source.Cell{Left: left, Right: right}, row: r.rows[at]}
	}
	return columns
}
