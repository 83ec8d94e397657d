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
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// maxFilter is the longest text that a filter takes.
const maxFilter = 128

// filter is which events somebody wants to see, as it was typed.
type filter struct {
	Who, Group, Record, Request, From, To string
}

// readFilter takes what an address or a form says.
func readFilter(q url.Values) filter {
	get := func(name string) string {
		text := strings.TrimSpace(q.Get(name))
		return text[:min(len(text), maxFilter)]
	}
	return filter{Who: get("who"), Group: get("group"), Record: get("record"), Request: get("request"), From: get("from"), To: get("to")}
}

// Fields are the filter's fields that say something, by name.
func (f filter) Fields() map[string]string {
	all := map[string]string{}
	for name, value := range map[string]string{"who": f.Who, "group": f.Group, "record": f.Record, "request": f.Request, "from": f.From, "to": f.To} {
		if value != "" {
			all[name] = value
		}
	}
	return all
}

// address is that of the list behind an event; 0 for its beginning.
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

// keyPrefix tells an API key from a user.
const keyPrefix = "key:"

// query is the filter as the trail takes it. A record is named by its id, or by a
// reference that only one record has, such as an LRN.
func (a *AuditLog) query(tx page.Tx, f filter) (q audit.Query, err error) {
	var details []apierr.Detail
	q.RequestID = f.Request
	if key, found := strings.CutPrefix(f.Who, keyPrefix); found {
		q.KeyID = key
	} else {
		q.ActorUserID = f.Who
	}
	if group, found := a.Clerk.Find(f.Group); found {
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
		details = append(details, apierr.Detail{Field: "to", Message: "must not be before the first"})
	}
	if q.ResourceID, err = a.record(tx, f.Record); apierr.Is(err, apierr.NotFound) {
		details = append(details, apierr.Detail{Field: "record", Message: "names no record here; type it as it is shown, or the id of the record"})
	} else if err != nil {
		return q, err
	}
	if details != nil {
		return q, apierr.Invalid(details...)
	}
	return q, nil
}

// day is the first instant of a day in London; zero for none.
func day(text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	return time.ParseInLocation(time.DateOnly, text, calendar.London())
}

// record finds the id of a record that is named.
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

// references are the members that name one record of a kind and no other.
var references = []string{"lrn", "mrn", "arc", "gmrId", "reference", "hmrcReference"}

// maxLook is how many events one page looks through for what no index has; the next
// page goes on from there.
const maxLook = 10_000

// bound keeps a query for what no index has from looking through the whole trail.
func bound(q *audit.Query, newest int64) {
	if q.Sought() && q.ResourceID == "" {
		before := q.Before
		if before == 0 {
			before = newest + 1
		}
		q.After = max(0, before-1-maxLook)
	}
}

// person is one whose events can be asked for.
type person struct{ Value, Name string }

// people are the users of the organisation, its keys, and the service.
func people(c *page.Context, a *AuditLog) (users []person, err error) {
	members, err := a.Accounts.Register.Members(c.R.Context(), c.Session.Org)
	if err != nil {
		return nil, err
	}
	for _, m := range members {
		users = append(users, person{m.ID, m.Name})
	}
	slices.SortStableFunc(users, func(a, b person) int { return strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)) })
	return append(users, person{tenant.SystemUser, "Authorities and the service"}), nil
}
