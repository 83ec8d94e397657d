// Package csvio writes tables as comma-separated values: RFC 4180 in UTF-8, with no cell that
// a spreadsheet would run as a formula.
package csvio

import (
	"io"
	"time"
)

// ContentType is the media type of a table.
const ContentType = "text/csv; charset=utf-8"

// Disposition is the Content-Disposition of a table: a file named after the table and the day
// in UTC.
func Disposition(table string, made time.Time) string {
	return `attachment; filename="` + table + "-" + made.UTC().Format(time.DateOnly) + `.csv"`
}

// chunk is the number of bytes that are buffered before they are written.
const chunk = 32 << 10

// Writer writes rows. It returns the first error again and writes nothing after it.
type Writer struct {
	out    io.Writer
	buffer []byte
	err    error
}

// NewWriter returns a buffered writer; Flush writes the last chunk.
func NewWriter(out io.Writer) *Writer {
	return &Writer{out: out, buffer: make([]byte, 0, chunk+chunk/4)}
}

// Row writes a row, the first of which is the header. It does not keep the cells.
func (w *Writer) Row(cells ...string) error {
	if w.err != nil {
		return w.err
	}
	w.buffer = AppendRow(w.buffer, cells...)
	if len(w.buffer) < chunk {
		return nil
	}
	return w.Flush()
}

// Flush writes the buffered bytes.
func (w *Writer) Flush() error {
	if w.err == nil && len(w.buffer) > 0 {
		_, w.err = w.out.Write(w.buffer)
		w.buffer = w.buffer[:0]
	}
	return w.err
}

// AppendRow appends a row with its line end.
func AppendRow[T ~string | ~[]byte](row []byte, cells ...T) []byte {
	for i, cell := range cells {
		if i > 0 {
			row = append(row, ',')
		}
		row = AppendCell(row, cell)
	}
	if len(cells) == 1 && len(cells[0]) == 0 {
		row = append(row, `""`...) // a bare line end would be no row at all
	}
	return append(row, '\r', '\n')
}
