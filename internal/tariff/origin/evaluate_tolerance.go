package origin

import (
	"fmt"
	"maps"
	"math/big"
	"slices"
)

// withTolerance decides conditions on materials together: what offends against any of them may be excused by the
// tolerance, once. Ceilings that the rule states are not part of it: they bind.
func (c *check) withTolerance(all []offence, r *Rule) finding {
	var certain []int
	bad, doubts := map[int]answer{}, map[int]finding{}
	onlyChange, doubtful := true, false
	for i := range all {
		o := &all[i]
		certain = append(certain, o.certain...)
		if len(o.certain)+len(o.doubts) > 0 {
			onlyChange, doubtful = onlyChange && o.change, doubtful || o.doubtful
		}
		for m, unclear := range o.doubts {
			if _, known := doubts[m]; known {
				unclear = and(doubts[m], unclear)
			}
			bad[m], doubts[m] = open, unclear
		}
	}
	if len(certain)+len(doubts) == 0 {
		return found(yes, "Every non-originating material is one that the rule permits.")
	}
	var opens []finding
	for _, i := range slices.Sorted(maps.Keys(doubts)) {
		opens = append(opens, doubts[i])
	}
	for _, i := range certain {
		bad[i], doubts[i] = yes, found(no)
	}
	certain = unique(certain)
	excused := c.excused(r, bad, doubts, onlyChange, doubtful)
	why := fmt.Sprintf("The rule does not permit %s.", c.names(certain))
	switch {
	case excused.is == yes:
		return excused
	case len(certain) == 0:
		return and(opens...)
	case excused.is == no:
		return found(no, append([]string{why}, excused.why...)...)
	}
	excused.why = append([]string{why}, excused.why...)
	return excused
}

func unique(all []int) []int {
	slices.Sort(all)
	return slices.Compact(all)
}

// excused decides whether the tolerance covers the materials that offend.
func (c *check) excused(r *Rule, bad map[int]answer, doubts map[int]finding, onlyChange, doubtful bool) finding {
	t := &c.s.tolerance
	if t.onlyChange && !onlyChange {
		return found(no, "The tolerance is for the change in tariff classification only.")
	}
	allowances := t.of(c.q.Code)
	var f finding
	switch {
	case len(allowances) > 0:
		var choices []finding
		for _, a := range allowances {
			choices = append(choices, c.limit(a.sure, a.most, a.base, func(i int) (answer, finding) { return bad[i], doubts[i] }, "Tolerance for materials that the rule does not permit"))
		}
		f = or(choices...)
	case textile(c.q.Code) && c.s.textiles.mixed.number > 0:
		f = c.textileTolerance(r, bad, doubts)
	default:
		f = c.unreadTolerance(bad, doubts)
	}
	switch {
	case f.is == yes && doubtful:
		return forPerson("Whether the tolerance applies to a rule that demands originating or wholly obtained materials throughout is for a person to decide.")
	case f.is == yes:
		f.why = append([]string{"The tolerance is used."}, f.why...)
	}
	return f
}

// widest is above the tolerances that notes on textiles or unread articles can grant: at most 30 % of the weight for one
// material, 15 % of value otherwise.
var widest = big.NewRat(30, 1)

// unreadTolerance decides where the article has no tolerance that can be read for the product, such as for textiles. It
// fails only if the materials are far above every tolerance that there is.
func (c *check) unreadTolerance(bad map[int]answer, doubts map[int]finding) finding {
	value := c.limit(widest, widest, ExWorks, func(i int) (answer, finding) { return bad[i], doubts[i] }, "Above every tolerance: materials that the rule does not permit")
	weight := c.beyondWeight(bad)
	if value.is == no && weight {
		return value
	}
	return forPerson("Whether the tolerance of the scheme covers these materials is for a person to decide.")
}

// beyondWeight reports whether the materials that certainly offend are above 30 % of the weight of all materials of the
// kind that is measured: textiles for textile products, otherwise of the product.
func (c *check) beyondWeight(bad map[int]answer) bool {
	offending, all := new(big.Int), new(big.Int)
	for i, w := range c.sums.weight {
		switch {
		case textile(c.q.Code) && !textile(c.goods[i].code):
			continue
		case w == nil && bad[i] == yes:
			continue // unknown, and counted as nothing
		case w == nil:
			return false
		}
		all.Add(all, w)
		if bad[i] == yes {
			offending.Add(offending, w)
		}
	}
	if !textile(c.q.Code) {
		if c.sums.mass == nil {
			return false
		}
		all = c.sums.mass
	}
	return !within(offending, widest, all)
}
