package filings

import (
	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/console/wording"
)

// maxEvents is the longest trail of a record that its page shows.
const maxEvents = 100

// trail reads the events of a record, newest first.
func (a *Filings) trail(tx page.Tx, id string) (*wording.EventBatch, error) {
	events, err := tx.Events(audit.Query{ResourceID: id, Limit: maxEvents})
	if err != nil {
		return nil, err
	}
	return a.Clerk.Load(tx, events, id)
}

// timeline is the trail of a record in words.
func (a *Filings) timeline(c *page.Context, trail *wording.EventBatch) ([]wording.TimelineEntry, error) {
	lines, err := a.Clerk.Lines(c.R.Context(), c.Session.Org, trail)
	return a.Clerk.Timeline(lines), err
}
