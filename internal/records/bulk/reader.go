package bulk

import (
	"fmt"
	"strings"
)

// Limits of a table.
const (
	// MaxFile is the size of an uploaded file.
	MaxFile = 10 << 20
	// MaxRows is the number of rows below the header.
	MaxRows    = 100_000
	maxColumns = 200
	maxCell    = 4000 // bytes in UTF-8
)

// reader cuts text into records as RFC 4180 says, for any delimiter and any line
// end. A quote counts only at the beginning of a cell, and within a cell that has one.
type reader struct {
	text  string
	at    int
	comma byte
	cells []string // of the record that was read last; too many are counted, not kept
	count int      // of its cells
}

// next reads a record. It says what is wrong with it; the next begins on the next
// line. There is none behind the end of the text.
func (r *reader) next() (problem string, ok bool) {
	if r.at >= len(r.text) {
		return "", false
	}
	r.cells, r.count = r.cells[:0], 0
	for {
		cell, wrong := r.cell()
		if problem == "" {
			problem = wrong
		}
		if r.count++; r.count <= maxColumns {
			r.cells = append(r.cells, cell)
		}
		if r.at >= len(r.text) {
			return problem, true
		}
		end := r.text[r.at]
		r.at++
		switch end {
		case '\r':
			if r.at < len(r.text) && r.text[r.at] == '\n' {
				r.at++
			}
			return problem, true
		case '\n':
			return problem, true
		}
	}
}

// cell reads up to the delimiter or the end of the line.
func (r *reader) cell() (cell, problem string) {
	if r.at < len(r.text) && r.text[r.at] == '"' {
		if cell, problem = r.quoted(); problem != "" {
			r.plain()
		}
	} else {
		cell = r.plain()
	}
	if len(cell) > maxCell {
		return "", fmt.Sprintf("has a cell of %d bytes; at most %d are read", len(cell), maxCell)
	}
	return cell, problem
}

// plain reads a cell, or what is left of one, without quotes.
func (r *reader) plain() string {
	from := r.at
	for r.at < len(r.text) && r.text[r.at] != r.comma && r.text[r.at] != '\n' && r.text[r.at] != '\r' {
		r.at++
	}
	return r.text[from:r.at]
}

func (r *reader) quoted() (cell, problem string) {
	from, doubled := r.at+1, false
	for at := from; ; at++ {
		length := strings.IndexByte(r.text[at:], '"')
		if length < 0 {
			r.at = len(r.text)
			return "", "opens a quote that never closes"
		}
		if at += length; strings.HasPrefix(r.text[at+1:], `"`) {
			at, doubled = at+1, true
			continue
		}
		r.at, cell = at+1, r.text[from:at]
		break
	}
	if doubled {
		cell = strings.ReplaceAll(cell, `""`, `"`)
	}
	if !r.ended() {
		return cell, "has text behind a closing quote"
	}
	return cell, ""
}

// ended tells whether a cell ends here.
func (r *reader) ended() bool {
	return r.at >= len(r.text) || strings.IndexByte("\r\n"+string(rune(r.comma)), r.text[r.at]) >= 0
}

// empty tells whether the record that was read last says nothing.
func (r *reader) empty() bool {
	for _, cell := range r.cells {
		if strings.TrimSpace(cell) != "" {
			return false
		}
	}
	return r.count <= maxColumns
}
