package extract

import (
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
)

// numeric are the columns whose numbers make a line an item.
var numeric = []key{"quantity", "unitPrice", "amount", "net", "gross", "packages", "volume", "container"}

// maxItems is the largest number of lines of goods that are read.
const maxItems = 999

var (
	totalLike      = lazyregexp.New(`^(?:grand |sub ?|invoice |net |page )?(?:total|totals|totale|totaal|totalt|gesamt|gesamtbetrag|gesamtsumme|summe|suma|razem|somme|sum)\b`)
	carriedForward = lazyregexp.New(`^(?:carried|brought|carry|ubertrag|a reporter|report|riporto|transport|continued|page|seite|pagina|fortsetzung|suite)\b`)
)

// readItems reads the lines below a header up to the end of the table, and returns the next
// line.
func (r *reading) readItems(t *table, from int) (next int) {
	fresh := true
	for i := from; i < len(r.rows); i++ {
		row := r.rows[i]
		if i > from && row.page != r.rows[i-1].page {
			fresh = false // without a header of its own, only full lines belong to the table
		}
		first := phrase(row.cells[0].Text)
		switch {
		case carriedForward.MatchString(first):
			take(row)
			continue
		case len(t.items) > 0 && statesSums(row):
			return i
		case totalLike.MatchString(first):
			if t.sums == nil && len(row.cells) > 1 && len(t.items) > 0 && r.hasSums(t, row) {
				t.sums = t.assign(row)
				if len(row.cells) > 2 {
					take(row) // several totals, one for each column
				}
			}
			return i
		case r.closes(t, row), len(t.items) > 0 && r.endsInTotal(row):
			return i
		case r.mayClose(t, row):
			if !r.goesOn(t, i+1) {
				return i
			}
			if row.cells[0].colon {
				continue
			}
		}
		placed := t.assign(row)
		switch {
		case r.begins(t, placed) && len(t.items) < maxItems && (fresh || len(row.cells) >= minColumns):
			t.items = append(t.items, placed)
			take(row)
			fresh = true
		case len(t.items) > 0 && fresh && (!row.apart || r.detail(row)):
			t.items[len(t.items)-1].add(placed)
			take(row)
		case len(t.items) > 0 && fresh && !r.goesOn(t, i):
			return i
		case !fresh && len(r.rows[i].cells) > 0:
			continue
		}
	}
	return len(r.rows)
}

// hasSums reports whether a line states sums of columns. One total below a table with amounts may stand under any
// column: its label says which total it is.
func (r *reading) hasSums(t *table, row *row) bool {
	numbers := 0
	for _, c := range row.cells[1:] {
		if _, ok := findNumber(c.Text, r.style); ok {
			numbers++
		}
	}
	return numbers > 1 || numbers == 1 && !(t.has("amount") && strings.HasPrefix(string(row.cells[0].label), "totals."))
}

// lookAhead is the number of lines of text that may stand between two lines of goods.
const lookAhead = 12

// goesOn reports whether lines of goods follow on the page after a line of text.
func (r *reading) goesOn(t *table, from int) bool {
	for i := from; i < len(r.rows) && i <= from+lookAhead; i++ {
		row := r.rows[i]
		if head, _ := r.header(r.columns, i); head != nil {
			return false
		}
		if row.page != r.rows[from].page || totalLike.MatchString(phrase(row.cells[0].Text)) || r.closes(t, row) {
			return false
		}
		if len(row.cells) >= minColumns && r.begins(t, t.assign(row)) {
			return true
		}
	}
	return false
}

func take(row *row) {
	for _, c := range row.cells {
		c.taken = true
	}
}

// closes reports whether a line follows the table: it begins with a label that is not of a
// line of goods and that points to a value.
func (r *reading) closes(t *table, row *row) bool {
	c := row.cells[0]
	if len(t.items) > 0 && (isTotalsHeader(row) || statesSums(row)) {
		return true
	}
	switch c.label {
	case "", "line", "countryOfOrigin", "netMassKg", "grossMassKg", "marks", "containerNumber", "seal", "packageCount", "volumeM3", "other":
		return false
	}
	if len(t.items) == 0 {
		return false
	}
	return strings.HasPrefix(string(c.label), "totals.") && (c.colon || len(row.cells) <= 3)
}

