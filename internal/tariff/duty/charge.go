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
	x        *calculation
	measure  *measure.Measure
	outcome  outcome
	assessed *assessment
	payable  string
	needs    []need
}

// need is a missing fact, with the charges that its values would lead to.
type need struct {
	lack     *missing
	variants []variant
}

// variant is what one value of a fact leads to.
type variant struct {
	value  string
	charge *charge // nil: nothing is charged, or the option falls away
}

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

// charges returns the charge of a measure for each way in which its conditions may turn out. Ways that charge the same are
// one; the first, which is the easiest, stands for them.
func (x *calculation) charges(m *measure.Measure) (all []*charge, others []outcome) {
	for _, o := range x.outcomes(m) {
		if o.effect != applies {
			others = append(others, o)
			continue
		}
		same := slices.IndexFunc(all, func(c *charge) bool { return measure.Text(c.outcome.components) == measure.Text(o.components) })
		if same >= 0 {
			if len(o.assumes) < len(all[same].outcome.assumes) {
				all[same].outcome = o
			}
			continue
		}
		all = append(all, &charge{x: x, measure: m, outcome: o, assessed: x.assess(o.components, m.Reduction), payable: Paid})
	}
	return all, others
}

// dearest returns the charge of a measure whose unknown facts count against the importer; nil if nothing is charged. Its
// needs say what each fact would change.
func (x *calculation) dearest(m *measure.Measure) *charge {
	all, others := x.charges(m)
	chosen := worst(all, func(*outcome) bool { return true })
	for _, lack := range unknownDocuments(all, others) {
		n := need{lack: lack.lack}
		for _, held := range []bool{true, false} {
			value := AnswerHeld
			if !held {
				value = AnswerNone
			}
			n.variants = append(n.variants, variant{value, worst(all, func(o *outcome) bool { return o.allows(lack.code, held) })})
		}
		if dearer(n.variants[0].charge, n.variants[1].charge) != 0 && chosen != nil {
			chosen.needs = append(chosen.needs, n)
		}
	}
	return chosen
}

// worst returns the dearest of the charges that remain possible; nil if nothing may be charged.
func worst(all []*charge, possible func(*outcome) bool) (dearest *charge) {
	for _, c := range all {
		if possible(&c.outcome) && (dearest == nil || dearer(c, dearest) > 0) {
			dearest = c
		}
	}
	return dearest
}

// allows reports whether the outcome does not rest on the contrary of an answer about a document.
func (o *outcome) allows(document string, held bool) bool {
	return !slices.ContainsFunc(o.assumes, func(a assumption) bool { return a.code == document && a.met != held })
}

// unknownDocuments are the unknown documents that the outcomes rest on, each once.
func unknownDocuments(all []*charge, others []outcome) (list []assumption) {
	add := func(o *outcome) {
		for _, a := range o.assumes {
			if a.code != "" && !slices.ContainsFunc(list, func(b assumption) bool { return b.code == a.code }) {
				list = append(list, a)
			}
		}
	}
	for _, c := range all {
		add(&c.outcome)
	}
	for i := range others {
		add(&others[i])
	}
	return list
}

// line writes the charge.
func (c *charge) line() ChargeLine {
	x, m := c.x, c.measure
	l := ChargeLine{
		TaxType: c.taxType(), TypeID: &m.Type, Tariff: x.name, Payable: c.payable, Conditions: x.states(m),
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
		l.Steps = append(l.Steps, a.steps...)
	}
	return l
}

// base says what the charge was computed of.
func (a *assessment) base(value *big.Rat) Base {
	b := Base{Quantities: []Quantity{}}
	b.Quantities = append(b.Quantities, a.quantities...)
	switch {
	case len(b.Quantities) == 0:
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
