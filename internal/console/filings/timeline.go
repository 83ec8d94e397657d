package filings

import (
	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/console/wording"
)

// maxEvents is the maximum number of events in a record's timeline.
const maxEvents = 100

// events reads the events of a record, newest first.
func (a *Filings) events(tx page.Tx, id string) (*wording.EventBatch, error) {
	events, err := tx.Events(audit.Query{ResourceID: id, Limit: maxEvents})
	if err != nil {
		return nil, err
	}
	return a.Describer.Load(tx, events, id)
}

// timeline describes the events of a record.
func (a *Filings) timeline(c *page.Context, batch *wording.EventBatch) ([]wording.TimelineEntry, error) {
	lines, err := a.Describer.Lines(c.R.Context(), c.Session.Org, batch)
	return a.Describer.Timeline(lines), err
}
