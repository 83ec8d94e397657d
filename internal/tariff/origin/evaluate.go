package origin

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
)

// check decides one question under one scheme.
type check struct {
	q      *Question
	s      *Scheme
	sums   *sums
	status []finding // of the materials: yes for originating
	goods  []goods   // of the materials
	words  string    // plain description of the product
}

// maxNamed is how many materials an explanation names.
const maxNamed = 5

// name returns how an explanation refers to a material.
func (c *check) name(i int) string {
	return fmt.Sprintf("materials[%d] (%s)", i, c.q.Materials[i].Code)
}

func (c *check) names(all []int) string {
	var parts []string
	for _, i := range all[:min(len(all), maxNamed)] {
		parts = append(parts, c.name(i))
	}
	if len(all) > maxNamed {
		parts = append(parts, fmt.Sprintf("%d more", len(all)-maxNamed))
	}
	return strings.Join(parts, ", ")
}

// materials decides of each material whether it originates.
func (c *check) materials() {
	c.status = make([]finding, len(c.q.Materials))
	for i := range c.q.Materials {
		c.status[i] = c.statusOf(i, &c.q.Materials[i])
	}
}

func (c *check) statusOf(i int, m *Material) finding {
	switch {
	case m.Originating == nil && m.Obtained != nil && *m.Obtained && m.Origin == c.q.ExportCountry:
		return found(yes)
	case m.Originating == nil && (m.Origin == c.q.ExportCountry || m.Origin == ""):
		return asked(Fact{Field: place(i, "originating"), Question: fmt.Sprintf("Does %s originate under %s?", c.name(i), c.s.Code), Values: trueFalse})
	case m.Originating == nil || !*m.Originating:
		return found(no)
	case len(c.s.Cumulation) == 0 && m.Origin != "" && m.Origin != c.q.ExportCountry && m.Scheme == "":
		return forPerson(fmt.Sprintf("The list of schemes does not say with which countries %s cumulates.", c.s.Code))
	case m.Scheme == c.s.Code && (m.Origin == "" || m.Origin == c.q.ExportCountry || c.cumulates(m.Origin)):
		return found(yes)
	case m.Scheme == c.s.Code:
		return forPerson(fmt.Sprintf("%s is said to originate under %s, but comes from %s, with which the scheme names no cumulation.", c.name(i), c.s.Code, m.Origin))
	case m.Scheme != "":
		if c.cumulates(m.Origin) {
			return forPerson(fmt.Sprintf("Whether %s, which originates under %s, counts under %s depends on the article on cumulation.", c.name(i), m.Scheme, c.s.Code))
		}
		return found(no)
	case m.Origin == "" || m.Origin == c.q.ExportCountry || c.party(m.Origin):
		return found(yes)
	case c.cumulates(m.Origin):
		return asked(Fact{Field: place(i, "scheme"), Question: fmt.Sprintf("Does the article on cumulation of %s let %s of %s count as originating?", c.s.Code, c.name(i), m.Origin), Values: []string{c.s.Code}})
	}
	return found(no)
}

var trueFalse = []string{"true", "false"}

// party reports whether materials that originate in a country count without further conditions: it is a party to the
// agreement.
func (c *check) party(country string) bool {
	if country == c.home() {
		return len(c.s.Cumulation) > 0
	}
	return !c.s.Unilateral && c.s.names(country)
}

// home is the country of import, whose materials count under bilateral cumulation.
func (c *check) home() string {
	if c.q.Service == XI {
		return "EU"
	}
	return "GB"
}

// cumulates reports whether the scheme names a country for any kind of cumulation.
func (c *check) cumulates(country string) bool {
	if country == "" {
		return false
	}
	if c.party(country) {
		return true
	}
	return slices.ContainsFunc(c.s.Cumulation, func(m Cumulation) bool {
		return slices.Contains(m.Countries, dataCode(country)) || slices.Contains(m.Countries, "EU") && slices.Contains(membersEU, country)
	})
}

