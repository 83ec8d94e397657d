package duty

import (
	"math/big"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
)

// charge is one charge before it is written: a measure, what its conditions make of it, and what it amounts to.
type charge struct {
	x          *calculation
	measure    *measure.Measure
	components []measure.Component // of the measure, or of the condition that is met
	documents  []string            // held or believed to be held, that it rests on
	paths      []*outcome          // of the conditions, that lead to it; the one that needs least is the first
	assessed   *assessment
	payable    string
	hinges     []*missing // unknown facts that decide about it
	unsure     bool       // a missing exchange rate decides about it
	choice     bool       // an additional code that is not known chooses it
	written    *ChargeLine
}

// certain reports whether no unknown fact decides about the charge.
func (c *charge) certain() bool { return len(c.hinges) == 0 && !c.unsure }

// amount is the charge before it is cut at the penny; nil if it is not known.
func (c *charge) amount() *big.Rat {
	if c.assessed == nil {
		return nil
	}
	return c.assessed.amount.value()
}

// cut is the charge, cut at the penny as CDS does; nil if it is not known.
func (c *charge) cut() *quantity.Money { return cut(c.amount()) }

func cut(r *big.Rat) *quantity.Money {
	if r == nil {
		return nil
	}
	m, err := quantity.TruncateMoney(r)
	if err != nil {
		return nil
	}
	return &m
}

// dearer compares two charges: one that is not known counts as the dearest, none as the cheapest.
func dearer(a, b *charge) int {
	switch {
	case a == nil || b == nil:
		return boolInt(a != nil) - boolInt(b != nil)
	case a.amount() == nil || b.amount() == nil:
		return boolInt(a.amount() == nil) - boolInt(b.amount() == nil)
	}
	return a.amount().Cmp(b.amount())
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// line returns the charge as it is written. Many options share it.
func (c *charge) line() *ChargeLine {
	if c.written == nil {
		l := c.write()
		c.written = &l
	}
	return c.written
}

func (c *charge) write() ChargeLine {
	x, m := c.x, c.measure
	l := ChargeLine{
		TaxType: c.taxType(), TypeID: &m.Type, Tariff: x.name, Payable: c.payable, Conditions: x.statesOf(m),
		LegalAct: x.act(m), Footnotes: x.footnotes(m), Steps: []Step{}, Base: Base{Kind: OfValue, Quantities: []Quantity{}},
	}
	if m.SID != 0 {
		l.SID = &m.SID
	}
	if m.Additional != "" {
		l.Additional = &m.Additional
	}
	l.Rate = measure.Text(m.Components)
	if a := c.assessed; a != nil {
		l.Resolved, l.Base, l.Amount, l.Exact = measure.Text(a.resolved), a.base(x.goods.value), c.cut(), exactText(c.amount())
		for i := range a.steps {
			l.Steps = append(l.Steps, a.steps[i].write())
		}
	}
	return l
}

// base says what the charge was computed of.
func (a *assessment) base(value *big.Rat) Base {
	b := Base{Quantities: []Quantity{}}
	b.Quantities = append(b.Quantities, a.quantities...)
	switch {
	case len(b.Quantities) == 0 && (a.ofValue || !a.ofQuantity):
		b.Kind = OfValue
	case a.ofValue:
		b.Kind = OfBoth
	default:
		b.Kind = OfQuantity
	}
	if a.taxed != nil {
		value = a.taxed
	}
	if b.Kind != OfQuantity {
		b.Amount = cut(value)
	}
	return b
}

// Tax types of CDS.
const (
	taxDuty    = "A00"
	taxNI      = "A50" // EU duty on goods at risk in Northern Ireland
	taxVAT     = "B00"
	taxFurther = "A20" // additional duties
)

// remedyTaxes are the tax types of trade remedies by measure type.
var remedyTaxes = map[string]string{"551": "A35", "552": "A30", "553": "A45", "554": "A40", "695": taxFurther, "696": taxFurther}

// taxType returns the tax type under which CDS assesses the charge.
func (c *charge) taxType() string {
	switch measure.KindOf(c.measure.Type) {
	case measure.Remedy:
		return remedyTaxes[c.measure.Type]
	case measure.Excise:
		return strings.TrimPrefix(c.measure.Additional, "X")
	case measure.VAT:
		return taxVAT
	}
	if c.x.name == measure.XI {
		return taxNI
	}
	return taxDuty
}

// act returns the first legal act of a measure; nil if it names none that is known.
func (x *calculation) act(m *measure.Measure) *LegalAct {
	for _, id := range m.Acts {
		if a, ok := x.tariff.Details().Acts[id]; ok {
			return &LegalAct{ID: a.ID, Code: a.Code, Description: nullable(a.Description), URL: nullable(a.URL)}
		}
	}
	return nil
}

func (x *calculation) footnotes(m *measure.Measure) []Footnote {
	notes := make([]Footnote, 0, len(m.Footnotes))
	for _, code := range m.Footnotes {
		notes = append(notes, Footnote{code, x.tariff.Details().Footnotes[code]})
	}
	slices.SortFunc(notes, func(a, b Footnote) int { return strings.Compare(a.Code, b.Code) })
	return notes
}

func nullable(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
