package sheets

import (
	"fmt"
	"strconv"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/console/wording"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/records/timeline"
)

// entriesShown is the number of entries on a page.
const entriesShown = 50

// timelineView is the data of the page of a shipment's timeline.
type timelineView struct {
	filing.Filing
	Name    string
	Entries []entry
	// Incomplete says why records of other Hubs may be missing; empty if none is.
	Incomplete string
	First      string // URL of the first page; empty on it
	Next       string // URL of the next page; empty on the last
}

// entry is an event with the record that it is about.
type entry struct {
	timeline.ShipmentEvent
	wording.TimelineEntry
}

// Simulated reports whether the reference of the record is not one of the authority.
func (e entry) Simulated() bool { return e.ReferenceSource != nil }

// timeline shows the history of a shipment over all Hubs.
func (a *Sheets) timeline(c *page.Context) error {
	before := int64(0)
	shown := timelineView{}
	if text := c.R.URL.Query().Get("before"); text != "" {
		var err error
		if before, err = strconv.ParseInt(text, 10, 64); err != nil || before < 1 {
			return apierr.New(apierr.NotFound, "This page of the timeline does not exist. Go back to the first page.")
		}
		shown.First = c.R.URL.Path
	}
	var t *timeline.Timeline
	err := c.View(func(tx page.Tx) (err error) {
		if shown.Filing, err = tx.Filing(customs.Shipments.Kind, c.ID()); err != nil {
			return err
		}
		t, err = a.Timelines.Of(tx, tx.Select, c.ID())
		return err
	})
	if err != nil {
		return err
	}
	shown.Name = shown.Filing.Name()
	if err := t.AddNamed(c.R.Context(), c.Session.Org); err != nil {
		return err
	}
	shown.Incomplete = t.Incomplete()
	var found []timeline.ShipmentEvent
	var batch *wording.EventBatch
	err = c.View(func(tx page.Tx) error {
		var next int64
		var err error
		if found, next, err = t.Page(tx, before, entriesShown); err != nil {
			return err
		}
		if next > 0 {
			shown.Next = fmt.Sprintf("%s?before=%d", c.R.URL.Path, next)
		}
		events := make([]audit.Event, len(found))
		for i := range found {
			events[i] = found[i].Recorded
		}
		batch, err = a.Describer.Load(tx, events, "")
		return err
	})
	if err != nil {
		return err
	}
	lines, err := a.Describer.Lines(c.R.Context(), c.Session.Org, batch)
	if err != nil {
		return err
	}
	for i, line := range a.Describer.Timeline(lines) {
		shown.Entries = append(shown.Entries, entry{found[i], line})
	}
	return c.Show("sheets-timeline", "Timeline of "+shown.Name, shown)
}