// membersEU are the member states, which lists of countries call EU.
var membersEU = []string{
	"AT", "BE", "BG", "CY", "CZ", "DE", "DK", "EE", "ES", "FI", "FR", "GR", "HR", "HU", "IE", "IT", "LT", "LU", "LV", "MT", "NL", "PL", "PT", "RO", "SE", "SI", "SK",
}

// rule decides a rule: an alternative of its set.
func (c *check) rule(r *Rule) finding {
	readings := make([]finding, len(r.readings))
	for n, all := range r.readings {
		choices := make([]finding, len(all))
		for k, conditions := range all {
			choices[k] = c.clause(conditions, r)
		}
		readings[n] = or(choices...)
	}
	f := same(readings...)
	if f.is == yes && r.Quota {
		return forPerson("The rule holds only within an annual quota.")
	}
	return f
}

// offence is what a condition on materials finds wrong. The tolerance may excuse it.
type offence struct {
	certain  []int           // materials
	doubts   map[int]finding // what is open of the materials that possibly offend
	change   bool            // of a change in tariff classification
	doubtful bool            // the tolerance may not apply
}

// clause decides conditions that must all hold, with the tolerance.
func (c *check) clause(conditions clause, r *Rule) finding {
	var all []finding
	var offences []offence
	for _, condition := range conditions {
		switch k := condition.(type) {
		case Excluding:
			offences = append(offences, c.excluding(&k))
		case From:
			offences = append(offences, c.from(&k, r))
		case Obtained:
			offences = append(offences, c.obtained(&k))
		case Ceiling:
			all = append(all, c.ceiling(&k))
		case Share:
			all = append(all, c.share(&k))
		case Outweighed:
			all = append(all, c.outweighed())
		case Content:
			all = append(all, c.content(&k))
		case Process:
			all = append(all, c.process(k.Code))
		case Several:
			all = append(all, c.several(&k))
		case ForGoods:
			all = append(all, c.forGoods(&k))
		case Unread:
			all = append(all, forPerson("The text is not compiled: "+shown(k.Text)))
		}
	}
	all = append(all, c.withTolerance(offences))
	if len(c.q.Materials) == 0 {
		all = append(all, asked(Fact{Field: "materials", Question: "What is the product made from?"}))
		if c.q.Production.Obtained == nil {
			all = append(all, asked(Fact{Field: "production.whollyObtained", Question: "Is the product wholly obtained?", Values: trueFalse}))
		}
	}
	return and(all...)
}

// notOriginating is yes for a material that certainly does not originate.
func (c *check) notOriginating(i int) answer { return c.status[i].is.not() }

// add records whether a material offends. unclear is what is asked if its membership in a set is open; found(no) if it is
// not.
func (o *offence) add(i int, bad answer, c *check, unclear finding) {
	switch bad {
	case yes:
		o.certain = append(o.certain, i)
	case open:
		if c.status[i].is == open {
			unclear = or(c.status[i], unclear)
		}
		if o.doubts == nil {
			o.doubts = map[int]finding{}
		}
		o.doubts[i] = unclear
	}
}

func (c *check) excluding(k *Excluding) offence {
	o := offence{change: k.Level > 0 || len(k.Sets) > 0}
	for i := range c.q.Materials {
		bad, set := no, (*Set)(nil)
		if k.Level > 0 {
			bad = sameDigits(c.goods[i].code, c.q.Code, k.Level)
		}
		for n := range k.Sets {
			if has := k.Sets[n].has(c.goods[i], c.q.Code); has > bad {
				bad, set = has, &k.Sets[n]
			}
			o.doubtful = o.doubtful || k.Sets[n].all()
		}
		for n := range k.May {
			if may := k.May[n].has(c.goods[i], c.q.Code).not(); may < bad {
				bad, set = may, &k.May[n]
			}
		}
		if unclear := found(no); bad != no {
			if bad == open {
				unclear = c.unclear(i, set, k.Level)
			}
			o.add(i, min(bad, c.notOriginating(i)), c, unclear)
		}
	}
	return o
}

