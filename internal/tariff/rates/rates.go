// Package rates holds the exchange rates that HMRC publishes, as series of dated periods. CDS converts prices with the rate
// of the tax point; the service uses them for estimates.
package rates

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// Series of rates.
const (
	Monthly = "HMRC_MONTHLY" // HMRC's customs rate of a month: units of the currency for one pound
	Weekly  = "HMRC_WEEKLY"  // HMRC's amendment of the monthly rate of some currencies for a part of a month
	Euro    = "XI_EURO"      // pounds for one euro, for amounts in euro of the tariff of Northern Ireland
)

// AllSeries returns the series in the order of lists.
func AllSeries() []string { return []string{Monthly, Weekly, Euro} }

// Directions of a rate.
const (
	UnitsPerPound = "UNITS_PER_GBP"
	PoundsPerUnit = "GBP_PER_UNIT"
)

// Direction returns how the rates of a series are expressed.
func Direction(series string) string {
	if series == Euro {
		return PoundsPerUnit
	}
	return UnitsPerPound
}

// Period holds the rates of a series for some days.
type Period struct {
	Series string                     `json:"series"`
	From   string                     `json:"from"` // first day, YYYY-MM-DD
	To     string                     `json:"to"`   // last day
	Source string                     `json:"source"`
	Rates  map[string]quantity.Number `json:"rates"` // by currency (ISO 4217)
}

func (p *Period) same(o *Period) bool {
	return p.Series == o.Series && p.From == o.From && p.To == o.To
}

// holds reports whether a day is in the period.
func (p *Period) holds(day string) bool { return p.From <= day && day <= p.To }

// Rate is the rate of a currency in a period.
type Rate struct {
	Series, Currency string
	Value            quantity.Number
	From, To, Source string
}

// Table is all rates that were imported. It does not change; an import makes another one. The zero value has no rates.
type Table struct {
	Version    int64 // of the latest import; 0 for none
	ImportedAt time.Time
	periods    []Period // by series and first day; at most one with the same series and days
}

// Periods returns the periods of a series, the earliest first.
func (t *Table) Periods(series string) (all []Period) {
	for _, p := range t.periods {
		if p.Series == series {
			all = append(all, p)
		}
	}
	return all
}

// Find returns the rate of a currency on a day (YYYY-MM-DD). Of periods that overlap, the one that begins last applies. A
// rate is never replaced by that of another period.
func (t *Table) Find(series, currency, day string) (Rate, bool) {
	for n := len(t.periods) - 1; n >= 0; n-- {
		p := &t.periods[n]
		if p.Series != series || !p.holds(day) {
			continue
		}
		if value, ok := p.Rates[currency]; ok {
			return Rate{series, currency, value, p.From, p.To, p.Source}, true
		}
	}
	return Rate{}, false
}

// On returns the rates of a series on a day, by currency.
func (t *Table) On(series, day string) (all []Rate) {
	names := map[string]bool{}
	for _, p := range t.Periods(series) {
		if p.holds(day) {
			for currency := range p.Rates {
				names[currency] = true
			}
		}
	}
	for _, currency := range slices.Sorted(maps.Keys(names)) {
		if r, ok := t.Find(series, currency, day); ok {
			all = append(all, r)
		}
	}
	return all
}

// with returns the table after an import. A period replaces the one of the same series and days as a whole.
func (t *Table) with(i *Import) *Table {
	next := &Table{Version: i.Version, ImportedAt: i.ImportedAt}
	for _, old := range t.periods {
		if !slices.ContainsFunc(i.Periods, func(p Period) bool { return p.same(&old) }) {
			next.periods = append(next.periods, old)
		}
	}
	next.periods = append(next.periods, i.Periods...)
	slices.SortFunc(next.periods, comparePeriods)
	return next
}

// comparePeriods orders periods by series and first day. Of those that begin on one day, the shorter ones are last.
func comparePeriods(a, b Period) int {
	return cmp.Or(cmp.Compare(slices.Index(AllSeries(), a.Series), slices.Index(AllSeries(), b.Series)), cmp.Compare(a.From, b.From), cmp.Compare(b.To, a.To))
}

// find returns the period with the same series and days; nil for none.
func (t *Table) find(p *Period) *Period {
	at := slices.IndexFunc(t.periods, func(o Period) bool { return o.same(p) })
	if at < 0 {
		return nil
	}
	return &t.periods[at]
}

func sameRates(a, b map[string]quantity.Number) bool {
	return maps.EqualFunc(a, b, func(x, y quantity.Number) bool { return x.Rat().Cmp(y.Rat()) == 0 })
}

// Latest returns the rate of a currency on a day; without one, the latest before, and that it is earlier.
func (t *Table) Latest(series, currency, day string) (r Rate, earlier, ok bool) {
	if r, ok = t.Find(series, currency, day); ok {
		return r, false, true
	}
	for _, p := range t.Periods(series) {
		if value, has := p.Rates[currency]; has && p.To < day && (!ok || p.To > r.To) {
			r, ok = Rate{series, currency, value, p.From, p.To, p.Source}, true
		}
	}
	return r, true, ok
}
