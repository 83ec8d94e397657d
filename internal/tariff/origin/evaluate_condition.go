package origin

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
)

// total adds the materials for which has is yes, and those for which it may be. It also returns the materials whose amount
// is unknown, and those that may belong.
func (c *check) total(amounts []*big.Int, has func(i int) answer) (least, most *big.Int, unknown, unsure []int) {
	least, most = new(big.Int), new(big.Int)
	for i := range c.q.Materials {
		is := has(i)
		if is == no {
			continue
		}
		if amounts[i] == nil {
			unknown = append(unknown, i)
			continue
		}
		most.Add(most, amounts[i])
		if is == yes {
			least.Add(least, amounts[i])
		} else {
			unsure = append(unsure, i)
		}
	}
	return least, most, unknown, unsure
}

// within compares a sum with a share of a whole, exactly.
func within(sum *big.Int, share *big.Rat, of *big.Int) bool {
	left := new(big.Int).Mul(sum, share.Denom())
	left.Mul(left, big.NewInt(100))
	return left.Cmp(new(big.Int).Mul(of, share.Num())) <= 0
}

// measured returns what a base is, the amounts of the materials beside it, and how to write them.
func (c *check) measured(b Base) (whole *big.Int, amounts []*big.Int, write func(*big.Int) string, missing Fact, member string) {
	switch b {
	case Mass:
		return c.sums.mass, c.sums.weight, c.sums.kilograms, Fact{Field: "netMassKg", Question: "What is the net mass of the product?", Unit: "kg"}, "netMassKg"
	case FOB:
		return c.sums.fob, c.sums.value, c.sums.money, Fact{Field: "fobPrice", Question: "What is the free on board price of the product?"}, "value"
	}
	return c.sums.exWorks, c.sums.value, c.sums.money, Fact{Field: "exWorksPrice", Question: "What is the ex-works price of the product?"}, "value"
}

// inUnion reports whether a material is in one of several sets; in none named means all materials.
func (c *check) inUnion(sets []Set, i int) (is answer, which *Set) {
	if len(sets) == 0 {
		return yes, &everything
	}
	which = &sets[0]
	for n := range sets {
		if has := sets[n].has(c.goods[i], c.q.Code); has > is {
			is, which = has, &sets[n]
		}
	}
	return is, which
}

func (c *check) ceiling(k *Ceiling) finding {
	return c.limit(k.Percent, k.Percent, k.Base, func(i int) (answer, finding) {
		in, which := c.inUnion(k.Of, i)
		bad := min(in, c.notOriginating(i))
		if bad != open {
			return bad, finding{}
		}
		unclear := found(yes)
		if in == open {
			unclear = c.unclear(i, which, 4)
		}
		if c.status[i].is == open {
			unclear = and(unclear, c.status[i])
		}
		return bad, unclear
	}, "Non-originating materials that are limited")
}

// limit decides whether the materials that has names are within a share. Above most it certainly fails.
func (c *check) limit(sure, most *big.Rat, base Base, has func(i int) (answer, finding), subject string) finding {
	whole, amounts, write, missing, member := c.measured(base)
	var unclear []finding
	least, greatest, unknown, _ := c.total(amounts, func(i int) answer {
		is, doubt := has(i)
		if is == open {
			unclear = append(unclear, doubt)
		}
		return is
	})
	if len(unknown) == 0 && greatest.Sign() == 0 {
		return found(yes, fmt.Sprintf("%s: none.", subject))
	}
	if whole == nil {
		return asked(missing)
	}
	limitText := fmt.Sprintf("at most %s of %s (%s)", percentText(sure), write(whole), baseNames[base])
	if !within(least, most, whole) {
		return found(no, fmt.Sprintf("%s: %s; %s is allowed.", subject, write(least), limitText))
	}
	if len(unknown) == 0 && within(greatest, sure, whole) {
		return found(yes, fmt.Sprintf("%s: %s; %s is allowed.", subject, write(greatest), limitText))
	}
	for _, i := range unknown {
		question := fmt.Sprintf("What is the value of %s?", c.name(i))
		if member == "netMassKg" {
			question = fmt.Sprintf("What is the net mass of %s?", c.name(i))
		}
		unclear = append(unclear, asked(Fact{Field: place(i, member), Question: question, Unit: unitOf(member)}))
	}
	if len(unclear) == 0 {
		return forPerson(fmt.Sprintf("%s: %s. The article has several percentages, and a person must decide which applies.", subject, write(greatest)))
	}
	return and(unclear...)
}

func unitOf(member string) string {
	if member == "netMassKg" {
		return "kg"
	}
	return ""
}

var baseNames = [...]string{ExWorks: "ex-works price", FOB: "free on board price", Mass: "net mass"}

// share decides whether enough of some materials, by weight, is originating: the others are at most the rest.
func (c *check) share(k *Share) finding {
	var unclear []finding
	originating, others, all := new(big.Int), new(big.Int), new(big.Int)
	for i := range c.q.Materials {
		in := k.Of.has(c.goods[i], c.q.Code)
		if in == no {
			continue
		}
		weight := c.sums.weight[i]
		switch {
		case weight == nil:
			unclear = append(unclear, asked(Fact{Field: place(i, "netMassKg"), Question: fmt.Sprintf("What is the net mass of %s?", c.name(i)), Unit: "kg"}))
			continue
		case in == open:
			unclear = append(unclear, c.unclear(i, &k.Of, 4))
			continue
		}
		all.Add(all, weight)
		switch c.status[i].is {
		case yes:
			originating.Add(originating, weight)
		case no:
			others.Add(others, weight)
		default:
			unclear = append(unclear, c.status[i])
		}
	}
	if len(unclear) > 0 {
		return and(unclear...)
	}
	why := fmt.Sprintf("Originating materials: %s of %s; at least %s is demanded.", c.sums.kilograms(originating), c.sums.kilograms(all), percentText(k.Percent))
	rest := new(big.Rat).Sub(hundred, k.Percent)
	return found(answerOf(within(others, rest, all)), why)
}

