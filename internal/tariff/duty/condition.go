package duty

import (
	"math/big"
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
)

// effect is what the conditions of a measure make of it.
type effect int

const (
	applies effect = iota
	notApplicable
	refused     // the duty, or the goods, are refused
	codeRefused // the commodity code cannot be declared
)

// assumption is an unknown fact, as an outcome needs it.
type assumption struct {
	lack *missing // of a document, or of a quantity or price
	code string   // of the document; empty for another fact
	met  bool
}

// outcome is one way in which the conditions of a measure may turn out.
type outcome struct {
	effect     effect
	components []measure.Component
	documents  []string // held or assumed to be held, that the outcome rests on
	assumes    []assumption
}

// certain reports whether the outcome needs no unknown fact.
func (o *outcome) certain() bool { return len(o.assumes) == 0 }

// branch is one way in which the conditions of one group may turn out.
type branch struct {
	by      *measure.Condition // that decides; nil if none is met
	assumes []assumption
}

// mostOutcomes limits the ways in which the groups of conditions of one measure are combined.
const mostOutcomes = 256

// outcomes returns the ways in which the conditions of a measure may turn out. In each group the first condition that is met
// decides; all groups must allow the measure.
func (x *calculation) outcomes(m *measure.Measure) []outcome {
	combined := [][]branch{nil}
	for _, group := range groupsOf(m.Conditions) {
		var next [][]branch
		for _, before := range combined {
			for _, b := range x.branches(group, m) {
				if !consistent(before, b) {
					continue
				}
				if next = append(next, append(slices.Clone(before), b)); len(next) == mostOutcomes {
					break
				}
			}
		}
		combined = next
	}
	all := make([]outcome, 0, len(combined))
	for _, branches := range combined {
		all = append(all, result(m, branches))
	}
	return all
}

// groupsOf returns the conditions by their code, each group in the order of the measure.
func groupsOf(all []measure.Condition) (groups [][]*measure.Condition) {
	places := map[string]int{}
	for i := range all {
		c := &all[i]
		at, seen := places[c.Code]
		if !seen {
			at = len(groups)
			places[c.Code], groups = at, append(groups, nil)
		}
		groups[at] = append(groups[at], c)
	}
	return groups
}

// branches returns the ways in which one group may turn out.
func (x *calculation) branches(group []*measure.Condition, m *measure.Measure) (all []branch) {
	var before []assumption // conditions that are assumed not to be met
	for _, c := range group {
		state, lack := x.state(c, m)
		switch state {
		case Met:
			return append(all, branch{c, before})
		case Unknown:
			met := append(slices.Clone(before), assumption{lack, c.Document, true})
			all = append(all, branch{c, met})
			before = append(slices.Clone(before), assumption{lack, c.Document, false})
		}
	}
	return append(all, branch{nil, before})
}

// consistent reports whether a branch assumes the same of each document as those before it.
func consistent(before []branch, b branch) bool {
	for _, other := range before {
		for _, mine := range b.assumes {
			for _, theirs := range other.assumes {
				if mine.code != "" && mine.code == theirs.code && mine.met != theirs.met {
					return false
				}
			}
		}
	}
	return true
}

// result combines the groups: one that refuses the code, or the measure, prevails.
func result(m *measure.Measure, branches []branch) outcome {
	o := outcome{components: m.Components}
	amounts := false
	for _, b := range branches {
		o.assumes = append(o.assumes, b.assumes...)
		o.effect = max(o.effect, b.effect())
		if b.by == nil {
			continue
		}
		if b.by.Document != "" && b.effect() == applies {
			o.documents = append(o.documents, b.by.Document)
		}
		if b.by.Action == measure.ActionAmount && !amounts {
			o.components, amounts = b.by.Components, true
		}
	}
	o.assumes = slices.CompactFunc(o.assumes, func(a, b assumption) bool { return a.code != "" && a.code == b.code && a.met == b.met })
	return o
}

func (b *branch) effect() effect {
	switch {
	case b.by == nil || b.by.Action == measure.ActionNot:
		return notApplicable
	case b.by.Action == measure.ActionRefused:
		return codeRefused
	case measure.Refuses(b.by.Action):
		return refused
	}
	return applies
}

// state judges one condition. If it is not known, it returns the fact that is missing.
func (x *calculation) state(c *measure.Condition, m *measure.Measure) (string, *missing) {
	switch {
	case c.Document != "":
		state := x.goods.document(c.Document)
		if state == Unknown {
			return state, x.documentLack(c.Document)
		}
		return state, nil
	case c.Threshold != nil:
		return x.threshold(c)
	}
	return Met, nil
}

