// Package tax is the Hub of value added tax (VAT): periods, the return of nine boxes, and its rules. It contains values and pure
// functions; the engine reads and stores.
package tax

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
)

// Source is the origin of a period.
type Source string

// All sources.
const (
	FromHMRC Source = "mtd"  // from HMRC by Making Tax Digital
	Mocked   Source = "mock" // from the calendar alone
)

// Period is a quarter of the calendar year in London that one return covers.
//
// Start and End are its first and last millisecond. The service stores milliseconds, so that periods have no gaps and do not
// overlap; Contains is right for finer instants too. Due is the last millisecond at which return and payment are in time.
type Period struct {
	Key             string // such as 2026-Q4; HMRC's own key of the period is another, see internal/hmrc/mtd
	Start, End, Due time.Time
}

// A return is due one month and seven days after the period: on the 7th of the second month.
const (
	dueMonths = 2
	dueDay    = 7
)

// PeriodOf returns the period of a quarter.
func PeriodOf(q calendar.Quarter) Period {
	last := time.Month(3 * q.Number)
	return Period{
		Key:   q.String(),
		Start: time.Date(q.Year, last-2, 1, 0, 0, 0, 0, calendar.London()).UTC(),
		End:   q.End().UTC(),
		Due:   calendar.EndOfDay(time.Date(q.Year, last+dueMonths, dueDay, 12, 0, 0, 0, calendar.London())).UTC(),
	}
}

// PeriodAt returns the period that contains an instant.
func PeriodAt(t time.Time) Period { return PeriodOf(calendar.QuarterOf(t)) }

// ParsePeriod parses a key such as 2026-Q4.
func ParsePeriod(key string) (Period, error) {
	q, ok := calendar.ParseQuarter(key)
	if !ok {
		return Period{}, fmt.Errorf("tax: %q is not a period: it must be a year and a quarter, such as 2026-Q4", key)
	}
	return PeriodOf(q), nil
}

// Contains reports whether an instant is in the period.
func (p Period) Contains(t time.Time) bool {
	return !t.Before(p.Start) && t.Before(p.End.Add(time.Millisecond))
}

// Previous returns the period before.
func (p Period) Previous() Period { return PeriodAt(p.Start.Add(-time.Millisecond)) }

// Next returns the period after.
func (p Period) Next() Period { return PeriodAt(p.End.Add(time.Millisecond)) }

// dueSource is the legal basis of the due date: the end of the next month, and seven days for electronic returns.
const dueSource = "Value Added Tax Regulations 1995, regulations 25, 25A and 40; HMRC: VAT Notice 700/12, section 5 (seven more days for returns and payments that are made electronically)"

// First returns the first day of the period, such as 2026-10-01.
func (p Period) First() string { return p.Start.In(calendar.London()).Format(isoDay) }

// Last returns the last day of the period.
func (p Period) Last() string { return p.End.In(calendar.London()).Format(isoDay) }

// Deadline returns the deadline of a period without a return.
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

// Actions of a period: its return was accepted; HMRC changed it.
const (
	Fulfil lifecycle.Action = "fulfil"
	Learn  lifecycle.Action = "learn"
)

// PeriodLifecycle is the lifecycle of a period. Users cannot change its state.
var PeriodLifecycle = lifecycle.Table{
	Initial: Open, States: []lifecycle.State{Open, Fulfilled}, Created: "opened",
	Edges: []lifecycle.Edge{
		{From: []lifecycle.State{Open}, Action: Fulfil, To: Fulfilled, Guard: lifecycle.System, Event: "fulfilled"},
		{From: []lifecycle.State{Open, Fulfilled}, Action: Learn, Guard: lifecycle.System, Event: "learnt", Effects: []lifecycle.Effect{lifecycle.ReplaceBody}},
	},
}

// PeriodRecord is a period as the API shows it, apart from id and status.
type PeriodRecord struct {
	PeriodKey string `json:"periodKey" pattern:"^[0-9]{4}-Q[1-4]$" doc:"Quarter of the calendar year in London" example:"2026-Q4"`
	StartDate string `json:"startDate" format:"date-time" doc:"First instant of the period" example:"2026-09-30T23:00:00.000Z"`
	EndDate   string `json:"endDate" format:"date-time" doc:"Last millisecond of the period" example:"2026-12-31T23:59:59.999Z"`
	DueDate   string `json:"dueDate" format:"date-time" doc:"Last millisecond at which return and payment are in time" example:"2027-02-07T23:59:59.999Z"`
	Source    Source `json:"source" enum:"mtd,mock" doc:"HMRC (Making Tax Digital) or the calendar alone"`
}

// instant is the API's time format.
const instant = "2006-01-02T15:04:05.000Z"

// Record returns the period as the API shows it.
func (p Period) Record(from Source) PeriodRecord {
	return PeriodRecord{
		PeriodKey: p.Key, StartDate: p.Start.UTC().Format(instant), EndDate: p.End.UTC().Format(instant),
		DueDate: p.Due.UTC().Format(instant), Source: from,
	}
}

// WithDue returns the period with the due date of its stored record, which may come from HMRC.
func (p Period) WithDue(record json.RawMessage) (Period, error) {
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
