package origin

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// verdict is the answer under one scheme.
type verdict struct {
	finding
	scheme     *Scheme
	chosen     *RuleSet
	possible   []*RuleSet
	rules      map[*RuleSet][]finding
	tolerance  state
	cumulation state
	minimal    state
	transport  state
	drawback   state
}

// state is the state of a requirement. read is the article, where a person must read it.
type state struct {
	finding
	reached bool
	read    string
}

// decide answers a question under one scheme.
func (q *Question) decide(s *Scheme, m *sums, missing []string) verdict {
	c := &check{q: q, s: s, sums: m, words: m.product, goods: m.goods}
	c.materials()
	v := verdict{scheme: s, rules: map[*RuleSet][]finding{}}
	all := []finding{c.applies(), c.place()}
	made := c.made(&v)
	v.minimal, v.transport, v.drawback = c.minimal(), c.transport(), c.drawback()
	if c.obtainedWhole() {
		v.minimal = state{}
	}
	all = append(all, made, v.minimal.counted(), v.transport.counted(), v.drawback.counted())
	v.finding = and(all...)
	for _, currency := range missing {
		if v.is == open {
			v.why = append(v.why, fmt.Sprintf("There is no HMRC exchange rate of %s for %s, so amounts in it are not known.", currency, q.Date))
		}
	}
	v.tolerance, v.cumulation = c.toleranceState(made), c.cumulationState()
	v.tidy()
	return v
}

// counted is the finding of a requirement if anything depends on it.
func (s state) counted() finding {
	if !s.reached {
		return found(yes)
	}
	return s.finding
}

// applies decides whether the scheme is for goods of the country on the day.
func (c *check) applies() finding {
	switch {
	case !c.s.names(c.q.ExportCountry):
		return found(no, fmt.Sprintf("The scheme is not for goods of %s.", c.q.ExportCountry))
	case !c.s.holds(c.q.Date):
		return found(no, fmt.Sprintf("The scheme is not in force on %s.", c.q.Date))
	}
	return found(yes)
}

// place decides whether the product was made in the country that exports it.
func (c *check) place() finding {
	made := c.q.Production.Country
	switch {
	case made == "":
		return asked(Fact{Field: "production.country", Question: "In which country was the product made?", Values: []string{c.q.ExportCountry}})
	case made == c.q.ExportCountry:
		return found(yes)
	case slices.Contains(membersEU, made) && slices.Contains(membersEU, c.q.ExportCountry):
		return found(yes, "The member states of the European Union are one party.")
	case c.cumulates(made):
		return forPerson(fmt.Sprintf("The product was made in %s and is exported from %s. The article on cumulation says whether that is enough.", made, c.q.ExportCountry))
	}
	return found(no, fmt.Sprintf("The product was made in %s, outside of the parties.", made))
}

// obtainedWhole reports whether the product is wholly obtained, and its materials do not contradict that.
func (c *check) obtainedWhole() bool {
	if o := c.q.Production.Obtained; o == nil || !*o {
		return false
	}
	return !slices.ContainsFunc(c.status, func(f finding) bool { return f.is != yes })
}

// made decides whether the product is wholly obtained or sufficiently made.
func (c *check) made(v *verdict) finding {
	if c.obtainedWhole() {
		return found(yes, "The product is wholly obtained.")
	}
	if len(c.q.Materials) > 0 && !slices.ContainsFunc(c.status, func(f finding) bool { return f.is != yes }) && len(c.s.Sets) == 0 {
		return found(yes, "All materials originate.")
	}
	if len(c.s.Sets) == 0 {
		return forPerson("The rules of this scheme are not held.")
	}
	sets := c.candidates()
	if len(sets) == 0 {
		return forPerson("The scheme has no rule set for the code. Its general rule, if it has one, must be read.")
	}
	findings := make([]finding, len(sets))
	for i, set := range sets {
		findings[i] = c.set(set, v)
	}
	if len(sets) == 1 && !c.uncertain(sets[0]) {
		v.chosen = sets[0]
		return findings[0]
	}
	return c.amongSets(sets, findings, v)
}

