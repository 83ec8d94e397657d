package source

import "strings"

// columnWidth is the width that a column of a table gets.
const columnWidth = 100

// Limits of a table: further columns are ignored, and a quote that is not closed within so
// many bytes is an ordinary character.
const (
	maxColumns = 512
	maxQuoted  = 16 << 10
	// firstRecords is the number of records that are used to find the delimiter.
	firstRecords = 40
)

// records splits text into records by RFC 4180, with any delimiter.
type records struct {
	text  string
	at    int
	comma byte
}

// next reads a record; ok is false after the end.
func (r *records) next() (cells []string, ok bool) {
	if r.at >= len(r.text) {
		return nil, false
	}
	for {
		cell := r.cell()
		if len(cells) < maxColumns {
			cells = append(cells, cell)
		}
		if r.at >= len(r.text) {
			return cells, true
		}
		stop := r.text[r.at]
		r.at++
		if stop != r.comma {
			if stop == '\r' && r.at < len(r.text) && r.text[r.at] == '\n' {
				r.at++
			}
			return cells, true
		}
	}
}

// cell reads up to the delimiter or the end of the line.
func (r *records) cell() string {
	if r.text[r.at:] != "" && r.text[r.at] == '"' {
		if cell, ok := r.quoted(); ok {
			return cell
		}
	}
	from := r.at
	for r.at < len(r.text) && r.text[r.at] != r.comma && r.text[r.at] != '\n' && r.text[r.at] != '\r' {
		r.at++
	}
	return r.text[from:r.at]
}

func (r *records) quoted() (string, bool) {
	rest := r.text[r.at+1 : min(len(r.text), r.at+maxQuoted)]
	for at := 0; at < len(rest); at++ {
		switch {
		case rest[at] != '"':
		case at+1 < len(rest) && rest[at+1] == '"':
			at++
		default:
			after := r.at + at + 2
			if after < len(r.text) && strings.IndexByte("\r\n"+string(rune(r.comma)), r.text[after]) < 0 {
				return "", false
			}
			r.at = after
			return strings.ReplaceAll(rest[:at], `""`, `"`), true
		}
	}
	return "", false
}

// delimiter finds the delimiter of a table: the one that splits most lines into the same
// number of cells. A text without one is not a table.
func delimiter(text string) (comma byte, ok bool) {
	best := 0
	for _, d := range []byte(";\t,|") {
		if fit := fitness(text, d); fit > best {
			comma, best = d, fit
		}
	}
	return comma, best > 0
}

// fitness is the number of records that a delimiter splits into as many cells as the record
// before: at least three, or two where prose is unlikely. Prose also has commas, but seldom as
// many on consecutive lines, and with spaces after them.
func fitness(text string, comma byte) int {
	r := records{text: text, comma: comma}
	alike, all, before, spaced := 0, 0, 0, 0
	for all < firstRecords {
		cells, ok := r.next()
		if !ok {
			break
		}
		all++
		if len(cells) == before && (len(cells) >= 3 || len(cells) == 2 && comma != ',') {
			alike++
		}
		before = len(cells)
		for _, cell := range cells[1:] {
			if strings.HasPrefix(cell, " ") {
				spaced++
			}
		}
	}
	if alike == 0 || alike*4 < all || comma != ';' && spaced > alike*2 {
		return 0
	}
	return alike
}

func readCSV(text string, comma byte) Document {
	b := &builder{doc: Document{Format: CSV}}
	b.page("")
	r := records{text: text, comma: comma}
	apart := false
	for !b.cut {
		cells, ok := r.next()
		if !ok {
			break
		}
		if whole := strings.Join(cells, ""); isRule(whole) {
			apart = apart || strings.TrimSpace(whole) == ""
			continue
		}
		b.line(columns(cells), apart)
		apart = false
	}
	return b.done()
}

// columns returns cells side by side, each in a column of its own.
func columns(values []string) (cells []Cell) {
	for i, v := range values {
		cells = append(cells, Cell{Text: v, Left: i * columnWidth, Right: (i+1)*columnWidth - 1})
	}
	return cells
}
