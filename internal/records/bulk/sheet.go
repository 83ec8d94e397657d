package bulk

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/assist/mapping"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// Limits of what is told and shown of a table.
const (
	maxFaults = 100
	maxHeader = 100
	// maxShown is the size of all rows as JSON, so that what is shown can be sent back.
	maxShown = MaxCommit - 64<<10
)

// Sheet is an uploaded table that has been found sound.
type Sheet struct {
	Headers []string
	body    reader // at the first row
}

// ReadSheet reads CSV of any known encoding and delimiter. It names every fault
// of the table, with its row, up to a hundred.
func ReadSheet(file []byte) (*Sheet, error) {
	if is := foreign(file); is != "" {
		return nil, faulty("is no table but %s", is)
	}
	text, err := decoded(file)
	if err != nil {
		return nil, faulty("cannot be decoded")
	}
	if strings.TrimSpace(text) == "" {
		return nil, faulty("is empty")
	}
	comma, from := delimited(text)
	return sheetOf(reader{text: text, comma: comma, at: from})
}

// sheetOf is the table of a text, once it is found sound.
func sheetOf(body reader) (*Sheet, error) {
	s := &Sheet{body: body}
	if err := s.readHeaders(); err != nil {
		return nil, err
	}
	if err := s.check(); err != nil {
		return nil, err
	}
	return s, nil
}

func faulty(format string, args ...any) error {
	return apierr.Invalid(apierr.Detail{Field: "file", Message: fmt.Sprintf(format, args...)})
}

// readHeaders takes the first record for the headers, unless it is plainly a row.
func (s *Sheet) readHeaders() error {
	r := s.body
	problem, ok := r.next()
	for ok && problem == "" && r.empty() {
		s.body.at = r.at
		problem, ok = r.next()
	}
	if problem != "" {
		return apierr.Invalid(apierr.Detail{Field: "headers", Message: problem})
	}
	if r.count > maxColumns {
		return apierr.Invalid(apierr.Detail{Field: "headers", Message: fmt.Sprintf("are %d; at most %d columns are read", r.count, maxColumns)})
	}
	if slices.ContainsFunc(r.cells, mapping.IsValue) {
		for i := range r.cells {
			s.Headers = append(s.Headers, fmt.Sprintf("Column %d", i+1))
		}
		return nil
	}
	for _, cell := range r.cells {
		s.Headers = append(s.Headers, strings.TrimSpace(cell))
	}
	s.body.at = r.at
	return checkHeaders(s.Headers)
}

func checkHeaders(headers []string) error {
	var details []apierr.Detail
	for i, header := range headers {
		message := ""
		switch {
		case header == "":
			message = "is empty"
		case len(header) > maxHeader:
			message = fmt.Sprintf("has %d bytes; at most %d are read", len(header), maxHeader)
		case strings.ContainsRune(header, 0):
			message = "contains the character U+0000"
		case slices.Contains(headers[:i], header):
			message = fmt.Sprintf("%q stands there twice", header)
		default:
			continue
		}
		if len(details) < maxFaults {
			details = append(details, apierr.Detail{Field: fmt.Sprintf("header %d", i+1), Message: message})
		}
	}
	if details != nil {
		return apierr.Invalid(details...)
	}
	return nil
}

// check reads the table to its end and names every fault.
func (s *Sheet) check() error {
	var details []apierr.Detail
	var shown []byte
	rows, size := 0, 0
	for at, r := range s.records() {
		if rows++; rows > MaxRows {
			return faulty("has more than %d rows; send it in parts", MaxRows)
		}
		for _, d := range s.faults(r, rows) {
			d.Message += fmt.Sprintf(" (line %d)", 1+lines(s.body.text[:at]))
			details = append(details, d)
		}
		if len(details) >= maxFaults {
			details = details[:maxFaults]
			break
		}
		shown = s.AppendRow(shown[:0], r.cells)
		size += len(shown) + 1
	}
	switch {
	case details != nil:
		return apierr.Invalid(details...)
	case rows == 0:
		return faulty("has no rows below its headers")
	case size > maxShown:
		return faulty("would take %d bytes as JSON, more than can be sent back: leave out columns, or send it in parts", size)
	}
	return nil
}

// faults names what is wrong with the record that was read last.
func (s *Sheet) faults(r *checked, row int) (details []apierr.Detail) {
	name := fmt.Sprintf("row %d", row)
	if r.problem != "" {
		return []apierr.Detail{{Field: name, Message: r.problem}}
	}
	if r.count != len(s.Headers) {
		return []apierr.Detail{{Field: name, Message: fmt.Sprintf("has %d cells, not %d", r.count, len(s.Headers))}}
	}
	for i, cell := range r.cells {
		if strings.IndexByte(cell, 0) >= 0 {
			details = append(details, apierr.Detail{Field: name + ", " + s.Headers[i], Message: "contains the character U+0000"})
		}
	}
	return details
}

// checked is a record with what is wrong with it.
type checked struct {
	*reader
	problem string
}

// records are the rows that say something, each with where it begins in the text.
func (s *Sheet) records() iter.Seq2[int, *checked] {
	return func(yield func(int, *checked) bool) {
		r := s.body
		c := &checked{reader: &r}
		for {
			at, ok := r.at, false
			if c.problem, ok = r.next(); !ok {
				return
			}
			if c.problem == "" && r.empty() {
				continue
			}
			if !yield(at, c) {
				return
			}
		}
	}
}

// Rows are the cells of each row, valid until the next.
func (s *Sheet) Rows() iter.Seq[[]string] {
	return func(yield func([]string) bool) {
		for _, r := range s.records() {
			if !yield(r.cells) {
				return
			}
		}
	}
}

// AppendRow appends a row as a JSON object by header.
func (s *Sheet) AppendRow(dst []byte, cells []string) []byte {
	dst = append(dst, '{')
	for i := range min(len(cells), len(s.Headers)) {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(appendText(dst, s.Headers[i]), ':')
		dst = appendText(dst, cells[i])
	}
	return append(dst, '}')
}

// lines counts the line ends of a text, of either kind.
func lines(text string) int {
	return strings.Count(text, "\n") + strings.Count(text, "\r") - strings.Count(text, "\r\n")
}
