package auditlog

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/sorting"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// maxFilter is the maximum length of a filter value in bytes; the rest is cut off.
const maxFilter = 128

// filter is the submitted filter.
type filter struct {
	Who, Group, Record, Request, From, To string
}

// readFilter reads the filter from a URL query or a form.
func readFilter(q url.Values) filter {
	get := func(name string) string {
		text := strings.TrimSpace(q.Get(name))
		return text[:min(len(text), maxFilter)]
	}
	return filter{Who: get("who"), Group: get("group"), Record: get("record"), Request: get("request"), From: get("from"), To: get("to")}
}

// Fields returns the non-empty fields by name.
func (f filter) Fields() map[string]string {
	all := map[string]string{}
	for name, value := range map[string]string{"who": f.Who, "group": f.Group, "record": f.Record, "request": f.Request, "from": f.From, "to": f.To} {
		if value != "" {
			all[name] = value
		}
	}
	return all
}

// address returns the URL of the list of events before a sequence; 0 for the first page.
func (f filter) address(before int64) string {
	q := url.Values{}
	for name, value := range f.Fields() {
		q.Set(name, value)
	}
	if before > 0 {
		q.Set("before", strconv.FormatInt(before, 10))
	}
	if len(q) == 0 {
		return "/audit"
	}
	return "/audit?" + q.Encode()
}

// keyPrefix marks the id of an API key; without it the id is of a user.
const keyPrefix = "key:"

// query returns the filter as a query. The record can be given as its id, or as a unique
// reference such as an LRN.
func (a *AuditLog) query(tx page.Tx, f filter) (q audit.Query, err error) {
	var details []apierr.Detail
	q.RequestID = f.Request
	if key, found := strings.CutPrefix(f.Who, keyPrefix); found {
		q.KeyID = key
	} else {
		q.ActorUserID = f.Who
	}
	if group, found := a.Describer.Group(f.Group); found {
		q.Group = group.Group
	}
	if q.From, err = day(f.From); err != nil {
		details = append(details, apierr.Detail{Field: "from", Message: "must be a date, such as 2026-11-21"})
	}
	if q.To, err = day(f.To); err != nil {
		details = append(details, apierr.Detail{Field: "to", Message: "must be a date, such as 2026-11-21"})
	} else if !q.To.IsZero() {
		q.To = calendar.EndOfDay(q.To)
	}
	if q.From.After(q.To) && !q.To.IsZero() {
		details = append(details, apierr.Detail{Field: "to", Message: "must not be before the first day"})
	}
	if q.ResourceID, err = a.record(tx, f.Record); apierr.Is(err, apierr.NotFound) {
		details = append(details, apierr.Detail{Field: "record", Message: "is not the reference or the id of a record of this organisation"})
	} else if err != nil {
		return q, err
	}
	if details != nil {
		return q, apierr.Invalid(details...)
	}
	return q, nil
}

// day returns the start of a day in London; zero for an empty text.
func day(text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	return time.ParseInLocation(time.DateOnly, text, calendar.London())
}

// record returns the id of the record with this id or reference.
func (a *AuditLog) record(tx page.Tx, name string) (string, error) {
	if name == "" || ident.IsUUID(name) || slices.ContainsFunc(a.Hubs, func(h Hub) bool { return h.ID == name }) {
		return name, nil
	}
	for _, kind := range a.Types {
		for _, member := range references {
			f, err := tx.FilingByKey(kind.Kind+"."+member, strings.ToUpper(name))
			if err == nil {
				return f.ID, nil
			}
			if !apierr.Is(err, apierr.NotFound) {
				return "", err
			}
		}
	}
	return "", apierr.Missing()
}

// references are the members that are unique within a kind.
var references = []string{"lrn", "mrn", "arc", "gmrId", "reference", "hmrcReference"}

// maxScanned is how many events one page scans for a filter without an index; the next
// page continues from there.
const maxScanned = 10_000

// limitScan limits a query that no index covers to maxScanned events.
func limitScan(q *audit.Query, newest int64) {
	if q.NeedsScan() && q.ResourceID == "" {
		before := q.Before
		if before == 0 {
			before = newest + 1
		}
		q.After = max(0, before-1-maxScanned)
	}
}

// actor is a choice of the filter by actor.
type actor struct{ Value, Name string }

// actors returns the users of the organisation and the service.
func actors(c *page.Context, a *AuditLog) (users []actor, err error) {
	members, err := a.Accounts.Store.Members(c.R.Context(), c.Session.Org)
	if err != nil {
		return nil, err
	}
	for _, m := range members {
		users = append(users, actor{m.ID, m.Name})
	}
	sorting.Stable(users, func(a, b actor) int { return strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)) })
	return append(users, actor{tenant.SystemUser, "Authorities and the service"}), nil
}
