package duty

import (
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// write writes an option.
func (o *option) write(cheapest func(not *option) *option) Option {
	b := o.bill()
	totals, tax := b.sums(o.x)
	out := Option{
		Kind: o.kind, Label: o.title(), Tariff: o.x.name, PreferenceCode: nullable(o.preference()), Status: Available,
		Charges: o.lines(b, tax), Declare: o.declare(b), FactsNeeded: o.facts(b, totals, cheapest), Totals: totals, Reason: nullable(o.reason),
	}
	if o.base != nil && o.base.measure != nil && o.base.measure.SID != 0 {
		out.SID = &o.base.measure.SID
	}
	if o.quota != nil {
		out.Order = &o.quota.Order
	}
	switch {
	case o.reason != "":
		out.Status = Unavailable
	case len(out.FactsNeeded) > 0 || o.unsure:
		out.Status = Conditional
	}
	return out
}

// lines writes the charges: duty, remedies, excise, and VAT.
func (o *option) lines(b *bill, tax *assessment) []ChargeLine {
	all := []ChargeLine{}
	for _, c := range b.all() {
		all = append(all, c.line())
		if c == b.base && b.secured != nil {
			all = append(all, b.secured.line())
		}
	}
	if b.vat != nil {
		c := *b.vat
		c.assessed = tax
		all = append(all, c.line())
	}
	return all
}

// facts returns the missing facts of an option, each with what its values would change.
func (o *option) facts(b *bill, now Totals, cheapest func(*option) *option) []Fact {
	list := []Fact{}
	add := func(f Fact) {
		if !slices.ContainsFunc(list, func(known Fact) bool { return known.Field == f.Field }) {
			list = append(list, f)
		}
	}
	if o.base != nil {
		for _, a := range o.base.outcome.assumes {
			add(o.assumed(a, now, cheapest))
		}
	}
	if o.proof != nil {
		add(o.assumed(assumption{lack: o.proof, met: true}, now, cheapest))
	}
	charges := b.all()
	if b.vat != nil {
		charges = append(charges, b.vat)
	}
	for _, c := range charges {
		for _, n := range c.needs {
			add(o.choice(b, c, n, now))
		}
		for _, lack := range c.lacks() {
			add(blank(lack))
		}
	}
	slices.SortStableFunc(list, func(a, b Fact) int { return strings.Compare(a.Field, b.Field) })
	return list
}

// lacks are the quantities that the amount needs; none if it is known without.
func (c *charge) lacks() []*missing {
	if c.assessed == nil || c.amount() != nil {
		return nil
	}
	return c.assessed.lacks
}

// blank is a missing fact without effects.
func blank(lack *missing) Fact {
	f := Fact{Field: lack.field, Question: lack.question, Unit: nullable(lack.unit), Values: []string{}, Effects: []Effect{}}
	f.Values = append(f.Values, lack.values...)
	return f
}

// assumed is a fact that the option rests on. With the other answer the next cheapest option remains.
func (o *option) assumed(a assumption, now Totals, cheapest func(*option) *option) Fact {
	f := blank(a.lack)
	for i, value := range f.Values { // the first one is that the fact is so
		if (i == 0) == a.met {
			f.Effects = append(f.Effects, effectOf(value, now.Total, now.Total, o.title()))
			continue
		}
		e := Effect{Value: value}
		if other := cheapest(o); other != nil {
			e = effectOf(value, other.totals.Total, now.Total, other.title())
		}
		f.Effects = append(f.Effects, e)
	}
	return f
}

// mostEffects is the largest number of values of a fact whose effects are shown.
const mostEffects = 8

// choice is a fact that chooses among charges.
func (o *option) choice(b *bill, c *charge, n need, now Totals) Fact {
	f := blank(n.lack)
	if len(n.variants) > mostEffects {
		return f
	}
	for _, v := range n.variants {
		totals, _ := b.replace(c, v.charge).sums(o.x)
		f.Effects = append(f.Effects, effectOf(v.value, totals.Total, now.Total, o.title()))
	}
	return f
}

func effectOf(value string, total, now *quantity.Money, option string) Effect {
	e := Effect{Value: value, Total: total, Option: &option}
	if total != nil && now != nil {
		difference := total.Sub(*now)
		e.Difference = &difference
	}
	return e
}
