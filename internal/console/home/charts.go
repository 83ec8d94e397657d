package home

import (
	"cmp"
	"html/template"
	"slices"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/console/chart"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
	"github.com/tidewaiter/tidewaiter/internal/platform/sorting"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
)

// daysShown is the number of days in the chart of deliveries, including today.
const daysShown = 14

// emissionsHub is the Hub of the chart of emissions.
const emissionsHub = "cbam"

// htmlChart is a chart that renders itself.
type htmlChart interface{ HTML() (template.HTML, error) }

// charts renders the charts for which the organisation has data.
func (d *builder) charts() (all []template.HTML, err error) {
	ledgers, err := d.ledgers()
	if err != nil {
		return nil, err
	}
	deliveries, err := d.tx.DeliveryTallies(d.firstDay().Format(time.DateOnly))
	if err != nil {
		return nil, err
	}
	var drawings []htmlChart
	if d.records(d.Declaration, "") > 0 {
		outcomes, err := d.outcomes()
		if err != nil {
			return nil, err
		}
		drawings = append(append(drawings, d.declarations()), append(outcomes, d.duty(ledgers))...)
	}
	if d.org.Hubs.Has(emissionsHub) {
		drawings = append(drawings, d.emissions(ledgers))
	}
	if len(deliveries) > 0 {
		drawings = append(drawings, d.deliveries(deliveries))
	}
	for _, one := range drawings {
		html, err := one.HTML()
		if err != nil {
			return nil, err
		}
		all = append(all, html)
	}
	return all, nil
}

// ledgers returns the monthly sums of all ledgers in the charts.
func (d *builder) ledgers() ([]filing.LedgerTally, error) {
	names := []string{d.Duty, d.VAT}
	for _, l := range d.Emissions {
		names = append(names, l.Name)
	}
	months := d.months()
	return d.tx.LedgerTallies(names, months[0].Format(monthName), months[len(months)-1].Format(monthName))
}

// monthPlaces are the months of a chart; path returns the page with what is counted in a month, empty for none.
func (d *builder) monthPlaces(path func(month time.Time) string) (places []chart.Place) {
	for _, month := range d.months() {
		places = append(places, chart.Place{Short: month.Format("Jan"), Long: month.Format("January 2006"), Path: path(month)})
	}
	return places
}

// declarationsOf returns the list of the declarations that were created in a month.
func declarationsOf(month time.Time) string {
	return "/declarations?from=" + month.Format(time.DateOnly) + "&to=" + month.AddDate(0, 1, -1).Format(time.DateOnly)
}

// declarations returns the chart of declarations by the month of their creation and their present status.
func (d *builder) declarations() htmlChart {
	in := func(statuses ...lifecycle.State) []int64 {
		return d.byMonth(func(t filing.Tally) bool { return t.Kind == d.Declaration && slices.Contains(statuses, t.Status) })
	}
	return chart.Columns{
		ID: "declarations", Title: "Declarations by month", Heading: "Month", EmptyText: "No declarations in the last 12 months.",
		Unit: chart.Pieces, Places: d.monthPlaces(declarationsOf), Series: []chart.Series{
			{Name: "Cleared", Tone: chart.Good, Amounts: in("CLEARED")},
			{Name: "In progress", Tone: chart.First, Amounts: in(lifecycle.Draft, lifecycle.Submitted, lifecycle.Accepted)},
			{Name: "Rejected or cancelled", Tone: chart.Bad, Amounts: in(lifecycle.Rejected, lifecycle.Cancelled)},
		},
	}
}

// duty returns the chart of assessed duty and VAT by month of clearance.
func (d *builder) duty(ledgers []filing.LedgerTally) htmlChart {
	return chart.Columns{
		ID: "duty", Title: "Duty and VAT by month of clearance", Heading: "Month", EmptyText: "No imports were cleared in the last 12 months.",
		Unit: chart.Pounds, Places: d.monthPlaces(clearedIn), Series: []chart.Series{
			{Name: "Duty", Tone: chart.First, Amounts: d.amounts(ledgers, d.Duty)},
			{Name: "VAT", Tone: chart.Second, Amounts: d.amounts(ledgers, d.VAT)},
		},
	}
}

// amounts returns the sums of one ledger by month.
func (d *builder) amounts(ledgers []filing.LedgerTally, name string) (amounts []int64) {
	at := map[string]int64{}
	for _, l := range ledgers {
		if l.Ledger == name {
			at[l.Month] = l.Amount
		}
	}
	for _, month := range d.months() {
		amounts = append(amounts, at[month.Format(monthName)])
	}
	return amounts
}

// emissions returns the chart of embedded emissions of this quarter's imports by category.
func (d *builder) emissions(ledgers []filing.LedgerTally) htmlChart {
	quarter := calendar.QuarterOf(d.now)
	first := time.Date(quarter.Year, time.Month(3*quarter.Number-2), 1, 0, 0, 0, 0, calendar.London()).Format(monthName)
	sums := map[string]int64{}
	for _, l := range ledgers {
		if l.Month >= first {
			sums[l.Ledger] += l.Amount
		}
	}
	var bars []chart.Bar
	for _, l := range d.Emissions {
		bars = append(bars, chart.Bar{Name: l.Title, Amount: sums[l.Name]})
	}
	sorting.Stable(bars, func(a, b chart.Bar) int { return cmp.Compare(b.Amount, a.Amount) })
	return chart.Bars{
		ID: "emissions", Title: "Embedded emissions of " + quarter.String(), Heading: "Category", Measure: "CO₂ equivalent", Unit: chart.Tonnes,
		EmptyText: "No CBAM goods were imported in this quarter.", Bars: bars,
	}
}

func (d *builder) firstDay() time.Time { return calendar.AddDays(d.now, 1-daysShown) }

// deliveries returns the chart of webhook delivery attempts by outcome.
func (d *builder) deliveries(tallies []webhook.DayCount) htmlChart {
	c := chart.Columns{
		ID: "deliveries", Title: "Webhook deliveries of the last 14 days", Heading: "Day", EmptyText: "No deliveries.", Unit: chart.Pieces,
		Series: []chart.Series{
			{Name: "Delivered", Tone: chart.Good}, {Name: "Retrying", Tone: chart.Wait}, {Name: "Failed", Tone: chart.Bad},
		},
	}
	outcomes := []webhook.Status{webhook.Delivered, webhook.Pending, webhook.Failed}
	for i := range daysShown {
		day := calendar.AddDays(d.firstDay(), i)
		c.Places = append(c.Places, chart.Place{Short: day.Format("2"), Long: day.Format("2 January 2006")})
		for n, outcome := range outcomes {
			c.Series[n].Amounts = append(c.Series[n].Amounts, attempts(tallies, day.Format(time.DateOnly), outcome))
		}
	}
	return c
}

func attempts(tallies []webhook.DayCount, day string, outcome webhook.Status) int64 {
	for _, t := range tallies {
		if t.Day == day && t.Outcome == outcome {
			return t.Attempts
		}
	}
	return 0
}
