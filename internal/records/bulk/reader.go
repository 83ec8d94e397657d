package bulk

import (
	"fmt"
	"strings"
)

// Limits of a table.
const (
	// MaxFile is the maximum size of an uploaded file in bytes.
	MaxFile = 10 << 20
	// MaxRows is the maximum number of rows below the header.
	MaxRows    = 100_000
	maxColumns = 512       // more than a table of declarations has
	maxCell    = 256 << 10 // bytes in UTF-8; a cell can have a list of 99 documents as JSON
)

// reader splits text into records as in RFC 4180, with any delimiter and line ending. A quote is
// special only at the beginning of a cell and within a quoted cell.
type reader struct {
	text  string
	at    int
	comma byte
	cells []string // of the current record; cells over the limit are counted but not stored
	count int      // number of cells
}

// next reads a record and returns what is wrong with it. It returns false at the end of the text.
func (r *reader) next() (problem string, ok bool) {
	if r.at >= len(r.text) {
		return "", false
	}
	r.cells, r.count = r.cells[:0], 0
	for {
		cell, errs := r.cell()
		if problem == "" {
			problem = errs
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
		return "", fmt.Sprintf("has a cell of %d bytes; the maximum is %d", len(cell), maxCell)
	}
	return cell, problem
}

// plain reads an unquoted cell, or the rest of one.
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
			return "", "has an opening quote without a closing quote"
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
		return cell, "has text after a closing quote"
	}
	return cell, ""
}

// ended reports whether the cell ends here.
func (r *reader) ended() bool {
	return r.at >= len(r.text) || strings.IndexByte("\r\n"+string(rune(r.comma)), r.text[r.at]) >= 0
}

// empty reports whether the current record has only empty cells.
func (r *reader) empty() bool {
	for _, cell := range r.cells {
		if strings.TrimSpace(cell) != "" {
			return false
		}
	}
	return r.count <= maxColumns
}
