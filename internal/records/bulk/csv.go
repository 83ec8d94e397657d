package bulk

import (
	"io"

	"github.com/tidewaiter/tidewaiter/internal/document/csvio"
	"github.com/tidewaiter/tidewaiter/internal/filing"
)

// csvWriter writes records as CSV.
type csvWriter struct {
	out     io.Writer
	columns map[string]int // column index by name
	cells   []string
	buffer  []byte
}

func newCSVWriter(t *filing.Type, out io.Writer) *csvWriter {
	columns := t.Columns()
	w := &csvWriter{out: out, columns: map[string]int{}, cells: make([]string, len(columns)), buffer: make([]byte, 0, writeSize+writeSize/4)}
	for i, name := range columns {
		w.columns[name] = i
	}
	w.buffer = csvio.AppendRow(w.buffer, columns...)
	return w
}

func (w *csvWriter) write(rows []filing.Row) error {
	for i := range rows {
		r := &rows[i]
		clear(w.cells)
		w.cells[0], w.cells[1], w.cells[2], w.cells[3] = r.ID, r.Status, r.CreatedAt, r.UpdatedAt
		w.setCells(r.Input)
		w.setCells(r.Added)
		if w.buffer = csvio.AppendRow(w.buffer, w.cells...); len(w.buffer) >= writeSize {
			if err := w.flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

// setCells copies the members of an object to their columns.
func (w *csvWriter) setCells(object string) {
	for name, value := range members(object) {
		if at, ok := w.columns[name]; ok {
			w.cells[at] = cellText(value)
		}
	}
}

func (w *csvWriter) flush() error {
	_, err := w.out.Write(w.buffer)
	w.buffer = w.buffer[:0]
	return err
}
