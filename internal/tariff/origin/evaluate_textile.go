package origin

import (
	"fmt"
	"math/big"
	"slices"
)

// offenders are the materials that a rule does not permit.
type offenders struct {
	certain, possible []int           // in their order
	doubts            map[int]finding // what is open of the possible ones
}

func (o *offenders) all() []int { return append(slices.Clone(o.certain), o.possible...) }

// offendersOf sorts the materials that offend.
func (c *check) offendersOf(bad map[int]answer, doubts map[int]finding) *offenders {
	o := &offenders{doubts: doubts}
	for i := range c.q.Materials {
		switch bad[i] {
		case yes:
			o.certain = append(o.certain, i)
		case open:
			o.possible = append(o.possible, i)
		}
	}
	return o
}

// textileTolerance decides whether a tolerance of the introductory notes covers the materials that offend. It is certain only for a
// rule that refers to the note. It fails only if materials are beyond each of the notes, whether or not the rule refers to them: the
// publisher has lost references.
func (c *check) textileTolerance(r *Rule, bad map[int]answer, doubts map[int]finding) finding {
	o, n := c.offendersOf(bad, doubts), &c.s.textiles
	if why := c.beyondNotes(o); why != "" {
		return found(no, why)
	}
	var choices []finding
	for _, choice := range []struct {
		note   *textileNote
		decide func(*textileNote, *offenders) finding
	}{{&n.mixed, c.mixedTolerance}, {&n.madeUp, c.madeUpTolerance}} {
		switch {
		case choice.note.number == 0:
		case !slices.Contains(r.notes, choice.note.number):
			choices = append(choices, forPerson(fmt.Sprintf("The rule does not refer to note %d, so a person must decide whether its tolerance covers these materials.", choice.note.number)))
		default:
			choices = append(choices, choice.decide(choice.note, o))
		}
	}
	return or(choices...)
}

// beyondNotes says why materials that certainly offend are beyond both notes; empty if they may not be.
func (c *check) beyondNotes(o *offenders) string {
	n := &c.s.textiles
	heavy, limit := new(big.Int), n.mixed.percent
	for _, i := range o.certain {
		weight := c.sums.weight[i]
		if weight == nil || !textile(c.goods[i].code) || !c.beyondMadeUp(i) {
			continue
		}
		heavy.Add(heavy, weight)
		if inRanges(plainYarns, c.goods[i].code) != yes {
			limit = widest
		}
	}
	all := new(big.Int)
	for i, weight := range c.sums.weight {
		switch {
		case !textile(c.goods[i].code) && inRanges(perhapsBasic, c.goods[i].code) == no:
		case weight == nil:
			return ""
		default:
			all.Add(all, weight)
		}
	}
	if limit == nil || within(heavy, limit, all) {
		return ""
	}
	return fmt.Sprintf("Textile materials that the rule does not permit: %s; at most %s of the weight of the materials (%s) is allowed by a note.", c.sums.kilograms(heavy), percentText(limit), c.sums.kilograms(all))
}

// beyondMadeUp reports whether one material is certainly beyond the note on made-up products.
func (c *check) beyondMadeUp(i int) bool {
	n := &c.s.textiles.madeUp
	if n.number == 0 {
		return false
	}
	if !n.trimmings && sameDigits(c.goods[i].code, c.q.Code, 4) == yes {
		return true
	}
	for _, base := range n.bases {
		whole, amounts := c.textileMeasure(base)
		if whole == nil || amounts[i] == nil || within(amounts[i], n.percent, whole) {
			return false
		}
	}
	return true
}

// textileMeasure returns a base of a note and the amounts of the materials. Mass is that of the textile materials; nil if one is not known.
func (c *check) textileMeasure(b Base) (whole *big.Int, amounts []*big.Int) {
	if b != Mass {
		whole, amounts, _, _, _ = c.measured(b)
		return whole, amounts
	}
	whole = new(big.Int)
	for i, weight := range c.sums.weight {
		switch {
		case !textile(c.goods[i].code):
		case weight == nil:
			return nil, c.sums.weight
		default:
			whole.Add(whole, weight)
		}
	}
	return whole, c.sums.weight
}