// amongSets decides where only the description shows which rule set applies. If all of them agree, it does not matter.
func (c *check) amongSets(sets []*RuleSet, findings []finding, v *verdict) finding {
	if at := c.described(sets); at >= 0 {
		v.chosen = sets[at]
		if f := findings[at]; f.is != yes || !sets[at].Special {
			return f
		}
		return forPerson("The rule set is for a quota or a derogation. A person must decide whether the product is within it.")
	}
	v.possible = sets
	first := findings[0]
	agree := first.is != open && !slices.ContainsFunc(findings, func(f finding) bool { return f.is != first.is })
	if agree && !slices.ContainsFunc(sets, func(s *RuleSet) bool { return s.Special }) && (len(sets) > 1 || first.is == no) && c.covered(sets) {
		first.why = append([]string{fmt.Sprintf("Whichever of %d rule sets is for the product, the answer is the same.", len(sets))}, first.why...)
		return first
	}
	var texts []string
	for _, s := range sets {
		texts = append(texts, cmp.Or(s.Subdivision, s.Heading))
	}
	f := forPerson("The description of the product must choose among rule sets. Give the text of the right subdivision as description.")
	f.facts = []Fact{{Field: "description", Question: "Which of these is the product?", Values: texts}}
	return f
}

// covered reports whether one of the sets is for every product of the code that the others leave.
func (c *check) covered(sets []*RuleSet) bool {
	return slices.ContainsFunc(sets, func(s *RuleSet) bool { return !s.Partial || chapterWide(s) })
}

// chapterWide reports whether a set is the rule of a chapter, which holds for everything that no other set names.
func chapterWide(s *RuleSet) bool {
	return strings.Contains(strings.ToLower(s.Heading), "chapter")
}

// described returns the set whose subdivision is the description of the product; -1 if there is none or several.
func (c *check) described(sets []*RuleSet) int {
	words, at := c.words, -1
	if words == "" {
		return -1
	}
	for i, s := range sets {
		if s.words != words {
			continue
		}
		if at >= 0 {
			return -1
		}
		at = i
	}
	return at
}

// uncertain reports whether a set that is the only one may not be for the product.
func (c *check) uncertain(s *RuleSet) bool {
	return s.Special || s.Partial && !chapterWide(s) || !s.covers(c.q.Code)
}

// covers reports whether a set covers everything of a code.
func (s *RuleSet) covers(code string) bool {
	return s.Min <= filled(code, "0") && filled(code, "9") <= s.Max
}

// candidates returns the rule sets that may be for the product: the most special ones, up to the first that is for
// everything in its interval.
func (c *check) candidates() (all []*RuleSet) {
	first, last := filled(c.q.Code, "0"), filled(c.q.Code, "9")
	for i := range c.s.Sets {
		s := &c.s.Sets[i]
		if s.Min > last {
			break // they are in order
		}
		if s.Max >= first {
			all = append(all, s)
		}
	}
	slices.SortStableFunc(all, func(a, b *RuleSet) int { return cmp.Compare(a.width, b.width) })
	for i, s := range all {
		if s.Partial || s.Special || s.Min > first || last > s.Max {
			continue
		}
		for i+1 < len(all) && all[i+1].Min == s.Min && all[i+1].Max == s.Max {
			i++
		}
		return all[:i+1]
	}
	return all
}

// set decides a rule set.
func (c *check) set(s *RuleSet, v *verdict) finding {
	all := make([]finding, len(s.Rules))
	for i := range s.Rules {
		all[i] = c.rule(&s.Rules[i])
		all[i].tidy()
	}
	v.rules[s] = all
	switch {
	case len(all) == 0:
		return forPerson("The rule set has no text.")
	case len(c.q.Materials) > 0 && c.allOriginate():
		return found(yes, "All materials originate.")
	case s.Unsure:
		return same(or(all...), and(all...))
	}
	return or(all...)
}

func (c *check) allOriginate() bool {
	return !slices.ContainsFunc(c.status, func(f finding) bool { return f.is != yes })
}

// minimal decides whether more was done than insufficient operations.
func (c *check) minimal() state {
	if !c.mayHave(insufficient) {
		return state{}
	}
	s := state{reached: true}
	switch m := c.q.Production.Minimal; {
	case m == nil:
		s.finding = asked(Fact{Field: "production.onlyMinimalOperations", Question: "Was nothing done but operations that the agreement calls insufficient, such as packing, sorting or simple assembly?", Values: trueFalse})
		s.read = c.s.Article(insufficient)
	case *m:
		s.finding = found(no, "Only insufficient operations were carried out.")
	default:
		s.finding = found(yes, "More was done than insufficient operations.")
	}
	return s
}

