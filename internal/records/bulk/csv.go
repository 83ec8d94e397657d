package bulk

import (
	"encoding/json"
	"io"

	"github.com/tidewaiter/tidewaiter/internal/document/csvio"
	"github.com/tidewaiter/tidewaiter/internal/filing"
)

// csvWriter writes records as CSV.
type csvWriter struct {
	kind    *filing.Type
	out     io.Writer
	columns map[string]int // column index by name
	cells   []string
	buffer  []byte
}

func newCSVWriter(t *filing.Type, out io.Writer) *csvWriter {
	columns := t.Columns()
	w := &csvWriter{kind: t, out: out, columns: map[string]int{}, cells: make([]string, len(columns)), buffer: make([]byte, 0, writeSize+writeSize/4)}
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
		if err := w.setSource(r.Added); err != nil {
			return err
		}
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

// setSource fills in who made the reference of a record that was stored without it.
func (w *csvWriter) setSource(added string) error {
	at, ok := w.columns[filing.SourceMember]
	if !ok || w.cells[at] != "" {
		return nil
	}
	r, err := w.kind.ReferenceOf(json.RawMessage(added))
	w.cells[at] = string(r.Source)
	return err
}

func (w *csvWriter) flush() error {
	_, err := w.out.Write(w.buffer)
	w.buffer = w.buffer[:0]
	return err
}
