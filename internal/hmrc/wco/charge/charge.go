// Package charge works out what the items of an import declaration owe by what the declaration declares: preference, quota,
// additional codes, documents and statements. It never takes a cheaper way that is not declared. The estimate and the simulator
// of CDS both use it, so that they agree to the penny.
package charge

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
	"github.com/tidewaiter/tidewaiter/internal/tariff"
	"github.com/tidewaiter/tidewaiter/internal/tariff/duty"
	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
)

// Source is where tariffs and exchange rates come from. It must be safe for concurrent use.
type Source struct {
	Table    func(tariff.Goods) tariff.Charge // third-country duty and VAT
	Editions func() duty.Editions             // tariffs with every measure; nil for none
	Money    func(on measure.Day) *duty.Money // exchange rates of a day; nil for none
}

// Tariff is what charges are worked out by at one time.
type Tariff struct {
	Day      measure.Day
	Editions duty.Editions // ID 0 if there is only the built-in table
	Money    *duty.Money

	table func(tariff.Goods) tariff.Charge
}

// At returns the tariff at a time, whose day is the one in London.
func (s *Source) At(now time.Time) *Tariff {
	t := &Tariff{Day: measure.DayOf(now.In(calendar.London())), table: s.Table}
	if s.Editions == nil {
		return t
	}
	if t.Editions = s.Editions(); t.Editions.ID == 0 {
		return t
	}
	if s.Money != nil {
		t.Money = s.Money(t.Day)
	} else {
		t.Money = &duty.Money{Monthly: func(string) (duty.Rate, bool) { return duty.Rate{}, false }}
	}
	return t
}

// Charge is one tax on an item.
type Charge struct {
	Type     string          // type of tax (DE 4/3)
	Amount   *quantity.Money // in pounds; nil if it is not known
	Due      quantity.Money  // what is payable now: zero for a security, and for VAT that is accounted for later
	Payable  string          // how it is settled: duty.Paid, Secured, Postponed or NotDue, or Suspended
	Security quantity.Money  // that a guarantee or a deposit has to cover
	Besides  bool            // it is in no total of taxes: it would fall due only if a quota or a use failed
	Base     quantity.Money  // value that a percentage is of, or zero
	Rate     string          // such as 12.00 %; empty if it is not known
	Declared bool            // the amount is the declared one, as the tariff does not have this tax
	Line     *duty.ChargeLine

	Suspension *Suspension // why it is not payable now; nil if it is, or if Payable says it
}

// Sum is the amount, or zero if it is not known.
func (c *Charge) Sum() quantity.Money {
	if c.Amount == nil {
		return quantity.Money{}
	}
	return *c.Amount
}

// Missing is something that a charge depends on and that is not known. Its code is one of duty's problems and warnings or of the
// codes below.
type Missing struct{ Code, Message string }

// Codes of what is missing, besides those of package duty.
const (
	KindsNotHeld   = "KINDS_NOT_HELD"
	MeasureMissing = "NO_DUTY_MEASURE"
	FactMissing    = "FACT_MISSING"
	ValueMissing   = "VALUE_MISSING"
	OptionMissing  = "OPTION_NOT_AVAILABLE" // the tariff does not have what is declared, or it is closed
)

// Assessment is what an item owes.
type Assessment struct {
	Charges []Charge
	Missing []Missing

	Table  *tariff.Charge     // by the table of third-country duty and VAT; nil by the measures
	Line   *duty.ResponseLine // answer of the engine, by which documents that are not declared are not held; nil by the table
	Option *duty.Option       // that is declared; nil by the table, or if there is none
}

// Complete reports whether nothing is missing.
func (a *Assessment) Complete() bool { return len(a.Missing) == 0 }

// miss adds something that is missing, once.
func (a *Assessment) miss(code, message string) {
	m := Missing{code, message}
	if !slices.Contains(a.Missing, m) {
		a.Missing = append(a.Missing, m)
	}
}

// Assess works out the charges of an item: by the measures of its code if they are held, otherwise by the table.
func (t *Tariff) Assess(g *Goods) Assessment {
	if !t.HasMeasures(g) {
		a := t.byTable(g)
		g.suspend(&a, nil)
		return a
	}
	a, full := t.byMeasures(g)
	g.suspend(&a, full)
	return a
}

// HasMeasures reports whether the measures of the item's code are held, besides third-country duty and VAT.
func (t *Tariff) HasMeasures(g *Goods) bool {
	if t.Editions.ID == 0 || t.Editions.UK == nil || len(g.Simple.CommodityCode) < leastDigits {
		return false
	}
	lacks := t.found(g).Lacks
	return !slices.Contains(lacks, "PREFERENCE") || !slices.Contains(lacks, "REMEDY")
}

// leastDigits is the least number of digits of a commodity code.
const leastDigits = 6

// found is what the tariff of the United Kingdom holds of an item's code.
func (t *Tariff) found(g *Goods) duty.Goods {
	return t.Editions.UK.Goods(padded(g.Simple.CommodityCode), g.Origin, t.Day)
}

// padded is a commodity code of ten digits.
func padded(code string) string {
	const digits = 10
	return code + strings.Repeat("0", max(0, digits-len(code)))
}

// Types of tax (DE 4/3).
const (
	customsDuty = "A00"
	importVAT   = "B00"
)

// byTable charges third-country duty and VAT. Other taxes are not held.
func (t *Tariff) byTable(g *Goods) Assessment {
	c := t.table(g.Simple)
	a := Assessment{Table: &c}
	paid := Charge{Type: customsDuty, Payable: duty.Paid, Base: g.Simple.CustomsValue, Rate: c.Expression}
	vat := Charge{Type: importVAT, Payable: duty.Paid, Base: g.Simple.CustomsValue.Add(c.Duty)}
	if c.Known {
		paid.Amount, vat.Amount, vat.Rate = &c.Duty, &c.VAT, strconv.Itoa(c.VATRate)+".00 %"
		paid.Due, vat.Due = c.Duty, c.VAT
	} else {
		a.miss(tableGap(&c))
	}
	if g.Postponed {
		vat.Payable, vat.Due = duty.Postponed, quantity.Money{}
	}
	a.miss(KindsNotHeld, "The tariff does not hold preferences, quotas, trade remedies and excise duty of the code.")
	a.Charges = g.withDeclared([]Charge{paid, vat}, true)
	return a
}

// tableGap is what keeps the table from an amount.
func tableGap(c *tariff.Charge) (code, message string) {
	if c.Missing == tariff.NoMeasure {
		return MeasureMissing, "The tariff holds no duty for the code."
	}
	return FactMissing, "The duty depends on the " + c.Missing + "."
}
