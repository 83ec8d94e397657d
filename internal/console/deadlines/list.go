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
	// looked is how many days back the list looks for what is overdue: as far as the
	// API does.
	looked = 30
)

// Parts of the list.
const (
	overdue = "overdue"
	soon    = "soon"
	later   = "later"
)

// horizons are how many days ahead the list can look.
var horizons = []int{30, 90, 365}

// wanted is which deadlines somebody wants to see.
type wanted struct {
	Hub, When string
	Days      int
	Day       time.Time // one day and no other; zero for none
	After     deadline.Position
}

// read takes what the address says; what it cannot mean is as if it were not there.
func read(q url.Values) (w wanted) {
	w = wanted{Hub: q.Get("hub"), When: q.Get("when"), Days: horizons[1]}
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

// query is the address again, without the place in the list.
func (w wanted) query() url.Values {
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

// span is the time that is asked for.
func (w wanted) span(now time.Time) deadline.RangeQuery {
	s := deadline.RangeQuery{
		Hub: w.Hub, After: w.After, Limit: pageSize,
		From: calendar.StartOfDay(calendar.AddDays(now, -looked)), To: calendar.EndOfDay(calendar.AddDays(now, w.Days)),
	}
	week := calendar.EndOfDay(calendar.AddDays(now, deadline.Soon))
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

// listView is what the list shows.
type listView struct {
	wanted
	Hubs        []Hub
	Parts       []part
	Filtered    bool
	First, Next string
}

// part is the deadlines that are alike in how urgent they are.
type part struct {
	Title, Kind string
	Entries     []entry
}

func (d *Deadlines) list(c *page.Context) error {
	shown := listView{wanted: read(c.R.URL.Query()), Hubs: d.hubs(c)}
	var all []entry
	err := c.View(func(tx page.Tx) error {
		due, more, err := d.Service.Between(tx, shown.span(tx.Now()))
		if err != nil {
			return err
		}
		if more {
			shown.Next = shown.behind(due[len(due)-1])
		}
		all, err = d.name(tx, due)
		return err
	})
	if err != nil {
		return err
	}
	if q := shown.query(); shown.After.ID != "" {
		shown.First = "/deadlines?" + q.Encode()
	}
	shown.Filtered = shown.Hub != "" || shown.When != "" || !shown.Day.IsZero() || shown.After.ID != ""
	shown.Parts = parted(all)
	return c.Show("deadlines", "Deadlines", shown)
}

// behind is the address of the page behind a deadline.
func (w wanted) behind(last deadline.Deadline) string {
	q := w.query()
	q.Set("after", strconv.FormatInt(last.DueAt.UnixMilli(), 36)+"-"+last.ID)
	return "/deadlines?" + q.Encode()
}

// parted puts deadlines, soonest first, into their parts; empty ones are left out.
func parted(all []entry) (parts []part) {
	for _, p := range []struct {
		status deadline.Status
		part
	}{
		{deadline.Overdue, part{Title: "Overdue", Kind: "bad"}},
		{deadline.DueSoon, part{Title: "Due within 7 days", Kind: "wait"}},
		{deadline.Upcoming, part{Title: "Later", Kind: "note"}},
	} {
		for _, e := range all {
			if e.Status == p.status {
				p.Entries = append(p.Entries, e)
			}
		}
		if p.Entries != nil {
			parts = append(parts, p.part)
		}
	}
	return parts
}

// remaining is how many days are left, in words.
func remaining(d deadline.Deadline) string {
	if d.DaysRemaining == 0 && d.Status == deadline.Overdue {
		return "today, and over"
	}
	return calendar.Away(d.DaysRemaining)
}
