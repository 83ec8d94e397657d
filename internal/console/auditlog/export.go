package auditlog

import (
	"net/http"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/document/csvio"
)

// formatLines is the form value for JSON Lines; any other means CSV.
const formatLines = "jsonl"

// export sends all events that match the list's filter as a file.
func (a *AuditLog) export(c *page.Context) error {
	var q audit.Query
	f := readFilter(c.R.PostForm)
	err := c.View(func(tx page.Tx) (err error) { q, err = a.query(tx, f); return err })
	if err != nil {
		return err
	}
	extract, err := a.Exporter.Begin(c.R.Context(), c.Call(), q)
	if err != nil {
		return err
	}
	write := extract.CSV
	c.W.Header().Set("Content-Type", csvio.ContentType)
	c.W.Header().Set("Content-Disposition", csvio.Disposition("audit", c.Now()))
	if c.Value("format") == formatLines {
		write = extract.Lines
		attach(c.W, "application/jsonl; charset=utf-8", "audit-"+c.Now().UTC().Format(time.DateOnly)+".jsonl")
	}
	if err := write(c.R.Context(), c.W); err != nil {
		c.Log.Warn("export was cut short", "requestId", c.Visitor.RequestID, "error", err)
		panic(http.ErrAbortHandler) // cuts the connection, so that a partial file does not look complete
	}
	return nil
}