func (x *calculation) documentLack(code string) *missing {
	return &missing{
		field:    x.goods.path + ".facts.documents[" + code + "]",
		question: "Do you hold the document " + code + x.named(x.tariff.Details().Documents[code]) + "?",
		values:   []string{AnswerHeld, AnswerNone},
	}
}

// named returns a description as an apposition.
func (x *calculation) named(description string) string {
	if description == "" {
		return ""
	}
	return " (" + description + ")"
}

// threshold compares a price or quantity with the threshold of a condition.
func (x *calculation) threshold(c *measure.Condition) (string, *missing) {
	actual, lack := x.measured(c)
	if lack != nil || actual == nil {
		return Unknown, lack
	}
	order := actual.Cmp(c.Threshold.Amount)
	met := false
	switch c.Comparison() {
	case measure.AtMost:
		met = order <= 0
	case measure.Above:
		met = order > 0
	default:
		met = order >= 0
	}
	if met {
		return Met, nil
	}
	return Unmet, nil
}

// Codes of conditions whose thresholds are not of the plain price or quantity.
const (
	entryPriceCode = "V" // the import price for 100 kg
	ratioCode      = "R" // net mass for each supplementary unit
)

// measured returns what a threshold is compared with.
func (x *calculation) measured(c *measure.Condition) (*big.Rat, *missing) {
	t := c.Threshold
	unit := measure.Unit{Code: t.Unit, Qualifier: t.Qualifier}
	switch {
	case c.Code == ratioCode && t.Currency == "":
		return x.ratio(unit)
	case t.Currency == "":
		return x.goods.quantity(unit)
	case c.Code == entryPriceCode && x.goods.line.Facts.EntryPrice != nil:
		return x.in(t.Currency, x.pounds(x.goods.line.Facts.EntryPrice))
	case t.Unit == "":
		return x.in(t.Currency, x.goods.value)
	}
	quantity, lack := x.goods.quantity(unit)
	if lack != nil || x.goods.value == nil || quantity.Sign() == 0 {
		return nil, lack
	}
	return x.in(t.Currency, new(big.Rat).Quo(x.goods.value, quantity))
}

// ratio is the net mass of each supplementary unit.
func (x *calculation) ratio(unit measure.Unit) (*big.Rat, *missing) {
	mass, lack := x.goods.quantity(unit)
	if lack != nil || x.goods.unit.Code == "" {
		return nil, lack
	}
	units, lack := x.goods.quantity(x.goods.unit)
	if lack != nil || units.Sign() == 0 {
		return nil, lack
	}
	return new(big.Rat).Quo(mass, units), nil
}

// in converts pounds into the currency of a threshold; nil if there is no rate.
func (x *calculation) in(currency string, pounds *big.Rat) (*big.Rat, *missing) {
	switch {
	case pounds == nil || currency == Sterling:
		return pounds, nil
	case x.goods.euro.Rate == nil || x.goods.euro.Rate.Sign() == 0:
		return nil, nil
	}
	return new(big.Rat).Quo(pounds, x.goods.euro.Rate), nil
}

// states returns how each condition of a measure was judged; those behind the one that decides are not reached.
func (x *calculation) states(m *measure.Measure) []ConditionState {
	all := make([]ConditionState, 0, len(m.Conditions))
	decided, sequence := map[string]bool{}, map[string]int{}
	for i := range m.Conditions {
		c := &m.Conditions[i]
		sequence[c.Code]++
		s := ConditionState{Code: c.Code, Sequence: sequence[c.Code], Action: c.Action, State: NotReached}
		if c.Document != "" {
			s.Document = &c.Document
		}
		if c.Threshold != nil {
			text := thresholdText(c)
			s.Threshold = &text
		}
		if !decided[c.Code] {
			s.State, _ = x.state(c, m)
			decided[c.Code] = s.State == Met
		}
		all = append(all, s)
	}
	return all
}

// thresholdText writes a threshold, such as "≥ 52.60 EUR / 100 kg".
func thresholdText(c *measure.Condition) string {
	amount := measure.Component{Amount: c.Threshold.Amount, Currency: c.Threshold.Currency, Unit: c.Threshold.Unit, Qualifier: c.Threshold.Qualifier}
	if amount.Currency != "" {
		return string(c.Comparison()) + " " + amount.Text()
	}
	unit := measure.Unit{Code: amount.Unit, Qualifier: amount.Qualifier}
	return string(c.Comparison()) + " " + plain(amount.Amount) + " " + unit.Abbreviation()
}
