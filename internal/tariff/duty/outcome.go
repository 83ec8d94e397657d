package duty

import (
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

// outcome is one way in which the conditions of a measure may turn out.
type outcome struct {
	effect     effect
	components []measure.Component
	documents  []string // held or believed to be held, that the outcome rests on
	beliefs    []belief // one for each unknown fact that it rests on
	priced     bool     // the components are those of a condition
	lapsed     bool     // the last line of a group, which asks for nothing, says that the measure does not apply
}

// branch is one way in which the conditions of one group may turn out.
type branch struct {
	by      *measure.Condition // that decides; nil if none is met
	effect  effect
	beliefs []belief
}

// mostOutcomes limits the ways in which the groups of conditions of one measure are combined. The measures of the recorded
// answers have at most 40.
const mostOutcomes = 4096

// outcomes returns the ways in which the conditions of a measure may turn out. In each group the first condition that is met
// decides; all groups must allow the measure.
func (x *calculation) outcomes(m *measure.Measure) []outcome {
	open, done := []outcome{{components: m.Components}}, []outcome(nil)
	groups := groupsOf(m.Conditions)
	for n, group := range groups {
		ways := x.branches(group)
		gravest := gravestOf(groups[n:])
		var next []outcome
		for i := range open {
			if open[i].effect >= gravest && open[i].effect != applies {
				done = append(done, open[i]) // what is left cannot change it
				continue
			}
			for j := range ways {
				if beliefs, ok := withAll(open[i].beliefs, ways[j].beliefs); ok && len(next) < mostOutcomes {
					next = append(next, open[i].and(&ways[j], beliefs))
				}
			}
		}
		open = next
	}
	return append(done, open...)
}

// and returns the outcome of a further group: what refuses most prevails, and the first amount of a condition is charged.
func (o *outcome) and(b *branch, beliefs []belief) outcome {
	n := *o
	n.beliefs = beliefs
	n.effect = max(o.effect, b.effect)
	n.lapsed = o.lapsed || b.effect == notApplicable && b.by != nil && b.by.Document == "" && b.by.Threshold == nil
	if b.by == nil || b.effect != applies {
		return n
	}
	if b.by.Document != "" {
		n.documents = appendOnce(n.documents[:len(n.documents):len(n.documents)], b.by.Document)
	}
	if b.by.Action == measure.ActionAmount && !n.priced {
		n.components, n.priced = b.by.Components, true
	}
	return n
}

// groupsOf returns the conditions by their code, each group in the order of the measure.
func groupsOf(all []measure.Condition) (groups [][]*measure.Condition) {
	for i := range all {
		c, at := &all[i], -1
		for n := range groups {
			if groups[n][0].Code == c.Code {
				at = n
			}
		}
		if at < 0 {
			at, groups = len(groups), append(groups, nil)
		}
		groups[at] = append(groups[at], c)
	}
	return groups
}

// gravestOf is the gravest effect that groups can have.
func gravestOf(groups [][]*measure.Condition) effect {
	gravest := notApplicable
	for _, group := range groups {
		for _, c := range group {
			gravest = max(gravest, effectOfAction(c))
		}
	}
	return gravest
}

func effectOfAction(c *measure.Condition) effect {
	switch {
	case c.Action == measure.ActionNot:
		return notApplicable
	case c.Action == measure.ActionRefused:
		return codeRefused
	case measure.Refuses(c.Action):
		return refused
	}
	return applies
}

// branches returns the ways in which one group may turn out.
func (x *calculation) branches(group []*measure.Condition) (all []branch) {
	var before []belief // of conditions that are believed not to be met
	end := func(c *measure.Condition, beliefs []belief) {
		b := branch{by: c, effect: notApplicable, beliefs: beliefs}
		if c != nil {
			b.effect = effectOfAction(c)
		}
		all = append(all, b)
	}
	for _, c := range group {
		state, met, unmet := x.judgeCondition(c)
		switch state {
		case Met:
			end(c, before)
			return all
		case Unknown:
			if beliefs, ok := with(before, met); ok {
				end(c, beliefs)
			}
			beliefs, ok := with(before, unmet)
			if !ok {
				return all // the condition is met whatever the fact is
			}
			before = beliefs
		}
	}
	end(nil, before)
	return all
}

// judgeCondition returns the state of a condition and, if it is not known, what to believe if it is met and if it is not.
func (x *calculation) judgeCondition(c *measure.Condition) (state string, met, unmet belief) {
	state, key, lack := x.state(c)
	if state != Unknown {
		return state, met, unmet
	}
	met, unmet = belief{key: key, lack: lack, held: true}, belief{key: key, lack: lack}
	if c.Document == "" && c.Threshold.Amount != nil {
		met.limits, unmet.limits = limitsOf(c, true), limitsOf(c, false)
	}
	return state, met, unmet
}
