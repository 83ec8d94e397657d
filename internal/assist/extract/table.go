package extract

import (
	"slices"
	"strings"
)

// column is a column of a table: its key, and the place of its header.
type column struct {
	key   key // empty if the header is unknown
	head  *cell
	label key  // of a field of the document that each line repeats
	again bool // a column further left has the same header
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
func (r *reading) readTables(columns *lexicon) {
	r.columns = columns
	for i := 0; i < len(r.rows); i++ {
		head, lines := r.header(columns, i)
		if head == nil {
			continue
		}
		nameColumns(head)
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
	if len(r.tables) == 0 && r.kind == Invoice {
		r.readBareTable()
		return
	}
	for n := range r.tables {
		r.repeated = append(r.repeated, r.constants(&r.tables[n])...)
		r.recognise(&r.tables[n])
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
func (r *reading) header(columns *lexicon, at int) (best []column, lines int) {
	known := 0
	for n := 1; n <= headLinesMax && at+n <= len(r.rows) && r.rows[at+n-1].page == r.rows[at].page; n++ {
		if last := r.rows[at+n-1]; !r.headLike(last) || n > 1 && (last.apart && last.top == 0 || r.isPair(r.rows[at])) {
			break
		}
		found, count := r.columnsOf(columns, r.rows[at:at+n])
		if count == 0 {
			break
		}
		if count == known && n == lines+1 && (onlyUnits(r.rows[at+n-1]) || len(found) == len(best) && !sameKeys(found, best)) {
			best, lines = found, n // "Unit" over "price" is no unit
			continue
		}
		if count <= known || !isHeader(found, count) && !r.isAbove(found, count, at+n) {
			continue
		}
		if n > 1 {
			if without, _ := r.columnsOf(columns, r.rows[at+1:at+n]); differentKeys(without) >= differentKeys(found) && factorsOf(without) >= factorsOf(found) {
				continue
			}
		}
		best, lines, known = found, n, count
	}
	return best, lines
}

// differentKeys is the number of different columns that are known.
func differentKeys(columns []column) int {
	seen := map[key]bool{}
	for _, c := range columns {
		if c.key != "" || c.label != "" {
			seen[c.key+c.label] = true
		}
	}
	return len(seen)
}

// factorsOf is how many of quantity, price and amount are among the columns.
func factorsOf(columns []column) (n int) {
	for _, k := range multiplied {
		if slices.ContainsFunc(columns, func(c column) bool { return c.key == k }) {
			n++
		}
	}
	return n
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

// columnsOf returns the columns of which lines would be the header, and how many are known: as columns of goods, or as
// fields of the document that each line repeats.
func (r *reading) columnsOf(columns *lexicon, rows []*row) (found []column, known int) {
	for _, c := range r.mergeHead(columns, rows) {
		own := column{head: c}
		if k, whole := columnKey(columns, c); whole {
			own.key = k
			known++
		}
		_, part := columns.begin(c.words)
		if r.tabular && (own.key == "" || own.key == "tax" || own.key == "line" || part < len(c.words)) { // "packing" of "packing list no"
			if k, n := r.labels.begin(c.words); n > 0 && n == len(c.words) && r.repeatable(k) {
				if own.key == "" {
					known++
				}
				own.key, own.label = "", k
			}
		}
		found = append(found, own)
	}
	return found, known
}

// repeatable reports whether each line of a table may repeat a field of the document.
func (r *reading) repeatable(k key) bool {
	switch k {
	case "other", "address", "line", "vatNumber", "placeOther":
		return false
	}
	return true
}

// splitHead separates headers that stand close together: each part is a header of its own.
func splitHead(columns *lexicon, heads []*cell, below *row) (all []*cell) {
	for _, c := range heads {
		cuts, sure := cutsOf(columns, c)
		if len(cuts) < 2 || !sure && cellsUnder(c, below) < len(cuts) {
			all = append(all, c)
			continue
		}
		for i, at := range cuts {
			end := len(c.Text)
			if i+1 < len(cuts) {
				end = c.words[cuts[i+1]].start
			}
			all = append(all, c.part(c.words[at].start, end))
		}
	}
	return all
}

// cellsUnder is the number of cells of a line that are under a header.
func cellsUnder(c *cell, below *row) (n int) {
	for _, d := range below.cells {
		if c.Overlap(d.Cell) > 0 {
			n++
		}
	}
	return n
}

// cutsOf returns where the headers in a cell begin, if it consists of headers of different columns, and whether these
// cannot be words of one header such as "Quantity units".
func cutsOf(columns *lexicon, c *cell) (cuts []int, sure bool) {
	seen := map[key]bool{}
	for at := 0; at < len(c.words); {
		k, n := columns.begin(c.words[at:])
		if n == 0 || seen[k] || strings.ContainsAny(c.Text, "/(") {
			return nil, false
		}
		seen[k] = true
		cuts = append(cuts, at)
		at += n
	}
	return cuts, seen["line"] || seen["sku"] || seen["tax"]
}

// isPair reports whether a line is a label beside its value, which no header of a table continues: any text in a sheet,
// a number elsewhere.
func (r *reading) isPair(row *row) bool {
	return len(row.cells) == 2 && row.cells[0].label != "" && row.cells[0].rest == "" && row.cells[1].label == "" &&
		(r.tabular || strings.ContainsAny(row.cells[1].Text, "0123456789"))
}

// isAbove reports whether a line with few known headers stands above lines of a table: as many cells as it has itself,
// at least two of them numbers.
func (r *reading) isAbove(found []column, known, next int) bool {
	if len(found) < minColumns || known < 2 || goodsColumns(found) < 2 || next >= len(r.rows) || isTotalsHeader(r.rows[next-1]) {
		return false
	}
	row, numbers := r.rows[next], 0
	for _, c := range row.cells {
		if _, ok := r.numberOf(c); ok {
			numbers++
		}
	}
	return len(row.cells) == len(found) && numbers >= 2
}

// headLike reports whether a line may be part of a header: it contains no separate number.
func (r *reading) headLike(row *row) bool {
	for _, c := range row.cells {
		if c.colon {
			return false
		}
		if n, ok := findNumber(c.Text, r.style); ok && n.before == "" && !strings.HasPrefix(c.Text, "(") && len(n.plain) > 1 {
			return false
		}
	}
	return true
}

// isHeader requires enough columns, one of which names the goods and another a quantity or
// amount.
func isHeader(found []column, known int) bool {
	if goodsColumns(found) < 2 || known < minColumns && (known < 2 || len(found) > 2) || known*2 < len(found) {
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

// goodsColumns is the number of columns about goods.
func goodsColumns(found []column) (n int) {
	for _, c := range found {
		if c.key != "" && c.key != "tax" && c.key != "line" {
			n++
		}
	}
	return n
}

// mergeHead joins cells of a header that are under each other.
func (r *reading) mergeHead(columns *lexicon, rows []*row) (head []*cell) {
	below := rows[len(rows)-1]
	if next := below.index + 1; next < len(r.rows) {
		below = r.rows[next]
	}
	for i, row := range rows {
		for _, c := range splitHead(columns, row.cells, below) {
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
func columnKey(columns *lexicon, c *cell) (k key, whole bool) {
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
			isLabel := columns.isLabel(w)
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
