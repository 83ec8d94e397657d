package auditlog

import (
	"strconv"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/console/wording"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// eventView is the data of the page of an event.
type eventView struct {
	wording.Line
	Changes []wording.Change
	More    bool // whether there are more changes
	Facts   []wording.Fact
	Kind    string // name of the record's kind
	Newer   int64  // sequence of the next event; 0 for the newest
	Older   int64  // sequence of the previous event; 0 for the first
}

func (a *AuditLog) event(c *page.Context) error {
	sequence, err := strconv.ParseInt(c.R.PathValue("sequence"), 10, 64)
	if err != nil || sequence < 1 || strconv.FormatInt(sequence, 10) != c.R.PathValue("sequence") {
		return apierr.Missing()
	}
	var found *wording.EventBatch
	var shown eventView
	err = c.View(func(tx page.Tx) error {
		events, err := tx.Events(audit.Query{After: sequence - 1, Before: sequence + 2, Limit: 2})
		if err != nil {
			return err
		}
		if len(events) == 2 {
			shown.Newer, events = sequence+1, events[1:]
		}
		if len(events) == 0 || events[0].Sequence != sequence {
			return apierr.Missing()
		}
		found, err = a.Describer.Load(tx, events, "")
		return err
	})
	if err != nil {
		return err
	}
	lines, err := a.Describer.Lines(c.R.Context(), c.Session.Org, found)
	if err != nil {
		return err
	}
	shown.Line, shown.Older = lines[0], sequence-1
	e := &shown.Event
	shown.Changes, shown.More = a.Describer.Changes(e)
	shown.Facts, shown.Kind = a.Describer.Facts(e), a.Describer.Noun(e.ResourceType)
	return c.Show("audit-event", shown.String(), shown)
}
