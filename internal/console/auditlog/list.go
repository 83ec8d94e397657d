package auditlog

import (
	"strconv"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/console/wording"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// pageSize is the number of events on a page.
const pageSize = 50

// labels are the labels of the filter's fields, for error messages.
var labels = map[string]string{"from": "The first day", "to": "The last day", "record": "The reference"}

// listView is the data of the list.
type listView struct {
	Filter filter
	People []actor
	Keys   []actor
	Groups []wording.Group

	Lines       []wording.Line
	Max         int64 // maximum number of events in an export
	First, Next string
	ScannedTo   int64 // sequence of the oldest scanned event, if older ones were not scanned; otherwise 0
}

func (a *AuditLog) list(c *page.Context) error {
	shown := listView{Filter: readFilter(c.R.URL.Query()), Groups: a.Describer.Groups(), Max: audit.MaxExported}
	before, _ := strconv.ParseInt(c.R.URL.Query().Get("before"), 10, 64)
	var found *wording.EventBatch
	err := c.View(func(tx page.Tx) error {
		keys, err := tx.Keys()
		if err != nil {
			return err
		}
		for _, k := range keys {
			shown.Keys = append(shown.Keys, actor{keyPrefix + k.ID, k.Name})
		}
		events, err := a.events(tx, &shown, max(before, 0))
		if err != nil {
			return err
		}
		found, err = a.Describer.Load(tx, events, "")
		return err
	})
	if apierr.Is(err, apierr.InvalidRequest) {
		c.Label = func(field string) string { return labels[field] }
		return c.Redisplay(err, func() error { return a.showList(c, &shown, nil) })
	}
	if err != nil {
		return err
	}
	if before > 0 {
		shown.First = shown.Filter.address(0)
	}
	return a.showList(c, &shown, found)
}

// showList shows the list; found is nil if the filter is invalid.
func (a *AuditLog) showList(c *page.Context, shown *listView, found *wording.EventBatch) (err error) {
	if shown.People, err = actors(c, a); err != nil {
		return err
	}
	if found != nil {
		if shown.Lines, err = a.Describer.Lines(c.R.Context(), c.Session.Org, found); err != nil {
			return err
		}
	}
	return c.Show("audit", "Audit trail", shown)
}

// events reads a page of events, and sets the URL of the next page.
func (a *AuditLog) events(tx page.Tx, shown *listView, before int64) ([]audit.Event, error) {
	q, err := a.query(tx, shown.Filter)
	if err != nil {
		return nil, err
	}
	newest, err := tx.Events(audit.Query{Limit: 1})
	if err != nil || len(newest) == 0 {
		return nil, err
	}
	q.Before, q.Limit = before, pageSize+1
	limitScan(&q, newest[0].Sequence)
	events, err := tx.Events(q)
	if err != nil {
		return nil, err
	}
	switch {
	case len(events) > pageSize:
		events = events[:pageSize]
		shown.Next = shown.Filter.address(events[pageSize-1].Sequence)
	case q.After > 0:
		shown.ScannedTo = q.After + 1
		shown.Next = shown.Filter.address(q.After + 1)
	}
	return events, nil
}
