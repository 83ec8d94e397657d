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

// Limits of a month.
const (
	maxRead = 200 // deadlines that one question reads
	maxDay  = 4   // in a day's cell; the others are a link away
)

// monthView is what a month shows.
type monthView struct {
	Title          string
	Path           string
	Previous, Next *step // nil where the calendar ends
	Hub            string
	Hubs           []Hub
	Weeks          [][]cell
	Due            bool // anything at all
}

// step leads to another month.
type step struct{ Path, Title string }

// cell is a day of a month.
type cell struct {
	calendar.Day
	Today   bool
	Entries []entry
	More    int  // that are not shown
	Least   bool // there may be still more
}

// Number is the day of the month.
func (c cell) Number() int { return c.Start.Day() }

// Name is the day in words.
func (c cell) Name() string { return c.Start.Format("Monday 2 January") }

// Date is the day as addresses have it.
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
		Title: titleOf(m), Path: pathOf(m, ""), Hub: hub, Hubs: d.hubs(c), Previous: stepTo(m.Previous(), hub), Next: stepTo(m.Next(), hub),
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

// dayDue is what is due on a day: as much as its cell shows, and how much there is.
type dayDue struct {
	entries []entry
	count   int
	least   bool // not all have been counted
}

// due reads what is due in a month, by its days. Where a question breaks off, the next
// goes on with that day, or behind one that is too crowded to be counted, so that such a
// day hides no other.
func (d *Deadlines) due(tx page.Tx, hub string, m calendar.Month) (map[string]*dayDue, error) {
	days := map[string]*dayDue{}
	var shown []deadline.Deadline
	for from, more := m.Start(), true; more && from.Before(m.End()); {
		var found []deadline.Deadline
		var err error
		if found, more, err = d.Service.Between(tx, deadline.RangeQuery{Hub: hub, From: from, To: m.End(), Limit: maxRead}); err != nil {
			return nil, err
		}
		crowded := false
		if more {
			found, from, crowded = whole(found, from)
		}
		for _, one := range found {
			day := days[dateOf(one.DueAt)]
			if day == nil {
				day = &dayDue{least: crowded}
				days[dateOf(one.DueAt)] = day
			}
			if day.count++; day.count <= maxDay {
				shown = append(shown, one)
			}
		}
	}
	entries, err := d.name(tx, shown)
	for _, e := range entries {
		day := days[dateOf(e.DueAt)]
		day.entries = append(day.entries, e)
	}
	return days, err
}

// whole leaves out the day at which a question broke off, from which the next goes on;
// a first day that is too crowded stays.
func whole(found []deadline.Deadline, from time.Time) (kept []deadline.Deadline, next time.Time, crowded bool) {
	last := calendar.StartOfDay(found[len(found)-1].DueAt)
	if !last.After(from) {
		return found, calendar.AddDays(last, 1), true
	}
	first := slices.IndexFunc(found, func(one deadline.Deadline) bool { return !one.DueAt.Before(last) })
	return found[:first], last, false
}

// cells lays what is due on the days of a month.
func cells(m calendar.Month, due map[string]*dayDue, now time.Time) (weeks [][]cell) {
	for _, week := range m.Weeks() {
		days := make([]cell, len(week))
		for i, day := range week {
			days[i] = cell{Day: day, Today: dateOf(day.Start) == dateOf(now)}
			if on := due[dateOf(day.Start)]; on != nil {
				days[i].Entries, days[i].More, days[i].Least = on.entries, on.count-len(on.entries), on.least
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

func stepTo(m calendar.Month, hub string) *step {
	if _, ok := calendar.ParseMonth(m.String()); !ok {
		return nil
	}
	return &step{pathOf(m, hub), titleOf(m)}
}
