// Package calculator answers what goods cost at the border, with the editions of the tariff and the exchange rates that are
// held.
package calculator

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
	"github.com/tidewaiter/tidewaiter/internal/tariff/duty"
	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
	"github.com/tidewaiter/tidewaiter/internal/tariff/official"
	"github.com/tidewaiter/tidewaiter/internal/tariff/rates"
)

// Calculator finds the edition and the rates that a request asks for.
type Calculator struct {
	Tariff   *official.Library
	Editions official.Store
	Rates    *rates.Library
	Imports  rates.Store
}

// Calculate answers a request that is complete, at an instant. What makes the request meaningless is returned as faults.
func (c *Calculator) Calculate(ctx context.Context, r *duty.Request, now time.Time) (duty.Response, []duty.Fault, error) {
	r.Complete()
	faults := r.Check()
	day, err := dayOf(r, now)
	if err != nil {
		faults = append(faults, duty.Fault{Field: "date", Message: "must be a day such as 2026-11-21"})
	}
	fixed, more, err := c.Fix(ctx, r.Edition, r.RateTable, codesOf(r))
	if err != nil {
		return duty.Response{}, nil, err
	}
	if faults = append(faults, more...); faults != nil {
		return duty.Response{}, faults, nil
	}
	return fixed.Calculate(r, day), nil, nil
}

// Fixed is one edition of the tariff with one table of exchange rates. It answers many requests alike.
type Fixed struct {
	editions duty.Editions
	table    *rates.Table
}

// Fix returns the edition and the table that requests about goods of commodity codes ask for, the newest of what they leave out.
// One that is not held is returned as a fault. Of an edition that is not in force, only the measures of those codes are read.
func (c *Calculator) Fix(ctx context.Context, edition *int64, rateTable *string, codes []string) (f Fixed, faults []duty.Fault, err error) {
	f.editions, err = c.edition(ctx, edition, codes)
	if errors.Is(err, official.ErrNoEdition) {
		faults = append(faults, duty.Fault{Field: "edition", Message: "is not kept"})
	} else if err != nil {
		return f, nil, err
	}
	f.table, err = c.table(ctx, rateTable)
	if errors.Is(err, errNoTable) {
		faults = append(faults, duty.Fault{Field: "rateTable", Message: "is not held"})
	} else if err != nil {
		return f, nil, err
	}
	return f, faults, nil
}

// Edition is the number of the edition.
func (f Fixed) Edition() int64 { return f.editions.ID }

// RateTable is the name of the table of exchange rates.
func (f Fixed) RateTable() string { return strconv.FormatInt(f.table.Version, 10) }

// Calculate answers a request that is complete and has no faults, on a day.
func (f Fixed) Calculate(r *duty.Request, day measure.Day) duty.Response {
	return duty.Calculate(r, day, f.editions, MoneyOf(f.table, day))
}

// Supplementary is the supplementary unit that the tariff of the United Kingdom states for the goods of a line on a day; empty if
// it states none.
func (f Fixed) Supplementary(l *duty.RequestLine, day measure.Day) measure.Unit {
	if f.editions.UK == nil {
		return measure.Unit{}
	}
	return duty.SupplementaryUnit(f.editions.UK, l.CommodityCode, l.Origin, day)
}

// dayOf is the day of acceptance: that of the request, otherwise today in London.
func dayOf(r *duty.Request, now time.Time) (measure.Day, error) {
	if r.Date != "" {
		return measure.ParseDay(r.Date)
	}
	return measure.DayOf(now.In(calendar.London())), nil
}

// edition returns an edition with the measures of commodity codes; the one in force without a version.
func (c *Calculator) edition(ctx context.Context, version *int64, codes []string) (duty.Editions, error) {
	if version == nil {
		return c.Tariff.Editions(), nil
	}
	return c.Tariff.EditionsAt(ctx, c.Editions, *version, codes)
}

func codesOf(r *duty.Request) (codes []string) {
	for i := range r.Lines {
		codes = append(codes, r.Lines[i].CommodityCode)
	}
	return codes
}

// errNoTable is the error if no import has made a table of rates.
var errNoTable = errors.New("calculator: the table of rates is not held")

// table returns a table of exchange rates by its name, which is its version; the newest without one.
func (c *Calculator) table(ctx context.Context, name *string) (*rates.Table, error) {
	newest := c.Rates.Current()
	if name == nil {
		return newest, nil
	}
	version, err := strconv.ParseInt(*name, 10, 64)
	switch {
	case err != nil || version < 0 || version > newest.Version:
		return nil, errNoTable
	case version == newest.Version:
		return newest, nil
	}
	return rates.TableAt(ctx, c.Imports, version)
}

// MoneyOf returns the rates of a day. HMRC's amendment of a monthly rate replaces it. Amounts in euro of the tariff are
// converted with the euro rate of the month, or with the latest one before.
func MoneyOf(t *rates.Table, day measure.Day) *duty.Money {
	on := day.String()
	m := &duty.Money{Table: strconv.FormatInt(t.Version, 10)}
	m.Monthly = func(currency string) (duty.Rate, bool) {
		r, ok := t.Find(rates.Weekly, currency, on)
		if !ok {
			r, ok = t.Find(rates.Monthly, currency, on)
		}
		return duty.Rate{Units: r.Value, Source: r.Series, Period: r.From + "/" + r.To}, ok
	}
	if r, earlier, ok := t.Latest(rates.Euro, "EUR", on); ok {
		m.Euro = duty.EuroRate{Rate: r.Value.Rat(), Period: r.From + "/" + r.To, Earlier: earlier}
	}
	return m
}
