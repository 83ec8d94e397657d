package auditlog

import (
	"strconv"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/console/wording"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// pageSize is how many events a page has.
const pageSize = 50

// labels are what the fields of the filter are called where something is wrong with
// them.
var labels = map[string]string{"from": "The first day", "to": "The last day", "record": "The reference"}

// listView is what the list shows.
type listView struct {
	Filter      filter
	People      []person
	Keys        []person
	Groups      []wording.Group
	Record      string // what the record is called that the list is of
	Lines       []wording.Line
	Max         int64 // events in an export
	First, Next string
	Looked      int64 // the oldest event that was looked at, where there are more to look at
}

func (a *AuditLog) list(c *page.Context) error {
	shown := listView{Filter: readFilter(c.R.URL.Query()), Groups: a.Clerk.Groups(), Max: audit.MaxExported}
	before, _ := strconv.ParseInt(c.R.URL.Query().Get("before"), 10, 64)
	var found *wording.Page
	err := c.View(func(tx page.Tx) error {
		keys, err := tx.Keys()
		if err != nil {
			return err
		}
		for _, k := range keys {
			shown.Keys = append(shown.Keys, person{keyPrefix + k.ID, k.Name})
		}
		events, err := a.events(tx, &shown, max(before, 0))
		if err != nil {
			return err
		}
		found, err = a.Clerk.Gather(tx, events, "")
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

// showList shows the list; found is nil where the filter is not right.
func (a *AuditLog) showList(c *page.Context, shown *listView, found *wording.Page) (err error) {
	if shown.People, err = people(c, a); err != nil {
		return err
	}
	if found != nil {
		if shown.Lines, err = a.Clerk.Lines(c.R.Context(), c.Session.Org, found); err != nil {
			return err
		}
	}
	return c.Show("audit", "Audit trail", shown)
}

// events reads a page of the trail, and works out where the next one begins.
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
	bound(&q, newest[0].Sequence)
	events, err := tx.Events(q)
	if err != nil {
		return nil, err
	}
	switch {
	case len(events) > pageSize:
		events = events[:pageSize]
		shown.Next = shown.Filter.address(events[pageSize-1].Sequence)
	case q.After > 0:
		shown.Looked = q.After + 1
		shown.Next = shown.Filter.address(q.After + 1)
	}
	return events, nil
}