// mayHave reports whether the scheme has one of some articles, or none of its articles are held.
func (c *check) mayHave(names ...string) bool {
	return len(c.s.articles) == 0 || slices.ContainsFunc(names, func(n string) bool { return c.s.articles[n] != "" })
}

// transport decides whether the product is transported as the scheme demands.
func (c *check) transport() state {
	if !c.mayHave(directTransport, nonAlteration) {
		return state{}
	}
	s := state{reached: true}
	direct, altered := c.q.Direct, c.q.Altered
	strict := len(c.s.articles) == 0 || c.s.articles[directTransport] != ""
	switch {
	case altered != nil && *altered:
		s.finding = found(no, "The product is altered in transit.")
	case strict && direct != nil && !*direct:
		s.finding = forPerson("The product is not transported directly. The article says under which conditions it may pass through other territories.")
	case strict && direct == nil:
		s.finding = asked(Fact{Field: "transport.direct", Question: "Is the product transported directly?", Values: trueFalse})
	case strict && c.s.articles[nonAlteration] == "" && len(c.s.articles) > 0, altered != nil:
		s.finding = found(yes, "The product is transported as the scheme demands.")
	default:
		s.finding = asked(Fact{Field: "transport.alteredInTransit", Question: "Is the product altered in transit?", Values: trueFalse})
	}
	if s.is == open {
		s.read = cmp.Or(c.s.Article(directTransport), c.s.Article(nonAlteration))
	}
	return s
}

// drawback decides whether duties on the materials were drawn back, where the scheme forbids it.
func (c *check) drawback() state {
	if !c.mayHave(dutyDrawback) {
		return state{}
	}
	s := state{reached: true, read: c.s.Article(dutyDrawback)}
	switch d := c.q.Drawback; {
	case d == nil:
		s.finding = asked(Fact{Field: "consignment.drawbackClaimed", Question: "Was drawback of, or exemption from, duties on the materials claimed?", Values: trueFalse})
	case !*d:
		s.finding, s.read = found(yes, "No drawback was claimed."), ""
	case s.read == "" || exception.MatchString(normal(s.read)) || c.allOriginate():
		s.finding = forPerson("Drawback was claimed. The article says whether that is permitted here.")
	default:
		s.finding, s.read = found(no, "Drawback was claimed, which the scheme forbids."), ""
	}
	return s
}

// toleranceState describes the part that the tolerance had.
func (c *check) toleranceState(made finding) state {
	text := c.s.tolerance.text
	if textile(c.q.Code) {
		text = cmp.Or(c.s.textiles.text, text)
	}
	switch {
	case slices.ContainsFunc(made.why, func(w string) bool { return strings.HasPrefix(w, "The tolerance is used.") }):
		return state{reached: true, finding: found(yes, "It covers the materials that the rule does not permit.")}
	case made.is == yes, text == "" && made.is == no:
		return state{}
	case made.is == no:
		return state{reached: true, finding: found(no, "It does not cover the materials, or not this rule.")}
	}
	return state{reached: true, finding: finding{is: open, why: []string{"It depends on what is not known."}}, read: text}
}

// cumulationState describes which materials of other countries count.
func (c *check) cumulationState() state {
	var counted, doubted []string
	for i := range c.q.Materials {
		m := &c.q.Materials[i]
		if m.Origin == "" || m.Origin == c.q.ExportCountry || m.Originating == nil || !*m.Originating {
			continue
		}
		switch c.status[i].is {
		case yes:
			counted = append(counted, m.Origin)
		case open:
			doubted = append(doubted, m.Origin)
		}
	}
	slices.Sort(counted)
	slices.Sort(doubted)
	switch {
	case len(doubted) > 0:
		return state{reached: true, finding: finding{is: open, why: []string{"Whether materials of " + strings.Join(slices.Compact(doubted), ", ") + " count is not known."}}, read: c.s.Article(cumulationImport)}
	case len(counted) > 0:
		return state{reached: true, finding: found(yes, "Materials of "+strings.Join(slices.Compact(counted), ", ")+" count as originating.")}
	}
	return state{}
}
