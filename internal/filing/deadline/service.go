package deadline

import (
	"maps"
	"slices"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
)

// Service lists deadlines.
type Service struct {
	Calendars []Calendar
	PublicURL string            // where users reach the service; links of the feed begin with it
	Paths     map[string]string // where the records of a kind are, such as /api/tss/declarations
}

// ListQuery asks for a page of the list.
type ListQuery struct {
	Window int // days ahead, at most MaxWindow
	After  Position
	Limit  int // at most MaxPage
}

// List is a page of what is due in the enabled Hubs within a window, soonest first,
// with what became overdue in the last 30 days, and whether there is more behind it.
func (s *Service) List(v View, hubs access.Hubs, a ListQuery) (page []Deadline, more bool, err error) {
	now := v.Now()
	from, to := calendar.StartOfDay(calendar.AddDays(now, -overdueDays)), calendar.EndOfDay(calendar.AddDays(now, a.Window))
	return s.between(v, hubs, RangeQuery{From: from, To: to, After: a.After, Limit: a.Limit})
}

// ReadsStoredOnly tells whether List reads what is stored, for these Hubs, and nothing else.
func (s *Service) ReadsStoredOnly(hubs access.Hubs) bool {
	return !slices.ContainsFunc(s.Calendars, func(c Calendar) bool { return c.UsesView && hubs.Has(c.Hub) })
}

// RangeQuery asks for what is due between two instants, both inclusive.
type RangeQuery struct {
	Hub      string // empty for every enabled one
	From, To time.Time
	After    Position
	Limit    int // at most MaxPage
}

// Between is a page of what is due in a span, soonest first, and whether there is more
// behind it. Unlike List it goes back as far as it is asked to.
func (s *Service) Between(v View, a RangeQuery) (page []Deadline, more bool, err error) {
	org, err := v.Organisation()
	if err != nil {
		return nil, false, err
	}
	return s.between(v, enabledOnly(org.Hubs, a.Hub), a)
}

func (s *Service) between(v View, hubs access.Hubs, a RangeQuery) (page []Deadline, more bool, err error) {
	now := v.Now()
	q := Query{Hubs: slices.Sorted(maps.Keys(hubs)), Today: calendar.StartOfDay(now), After: a.After.stored(), Limit: a.Limit + 1, From: a.From, To: a.To}
	stored, err := v.Deadlines(q)
	if err != nil {
		return nil, false, err
	}
	if page, err = s.computed(v, hubs, q, a.After, now); err != nil {
		return nil, false, err
	}
	for i := range stored {
		page = append(page, stored[i].show(now))
	}
	slices.SortFunc(page, before)
	if len(page) > a.Limit {
		return page[:a.Limit], true, nil
	}
	return page, false, nil
}

// enabledOnly is the enabled Hubs, or one of them; none where that one is not enabled.
func enabledOnly(hubs access.Hubs, hub string) access.Hubs {
	switch {
	case hub == "":
		return hubs
	case hubs.Has(hub):
		return access.Hubs{hub: hubs[hub]}
	}
	return nil
}

// computed are the deadlines of the calendars behind a position.
func (s *Service) computed(v View, hubs access.Hubs, q Query, after Position, now time.Time) (all []Deadline, err error) {
	behind := Deadline{DueAt: after.DueAt, ID: after.ID}
	for i := range s.Calendars {
		c := &s.Calendars[i]
		if !hubs.Has(c.Hub) {
			continue
		}
		days, err := c.Days(v, q.From, q.To)
		if err != nil {
			return nil, err
		}
		for _, day := range days {
			d := c.show(day, now)
			if before(d, behind) > 0 && !(day.Lapses && day.DueAt.Before(q.Today)) {
				all = append(all, d)
			}
		}
	}
	return all, nil
}
