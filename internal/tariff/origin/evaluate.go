package origin

import (
	"fmt"
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
	all = append(all, c.withTolerance(offences, r))
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
