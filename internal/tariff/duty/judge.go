package duty

import (
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
)

// judgement is what the conditions of a measure make of it, as far as the facts are known.
type judgement struct {
	outcomes []outcome
	ways     []*charge // the charges that are possible, each with the outcomes that lead to it
	dearest  *charge   // the charge if unknown facts count against the importer; nil if nothing is charged
	states   []ConditionState
}

// judge returns the judgement of a measure. One that does not concern the fact that is varied keeps its judgement.
func (x *calculation) judge(m *measure.Measure) *judgement {
	if x.parent != nil && !x.touches(m) {
		return x.parent.judge(m)
	}
	if j := x.judged[m]; j != nil {
		return j
	}
	j := &judgement{outcomes: x.outcomes(m)}
	x.judged[m] = j
	if k := measure.KindOf(m.Type); k == measure.Control || k == measure.EntryPrice {
		return j
	}
	for i := range j.outcomes {
		if o := &j.outcomes[i]; o.effect == applies {
			j.lead(x, m, o)
		}
	}
	if len(j.ways) > 0 {
		j.settle(x)
	}
	return j
}

// touches reports whether a condition of a measure asks for the document that is varied.
func (x *calculation) touches(m *measure.Measure) bool {
	return x.varied != "" && slices.ContainsFunc(m.Conditions, func(c measure.Condition) bool { return c.Document == x.varied })
}

// lead adds an outcome to the charge that it leads to.
func (j *judgement) lead(x *calculation, m *measure.Measure, o *outcome) {
	for _, c := range j.ways {
		if sameDuty(c.components, o.components) {
			if len(o.beliefs) < len(c.paths[0].beliefs) {
				c.paths = slices.Insert(c.paths, 0, o)
				c.documents = o.documents
			} else {
				c.paths = append(c.paths, o)
			}
			return
		}
	}
	j.ways = append(j.ways, &charge{x: x, measure: m, components: o.components, documents: o.documents, paths: []*outcome{o}, payable: Paid})
}

func sameDuty(a, b []measure.Component) bool {
	return slices.EqualFunc(a, b, func(a, b measure.Component) bool {
		same := a.Expression == b.Expression && a.Currency == b.Currency && a.Unit == b.Unit && a.Qualifier == b.Qualifier
		return same && (a.Amount == nil) == (b.Amount == nil) && (a.Amount == nil || a.Amount.Cmp(b.Amount) == 0)
	})
}

// settle finds the facts that decide about each charge.
func (j *judgement) settle(x *calculation) {
	for _, c := range j.ways {
		c.assessed = x.assess(c.components, c.measure)
	}
	for _, c := range j.ways {
		for i := range j.outcomes {
			if o := &j.outcomes[i]; !slices.Contains(c.paths, o) {
				c.hingeOn(between(c.paths, o))
			}
		}
		if len(c.paths) == len(j.outcomes) {
			c.documents = slices.DeleteFunc(slices.Clone(c.documents), func(d string) bool { return x.goods.held[d] == nil })
		}
	}
	chosen := *worst(j.ways)
	chosen.hinges, chosen.unsure = nil, false
	chosen.hingeOn(j.costly())
	for _, c := range j.ways {
		if c.amount() == nil {
			chosen.hinges = add(chosen.hinges, c.assessed.lacks) // each of those that are not known may be the dearest
		}
	}
	j.dearest = &chosen
}

// hingeOn adds facts that decide about the charge. A nil one is an exchange rate, which no answer gives.
func (c *charge) hingeOn(facts []*missing) {
	c.hinges = add(c.hinges, facts)
	c.unsure = c.unsure || slices.Contains(facts, nil)
}

// between returns the facts of which one alone leads from the outcomes of a charge to another outcome.
func between(paths []*outcome, o *outcome) (facts []*missing) {
	for _, p := range paths {
		if b := conflict(p.beliefs, o.beliefs); b != nil {
			facts = append(facts, b.lack)
		}
	}
	return facts
}

// add adds facts that are not yet in a list.
func add(all, more []*missing) []*missing {
	for _, m := range more {
		if m != nil && !slices.Contains(all, m) {
			all = append(all, m)
		}
	}
	return all
}

// costly returns the facts that change what is charged.
func (j *judgement) costly() (facts []*missing) {
	for n, c := range j.ways {
		for i := range j.outcomes {
			o := &j.outcomes[i]
			other := slices.IndexFunc(j.ways, func(w *charge) bool { return slices.Contains(w.paths, o) })
			if other == n || other >= 0 && c.costsAs(j.ways[other]) || other < 0 && c.costsAs(nil) {
				continue
			}
			facts = append(facts, between(c.paths, o)...)
		}
	}
	return facts
}

// costsAs reports whether two charges are known to be the same; nil is no charge.
func (c *charge) costsAs(o *charge) bool {
	if o == nil {
		return c.amount() != nil && c.amount().Sign() == 0
	}
	return c.amount() != nil && o.amount() != nil && c.amount().Cmp(o.amount()) == 0
}

// worst returns the dearest charge.
func worst(all []*charge) (dearest *charge) {
	for _, c := range all {
		if dearest == nil || dearer(c, dearest) > 0 {
			dearest = c
		}
	}
	return dearest
}

// statesOf returns the states of the conditions of a measure.
func (x *calculation) statesOf(m *measure.Measure) []ConditionState {
	j := x.judge(m)
	if j.states == nil {
		j.states = x.states(m)
	}
	return j.states
}
