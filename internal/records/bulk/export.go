package bulk

import (
	"context"
	"encoding/json"
	"io"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
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

// Wanted says which records a table has, and how it is written.
type Wanted struct {
	Status   string    // only records that are so; empty for all
	From, To time.Time // only those created not before, and not after; zero for any
	Lines    bool      // a JSON object a line rather than CSV
}

// Export writes the records of a kind that are there when it begins, oldest first.
// No byte leaves before the event that tells of it is safe. A record that changes
// meanwhile is shown as it is when its turn comes.
func (e *Exporter) Export(ctx context.Context, call tenant.Call, t *filing.Type, w Wanted, out io.Writer) error {
	var all filing.Extent
	err := e.Store.ScanBulk(ctx, call.Org, func(tx Tx) (err error) { all, err = tx.Extent(t.Kind); return err })
	if err != nil {
		return err
	}
	if err := e.Store.UpdateBulk(ctx, call.Org, func(tx Tx) error { return tx.Record(e.event(call, t, w, all.Records)) }); err != nil {
		return err
	}
	table := w.writer(t, out)
	span := filing.Span{Kind: t.Kind, Status: w.Status, From: w.From, To: w.To, Last: all.Newest, Limit: portion}
	for rows, err := range ahead(ctx, e.portions(call.Org, span)) {
		if err != nil {
			return err
		}
		if err := table.write(rows); err != nil {
			return err
		}
	}
	return table.flush()
}

// writer writes rows as they are wanted.
func (w Wanted) writer(t *filing.Type, out io.Writer) rowWriter {
	if w.Lines {
		return &objects{out: out}
	}
	return newTable(t, out)
}

// rowWriter is a file in the making.
type rowWriter interface {
	write([]filing.Row) error
	flush() error
}

// event tells of an export: how many records there are, or which are wanted of them.
func (e *Exporter) event(call tenant.Call, t *filing.Type, w Wanted, count int64) audit.Event {
	told := map[string]any{"count": count}
	if w.Status != "" || !w.From.IsZero() || !w.To.IsZero() {
		told = map[string]any{}
	}
	if w.Status != "" {
		told["status"] = w.Status
	}
	if !w.From.IsZero() {
		told["from"] = audit.Instant(w.From)
	}
	if !w.To.IsZero() {
		told["to"] = audit.Instant(w.To)
	}
	data, _ := json.Marshal(told)
	return audit.By(call, audit.Event{ID: e.IDs.UUID(), Hub: t.Hub, Type: "export." + t.Many, ResourceType: t.Kind, Data: data})
}

// portions reads record after record, each portion in a snapshot of its own, so
// that no export holds the database while its caller reads slowly.
func (e *Exporter) portions(org tenant.ID, span filing.Span) func(context.Context) ([]filing.Row, error) {
	return func(ctx context.Context) (rows []filing.Row, err error) {
		if span.Last.ID == "" || span.After.ID == span.Last.ID {
			return nil, nil
		}
		err = e.Store.ScanBulk(ctx, org, func(tx Tx) (err error) { rows, err = tx.Rows(span); return err })
		if len(rows) > 0 {
			span.After = rows[len(rows)-1]
		}
		return rows, err
	}
}
