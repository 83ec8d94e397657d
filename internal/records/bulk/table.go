package bulk

import (
	"io"

	"github.com/tidewaiter/tidewaiter/internal/document/csvio"
	"github.com/tidewaiter/tidewaiter/internal/filing"
)

// table is a CSV file in the making.
type table struct {
	out    io.Writer
	places map[string]int // of the columns, by name
	cells  []string
	buffer []byte
}

func newTable(t *filing.Type, out io.Writer) *table {
	columns := t.Columns()
	w := &table{out: out, places: map[string]int{}, cells: make([]string, len(columns)), buffer: make([]byte, 0, piece+piece/4)}
	for i, name := range columns {
		w.places[name] = i
	}
	w.buffer = csvio.AppendRow(w.buffer, columns...)
	return w
}

func (w *table) write(rows []filing.Row) error {
	for i := range rows {
		r := &rows[i]
		clear(w.cells)
		w.cells[0], w.cells[1], w.cells[2], w.cells[3] = r.ID, r.Status, r.CreatedAt, r.UpdatedAt
		w.place(r.Input)
		w.place(r.Added)
		if w.buffer = csvio.AppendRow(w.buffer, w.cells...); len(w.buffer) >= piece {
			if err := w.flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

// place puts the members of an object into their columns.
func (w *table) place(object string) {
	for name, value := range members(object) {
		if at, ok := w.places[name]; ok {
			w.cells[at] = plain(value)
		}
	}
}

func (w *table) flush() error {
	_, err := w.out.Write(w.buffer)
	w.buffer = w.buffer[:0]
	return err
}
