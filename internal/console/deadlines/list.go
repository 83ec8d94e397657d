package deadlines

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/filing/deadline"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
)

const (
	pageSize = 100
	// daysBack is how many days back overdue deadlines are listed, the same as in the API.
	daysBack = 30
)

// Values of the filter by urgency.
const (
	overdue = "overdue"
	soon    = "soon"
	later   = "later"
)

// horizons are the choices of how many days ahead the list goes.
var horizons = []int{30, 90, 365}

// filter is the filter of the list.
type filter struct {
	Hub, When string
	Days      int
	Day       time.Time // only this day; zero for all days
	After     deadline.Position
}

// readFilter reads the filter from the URL query. Invalid values are ignored.
func readFilter(q url.Values) (w filter) {
	w = filter{Hub: q.Get("hub"), When: q.Get("when"), Days: horizons[1]}
	if !slices.Contains([]string{overdue, soon, later}, w.When) {
		w.When = ""
	}
	if n, err := strconv.Atoi(q.Get("days")); err == nil && slices.Contains(horizons, n) {
		w.Days = n
	}
	if day, err := time.ParseInLocation(time.DateOnly, q.Get("day"), calendar.London()); err == nil {
		w.Day = day
	}
	at, id, _ := strings.Cut(q.Get("after"), "-")
	w.After, _ = deadline.ReadPosition(at, id)
	return w
}

// query returns the filter as a URL query, without the position.
func (w filter) query() url.Values {
	q := url.Values{}
	for name, value := range map[string]string{"hub": w.Hub, "when": w.When} {
		if value != "" {
			q.Set(name, value)
		}
	}
	if w.Days != horizons[1] {
		q.Set("days", strconv.Itoa(w.Days))
	}
	if !w.Day.IsZero() {
		q.Set("day", w.Day.Format(time.DateOnly))
	}
	return q
}

// dateRange returns the range of the filter.
func (w filter) dateRange(now time.Time) deadline.RangeQuery {
	s := deadline.RangeQuery{
		Hub: w.Hub, After: w.After, Limit: pageSize,
		From: calendar.StartOfDay(calendar.AddDays(now, -daysBack)), To: calendar.EndOfDay(calendar.AddDays(now, w.Days)),
	}
	week := calendar.EndOfDay(calendar.AddDays(now, deadline.SoonDays))
	switch {
	case !w.Day.IsZero():
		s.From, s.To = calendar.StartOfDay(w.Day), calendar.EndOfDay(w.Day)
	case w.When == overdue:
		s.To = now.Add(-time.Millisecond)
	case w.When == soon:
		s.From, s.To = now, week
	case w.When == later:
		s.From = week.Add(time.Millisecond)
	}
	return s
}

// listView is the data of the list.
type listView struct {
	filter
	Hubs        []Hub
	Sections    []section
	Tabs        []page.ViewTab
	Chips       []chip
	Count       string // of the deadlines of the page, with a plus sign if there are more
	Filtered    bool
	First, Next string
}

// section is the deadlines of one urgency.
type section struct {
	Title, Kind string
	Entries     []entry
}

func (d *Deadlines) list(c *page.Context) error {
	shown := listView{filter: readFilter(c.R.URL.Query()), Hubs: d.hubs(c)}
	var all []entry
	err := c.View(func(tx page.Tx) error {
		due, more, err := d.Service.Between(tx, shown.dateRange(tx.Now()))
		if err != nil {
			return err
		}
		if more {
			shown.Next = shown.nextPage(due[len(due)-1])
		}
		all, err = d.addNames(tx, due)
		return err
	})
	if err != nil {
		return err
	}
	if q := shown.query(); shown.After.ID != "" {
		shown.First = "/deadlines?" + q.Encode()
	}
	shown.Filtered = shown.Hub != "" || shown.When != "" || !shown.Day.IsZero() || shown.After.ID != ""
	shown.Sections, shown.Count = sections(all), page.CountText(int64(len(all)), shown.Next != "" || shown.First != "")
	shown.Tabs, shown.Chips = shown.tabs(), shown.chips(shown.Hubs)
	return c.Show("deadlines", "Deadlines", shown)
}

// tabs are the urgencies.
func (w filter) tabs() (all []page.ViewTab) {
	for _, t := range []struct{ when, name string }{{"", "All"}, {overdue, "Overdue"}, {soon, "Due within 7 days"}, {later, "Later"}} {
		other := w
		other.When = t.when
		all = append(all, page.ViewTab{Name: t.name, Path: other.path(), Selected: w.When == t.when})
	}
	return all
}

// chip is a filter that is set, with the list without it.
type chip struct{ Name, Value, Without string }

// chips returns what the list is filtered by, besides the urgency.
func (w filter) chips(hubs []Hub) (all []chip) {
	if w.Hub != "" {
		without, name := w, w.Hub
		without.Hub = ""
		for _, h := range hubs {
			if h.ID == w.Hub {
				name = h.Name
			}
		}
		all = append(all, chip{"Hub", name, without.path()})
	}
	if !w.Day.IsZero() {
		without := w
		without.Day = time.Time{}
		all = append(all, chip{"Only on", w.Day.Format("2 January 2006"), without.path()})
	}
	return all
}

// path is the path of the first page of the list with the filter.
func (w filter) path() string {
	if q := w.query(); len(q) > 0 {
		return "/deadlines?" + q.Encode()
	}
	return "/deadlines"
}

// nextPage returns the URL of the page after a deadline.
func (w filter) nextPage(last deadline.Deadline) string {
	q := w.query()
	q.Set("after", strconv.FormatInt(last.DueAt.UnixMilli(), 36)+"-"+last.ID)
	return "/deadlines?" + q.Encode()
}

// sections groups deadlines by urgency; empty sections are left out.
func sections(all []entry) (parts []section) {
	for _, p := range []struct {
		status deadline.Status
		section
	}{
		{deadline.Overdue, section{Title: "Overdue", Kind: "bad"}},
		{deadline.DueSoon, section{Title: "Due within 7 days", Kind: "wait"}},
		{deadline.Upcoming, section{Title: "Later", Kind: "note"}},
	} {
		for _, e := range all {
			if e.Status == p.status {
				p.Entries = append(p.Entries, e)
			}
		}
		if p.Entries != nil {
			parts = append(parts, p.section)
		}
	}
	return parts
}

// remaining returns how many days are left, as text.
func remaining(d deadline.Deadline) string {
	if d.DaysRemaining == 0 && d.Status == deadline.Overdue {
		return "today, overdue"
	}
	return calendar.Away(d.DaysRemaining)
}
