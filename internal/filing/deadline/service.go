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
	PublicURL string            // base address of the service, for links in the feed
	Paths     map[string]string // of the records by kind, such as /api/tss/declarations
}

// ListQuery selects a page of the list.
type ListQuery struct {
	Window int // days ahead, at most MaxWindow
	After  Position
	Limit  int // at most MaxPage
}

// List returns a page of the deadlines in the enabled Hubs within a window, soonest first, with those that became overdue
// in the last 30 days, and whether there are more.
func (s *Service) List(v View, hubs access.Hubs, a ListQuery) (page []Deadline, more bool, err error) {
	return s.between(v, hubs, a.window(v.Now()))
}

// window is the range of the list.
func (a ListQuery) window(now time.Time) RangeQuery {
	from, to := calendar.StartOfDay(calendar.AddDays(now, -overdueDays)), calendar.EndOfDay(calendar.AddDays(now, a.Window))
	return RangeQuery{From: from, To: to, After: a.After, Limit: a.Limit}
}

// RangeQuery selects deadlines between two instants, both inclusive.
type RangeQuery struct {
	Hub      string // empty for all enabled Hubs
	From, To time.Time
	After    Position
	Limit    int // at most MaxPage
}

// Between returns a page of the deadlines in a range, soonest first, and whether there are more. Unlike List, it includes
// all overdue ones in the range.
func (s *Service) Between(v View, a RangeQuery) (page []Deadline, more bool, err error) {
	org, err := v.Organisation()
	if err != nil {
		return nil, false, err
	}
	return s.between(v, enabledOnly(org.Hubs, a.Hub), a)
}

func (s *Service) between(v View, hubs access.Hubs, a RangeQuery) (page []Deadline, more bool, err error) {
	q := s.query(v.Now(), hubs, a)
	facts, err := v.Deadlines(q)
	if err != nil {
		return nil, false, err
	}
	return s.page(v, &facts, hubs, q, a, v.Now())
}

// ListSingle is List for a view that allows one message to the database. It is not complete if a calendar reads more: then
// List is needed.
func (s *Service) ListSingle(v View, hubs access.Hubs, a ListQuery) (page []Deadline, more, complete bool, err error) {
	now, wanted := v.Now(), a.window(v.Now())
	q := s.query(now, hubs, wanted)
	facts, err := v.Deadlines(q)
	if err != nil {
		return nil, false, false, err
	}
	for _, c := range s.calendarsOf(hubs) {
		if c.ReadsMore != nil && c.ReadsMore(&facts) {
			return nil, false, false, nil
		}
	}
	page, more, err = s.page(v, &facts, hubs, q, wanted, now)
	return page, more, true, err
}

// query selects the facts of a range.
func (s *Service) query(now time.Time, hubs access.Hubs, a RangeQuery) Query {
	q := Query{Hubs: slices.Sorted(maps.Keys(hubs)), Today: calendar.StartOfDay(now), After: a.After.stored(), Limit: a.Limit + 1, From: a.From, To: a.To}
	for _, c := range s.calendarsOf(hubs) {
		q.Named = append(q.Named, c.Named...)
		if c.Keys != nil {
			q.Keys = append(q.Keys, c.Keys(q.From, q.To)...)
		}
	}
	return q
}

// page returns the page of a range that follows from the facts, and whether there are more.
func (s *Service) page(v View, f *Facts, hubs access.Hubs, q Query, a RangeQuery, now time.Time) (page []Deadline, more bool, err error) {
	if page, err = s.computed(v, f, hubs, q, a.After, now); err != nil {
		return nil, false, err
	}
	for i := range f.Stored {
		page = append(page, f.Stored[i].show(now))
	}
	slices.SortFunc(page, compare)
	if len(page) > a.Limit {
		return page[:a.Limit], true, nil
	}
	return page, false, nil
}

// calendarsOf returns the calendars of some Hubs.
func (s *Service) calendarsOf(hubs access.Hubs) (all []Calendar) {
	for _, c := range s.Calendars {
		if hubs.Has(c.Hub) {
			all = append(all, c)
		}
	}
	return all
}

// enabledOnly returns the enabled Hubs or, if hub is set, only that one if it is enabled.
func enabledOnly(hubs access.Hubs, hub string) access.Hubs {
	switch {
	case hub == "":
		return hubs
	case hubs.Has(hub):
		return access.Hubs{hub: hubs[hub]}
	}
	return nil
}

// computed returns the calendars' deadlines after a position.
func (s *Service) computed(v View, f *Facts, hubs access.Hubs, q Query, after Position, now time.Time) (all []Deadline, err error) {
	previous := Deadline{DueAt: after.DueAt, ID: after.ID}
	for _, c := range s.calendarsOf(hubs) {
		days, err := c.Days(v, f, q.From, q.To)
		if err != nil {
			return nil, err
		}
		for _, day := range days {
			d := c.show(day, now)
			if compare(d, previous) > 0 && !(day.Lapses && day.DueAt.Before(q.Today)) {
				all = append(all, d)
			}
		}
	}
	return all, nil
}