// mixedTolerance decides by the note on products of two or more basic textile materials: what offends is at most a share of the
// weight of all of those.
func (c *check) mixedTolerance(n *textileNote, o *offenders) finding {
	for _, i := range o.all() {
		if inRanges(basicMaterials, c.goods[i].code) != yes {
			return forPerson(fmt.Sprintf("A person must decide whether %s is a basic textile material, as note %d demands.", c.name(i), n.number))
		}
	}
	if !c.mixedProduct() {
		return forPerson(fmt.Sprintf("A person must decide whether the product is of two or more basic textile materials, as note %d demands.", n.number))
	}
	bad, all, missing := c.basicWeights(o)
	amounts := fmt.Sprintf("Note %d on mixed textile products: %s; at most %s of the basic textile materials (%s) is allowed.", n.number, c.sums.kilograms(bad), percentText(n.percent), c.sums.kilograms(all))
	weighed := !slices.ContainsFunc(o.all(), func(i int) bool { return c.sums.weight[i] == nil })
	switch {
	case weighed && within(bad, n.percent, all):
		return found(yes, amounts)
	case len(missing) > 0:
		return and(missing...)
	case len(o.possible) > 0:
		return c.openOf(o)
	}
	return forPerson(amounts + " A person must decide whether another part of the notes covers these materials.")
}

// basicWeights returns the known weight of the materials that offend or may offend, that of all which certainly are basic textile
// materials, and asks for the masses of textile materials that are not known.
func (c *check) basicWeights(o *offenders) (bad, all *big.Int, missing []finding) {
	bad, all = new(big.Int), new(big.Int)
	for i, weight := range c.sums.weight {
		if weight == nil {
			if textile(c.goods[i].code) {
				missing = append(missing, asked(Fact{Field: place(i, "netMassKg"), Question: fmt.Sprintf("What is the net mass of %s?", c.name(i)), Unit: "kg"}))
			}
			continue
		}
		if _, offends := o.doubts[i]; offends {
			bad.Add(bad, weight)
		}
		if inRanges(basicTextiles, c.goods[i].code) == yes {
			all.Add(all, weight)
		}
	}
	return bad, all, missing
}

// openOf is what is open of the materials that possibly offend.
func (c *check) openOf(o *offenders) finding {
	all := make([]finding, len(o.possible))
	for k, i := range o.possible {
		all[k] = o.doubts[i]
	}
	return and(all...)
}

// madeUpTolerance decides by the note on made-up products: textile materials of another heading, up to a share of the price.
func (c *check) madeUpTolerance(n *textileNote, o *offenders) finding {
	for _, i := range o.all() {
		code := c.goods[i].code
		switch {
		case n.trimmings:
			return forPerson(fmt.Sprintf("A person must decide whether note %d covers %s: it is for trimmings and accessories.", n.number, c.name(i)))
		case !textile(code) || sameDigits(code, c.q.Code, 4) != no:
			return forPerson(fmt.Sprintf("Note %d is for textile materials of another heading, which %s is not.", n.number, c.name(i)))
		case n.linings && inRanges(fibresAndYarns, code) != yes:
			return forPerson(fmt.Sprintf("A person must decide whether %s is a lining or an interlining, which note %d does not cover.", c.name(i), n.number))
		}
	}
	var choices []finding
	for _, base := range n.bases {
		choices = append(choices, c.limit(n.percent, n.percent, base, func(i int) (answer, finding) {
			switch {
			case slices.Contains(o.certain, i):
				return yes, finding{}
			case slices.Contains(o.possible, i):
				return open, o.doubts[i]
			}
			return no, finding{}
		}, fmt.Sprintf("Note %d on made-up textile products", n.number)))
	}
	f := or(choices...)
	if f.is == no { // together; the other note may cover some of them
		return forPerson(f.why[0] + " A person must decide whether another part of the notes covers these materials.")
	}
	return f
}
