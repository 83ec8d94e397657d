package charge

import (
	"fmt"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
	"github.com/tidewaiter/tidewaiter/internal/tariff/duty"
)

// calculate asks the duty engine about the item.
func (t *Tariff) calculate(g *Goods, others string) *duty.ResponseLine {
	r := duty.Calculate(t.request(g, others), t.Day, t.Editions, t.Money)
	return &r.Lines[0]
}

// byMeasures charges the option that the item declares. A document that is not declared is not held. If the option needs one, or
// the goods are refused without one, it is charged nevertheless, as it is what is declared.
// It also returns the dearest third-country duty; nil if that is not known.
func (t *Tariff) byMeasures(g *Goods) (a Assessment, full *duty.Option) {
	if g.NoValue {
		a = Assessment{Charges: g.withDeclared(nil, false)}
		a.miss(ValueMissing, "The customs value is not known.")
		return a, nil
	}
	line := t.calculate(g, duty.AnswerNone)
	option := g.closest(line.Options)
	options := line.Options
	if option == nil {
		open := t.calculate(g, duty.AnswerUnknown)
		option, options = g.closest(open.Options), append(options, open.Options...)
	}
	closed := false
	full = standard(options)
	if option == nil {
		option, closed = full, true
	}
	if option == nil {
		return t.withoutOption(g, line), nil
	}
	a = Assessment{Line: line, Option: option}
	if closed {
		a.miss(OptionMissing, g.notAvailable(line))
	}
	for i := range option.Charges {
		a.Charges = append(a.Charges, chargeOf(&option.Charges[i]))
	}
	a.Charges = g.withDeclared(a.Charges, false)
	a.explain(option, line)
	return a, full
}

// withoutOption charges by the table what the engine cannot compute.
func (t *Tariff) withoutOption(g *Goods, line *duty.ResponseLine) Assessment {
	a := t.byTable(g)
	a.Line, a.Missing = line, nil
	if !a.Table.Known {
		a.miss(tableGap(a.Table))
	}
	for _, p := range line.Problems {
		a.miss(p.Code, p.Message)
	}
	return a
}

// notAvailable says why what is declared cannot be charged.
func (g *Goods) notAvailable(line *duty.ResponseLine) string {
	what := "preference " + g.Preference
	if g.Quota != "" {
		what = fmt.Sprintf("the quota %s with preference %s", g.Quota, g.Preference)
	}
	for i := range line.Unavailable {
		if o := &line.Unavailable[i]; g.claims(o) && o.Reason != nil {
			return fmt.Sprintf("The item claims %s, which is closed (%s), so the full duty is charged.", what, strings.ToLower(strings.ReplaceAll(*o.Reason, "_", " ")))
		}
	}
	return fmt.Sprintf("The item claims %s, which the tariff does not have for goods of %s, so the full duty is charged.", what, g.Origin)
}

func chargeOf(l *duty.ChargeLine) Charge {
	c := Charge{Type: l.TaxType, Amount: l.Amount, Payable: l.Payable, Rate: l.Resolved, Line: l}
	if c.Rate == "" {
		c.Rate = l.Rate
	}
	if l.Base.Amount != nil {
		c.Base = *l.Base.Amount
	}
	switch l.Payable {
	case duty.Paid:
		c.Due = c.Sum()
	case duty.Secured:
		c.Besides, c.Security = true, c.Sum()
	}
	return c
}

// explain says what keeps the option from being complete.
func (a *Assessment) explain(o *duty.Option, line *duty.ResponseLine) {
	if o.Totals.Complete {
		return
	}
	for _, f := range o.FactsNeeded {
		if decidesAmount(f.Field) {
			a.miss(FactMissing, f.Question)
		}
	}
	for _, p := range line.Problems {
		if p.Code != refusal {
			a.miss(p.Code, p.Message)
		}
	}
	for _, w := range line.Warnings {
		if w.Code == KindsNotHeld || w.Code == "VAT_MEASURE_MISSING" {
			a.miss(w.Code, w.Message)
		}
	}
	if len(a.Missing) == 0 {
		a.miss(FactMissing, "An amount of the declared option is not known.")
	}
}

// decidesAmount reports whether an amount cannot be computed without a fact. Others only choose among amounts.
func decidesAmount(field string) bool {
	choice := strings.HasSuffix(field, ".vatChoice") || strings.HasSuffix(field, ".additionalCodes")
	return !choice && !strings.Contains(field, ".facts.") && !strings.HasPrefix(field, "northernIreland.")
}

// refusal is the problem of goods that a condition or a prohibition refuses.
const refusal = "CODE_REFUSED"

// Sums are amounts in pounds by the groups of their types of tax.
type Sums struct {
	Duty, VAT, Other quantity.Money // types A, B, and all others
	Due              quantity.Money // payable now
	Postponed        quantity.Money // VAT that is accounted for on the importer's return
	Suspended        quantity.Money // what a special procedure suspends
	Secured          quantity.Money // what securities cover: suspended charges, and those that are secured instead of paid
}

// Add adds charges. By the table only duty and VAT of the tariff count, and declared taxes of other groups.
func (s *Sums) Add(a *Assessment) {
	for i := range a.Charges {
		c := &a.Charges[i]
		if c.Declared && (isDuty(c.Type) || isVAT(c.Type)) {
			continue
		}
		s.add(c)
	}
}

func (s *Sums) add(c *Charge) {
	s.Due, s.Secured = s.Due.Add(c.Due), s.Secured.Add(c.Security)
	switch c.Payable {
	case Suspended:
		s.Suspended = s.Suspended.Add(c.Sum())
	case duty.Postponed:
		s.Postponed = s.Postponed.Add(c.Sum())
	}
	switch {
	case c.Besides:
	case isDuty(c.Type):
		s.Duty = s.Duty.Add(c.Sum())
	case isVAT(c.Type):
		s.VAT = s.VAT.Add(c.Sum())
	default:
		s.Other = s.Other.Add(c.Sum())
	}
}
