package pdfwriter

import "iter"

// Column is a column of a table.
type Column struct {
	Title string
	Share float64 // of the width of all columns
	Right bool    // numbers, which end at the right
}

// Table writes a table. Its head stands on each page, and a row is never divided.
func (w *Writer) Table(columns []Column, rows iter.Seq[[]string]) {
	t := table{w: w, columns: columns}
	for _, c := range columns {
		t.shares += c.Share
	}
	w.need(5 * small * leading)
	w.table = w.tags.in(tableTag, func() {
		t.begin()
		for row := range rows {
			t.add(row, regular)
		}
	})
	w.y += 4
}

// Total writes a row in bold letters under a table with the same columns.
func (w *Writer) Total(columns []Column, row []string) {
	t := table{w: w, columns: columns}
	for _, c := range columns {
		t.shares += c.Share
	}
	w.y -= 4
	w.tags.within(w.table, func() { t.add(row, bold) })
	w.y += 4
}

// table is a table that is being written.
type table struct {
	w       *Writer
	columns []Column
	shares  float64
}

// pad is the space in points between cells.
const pad = 6.0

func (t *table) width(column int) float64 { return innerWidth * t.columns[column].Share / t.shares }

// begin writes the titles of the columns.
func (t *table) begin() {
	titles := make([]string, len(t.columns))
	for i, c := range t.columns {
		titles[i] = c.Title
	}
	t.put(t.cells(titles, bold), bold, columnTag)
	t.w.rule(0.8, 90)
}

// add writes a row, on the next page if this one has no room for it.
func (t *table) add(row []string, in weight) {
	cells := t.cells(row, in)
	if t.w.y+height(cells) > bottom {
		t.w.addPage()
		t.w.tags.within(nil, t.begin) // the titles are read once
	}
	t.put(cells, in, cellTag)
	t.w.rule(0.3, 200)
}

// cells breaks the cells of a row into lines.
func (t *table) cells(row []string, in weight) [][]string {
	cells := make([][]string, len(t.columns))
	for i := range t.columns {
		if i < len(row) {
			cells[i] = t.w.lines(row[i], t.width(i)-pad, small, in)
		}
	}
	return cells
}

func height(cells [][]string) float64 {
	most := 1
	for _, lines := range cells {
		most = max(most, len(lines))
	}
	return float64(most)*small*leading + 5
}

// put writes a row of cells at the current height.
func (t *table) put(cells [][]string, in weight, as tag) {
	t.w.tags.in(rowTag, func() {
		x := margin
		for i, lines := range cells {
			t.w.tags.in(as, func() { t.putCell(i, x, lines, in) })
			x += t.width(i)
		}
	})
	t.w.y += height(cells)
}

// putCell writes a cell at the current height, whose column begins at x.
func (t *table) putCell(column int, x float64, lines []string, in weight) {
	y := t.w.y + small + 2
	for _, line := range lines {
		if t.columns[column].Right {
			t.w.putRight(x+t.width(column)-pad/2, y, line, small, in)
		} else {
			t.w.put(x, y, line, small, in)
		}
		y += small * leading
	}
}