// endsInTotal reports whether a line ends in a total of goods or of the invoice, also beside another table.
func (r *reading) endsInTotal(row *row) bool {
	last := len(row.cells) - 1
	if last < 2 {
		return false
	}
	label := row.cells[last-1]
	_, ok := r.numberOf(row.cells[last])
	return ok && label.rest == "" && (label.label == "totals.goods" || label.label == "totals.grand")
}

// mayClose reports whether a line follows the table unless lines of goods follow it: a label alone, or one of no known
// field.
func (r *reading) mayClose(t *table, row *row) bool {
	c := row.cells[0]
	switch c.label {
	case "", "line", "countryOfOrigin", "netMassKg", "grossMassKg", "marks", "containerNumber", "seal", "packageCount", "volumeM3":
		return false
	case "other":
		return c.colon && len(t.items) > 0 && !r.detail(row)
	}
	return len(t.items) > 0 && (c.colon || len(row.cells) == 1 && c.rest == "")
}

// assign puts the cells of a line into the columns that they overlap most, or into the nearest
// ones.
func (t *table) assign(row *row) *item {
	placed := &item{row: row, cells: map[key][]*cell{}, heads: map[key]*cell{}}
	for _, col := range t.columns {
		if placed.heads[col.key] == nil {
			placed.heads[col.key] = col.head
		}
	}
	for _, c := range t.separate(row.cells) {
		best, most := column{}, -1<<30
		for _, col := range t.columns {
			if share := col.head.Overlap(c.Cell); share > most {
				best, most = col, share
			}
		}
		placed.cells[best.key] = append(placed.cells[best.key], c)
	}
	return placed
}

// separate splits cells with several close numbers that cover as many columns.
func (t *table) separate(cells []*cell) (separated []*cell) {
	for _, c := range cells {
		fields := strings.Fields(c.Text)
		over := 0
		for _, col := range t.columns {
			if col.head.Overlap(c.Cell) > 0 {
				over++
			}
		}
		if len(fields) < 2 || over < len(fields) || !closeNumbers.MatchString(c.Text) || numeral.FindString(c.Text) == c.Text {
			separated = append(separated, t.byHeads(c)...)
			continue
		}
		at, width := 0, c.Right-c.Left
		for _, f := range fields {
			part := *c
			part.Text = f
			part.Left = c.Left + width*at/len(c.Text)
			at += len(f)
			part.Right = c.Left + width*at/len(c.Text)
			at++
			separated = append(separated, &part)
		}
	}
	return separated
}

// byHeads divides a cell that begins with a number and stands under several headers, such as "3 pcs 19 % VAT" under
// quantity and tax: each word belongs to the nearest header.
func (t *table) byHeads(c *cell) []*cell {
	var heads []column
	for _, col := range t.columns {
		if shared := col.head.Overlap(c.Cell); shared*2 > col.head.Right-col.head.Left {
			heads = append(heads, col)
		}
	}
	holdsText := func(col column) bool {
		return !slices.Contains(numeric, col.key) && col.key != "tax" && col.key != "unit"
	}
	if len(heads) < 2 || len(c.words) < len(heads) || !startsNumber.MatchString(c.Text) || slices.ContainsFunc(heads, holdsText) {
		return []*cell{c}
	}
	var parts []*cell
	width, from, at := c.Right-c.Left, 0, 0
	for i, w := range c.words {
		middle := c.Left + width*(w.start+w.end)/2/len(c.Text)
		if at+1 >= len(heads) || middle*2 < (heads[at].head.Left+heads[at].head.Right)/2+(heads[at+1].head.Left+heads[at+1].head.Right)/2 || i == 0 {
			continue
		}
		parts, from, at = append(parts, c.part(from, w.start)), w.start, at+1
	}
	return append(parts, c.part(from, len(c.Text)))
}

// startsNumber matches a number at the beginning of a text.
var startsNumber = lazyregexp.New(`^\d`)

// part is a piece of a cell's text, at the place where it stands if all characters are equally wide.
func (c *cell) part(from, to int) *cell {
	own, width := *c, c.Right-c.Left
	own.Text = strings.TrimSpace(c.Text[from:to])
	own.Left, own.Right = c.Left+width*from/len(c.Text), c.Left+width*to/len(c.Text)
	own.words = wordsOf(own.Text)
	return &own
}

