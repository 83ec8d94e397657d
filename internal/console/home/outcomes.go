package home

import (
	"cmp"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/console/chart"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
)

// outcomes returns the charts of what customs decided: each part leads to the list of its declarations.
func (d *builder) outcomes() ([]htmlChart, error) {
	counts, err := d.tx.PostedCounts(d.Clearance.Ledger, d.days(), d.bounds())
	if err != nil {
		return nil, err
	}
	duty, err := d.dutyByClient()
	if err != nil {
		return nil, err
	}
	rejections, err := d.rejections()
	if err != nil {
		return nil, err
	}
	return []htmlChart{d.cleared(counts), d.timeToClearance(counts), rejections, duty}, nil
}

// days are the days of the charts by day, oldest first.
func (d *builder) days() (days []filing.Period) {
	for i := range daysShown {
		day := calendar.AddDays(d.firstDay(), i)
		year, month, date := day.In(calendar.London()).Date()
		from := time.Date(year, month, date, 0, 0, 0, 0, calendar.London())
		days = append(days, filing.Period{From: from, Until: calendar.AddDays(from, 1)})
	}
	return days
}

func (d *builder) bounds() (bounds []int64) {
	for _, b := range d.Clearance.Bands[:len(d.Clearance.Bands)-1] {
		bounds = append(bounds, b.Below)
	}
	return bounds
}

// clearedBetween returns the list of the declarations that customs cleared from one day to another.
func clearedBetween(first, last time.Time) string {
	return "/declarations?" + clearedFilter(first, last).Encode()
}

func clearedFilter(first, last time.Time) url.Values {
	return url.Values{"clearedFrom": {first.Format(time.DateOnly)}, "clearedTo": {last.Format(time.DateOnly)}}
}

// clearedWith returns such a list with a further filter.
func clearedWith(first, last time.Time, filter, value string) string {
	q := clearedFilter(first, last)
	q.Set(filter, value)
	return "/declarations?" + q.Encode()
}

// clearedIn returns the list of the declarations that customs cleared in a month.
func clearedIn(month time.Time) string { return clearedBetween(month, month.AddDate(0, 1, -1)) }

// cleared returns the chart of the declarations that customs cleared on each day.
func (d *builder) cleared(counts [][]int64) htmlChart {
	all := chart.Series{Name: "Cleared", Tone: chart.Good}
	c := chart.Columns{
		ID: "cleared", Title: "Cleared in the last 14 days", Heading: "Day", Unit: chart.Pieces,
		EmptyText: "Nothing was cleared. Each day here will lead to the list of the declarations that customs cleared.",
	}
	for i, day := range d.days() {
		sum := int64(0)
		for _, n := range counts[i] {
			sum += n
		}
		all.Amounts = append(all.Amounts, sum)
		c.Places = append(c.Places, chart.Place{Short: day.From.Format("2"), Long: day.From.Format("Monday 2 January 2006"), Path: clearedBetween(day.From, day.From)})
	}
	c.Series = []chart.Series{all}
	return c
}

// timeToClearance returns the chart of the time from submission to clearance in the same days.
func (d *builder) timeToClearance(counts [][]int64) htmlChart {
	days := d.days()
	c := chart.Bars{
		ID: "time-to-clearance", Title: "Time to clearance in the last 14 days", Heading: "From submission", Measure: "Declarations", Unit: chart.Pieces, Tone: chart.Good,
		EmptyText: "Nothing was cleared. The time from submission to clearance is counted here.",
	}
	for n, band := range d.Clearance.Bands {
		bar := chart.Bar{Name: band.Name, Path: clearedWith(days[0].From, days[len(days)-1].From, "took", band.ID)}
		for _, day := range counts {
			bar.Amount += day[n]
		}
		c.Bars = append(c.Bars, bar)
	}
	return c
}

// codesShown is the number of error codes in the chart of rejections.
const codesShown = 6

