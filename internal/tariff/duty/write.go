package duty

import (
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// write writes an option.
func (w *work) write(o *option) Option {
	out := Option{
		Kind: o.kind, Label: o.title(), Tariff: o.x.name, PreferenceCode: nullable(o.preference()), Status: Available,
		Charges: o.lines(), Declare: o.declare(), FactsNeeded: []Fact{}, Totals: o.totals, Reason: nullable(o.reason),
	}
	for _, f := range o.lacks {
		out.FactsNeeded = append(out.FactsNeeded, w.fact(f, func(s *scene) *option { return s.find(o) }, o.totals.Total))
	}
	if o.base != nil && o.base.measure.SID != 0 {
		out.SID = &o.base.measure.SID
	}
	if o.quota != nil {
		out.Order = &o.quota.Order
	}
	switch {
	case o.reason != "":
		out.Status = Unavailable
	case o.conditional():
		out.Status = Conditional
	}
	return out
}

// lines writes the charges: duty, remedies, excise, and VAT.
func (o *option) lines() []ChargeLine {
	b := o.bill
	all := make([]ChargeLine, 0, len(b.remedies)+len(b.excise)+3)
	for _, c := range b.all() {
		all = append(all, *c.line())
		if c == b.base && b.secured != nil {
			all = append(all, *b.secured.line())
		}
	}
	if b.vat != nil {
		all = append(all, b.vatLine())
	}
	return all
}

// mostEffects is the largest number of values of a fact whose effects are shown.
const mostEffects = 8

// fact writes a missing fact, with what each value would lead to instead of a total.
func (w *work) fact(m *missing, become func(*scene) *option, now *quantity.Money) Fact {
	f := Fact{Field: m.field, Question: m.question, Unit: nullable(m.unit), Values: append([]string{}, m.values...), Effects: []Effect{}}
	if len(m.values) > mostEffects {
		return f
	}
	for _, value := range m.values {
		e := Effect{Value: value}
		switch s := w.vary(m, value); {
		case s.nothing != nil:
			free := quantity.Money{}
			e.Total, e.Option = &free, nullable(labels[NoDuty])
		case s.refused == nil:
			if o := become(s); o != nil {
				e.Total, e.Option = o.totals.Total, nullable(o.title())
			}
		}
		if e.Total != nil && now != nil {
			difference := e.Total.Sub(*now)
			e.Difference = &difference
		}
		f.Effects = append(f.Effects, e)
	}
	return f
}

// facts are the missing facts of all options, each once; the effects are those of the first option that has it. The answers
// about Northern Ireland are among them if they change what is due.
func (w *work) facts() {
	for _, o := range w.out.Options {
		for _, f := range o.FactsNeeded {
			if !slices.ContainsFunc(w.out.FactsNeeded, func(known Fact) bool { return known.Field == f.Field }) {
				w.out.FactsNeeded = append(w.out.FactsNeeded, f)
			}
		}
	}
	if w.xi != nil && len(w.scene.open) > 0 {
		first := func(s *scene) *option {
			if len(s.open) == 0 {
				return nil
			}
			return s.open[0]
		}
		for _, m := range w.northernIreland().unknownAnswers(w.out.Route) {
			if w.matters(m) {
				w.out.FactsNeeded = append(w.out.FactsNeeded, w.fact(m, first, w.scene.open[0].totals.Total))
			}
		}
	}
	slices.SortStableFunc(w.out.FactsNeeded, func(a, b Fact) int { return strings.Compare(a.Field, b.Field) })
}

// matters reports whether the values of an answer lead to different options.
func (w *work) matters(m *missing) bool {
	first := w.vary(m, m.values[0])
	for _, value := range m.values[1:] {
		if s := w.vary(m, value); (s.nothing == nil) != (first.nothing == nil) || !slices.Equal(s.open, first.open) {
			return true
		}
	}
	return false
}
