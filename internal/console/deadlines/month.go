package deadlines

import (
	"net/url"
	"slices"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/filing/deadline"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
)

// Limits of the monthly calendar.
const (
	maxRead = 200 // deadlines in one query
	maxDay  = 4   // deadlines in the cell of a day; a link leads to the others
)

// monthView is the data of a month's page.
type monthView struct {
	Title          string
	Path           string
	Previous, Next *monthLink // nil at the ends of the calendar
	Hub            string
	Hubs           []Hub
	Weeks          [][]cell
	Due            bool // whether there are any deadlines
}

// monthLink is a link to another month.
type monthLink struct{ Path, Title string }

// cell is a day of a month.
type cell struct {
	calendar.Day
	Today   bool
	Entries []entry
	More    int  // number of deadlines that are not shown
	AtLeast bool // whether More is a lower bound
}

// Number returns the day of the month.
func (c cell) Number() int { return c.Start.Day() }

// Name returns the day in words.
func (c cell) Name() string { return c.Start.Format("Monday 2 January") }

// Date returns the day as in URLs.
func (c cell) Date() string { return dateOf(c.Start) }

func dateOf(t time.Time) string { return t.In(calendar.London()).Format(time.DateOnly) }

func (d *Deadlines) thisMonth(c *page.Context) error { return d.show(c, calendar.MonthOf(c.Now())) }

func (d *Deadlines) month(c *page.Context) error {
	m, ok := calendar.ParseMonth(c.R.PathValue("month"))
	if !ok {
		return apierr.Missing()
	}
	return d.show(c, m)
}

func (d *Deadlines) show(c *page.Context, m calendar.Month) error {
	hub := c.R.URL.Query().Get("hub")
	shown := monthView{
		Title: titleOf(m), Path: pathOf(m, ""), Hub: hub, Hubs: d.hubs(c), Previous: linkTo(m.Previous(), hub), Next: linkTo(m.Next(), hub),
	}
	var now time.Time
	var due map[string]*dayDue
	err := c.View(func(tx page.Tx) (err error) {
		now = tx.Now()
		due, err = d.due(tx, hub, m)
		return err
	})
	if err != nil {
		return err
	}
	shown.Due, shown.Weeks = len(due) > 0, cells(m, due, now)
	return c.Show("deadlines-month", "Deadlines in "+shown.Title, shown)
}

// dayDue is the deadlines of a day: those in its cell, and their number.
type dayDue struct {
	entries []entry
	count   int
	atLeast bool // whether count is a lower bound
}

// due reads the deadlines of a month by day. If a query has reached its limit, the next one
// starts again with the last day of the first. A day with more deadlines than a query returns
// is not counted further, so that the following days are still read.
func (d *Deadlines) due(tx page.Tx, hub string, m calendar.Month) (map[string]*dayDue, error) {
	days := map[string]*dayDue{}
	var shown []deadline.Deadline
	for from, more := m.Start(), true; more && from.Before(m.End()); {
		var found []deadline.Deadline
		var err error
		if found, more, err = d.Service.Between(tx, deadline.RangeQuery{Hub: hub, From: from, To: m.End(), Limit: maxRead}); err != nil {
			return nil, err
		}
		full := false
		if more {
			found, from, full = completeDays(found, from)
		}
		for _, one := range found {
			day := days[dateOf(one.DueAt)]
			if day == nil {
				day = &dayDue{atLeast: full}
				days[dateOf(one.DueAt)] = day
			}
			if day.count++; day.count <= maxDay {
				shown = append(shown, one)
			}
		}
	}
	entries, err := d.addNames(tx, shown)
	for _, e := range entries {
		day := days[dateOf(e.DueAt)]
		day.entries = append(day.entries, e)
	}
	return days, err
}

// completeDays removes the last, incomplete day of a query, and returns the start of the next
// query. If all results are of one day, they are kept and full is true.
func completeDays(found []deadline.Deadline, from time.Time) (kept []deadline.Deadline, next time.Time, full bool) {
	last := calendar.StartOfDay(found[len(found)-1].DueAt)
	if !last.After(from) {
		return found, calendar.AddDays(last, 1), true
	}
	first := slices.IndexFunc(found, func(one deadline.Deadline) bool { return !one.DueAt.Before(last) })
	return found[:first], last, false
}

// cells assigns the deadlines to the days of a month.
func cells(m calendar.Month, due map[string]*dayDue, now time.Time) (weeks [][]cell) {
	for _, week := range m.Weeks() {
		days := make([]cell, len(week))
		for i, day := range week {
			days[i] = cell{Day: day, Today: dateOf(day.Start) == dateOf(now)}
			if on := due[dateOf(day.Start)]; on != nil {
				days[i].Entries, days[i].More, days[i].AtLeast = on.entries, on.count-len(on.entries), on.atLeast
			}
		}
		weeks = append(weeks, days)
	}
	return weeks
}

func titleOf(m calendar.Month) string { return m.Start().Format("January 2006") }

func pathOf(m calendar.Month, hub string) string {
	path := "/deadlines/calendar/" + m.String()
	if hub != "" {
		path += "?hub=" + url.QueryEscape(hub)
	}
	return path
}

func linkTo(m calendar.Month, hub string) *monthLink {
	if _, ok := calendar.ParseMonth(m.String()); !ok {
		return nil
	}
	return &monthLink{pathOf(m, hub), titleOf(m)}
}
