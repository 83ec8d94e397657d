package source

import (
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/tidewaiter/tidewaiter/internal/document/safexml"
)

// gridCell is a cell while it is read.
type gridCell struct {
	column      int
	kind, style string
	value       strings.Builder
}

// wholeCell is the length in bytes from which a text may have been cut.
const wholeCell = maxCell - utf8.UTFMax

// readSheet makes a line of every row.
func (w *workbook) readSheet(part string) error {
	before := 0
	return w.eachRow(part, func(number int, row []Cell) {
		w.builder.line(row, number > before+1)
		before = number
	})
}

// eachRow calls fn for every row, with its number.
func (w *workbook) eachRow(part string, fn func(number int, row []Cell)) error {
	var row []Cell
	var cell *gridCell
	number, inValue := 0, false
	return w.each(part, func(t safexml.Token) {
		switch t.Kind {
		case safexml.Start:
			switch t.Name.Local {
			case "row":
				if number++; t.Attr("r") != "" {
					number, _ = strconv.Atoi(t.Attr("r"))
				}
				row = nil
			case "c":
				cell = &gridCell{column: column(t.Attr("r"), len(row)), kind: t.Attr("t"), style: t.Attr("s")}
			case "v", "t":
				inValue = cell != nil
			}
		case safexml.Text:
			if inValue && cell.value.Len() < maxCell {
				cell.value.WriteString(t.Text)
			}
		case safexml.End:
			switch t.Name.Local {
			case "row":
				fn(number, row)
			case "c":
				if cell != nil && len(row) < maxColumns {
					row = append(row, w.shown(cell))
				}
				w.lost = w.lost || cell != nil && (cell.value.Len() >= wholeCell || len(row) == maxColumns && cell.value.Len() > 0)
				cell = nil
			case "v", "t":
				inValue = false
			}
		}
	})
}

// column returns the number of a column, from 0: 27 for AB12.
func column(reference string, otherwise int) int {
	n := 0
	for _, r := range reference {
		if r < 'A' || r > 'Z' || n > 1<<14 {
			break
		}
		n = n*26 + int(r-'A') + 1
	}
	if n == 0 {
		return otherwise
	}
	return n - 1
}

// shown returns a cell as it is displayed, but dates in ISO 8601 and numbers in plain form.
func (w *workbook) shown(g *gridCell) Cell {
	c := Cell{Text: g.value.String(), Left: g.column * columnWidth, Right: (g.column+1)*columnWidth - 1}
	switch g.kind {
	case "s":
		if n, err := strconv.Atoi(strings.TrimSpace(c.Text)); err == nil && n >= 0 && n < len(w.strings) {
			c.Text = w.strings[n]
		} else {
			c.Text = ""
		}
	case "str", "inlineStr":
	case "d":
		c.Text, _, _ = strings.Cut(c.Text, "T")
	case "b", "e":
		c.Text = ""
	default:
		c.Plain = true
		c.Text = w.number(c.Text, g.style)
	}
	return c
}

// number returns a date if the style says so. Workbooks store binary fractions, of which
// fifteen digits are significant.
func (w *workbook) number(text, style string) string {
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return text
	}
	if n, err := strconv.Atoi(style); err == nil && n >= 0 && n < len(w.dates) && w.dates[n] && f >= 1 && f < 200_000 {
		first := time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)
		if w.from1904 {
			first = time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)
		}
		return first.AddDate(0, 0, int(f)).Format(time.DateOnly)
	}
	const digits = 15
	if rounded, err := strconv.ParseFloat(strconv.FormatFloat(f, 'g', digits, 64), 64); err == nil {
		f = rounded
	}
	return strconv.FormatFloat(f, 'f', -1, 64)
}

// readStyles finds the styles that display a number as a date.
func (w *workbook) readStyles() error {
	dated := map[string]bool{}
	for _, n := range []int{14, 15, 16, 17, 22, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58} {
		dated[strconv.Itoa(n)] = true
	}
	inCells := false
	return w.each("xl/styles.xml", func(t safexml.Token) {
		switch {
		case t.Name.Local == "cellXfs":
			inCells = t.Kind == safexml.Start
		case t.Kind != safexml.Start:
		case t.Name.Local == "numFmt":
			dated[t.Attr("numFmtId")] = isDateFormat(t.Attr("formatCode"))
		case t.Name.Local == "xf" && inCells:
			w.dates = append(w.dates, dated[t.Attr("numFmtId")])
		}
	})
}

// isDateFormat reports whether a format has a year or a day outside of quotes and brackets.
func isDateFormat(code string) bool {
	var closing rune
	for _, r := range strings.ToLower(code) {
		switch {
		case closing != 0:
			if r == closing {
				closing = 0
			}
		case r == '"':
			closing = '"'
		case r == '[':
			closing = ']'
		case r == 'y' || r == 'd':
			return true
		}
	}
	return false
}
