package duty

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// mostOptions is the largest number of options of a line.
const mostOptions = 200

// finish writes the options of a line, cheapest first, with the facts that are missing.
func (w *work) finish(fiscal *calculation, open, closed []*option) {
	for _, o := range append(slices.Clone(open), closed...) {
		o.totals, _ = o.bill().sums(o.x)
	}
	slices.SortStableFunc(open, cheaper)
	slices.SortStableFunc(closed, cheaper)
	if len(open) > mostOptions {
		w.warning("OPTIONS_CUT", fmt.Sprintf("%d further options were left out.", len(open)-mostOptions))
		open = open[:mostOptions]
	}
	cheapest := func(not *option) *option {
		for _, o := range open {
			if o != not {
				return o
			}
		}
		return nil
	}
	if len(open) > 0 {
		w.out.Outcome = Calculated
	}
	for _, o := range open {
		w.out.Options = append(w.out.Options, o.write(cheapest))
	}
	for _, o := range closed {
		w.out.Unavailable = append(w.out.Unavailable, o.write(cheapest))
	}
	w.out.Controls = append(w.out.Controls, fiscal.controls()...)
	w.facts()
	w.contradictions(fiscal, open, closed)
	w.notes(fiscal, open)
}

// cheaper orders options: complete ones first, then by their sum, then those that need no further fact.
func cheaper(a, b *option) int {
	return compare(
		boolInt(!a.totals.Complete)-boolInt(!b.totals.Complete), a.sum().Cmp(b.sum()), boolInt(a.conditional())-boolInt(b.conditional()),
		strings.Compare(a.preference(), b.preference()), strings.Compare(a.order(), b.order()), compareSIDs(a.sid(), b.sid()),
	)
}

func (o *option) sum() quantity.Money {
	if o.totals.Total != nil {
		return *o.totals.Total
	}
	return o.totals.Known
}

func (o *option) order() string {
	if o.quota == nil {
		return ""
	}
	return o.quota.Order
}

func (o *option) sid() int64 {
	if o.base == nil || o.base.measure == nil {
		return 0
	}
	return o.base.measure.SID
}

// conditional reports whether a fact is missing that the option rests on.
func (o *option) conditional() bool {
	return o.unsure || o.proof != nil || o.base != nil && (len(o.base.outcome.assumes) > 0 || len(o.base.needs) > 0 || len(o.base.lacks()) > 0)
}

// facts are the missing facts of all options, each once; the effects are those of the first option that has it.
func (w *work) facts() {
	for _, o := range w.out.Options {
		for _, f := range o.FactsNeeded {
			if !slices.ContainsFunc(w.out.FactsNeeded, func(known Fact) bool { return known.Field == f.Field }) {
				w.out.FactsNeeded = append(w.out.FactsNeeded, f)
			}
		}
	}
	slices.SortStableFunc(w.out.FactsNeeded, func(a, b Fact) int { return strings.Compare(a.Field, b.Field) })
}

// contradictions are facts that the tariff does not know.
func (w *work) contradictions(x *calculation, open, closed []*option) {
	l := w.goods.line
	if l.VATChoice != "" && x.rest.vat != nil && x.rest.vat.choice != l.VATChoice {
		w.problem("FACT_CONTRADICTS", fmt.Sprintf("The code has no VAT measure for the choice %s.", l.VATChoice), l.VATChoice)
	}
	for _, number := range l.Facts.QuotaOrderNumbers {
		has := func(o *option) bool { return o.order() == number }
		if !slices.ContainsFunc(open, has) && !slices.ContainsFunc(closed, has) {
			w.problem("FACT_CONTRADICTS", fmt.Sprintf("The code has no quota %s for this origin.", number), number)
		}
	}
}

// notes are warnings about what the options rest on.
func (w *work) notes(fiscal *calculation, open []*option) {
	for _, o := range open {
		if o.quota != nil && o.unsure {
			w.warning("QUOTA_BALANCE_UNKNOWN", "The balance of a quota is not known.", o.quota.Order)
		}
		w.rateNotes(o)
	}
	if fiscal.rest.vat == nil {
		w.warning("VAT_MEASURE_MISSING", "The tariff holds no VAT measure for the code.")
	}
	w.mismatches()
}

// rateNotes warns of amounts in euro without the rate of their month.
func (w *work) rateNotes(o *option) {
	for _, c := range o.bill().all() {
		switch {
		case c.assessed == nil:
		case c.assessed.noRate:
			w.rateMissing()
		case c.x.goods.euro.Earlier && c.assessed.inEuro():
			w.warning("RATE_FROM_EARLIER_MONTH", "Amounts in euro were converted with the latest rate of an earlier month, "+c.x.goods.euro.Period+".")
		}
	}
}

func (w *work) rateMissing() {
	if !slices.ContainsFunc(w.out.Problems, func(n Notice) bool { return n.Code == "RATE_MISSING" && slices.Contains(n.Codes, "EUR") }) {
		w.problem("RATE_MISSING", "There is no euro rate for the amounts in euro of the tariff.", "EUR")
	}
}

func (a *assessment) inEuro() bool {
	return slices.ContainsFunc(a.steps, func(s Step) bool { return s.Rate != nil })
}

// mismatches reports quantities that no measure could use, if one is missing.
func (w *work) mismatches() {
	for i, used := range w.goods.used {
		if used {
			continue
		}
		for _, f := range w.out.FactsNeeded {
			if strings.Contains(f.Field, ".quantities[") && f.Unit != nil {
				given := w.goods.line.Quantities[i].unit()
				w.problem("UNIT_MISMATCH", fmt.Sprintf("A measure needs the quantity in %s; %s cannot be converted into it.", *f.Unit, given), *f.Unit, given.String())
				break
			}
		}
	}
}