var closeNumber = lazyregexp.New(`^[-–−]?\d[\d.,' ]*[-–−]?$`)

var closeNumbers = lazyregexp.New(`^[-–−]?\d[\d.,']*(?: [-–−]?\d[\d.,']*)+$`)

// begins reports whether a line is an item of its own: it has at least one number, and at
// least half of the numbers that items of this table have.
func (r *reading) begins(t *table, placed *item) bool {
	if first := placed.row.cells[0]; first.label == "totals.vat" || first.means("discount") {
		return false
	}
	have, want := 0, 0
	for _, col := range t.columns {
		for _, k := range numeric {
			if col.key != k {
				continue
			}
			want++
			for _, c := range placed.cells[k] {
				if n, ok := findNumber(c.Text, r.style); ok && (k == "container" || len(strings.Fields(n.before)) <= 2) {
					have++
					break
				}
			}
		}
	}
	if want < 2 {
		return have*2 >= want && r.isFull(t, placed)
	}
	return have > 0 && have*2 >= want
}

// conceptOf returns what the first word of a cell means.
func conceptOf(c *cell) concept {
	if len(c.words) == 0 {
		return ""
	}
	if all := c.words[0].concepts; len(all) > 0 {
		return all[0]
	}
	return ""
}

// means reports whether the first word of a cell means something.
func (c *cell) means(what concept) bool {
	return len(c.words) > 0 && slices.Contains(c.words[0].concepts, what)
}

// isFull reports whether a line has cells in most columns, at least two of them numbers.
func (r *reading) isFull(t *table, placed *item) bool {
	numbers := 0
	for _, c := range placed.row.cells {
		if _, ok := r.numberOf(c); ok {
			numbers++
		}
	}
	return numbers >= 2 && len(placed.row.cells)*2 > len(t.columns) || numbers > 0 && len(placed.row.cells) == len(t.columns)
}

// detail reports whether a line continues the item above it.
func (r *reading) detail(row *row) bool {
	for _, c := range row.cells {
		if c.hasContent() {
			return true
		}
	}
	return false
}

// hasContent reports whether a cell by itself says which value of a line of goods it is.
func (c *cell) hasContent() bool {
	return c.label == "countryOfOrigin" || c.label == "netMassKg" || c.label == "grossMassKg" || codeLine.MatchString(c.Text)
}

// add joins a line to the item above it.
func (i *item) add(more *item) {
	for _, k := range []key{"description", "marks", "code", "origin", "container", "seal", "kind", "gross", "net", "volume"} {
		for _, c := range more.cells[k] {
			if !c.hasContent() {
				i.cells[k] = append(i.cells[k], c)
			}
		}
	}
	for _, k := range []key{"quantity", "unitPrice", "amount"} { // a cell may stand lower than its line
		if len(i.cells[k]) == 0 && len(more.cells[k]) == 1 && closeNumber.MatchString(more.cells[k][0].Text) {
			i.cells[k] = more.cells[k]
		}
	}
	for _, c := range more.row.cells {
		if c.hasContent() {
			i.cells["description"] = append(i.cells["description"], c)
		}
	}
	if len(more.cells["description"]) == 0 {
		for _, k := range []key{"sku", "line"} { // a description may begin left of its header
			i.cells["description"] = append(i.cells["description"], more.cells[k]...)
		}
	}
}

// text returns the joined text of the cells of a column.
func (i *item) text(k key) string {
	var parts []string
	for _, c := range i.cells[k] {
		parts = append(parts, c.Text)
	}
	return strings.Join(parts, " ")
}

// candidate returns the first cell of a column as the value of its header.
func (i *item) candidate(k key) (candidate, bool) {
	cells := i.cells[k]
	if len(cells) == 0 {
		return candidate{}, false
	}
	if last := cells[len(cells)-1]; k == "amount" && last.row == cells[0].row && closeNumber.MatchString(last.Text) {
		cells = cells[len(cells)-1:] // behind a rate of tax
	}
	return candidate{text: cells[0].Text, cell: cells[0], label: i.heads[k], sure: beside, plain: cells[0].Plain}, true
}
