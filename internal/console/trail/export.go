package trail

import (
	"net/http"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/document/csvio"
)

// formatLines is the format of an export that programs read best; any other is CSV.
const formatLines = "jsonl"

// export answers with the events that the list shows, all pages of it, as a file.
func (t *Trail) export(v *page.Visit) error {
	var q audit.Query
	f := readFilter(v.R.PostForm)
	err := v.View(func(tx page.Tx) (err error) { q, err = t.query(tx, f); return err })
	if err != nil {
		return err
	}
	extract, err := t.Exporter.Begin(v.R.Context(), v.Call(), q)
	if err != nil {
		return err
	}
	write := extract.CSV
	v.W.Header().Set("Content-Type", csvio.ContentType)
	v.W.Header().Set("Content-Disposition", csvio.Disposition("audit", v.Now()))
	if v.Value("format") == formatLines {
		write = extract.Lines
		attach(v.W, "application/jsonl; charset=utf-8", "audit-"+v.Now().UTC().Format(time.DateOnly)+".jsonl")
	}
	if err := write(v.R.Context(), v.W); err != nil {
		v.Log.Warn("an export was cut", "requestId", v.Visitor.RequestID, "error", err)
		panic(http.ErrAbortHandler) // nobody takes a part for the whole
	}
	return nil
}