func (c *check) outweighed() finding {
	least, most, unknown, _ := c.total(c.sums.value, c.notOriginating)
	own, ownMost, ownUnknown, _ := c.total(c.sums.value, func(i int) answer { return c.status[i].is })
	switch {
	case len(unknown)+len(ownUnknown) == 0 && most.Cmp(own) <= 0:
		return found(yes, fmt.Sprintf("Non-originating materials are worth %s, originating ones %s.", c.sums.money(most), c.sums.money(own)))
	case len(ownUnknown) == 0 && least.Cmp(ownMost) > 0:
		return found(no, fmt.Sprintf("Non-originating materials are worth %s, originating ones only %s.", c.sums.money(least), c.sums.money(ownMost)))
	}
	var unclear []finding
	for i := range c.q.Materials {
		if c.sums.value[i] == nil {
			unclear = append(unclear, asked(Fact{Field: place(i, "value"), Question: fmt.Sprintf("What is the value of %s?", c.name(i))}))
		}
		if c.status[i].is == open {
			unclear = append(unclear, c.status[i])
		}
	}
	return and(unclear...)
}

func (c *check) content(k *Content) finding {
	if k.Method == BuildDown {
		return c.limit(new(big.Rat).Sub(hundred, k.Percent), new(big.Rat).Sub(hundred, k.Percent), k.Base, func(i int) (answer, finding) {
			return c.notOriginating(i), c.status[i]
		}, fmt.Sprintf("Regional value content of at least %s, so non-originating materials", percentText(k.Percent)))
	}
	whole, amounts, write, missing, _ := c.measured(k.Base)
	if whole == nil {
		return asked(missing)
	}
	least, most, unknown, unsure := c.total(amounts, func(i int) answer { return c.status[i].is })
	why := fmt.Sprintf("Originating materials: %s; at least %s of %s (%s) is demanded.", write(least), percentText(k.Percent), write(whole), baseNames[k.Base])
	reaches := func(sum *big.Int) bool {
		left := new(big.Int).Mul(sum, k.Percent.Denom())
		return left.Mul(left, big.NewInt(100)).Cmp(new(big.Int).Mul(whole, k.Percent.Num())) >= 0
	}
	switch {
	case reaches(least):
		return found(yes, why)
	case len(unknown) == 0 && !reaches(most):
		return found(no, why)
	}
	var unclear []finding
	for _, i := range unknown {
		unclear = append(unclear, asked(Fact{Field: place(i, "value"), Question: fmt.Sprintf("What is the value of %s?", c.name(i))}))
	}
	for _, i := range unsure {
		unclear = append(unclear, c.status[i])
	}
	return and(unclear...)
}

// process decides whether something was done. A more special code includes a general one: SPINNING_OF_NATURAL_FIBRES is
// SPINNING.
func (c *check) process(code string) finding {
	p := &c.q.Production
	if !p.Listed {
		return asked(Fact{Field: "production.processes", Question: fmt.Sprintf("Was this done in %s: %s?", c.q.ExportCountry, code), Values: []string{code}})
	}
	for _, done := range p.Processes {
		if done == code || strings.HasPrefix(done, code+"_") {
			return found(yes, "Done: "+done+".")
		}
	}
	for _, done := range p.Processes {
		if strings.HasPrefix(code, done+"_") {
			return asked(Fact{Field: "production.processes", Question: fmt.Sprintf("Was this done in %s: %s?", c.q.ExportCountry, code), Values: []string{code}})
		}
	}
	return found(no, "Not done: "+code+".")
}

// several counts processes. The text gives them as examples, so others may count.
func (c *check) several(k *Several) finding {
	if whole := c.process(k.Code); whole.is == yes || !c.q.Production.Listed {
		if whole.is != yes {
			whole.facts[0].Values = append(slices.Clone(k.Codes), k.Code)
		}
		return whole
	}
	done, others := 0, 0
	for _, p := range c.q.Production.Processes {
		if slices.Contains(k.Codes, p) {
			done++
		} else {
			others++
		}
	}
	switch {
	case done >= k.Count:
		return found(yes, fmt.Sprintf("%d of the finishing operations were done.", done))
	case done+others-1 < k.Count:
		return found(no, fmt.Sprintf("Fewer than %d preparatory or finishing operations were done.", k.Count))
	}
	return asked(Fact{Field: "production.processes", Question: fmt.Sprintf("Were %d preparatory or finishing operations done?", k.Count), Values: append(slices.Clone(k.Codes), k.Code)})
}

func (c *check) forGoods(k *ForGoods) finding {
	product := goods{code: c.q.Code, words: c.words}
	switch is := k.Of.has(product, c.q.Code); {
	case is != open:
		return found(is, map[answer]string{yes: "", no: "The rule is for other goods: " + k.Of.text() + "."}[is])
	case k.Of.Words == "":
		return asked(Fact{Field: "commodityCode", Question: "Which full commodity code has the product?"})
	case c.q.Description == "":
		return asked(Fact{Field: "description", Question: fmt.Sprintf("Is the product %q? If so, give these words as its description.", k.Of.Words), Values: []string{k.Of.Words}})
	}
	return forPerson(fmt.Sprintf("A person must decide whether the product is %q.", k.Of.Words))
}
