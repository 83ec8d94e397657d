package marked

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/document/csvio"
	"github.com/tidewaiter/tidewaiter/internal/document/xlsxio"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/sorting"
	"github.com/tidewaiter/tidewaiter/internal/records/bulk"
)

// export sends records as a file, in the order of the list.
func (m *Marked) export(c *page.Context, t *filing.Type, a action, ids []string) error {
	var found []filing.Filing
	err := c.Update(func(tx page.Tx) (err error) {
		if found, err = tx.FilingsByID(t.Kind, ids, 0); err != nil {
			return err
		}
		if len(found) == 0 {
			return apierr.Missing()
		}
		return tx.Record(m.Exporter.SelectedEvent(c.Call(), t, len(found)))
	})
	if err != nil {
		return err
	}
	sorting.Stable(found, func(a, b filing.Filing) int { return cmp.Compare(slices.Index(ids, a.ID), slices.Index(ids, b.ID)) })
	rows := make([]filing.Row, len(found))
	for i := range found {
		f := &found[i]
		rows[i] = filing.Row{ID: f.ID, Status: string(f.Status), CreatedAt: audit.Instant(f.CreatedAt), UpdatedAt: audit.Instant(f.UpdatedAt), Input: compact(f.Brief), Added: compact(f.Added)}
	}
	write, media, ending := bulk.WriteCSV, csvio.ContentType, ".csv"
	if a.ID == page.ExportWorkbook {
		write, media, ending = bulk.WriteWorkbook, xlsxio.ContentType, ".xlsx"
	}
	var out bytes.Buffer
	if err := write(&out, t, rows); err != nil {
		return err
	}
	c.W.Header().Set("Content-Type", media)
	c.W.Header().Set("Content-Disposition", `attachment; filename="`+t.Plural+"-"+c.Now().UTC().Format(time.DateOnly)+ending+`"`)
	_, _ = out.WriteTo(c.W) // fails only if the client has gone
	return nil
}

// compact returns a JSON object as text; an empty one if there is none.
func compact(object json.RawMessage) string { return cmp.Or(string(object), "{}") }
