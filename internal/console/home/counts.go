package home

import (
	"fmt"
	"html/template"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/console/chart"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
)

// count is a kind of record of an enabled Hub, and how many there are.
type count struct {
	Hub      string
	Name     string // of its records
	Path     string
	Total    int64
	Statuses []statusCount // none where there is but one
	Spark    template.HTML // those made by month; empty where there are none
	Lately   int64         // of them made in the month
}

type statusCount struct {
	Status  string
	Records int64
	Path    string
}

func (d *desk) counts() (all []count) {
	for _, hub := range d.hubs() {
		for _, kind := range hub.Kinds {
			all = append(all, d.count(hub, kind))
		}
	}
	return all
}

func (d *desk) count(hub Hub, kind *filing.Type) count {
	c := count{Hub: hub.Name, Name: capital(kind.Many), Path: d.list(kind.Kind, ""), Total: d.records(kind.Kind, "")}
	if len(kind.Lifecycle.States) > 1 {
		for _, status := range kind.Lifecycle.States {
			if n := d.records(kind.Kind, string(status)); n > 0 {
				c.Statuses = append(c.Statuses, statusCount{string(status), n, d.list(kind.Kind, string(status))})
			}
		}
	}
	made := d.byMonth(func(t filing.Tally) bool { return t.Kind == kind.Kind })
	c.Lately = made[len(made)-1]
	if c.Total > 0 {
		c.Spark, _ = chart.Spark{Text: fmt.Sprintf("%s by month of the last year; %d in this one", c.Name, c.Lately), Amounts: made}.HTML()
	}
	return c
}

// monthsShown is how many months the charts go back, this one included.
const monthsShown = 12

// months are the ones that are shown, oldest first, by their first days in London.
func (d *desk) months() []time.Time {
	year, month, _ := d.now.In(calendar.London()).Date()
	all := make([]time.Time, monthsShown)
	for i := range all {
		all[i] = time.Date(year, month-time.Month(monthsShown-1-i), 1, 0, 0, 0, 0, calendar.London())
	}
	return all
}

// monthName is a month as tallies have it.
const monthName = "2006-01"

// byMonth sums tallies over the months that are shown.
func (d *desk) byMonth(fits func(filing.Tally) bool) []int64 {
	at := map[string]int64{}
	for _, t := range d.tallies {
		if fits(t) {
			at[t.Month] += t.Records
		}
	}
	amounts := make([]int64, 0, monthsShown)
	for _, month := range d.months() {
		amounts = append(amounts, at[month.Format(monthName)])
	}
	return amounts
}