// unclear asks whether a material belongs to a set.
func (c *check) unclear(i int, s *Set, level int) finding {
	switch {
	case s == nil:
		return asked(Fact{Field: place(i, "commodityCode"), Question: fmt.Sprintf("Which commodity code of at least %d digits has %s?", level, c.name(i))})
	case s.words() == "":
		return asked(Fact{Field: place(i, "commodityCode"), Question: "Which full commodity code has " + c.name(i) + "?"})
	case c.q.Materials[i].Description == "":
		return asked(Fact{Field: place(i, "description"), Question: fmt.Sprintf("Is %s %q? If so, give these words as its description.", c.name(i), s.words()), Values: []string{s.words()}})
	}
	return forPerson(fmt.Sprintf("A person must decide whether %s is %q.", c.name(i), s.words()))
}

// words returns a description of the set or of one of its alternatives.
func (s *Set) words() string {
	if s.Words != "" {
		return s.Words
	}
	for _, all := range [][]Set{s.Or, s.Except} {
		for i := range all {
			if w := all[i].words(); w != "" {
				return w
			}
		}
	}
	return ""
}

// from finds materials that the rule does not name. They may still be permitted: materials of an earlier stage, and those
// that by their nature cannot satisfy the rule. So they never offend for certain.
func (c *check) from(k *From, r *Rule) offence {
	o := offence{}
	for i := range c.q.Materials {
		best, set := no, &k.Sets[0]
		for n := range k.Sets {
			if has := k.Sets[n].has(c.goods[i], c.q.Code); has > best {
				best, set = has, &k.Sets[n]
			}
		}
		if best == yes || c.status[i].is == yes || r.Notes && c.trimming(i) {
			continue
		}
		unclear := forPerson(fmt.Sprintf("A person must decide whether %s may be used: the rule names %s.", c.name(i), setText(k.Sets)))
		if best == open {
			unclear = c.unclear(i, set, 4)
		}
		o.add(i, open, c, unclear)
	}
	return o
}

// trimming reports whether a material of a textile product is none of chapters 50 to 63.
func (c *check) trimming(i int) bool {
	return c.s.freeTrims && textile(c.q.Code) && !textile(c.goods[i].code)
}

func textile(code string) bool { return "50" <= code[:2] && code[:2] <= "63" }

func setText(sets []Set) string {
	var parts []string
	for i := range sets {
		parts = append(parts, sets[i].text())
	}
	return strings.Join(parts, ", or ")
}

// text describes a set in words.
func (s *Set) text() string {
	text := s.Words
	if text == "" {
		var codes []string
		for _, r := range s.Codes {
			if r.From == r.To {
				codes = append(codes, r.From)
			} else {
				codes = append(codes, r.From+" to "+r.To)
			}
		}
		text = "materials of " + strings.Join(codes, ", ")
	}
	for i := range s.Or {
		text += " or " + s.Or[i].text()
	}
	return text
}

func (c *check) obtained(k *Obtained) offence {
	o := offence{doubtful: k.Of.all()}
	for i := range c.q.Materials {
		in := k.Of.has(c.goods[i], c.q.Code)
		if in == no {
			continue
		}
		m := &c.q.Materials[i]
		switch {
		case c.status[i].is == no && in == yes:
			o.add(i, yes, c, found(no))
		case c.status[i].is == no:
			o.add(i, open, c, c.unclear(i, &k.Of, 4))
		case m.Obtained == nil:
			o.add(i, open, c, asked(Fact{Field: place(i, "whollyObtained"), Question: fmt.Sprintf("Is %s wholly obtained?", c.name(i)), Values: trueFalse}))
		case !*m.Obtained:
			o.add(i, open, c, forPerson(fmt.Sprintf("%s is not wholly obtained. Whether its originating status is enough depends on the agreement.", c.name(i))))
		case c.status[i].is == open:
			o.add(i, open, c, found(no))
		}
	}
	return o
}

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
