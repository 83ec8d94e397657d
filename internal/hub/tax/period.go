// Package tax is the Hub of value added tax: the periods that a return covers, the
// return of nine boxes that HMRC takes, and the rules that judge it. It holds values
// and pure functions; what is read and stored is the engine's.
package tax

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
)

// Source says who knows of a period.
type Source string

// The sources there are.
const (
	FromHMRC Source = "mtd"  // HMRC told of it by Making Tax Digital
	Mocked   Source = "mock" // the calendar alone
)

// Period is a quarter of the calendar year in London that one return covers.
//
// Start and End are the first and the last millisecond of it. The service keeps
// instants to the millisecond, so that the periods leave no gap and do not overlap;
// Contains is right for finer instants too. Due is the last millisecond of the last
// day on which the return, and the payment with it, is in time.
type Period struct {
	Key             string // such as 2026-Q4; HMRC's own key of the period is another, see internal/hmrc/mtd
	Start, End, Due time.Time
}

// The day that a return is due on: the month after the period and seven days, for
// which HMRC always takes the 7th of the second month.
const (
	dueMonths = 2
	dueDay    = 7
)

// PeriodOf is the period of a quarter.
func PeriodOf(q calendar.Quarter) Period {
	last := time.Month(3 * q.Number)
	return Period{
		Key:   q.String(),
		Start: time.Date(q.Year, last-2, 1, 0, 0, 0, 0, calendar.London()).UTC(),
		End:   q.End().UTC(),
		Due:   calendar.EndOfDay(time.Date(q.Year, last+dueMonths, dueDay, 12, 0, 0, 0, calendar.London())).UTC(),
	}
}

// PeriodAt is the period that an instant lies in.
func PeriodAt(t time.Time) Period { return PeriodOf(calendar.QuarterOf(t)) }

// ParsePeriod reads a key such as 2026-Q4.
func ParsePeriod(key string) (Period, error) {
	q, ok := calendar.ParseQuarter(key)
	if !ok {
		return Period{}, fmt.Errorf("tax: %q is not a period: it must be a year and a quarter, such as 2026-Q4", key)
	}
	return PeriodOf(q), nil
}

// Contains tells whether an instant lies in the period.
func (p Period) Contains(t time.Time) bool {
	return !t.Before(p.Start) && t.Before(p.End.Add(time.Millisecond))
}

// Previous is the period before.
func (p Period) Previous() Period { return PeriodAt(p.Start.Add(-time.Millisecond)) }

// Next is the period after.
func (p Period) Next() Period { return PeriodAt(p.End.Add(time.Millisecond)) }

// dueSource is the law behind the day: the end of the next month, and seven days
// that HMRC allows for returns that are sent electronically.
const dueSource = "Value Added Tax Regulations 1995, regulations 25, 25A and 40; HMRC: VAT Notice 700/12, section 5 (seven more days for returns and payments that are made electronically)"

// First is the first day of the period, such as 2026-10-01.
func (p Period) First() string { return p.Start.In(calendar.London()).Format(isoDay) }

// Last is the last day of the period.
func (p Period) Last() string { return p.End.In(calendar.London()).Format(isoDay) }

// Deadline is what is due of a period whose return is not in.
func (p Period) Deadline() filing.Deadline {
	return filing.Deadline{
		Name: "vat_return", Title: "Submit the VAT return of " + p.Key + " and pay what it owes", DueAt: p.Due, WholeDay: true, Source: dueSource,
	}
}

// States of a period.
const (
	Open      lifecycle.State = "OPEN"
	Fulfilled lifecycle.State = "FULFILLED"
)

// Steps of a period: its return was accepted; HMRC told of it.
const (
	Fulfil lifecycle.Action = "fulfil"
	Learn  lifecycle.Action = "learn"
)

// PeriodLifecycle is the lifecycle of a period, which nobody moves by hand.
var PeriodLifecycle = lifecycle.Table{
	Initial: Open, States: []lifecycle.State{Open, Fulfilled}, Created: "opened",
	Edges: []lifecycle.Edge{
		{From: []lifecycle.State{Open}, By: Fulfil, To: Fulfilled, Guard: lifecycle.System, Event: "fulfilled"},
		{From: []lifecycle.State{Open, Fulfilled}, By: Learn, Guard: lifecycle.System, Event: "learnt", Then: []lifecycle.Effect{lifecycle.ReplaceBody}},
	},
}

// PeriodRecord is a period as the API shows it, besides id and status.
type PeriodRecord struct {
	PeriodKey string `json:"periodKey" pattern:"^[0-9]{4}-Q[1-4]$" doc:"Quarter of the calendar year in London" example:"2026-Q4"`
	StartDate string `json:"startDate" format:"date-time" doc:"First instant of the period" example:"2026-09-30T23:00:00.000Z"`
	EndDate   string `json:"endDate" format:"date-time" doc:"Last millisecond of the period" example:"2026-12-31T23:59:59.999Z"`
	DueDate   string `json:"dueDate" format:"date-time" doc:"Last millisecond at which return and payment are in time" example:"2027-02-07T23:59:59.999Z"`
	Source    Source `json:"source" enum:"mtd,mock" doc:"Who knows of the period: HMRC, by Making Tax Digital, or the calendar alone"`
}

// instant is how the API writes instants.
const instant = "2006-01-02T15:04:05.000Z"

// Record is the period as the API shows it.
func (p Period) Record(from Source) PeriodRecord {
	return PeriodRecord{
		PeriodKey: p.Key, StartDate: p.Start.UTC().Format(instant), EndDate: p.End.UTC().Format(instant),
		DueDate: p.Due.UTC().Format(instant), Source: from,
	}
}

// Told is the period with the due date of its stored record, which may be HMRC's.
func (p Period) Told(record json.RawMessage) (Period, error) {
	var r PeriodRecord
	err := json.Unmarshal(record, &r)
	if err == nil {
		p.Due, err = time.Parse(instant, r.DueDate)
	}
	if err != nil {
		return p, fmt.Errorf("tax: record of %s: %w", p.Key, err)
	}
	return p, nil
}
