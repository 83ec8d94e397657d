package home

import (
	"fmt"
	"html/template"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/console/chart"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
)

// count is the number of records of a kind.
type count struct {
	Hub       string
	Name      string // of the records
	Path      string
	Total     int64
	Statuses  []statusCount // nil if the kind has only one status
	Spark     template.HTML // new records by month; empty if there are none
	ThisMonth int64         // created this month
}

type statusCount struct {
	Status  string
	Records int64
	Path    string
}

func (d *builder) counts() (all []count) {
	for _, hub := range d.hubs() {
		for _, kind := range hub.Kinds {
			if d.ListPath(kind.Kind) != "" { // consents at customs have no list
				all = append(all, d.count(hub, kind))
			}
		}
	}
	return all
}

func (d *builder) count(hub Hub, kind *filing.Type) count {
	c := count{Hub: hub.Name, Name: upperFirst(kind.Plural), Path: d.listPath(kind.Kind, ""), Total: d.records(kind.Kind, "")}
	if len(kind.Lifecycle.States) > 1 {
		for _, status := range kind.Lifecycle.States {
			if n := d.records(kind.Kind, string(status)); n > 0 {
				c.Statuses = append(c.Statuses, statusCount{string(status), n, d.listPath(kind.Kind, string(status))})
			}
		}
	}
	made := d.byMonth(func(t filing.Tally) bool { return t.Kind == kind.Kind })
	c.ThisMonth = made[len(made)-1]
	if c.Total > 0 {
		c.Spark, _ = chart.Spark{Text: fmt.Sprintf("%s by month in the last year; %d this month", c.Name, c.ThisMonth), Amounts: made}.HTML()
	}
	return c
}

// monthsShown is the number of months in the charts, including this month.
const monthsShown = 12

// months returns the first days of the months in the charts in London time, oldest first.
func (d *builder) months() []time.Time {
	year, month, _ := d.now.In(calendar.London()).Date()
	all := make([]time.Time, monthsShown)
	for i := range all {
		all[i] = time.Date(year, month-time.Month(monthsShown-1-i), 1, 0, 0, 0, 0, calendar.London())
	}
	return all
}

// monthName is the format of months in tallies.
const monthName = "2006-01"

// byMonth returns the sums of matching tallies by month.
func (d *builder) byMonth(fits func(filing.Tally) bool) []int64 {
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
