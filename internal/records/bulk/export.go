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
	// exportBatchSize is the number of records per read. A read takes some milliseconds, so that other
	// transactions can run in between.
	exportBatchSize = 1000
	// wholeBatchSize is the number of records per read with all their fields, each of which can have megabytes.
	wholeBatchSize = 10
	// writeSize is the size of a write in bytes.
	writeSize = 64 << 10
)

// Exporter writes all records of a kind as a table.
type Exporter struct {
	Store Store
	IDs   *ident.Source
}

// ExportOptions selects records and the format.
type ExportOptions struct {
	Status   string    // only records with this status; empty for all
	From, To time.Time // only records created in this period, both ends included; zero for any
	Lines    bool      // JSON Lines instead of CSV
	Items    bool      // CSV with a line for each item, with all fields; of declarations
}

// Export writes the records that exist when it starts, oldest first. It writes nothing before the
// audit event of the export is stored. A record that changes meanwhile is written as it is when it is
// read.
func (e *Exporter) Export(ctx context.Context, call tenant.Call, t *filing.Type, w ExportOptions, out io.Writer) error {
	var all filing.Extent
	err := e.Store.ScanBulk(ctx, call.Org, func(tx Tx) (err error) { all, err = tx.Extent(t.Kind); return err })
	if err != nil {
		return err
	}
	if err := e.Store.UpdateBulk(ctx, call.Org, func(tx Tx) error { return tx.Record(e.event(call, t, w, all.Records)) }); err != nil {
		return err
	}
	table := w.writer(t, out)
	span := filing.RangeQuery{Kind: t.Kind, Status: w.Status, From: w.From, To: w.To, Last: all.Newest, Limit: exportBatchSize}
	if w.Items {
		span.Whole, span.Limit = true, wholeBatchSize
	}
	for rows, err := range prefetch(ctx, e.batches(call.Org, span)) {
		if err != nil {
			return err
		}
		if err := table.write(rows); err != nil {
			return err
		}
	}
	return table.flush()
}

// writer returns the writer for the chosen format.
func (w ExportOptions) writer(t *filing.Type, out io.Writer) rowWriter {
	switch {
	case w.Lines:
		return &jsonLinesWriter{out: out}
	case w.Items:
		return newItemsWriter(t, out)
	}
	return newCSVWriter(t, out)
}

// rowWriter writes rows in one format.
type rowWriter interface {
	write([]filing.Row) error
	flush() error
}

// event returns the audit event: the number of records, or the filter.
func (e *Exporter) event(call tenant.Call, t *filing.Type, w ExportOptions, count int64) audit.Event {
	data := map[string]any{"count": count}
	if w.Status != "" || !w.From.IsZero() || !w.To.IsZero() {
		data = map[string]any{}
	}
	if w.Status != "" {
		data["status"] = w.Status
	}
	if !w.From.IsZero() {
		data["from"] = audit.Instant(w.From)
	}
	if !w.To.IsZero() {
		data["to"] = audit.Instant(w.To)
	}
	text, _ := json.Marshal(data)
	return audit.By(call, audit.Event{ID: e.IDs.UUID(), Hub: t.Hub, Type: "export." + t.Plural, ResourceType: t.Kind, Data: text})
}

// batches reads batch after batch, each in its own transaction, so that an export whose caller reads
// slowly does not hold one open.
func (e *Exporter) batches(org tenant.ID, span filing.RangeQuery) func(context.Context) ([]filing.Row, error) {
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
