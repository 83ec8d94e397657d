package deadlines

import (
	"net/url"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/calendar"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/deadline"
	"github.com/tidewaiter/tidewaiter/internal/fault"
)

// Limits of a month.
const (
	maxMonth = deadline.MaxPage
	maxDay   = 4 // deadlines in a day's cell; the others are a link away
)

// monthView is what a month shows.
type monthView struct {
	Title          string
	Path           string
	Previous, Next *step // nil where the calendar ends
	Hub            string
	Hubs           []Hub
	Weeks          [][]cell
	Due            int
	More           bool // there is more than a month can show
}

// step leads to another month.
type step struct{ Path, Title string }

// cell is a day of a month.
type cell struct {
	calendar.Day
	Today   bool
	Entries []entry
	More    int // that are not shown
}

// Number is the day of the month.
func (c cell) Number() int { return c.Start.Day() }

// Name is the day in words.
func (c cell) Name() string { return c.Start.Format("Monday 2 January") }

// Date is the day as addresses have it.
func (c cell) Date() string { return dateOf(c.Start) }

func dateOf(t time.Time) string { return t.In(calendar.London()).Format(time.DateOnly) }

func (d *Deadlines) thisMonth(v *page.Visit) error { return d.show(v, calendar.MonthOf(v.Now())) }

func (d *Deadlines) month(v *page.Visit) error {
	m, ok := calendar.ParseMonth(v.R.PathValue("month"))
	if !ok {
		return fault.Missing()
	}
	return d.show(v, m)
}

func (d *Deadlines) show(v *page.Visit, m calendar.Month) error {
	hub := v.R.URL.Query().Get("hub")
	shown := monthView{
		Title: titleOf(m), Path: pathOf(m, ""), Hub: hub, Hubs: d.hubs(v), Previous: stepTo(m.Previous(), hub), Next: stepTo(m.Next(), hub),
	}
	var now time.Time
	var all []entry
	err := v.View(func(tx page.Tx) error {
		now = tx.Now()
		due, more, err := d.Service.Between(tx, deadline.Span{Hub: hub, From: m.Start(), To: m.End(), Limit: maxMonth})
		if err != nil {
			return err
		}
		shown.Due, shown.More = len(due), more
		all, err = d.name(tx, due)
		return err
	})
	if err != nil {
		return err
	}
	shown.Weeks = cells(m, all, now)
	return v.Show("deadlines-month", "Deadlines in "+shown.Title, shown)
}

// cells lays deadlines, soonest first, on the days of a month.
func cells(m calendar.Month, all []entry, now time.Time) (weeks [][]cell) {
	byDay := map[string][]entry{}
	for _, e := range all {
		byDay[dateOf(e.DueAt)] = append(byDay[dateOf(e.DueAt)], e)
	}
	for _, week := range m.Weeks() {
		days := make([]cell, len(week))
		for i, day := range week {
			due := byDay[dateOf(day.Start)]
			days[i] = cell{Day: day, Today: dateOf(day.Start) == dateOf(now), Entries: due[:min(len(due), maxDay)], More: max(len(due)-maxDay, 0)}
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
