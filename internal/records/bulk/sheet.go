package bulk

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/assist/mapping"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// Limits of errors and of the output.
const (
	maxErrorDetails = 100
	maxHeader       = 100
	// maxShown is the maximum size of all rows as JSON, so that the client can send them back.
	maxShown = MaxCommit - 64<<10
)

// Sheet is an uploaded table without errors.
type Sheet struct {
	Headers []string
	body    reader // positioned at the first row
}

// ReadSheet reads CSV in any supported encoding and with any supported delimiter. It reports up to 100
// errors of the table with their rows.
func ReadSheet(file []byte) (*Sheet, error) {
	if is := otherFileType(file); is != "" {
		return nil, fileError("is not a table but %s", is)
	}
	text, err := decodeText(file)
	if err != nil {
		return nil, fileError("cannot be decoded")
	}
	if strings.TrimSpace(text) == "" {
		return nil, fileError("is empty")
	}
	comma, from := detectDelimiter(text)
	return newSheet(reader{text: text, comma: comma, at: from})
}

// newSheet checks the text and returns the table.
func newSheet(body reader) (*Sheet, error) {
	s := &Sheet{body: body}
	if err := s.readHeaders(); err != nil {
		return nil, err
	}
	if err := s.check(); err != nil {
		return nil, err
	}
	return s, nil
}

func fileError(format string, args ...any) error {
	return apierr.Invalid(apierr.Detail{Field: "file", Message: fmt.Sprintf(format, args...)})
}

// readHeaders reads the headers from the first record, unless that is clearly a row of values.
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
		return apierr.Invalid(apierr.Detail{Field: "headers", Message: fmt.Sprintf("has %d columns; the maximum is %d", r.count, maxColumns)})
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
			message = fmt.Sprintf("has %d bytes; the maximum is %d", len(header), maxHeader)
		case strings.ContainsRune(header, 0):
			message = "contains the character U+0000"
		case slices.Contains(headers[:i], header):
			message = fmt.Sprintf("%q appears more than once", header)
		default:
			continue
		}
		if len(details) < maxErrorDetails {
			details = append(details, apierr.Detail{Field: fmt.Sprintf("header %d", i+1), Message: message})
		}
	}
	if details != nil {
		return apierr.Invalid(details...)
	}
	return nil
}

// check reads the whole table and reports all errors.
func (s *Sheet) check() error {
	var details []apierr.Detail
	var shown []byte
	rows, size := 0, 0
	for at, r := range s.records() {
		if rows++; rows > MaxRows {
			return fileError("has more than %d rows; split it into several files", MaxRows)
		}
		for _, d := range s.recordErrors(r, rows) {
			d.Message += fmt.Sprintf(" (line %d)", 1+lines(s.body.text[:at]))
			details = append(details, d)
		}
		if len(details) >= maxErrorDetails {
			details = details[:maxErrorDetails]
			break
		}
		shown = s.AppendRow(shown[:0], r.cells)
		size += len(shown) + 1
	}
	switch {
	case details != nil:
		return apierr.Invalid(details...)
	case rows == 0:
		return fileError("has no rows below its headers")
	case size > maxShown:
		return fileError("takes %d bytes as JSON, which is too much: remove columns or split it into several files", size)
	}
	return nil
}

// recordErrors returns what is wrong with the current record.
func (s *Sheet) recordErrors(r *checkedRecord, row int) (details []apierr.Detail) {
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

// checkedRecord is a record with its syntax error, if any.
type checkedRecord struct {
	*reader
	problem string
}

// records yields the rows that are not empty, with their offset in the text.
func (s *Sheet) records() iter.Seq2[int, *checkedRecord] {
	return func(yield func(int, *checkedRecord) bool) {
		r := s.body
		c := &checkedRecord{reader: &r}
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

// Rows yields the cells of each row; they are valid until the next row.
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

// lines counts the line endings of a text.
func lines(text string) int {
	return strings.Count(text, "\n") + strings.Count(text, "\r") - strings.Count(text, "\r\n")
}
