package bulk

import (
	"context"
	"encoding/json"
	"io"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/csvio"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/ident"
	"github.com/tidewaiter/tidewaiter/internal/tenant"
)

const (
	// portion is how many records are read at a time: some milliseconds, so that
	// others' readings get in between.
	portion = 1000
	// piece is how many bytes go out at a time.
	piece = 64 << 10
)

// Exporter writes all records of a kind as a table.
type Exporter struct {
	Store Store
	IDs   *ident.Source
}

// Export writes all records of a kind that are there when it begins, oldest first.
// No byte leaves before the event that tells of it is safe. A record that changes
// meanwhile is shown as it is when its turn comes.
func (e *Exporter) Export(ctx context.Context, call tenant.Call, t *filing.Type, out io.Writer) error {
	var all filing.Extent
	err := e.Store.ScanBulk(ctx, call.Org, func(tx Tx) (err error) { all, err = tx.Extent(t.Kind); return err })
	if err != nil {
		return err
	}
	if err := e.Store.UpdateBulk(ctx, call.Org, func(tx Tx) error { return tx.Record(e.event(call, t, all.Records)) }); err != nil {
		return err
	}
	table := newTable(t, out)
	for rows, err := range ahead(ctx, e.portions(call.Org, t.Kind, all.Newest)) {
		if err != nil {
			return err
		}
		if err := table.write(rows); err != nil {
			return err
		}
	}
	return table.flush()
}

func (e *Exporter) event(call tenant.Call, t *filing.Type, count int64) audit.Event {
	data, _ := json.Marshal(map[string]any{"count": count})
	return audit.By(call, audit.Event{ID: e.IDs.UUID(), Hub: t.Hub, Type: "export." + t.Many, ResourceType: t.Kind, Data: data})
}

// portions reads record after record, each portion in a snapshot of its own, so
// that no export holds the database while its caller reads slowly.
func (e *Exporter) portions(org tenant.ID, kind string, last filing.Row) func(context.Context) ([]filing.Row, error) {
	span := filing.Span{Kind: kind, Last: last, Limit: portion}
	return func(ctx context.Context) (rows []filing.Row, err error) {
		if last.ID == "" || span.After.ID == last.ID {
			return nil, nil
		}
		err = e.Store.ScanBulk(ctx, org, func(tx Tx) (err error) { rows, err = tx.Rows(span); return err })
		if len(rows) > 0 {
			span.After = rows[len(rows)-1]
		}
		return rows, err
	}
}

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
