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
	"github.com/tidewaiter/tidewaiter/internal/webhook"
)

// daysShown is how many days the chart of deliveries goes back, today included.
const daysShown = 14

// emissionsHub is the Hub of the chart of emissions.
const emissionsHub = "cbam"

// drawing is a chart that can be drawn, and whether there is anything to see.
type drawing interface{ HTML() (template.HTML, error) }

// charts are those of what the organisation does at all.
func (d *desk) charts() (all []template.HTML, err error) {
	ledgers, err := d.ledgers()
	if err != nil {
		return nil, err
	}
	deliveries, err := d.tx.DeliveryTallies(d.firstDay().Format(time.DateOnly))
	if err != nil {
		return nil, err
	}
	var drawings []drawing
	if d.records(d.Declaration, "") > 0 {
		drawings = append(drawings, d.declarations(), d.duty(ledgers))
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

// ledgers are what the ledgers of the charts come to in the months that are shown.
func (d *desk) ledgers() ([]filing.LedgerTally, error) {
	names := []string{d.Duty, d.VAT}
	for _, l := range d.Emissions {
		names = append(names, l.Name)
	}
	months := d.months()
	return d.tx.LedgerTallies(names, months[0].Format(monthName), months[len(months)-1].Format(monthName))
}

func (d *desk) monthPlaces() (places []chart.Place) {
	for _, month := range d.months() {
		places = append(places, chart.Place{Short: month.Format("Jan"), Long: month.Format("January 2006")})
	}
	return places
}

// declarations shows what has become of those that were made in a month.
func (d *desk) declarations() drawing {
	in := func(statuses ...lifecycle.State) []int64 {
		return d.byMonth(func(t filing.Tally) bool { return t.Kind == d.Declaration && slices.Contains(statuses, t.Status) })
	}
	return chart.Columns{
		ID: "declarations", Title: "Declarations by month", Heading: "Month", Nothing: "None was made in the last twelve months.",
		Unit: chart.Pieces, Places: d.monthPlaces(), Series: []chart.Series{
			{Name: "Cleared", Tone: chart.Good, Amounts: in("CLEARED")},
			{Name: "Under way", Tone: chart.First, Amounts: in(lifecycle.Draft, lifecycle.Submitted, lifecycle.Accepted)},
			{Name: "Rejected or cancelled", Tone: chart.Bad, Amounts: in(lifecycle.Rejected, lifecycle.Cancelled)},
		},
	}
}

// duty shows what customs has assessed, by the month of clearance.
func (d *desk) duty(ledgers []filing.LedgerTally) drawing {
	return chart.Columns{
		ID: "duty", Title: "Duty and VAT by month of clearance", Heading: "Month", Nothing: "No import was cleared in the last twelve months.",
		Unit: chart.Pounds, Places: d.monthPlaces(), Series: []chart.Series{
			{Name: "Duty", Tone: chart.First, Amounts: d.amounts(ledgers, d.Duty)},
			{Name: "VAT", Tone: chart.Second, Amounts: d.amounts(ledgers, d.VAT)},
		},
	}
}

// amounts are those of one ledger, month by month.
func (d *desk) amounts(ledgers []filing.LedgerTally, name string) (amounts []int64) {
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

// emissions shows those of the imports of this quarter, by category.
func (d *desk) emissions(ledgers []filing.LedgerTally) drawing {
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
	slices.SortStableFunc(bars, func(a, b chart.Bar) int { return cmp.Compare(b.Amount, a.Amount) })
	return chart.Bars{
		ID: "emissions", Title: "Embedded emissions of " + quarter.String(), Heading: "Category", Measure: "CO₂ equivalent", Unit: chart.Tonnes,
		Nothing: "No imports under the carbon border adjustment were recorded in this quarter.", Bars: bars,
	}
}

func (d *desk) firstDay() time.Time { return calendar.AddDays(d.now, 1-daysShown) }

// deliveries shows how attempts to deliver webhooks have ended.
func (d *desk) deliveries(tallies []webhook.DayTally) drawing {
	c := chart.Columns{
		ID: "deliveries", Title: "Webhook deliveries of the last 14 days", Heading: "Day", Nothing: "Nothing was delivered.", Unit: chart.Pieces,
		Series: []chart.Series{
			{Name: "Delivered", Tone: chart.Good}, {Name: "Failed, tried again", Tone: chart.Wait}, {Name: "Given up", Tone: chart.Bad},
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

func attempts(tallies []webhook.DayTally, day string, outcome webhook.Status) int64 {
	for _, t := range tallies {
		if t.Day == day && t.Outcome == outcome {
			return t.Attempts
		}
	}
	return 0
}