// rejections returns the chart of the error codes for which customs rejected declarations.
func (d *builder) rejections() (htmlChart, error) {
	months := d.months()
	tallies, err := d.tx.LedgersBetween(d.Rejections.First, d.Rejections.Last, months[0].Format(monthName), months[len(months)-1].Format(monthName))
	if err != nil {
		return nil, err
	}
	c := chart.Bars{
		ID: "rejections", Title: "Rejections by error code", Heading: "Error", Measure: "Declarations", Unit: chart.Pieces, Tone: chart.Bad,
		EmptyText: "Customs rejected no declaration in the last 12 months. Error codes that come back are counted here.",
	}
	at := map[string]int64{}
	for _, t := range tallies {
		at[d.Rejections.Code(t.Ledger)] += t.Records
	}
	for code, n := range at {
		name := strings.TrimSpace(code + " " + d.Rejections.Title(code))
		path := "/declarations?" + url.Values{"rejectedFor": {code}, "rejectedFrom": {months[0].Format(time.DateOnly)}}.Encode()
		c.Bars = append(c.Bars, chart.Bar{Name: name, Amount: n, Path: path})
	}
	slices.SortFunc(c.Bars, func(a, b chart.Bar) int { return cmp.Or(cmp.Compare(b.Amount, a.Amount), cmp.Compare(a.Name, b.Name)) })
	if len(c.Bars) > codesShown {
		others := chart.Bar{Name: "Other codes"}
		for _, b := range c.Bars[codesShown:] {
			others.Amount += b.Amount
		}
		c.Bars = append(c.Bars[:codesShown:codesShown], others)
	}
	return c, nil
}

// Limits of the chart of duty by client: the clients with a colour of their own, and those of each month among which they are.
const (
	clientsShown = 3
	leadingEach  = 20
)

// dutyByClient returns the chart of the duty of the leading clients by month of clearance.
func (d *builder) dutyByClient() (htmlChart, error) {
	months := d.months()
	names := make([]string, len(months))
	for i, month := range months {
		names[i] = month.Format(monthName)
	}
	clients, err := d.leadingClients(names)
	if err != nil {
		return nil, err
	}
	sums, err := d.tx.ClientTallies(filing.ClientTallies{ClientIDs: clients, Ledgers: []string{d.Duty}, FromMonth: names[0], ToMonth: names[len(names)-1]})
	if err != nil {
		return nil, err
	}
	all, err := d.tx.LedgerTallies([]string{d.Duty}, names[0], names[len(names)-1])
	if err != nil {
		return nil, err
	}
	called, err := d.tx.Briefs(clients)
	if err != nil {
		return nil, err
	}
	others := chart.Series{Name: "Other clients", Tone: chart.Third, Amounts: d.amounts(all, d.Duty)}
	c := chart.Columns{
		ID: "duty-by-client", Title: "Duty by client and month", Heading: "Month", Unit: chart.Pounds, Places: d.monthPlaces(clearedIn),
		EmptyText: "No duty was assessed in the last 12 months. The clients with the most duty are shown here.",
	}
	for n, id := range clients {
		client := called[id]
		s := chart.Series{Name: cmp.Or(client.Name(), "Deleted client"), Tone: []chart.Tone{chart.First, chart.Second, chart.Good}[n]}
		for i, month := range months {
			amount := amountOf(sums, id, names[i])
			others.Amounts[i] -= amount
			s.Amounts, s.Paths = append(s.Amounts, amount), append(s.Paths, clearedWith(month, month.AddDate(0, 1, -1), "client", id))
		}
		c.Series = append(c.Series, s)
	}
	c.Series = append(c.Series, others)
	return c, nil
}

// leadingClients returns the clients with the most duty in all months, of those that lead in one of them.
func (d *builder) leadingClients(months []string) ([]string, error) {
	leading, err := d.tx.LeadingClients(d.Duty, months, leadingEach)
	sums := map[string]int64{}
	for _, l := range leading {
		sums[l.ClientID] += l.Amount
	}
	ids := make([]string, 0, len(sums))
	for id := range sums {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b string) int { return cmp.Or(cmp.Compare(sums[b], sums[a]), cmp.Compare(a, b)) })
	return ids[:min(len(ids), clientsShown)], err
}

func amountOf(sums []filing.ClientTally, client, month string) int64 {
	at := slices.IndexFunc(sums, func(t filing.ClientTally) bool { return t.ClientID == client && t.Month == month })
	if at < 0 {
		return 0
	}
	return sums[at].Amount
}
