package extract

import (
	"slices"
	"strings"
)

// column is a column of a table: its key, and the place of its header.
type column struct {
	key  key // empty if the header is unknown
	head *cell
}

// item is a line of a table: its cells by column, including those of continuation lines.
type item struct {
	row   *row
	cells map[key][]*cell
	heads map[key]*cell
}

// table is a table of goods or of containers.
type table struct {
	columns []column
	items   []*item
	sums    *item // the line with the totals
}

// Limits of the header of a table.
const (
	headLinesMax = 3
	maxHead      = 80 // bytes of a column's header
	minColumns   = 3
)

// readTables finds the tables and marks their cells.
func (r *reading) readTables(columns dictionary) {
	for i := 0; i < len(r.rows); i++ {
		head, lines := r.header(columns, i)
		if head == nil {
			continue
		}
		t := table{columns: head}
		for _, row := range r.rows[i : i+lines] {
			for _, c := range row.cells {
				c.taken = true
			}
		}
		if last := len(r.tables) - 1; last >= 0 && r.tables[last].sameAs(t) && r.tables[last].sums == nil {
			t = r.tables[last] // it continues on another page
			t.columns = head
			r.tables = r.tables[:last]
		}
		i = r.readItems(&t, i+lines) - 1
		if len(t.items) == 0 {
			r.free(i, lines)
			continue
		}
		r.tables = append(r.tables, t)
	}
}

// free returns the cells of a header that no line follows.
func (r *reading) free(from, lines int) {
	for _, row := range r.rows[max(0, from-lines) : from+1] {
		for _, c := range row.cells {
			c.taken = false
		}
	}
}

func (t *table) sameAs(u table) bool { return sameKeys(t.columns, u.columns) }

func sameKeys(a, b []column) bool {
	return slices.EqualFunc(a, b, func(a, b column) bool { return a.key == b.key })
}

// header reads a table header of up to three lines that begins on a line. It takes as many
// lines as give the most known columns, but none that adds nothing.
func (r *reading) header(columns dictionary, at int) (best []column, lines int) {
	known := 0
	for n := 1; n <= headLinesMax && at+n <= len(r.rows) && r.rows[at+n-1].page == r.rows[at].page; n++ {
		if n > 1 && !r.headLike(r.rows[at+n-1]) {
			break
		}
		found, count := columnsOf(columns, r.rows[at:at+n])
		if count == 0 {
			break
		}
		if count == known && n == lines+1 && (onlyUnits(r.rows[at+n-1]) || len(found) == len(best) && !sameKeys(found, best)) {
			best, lines = found, n // "Unit" over "price" is no unit
			continue
		}
		if count <= known || !isHeader(found, count) {
			continue
		}
		if n > 1 {
			if _, without := columnsOf(columns, r.rows[at+1:at+n]); without >= count {
				continue
			}
		}
		best, lines, known = found, n, count
	}
	return best, lines
}

// onlyUnits reports whether a line has only units and currencies.
func onlyUnits(row *row) bool {
	for _, c := range row.cells {
		for _, w := range c.words {
			if !slices.Contains(unitWords, w.plain) {
				return false
			}
		}
	}
	return true
}

// columnsOf returns the columns of which lines would be the header, and how many are known.
func columnsOf(columns dictionary, rows []*row) (found []column, known int) {
	for _, c := range mergeHead(rows) {
		k, whole := columnKey(columns, c)
		if whole {
			known++
		} else {
			k = ""
		}
		found = append(found, column{k, c})
	}
	return found, known
}

// headLike reports whether a line may be part of a header: it contains no separate number.
func (r *reading) headLike(row *row) bool {
	for _, c := range row.cells {
		if n, ok := findNumber(c.Text, r.style); ok && n.before == "" && !strings.HasPrefix(c.Text, "(") && len(n.plain) > 1 {
			return false
		}
	}
	return true
}

// isHeader requires enough columns, one of which names the goods and another a quantity or
// amount.
func isHeader(found []column, known int) bool {
	if known < minColumns && (known < 2 || len(found) > 2) || known*2 < len(found) {
		return false
	}
	what, much := false, false
	for _, c := range found {
		switch c.key {
		case "description", "code", "container", "sku":
			what = true
		case "quantity", "amount", "gross", "net", "packages", "unitPrice", "volume", "seal":
			much = true
		}
	}
	return what && much
}

// mergeHead joins cells of a header that are under each other.
func mergeHead(rows []*row) (head []*cell) {
	for i, row := range rows {
		for _, c := range row.cells {
			if i > 0 {
				if above := overlapping(head, c); above != nil {
					above.Text += " " + c.Text
					above.Left, above.Right = min(above.Left, c.Left), max(above.Right, c.Right)
					above.words = wordsOf(above.Text)
					continue
				}
			}
			own := *c
			head = append(head, &own)
		}
	}
	slices.SortStableFunc(head, func(a, b *cell) int { return a.Left - b.Left })
	return head
}

func overlapping(cells []*cell, c *cell) *cell {
	var best *cell
	for _, d := range cells {
		if d.Overlap(c.Cell) > 0 && (best == nil || d.Overlap(c.Cell) > best.Overlap(c.Cell)) {
			best = d
		}
	}
	return best
}

// unitWords may be in a header beside its label, and so may currencies.
var unitWords = strings.Fields("pairs pair pieces piece sets set dozen units rolls bags boxes cartons pallets packages metres litres kilos pounds kg kgs g lb lbs t cbm m3 m³ gbp eur usd chf pcs pc ctns in of the per no s ex vat excl ht ea total nos plt each net netto jpy cny pln sek nok inr aud cad cm szt stk st htva per unit m p unit cur")

// columnKey returns the column that a header names; whole reports whether it contains nothing
// else.
func columnKey(columns dictionary, c *cell) (k key, whole bool) {
	text := c.Text
	if len(text) > maxHead {
		return "", false
	}
	if open := strings.IndexAny(text, "(["); open > 0 {
		if end := strings.IndexAny(text, ")]"); end > open {
			c.hint += " " + text[open+1:end]
			text = text[:open] + " " + text[end+1:]
		}
	}
	parts := []string{text}
	if strings.Contains(text, "/") {
		parts = append(parts, strings.Split(text, "/")...)
	}
	for _, part := range parts {
		words := wordsOf(part)
		k, n := columns.begin(words)
		if n == 0 {
			continue
		}
		rest := words[n:]
		extra := !slices.ContainsFunc(rest, func(w word) bool {
			_, isLabel := columns[w.plain]
			return !slices.Contains(unitWords, w.plain) && !isLabel
		})
		if extra {
			for _, w := range rest {
				c.hint += " " + w.plain
			}
			return k, true
		}
	}
	return "", false
}
