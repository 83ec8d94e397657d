package bulk

import (
	"io"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/document/csvio"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/records/batch"
	"github.com/tidewaiter/tidewaiter/internal/schema"
)

// itemList is the member with the items of a declaration.
const itemList = "items"

// askedOnce is the input member that only the creation of a record reads.
const askedOnce = "uniqueReference"

// itemsWriter writes declarations as CSV with a row for each item, in the columns of the import of declarations: what is written can
// be imported again without loss. Lists of the whole declaration are in the row of its first item only.
type itemsWriter struct {
	out         io.Writer
	record      map[string]int // columns of what the service adds
	declaration place
	item        place
	lists       []int // columns with lists of the declaration
	cells       []string
	buffer      []byte
}

// place is where the members of an object go in a row.
type place struct {
	column  batch.Column
	at      int // -1 for an object whose members have places
	members map[string]*place
}

func newItemsWriter(t *filing.Type, out io.Writer) *itemsWriter {
	w := &itemsWriter{out: out, record: map[string]int{}, declaration: place{at: -1}, item: place{at: -1}}
	inputs := batch.Columns(schema.NewSchemas(), t.Body)
	isInput := func(name string) bool {
		return slices.ContainsFunc(inputs, func(c batch.Column) bool { return c.Path == name })
	}
	names := slices.DeleteFunc(t.Columns(), isInput)
	for i, name := range names {
		w.record[name] = i
	}
	for _, c := range inputs {
		if c.WithinList() || c.Path == askedOnce {
			continue
		}
		if path, ofItem := c.OfItem(); ofItem {
			w.item.add(path, c, len(names))
		} else {
			w.declaration.add(c.Path, c, len(names))
			if c.IsJSON() {
				w.lists = append(w.lists, len(names))
			}
		}
		names = append(names, c.Path)
	}
	w.cells = make([]string, len(names))
	w.buffer = csvio.AppendRow(make([]byte, 0, writeSize+writeSize/4), names...)
	return w
}

// add gives a column a place at its path.
func (p *place) add(path string, c batch.Column, at int) {
	for name := range strings.SplitSeq(strings.TrimSuffix(path, "[]"), ".") {
		if p.members == nil {
			p.members = map[string]*place{}
		}
		if p.members[name] == nil {
			p.members[name] = &place{at: -1}
		}
		p = p.members[name]
	}
	p.column, p.at = c, at
}

func (w *itemsWriter) write(rows []filing.Row) error {
	for i := range rows {
		if err := w.writeRecord(&rows[i]); err != nil {
			return err
		}
	}
	return nil
}

func (w *itemsWriter) writeRecord(r *filing.Row) error {
	clear(w.cells)
	w.cells[0], w.cells[1], w.cells[2], w.cells[3] = r.ID, r.Status, r.CreatedAt, r.UpdatedAt
	for name, value := range members(r.Added) {
		if at, ok := w.record[name]; ok {
			w.cells[at] = cellText(value)
		}
	}
	w.declaration.fill(w.cells, r.Input)
	header := slices.Clone(w.cells)
	for name, list := range members(r.Input) {
		if name != itemList {
			continue
		}
		for item := range elements(list) {
			copy(w.cells, header)
			w.item.fill(w.cells, item)
			if w.buffer = csvio.AppendRow(w.buffer, w.cells...); len(w.buffer) >= writeSize {
				if err := w.flush(); err != nil {
					return err
				}
			}
			for _, at := range w.lists {
				header[at] = ""
			}
		}
	}
	return nil
}

// fill copies the members of an object to their cells.
func (p *place) fill(cells []string, object string) {
	for name, value := range members(object) {
		m := p.members[name]
		switch {
		case m == nil:
		case m.at >= 0:
			cells[m.at] = m.column.Cell(value)
		case value[0] == '{':
			m.fill(cells, value)
		}
	}
}

func (w *itemsWriter) flush() error {
	_, err := w.out.Write(w.buffer)
	w.buffer = w.buffer[:0]
	return err
}
