package origin

import "strings"

var (
	fromOther   = words("from any other chapter|heading|subheading")
	withinWords = []pattern{words("from within any one of these heading|subheading|chapter|headings|subheadings|chapters"), words("from within this|these|that heading|subheading|chapter|headings|subheadings|chapters")}
	orAnyOther  = []pattern{words("or any other chapter|heading|subheading"), words(", whether or not there is also a change from any|another other? chapter|heading|subheading")}
	alsoChange  = words(",? whether or not there is also a change from any|another other? chapter|heading|subheading ,?")
)

// change reads "A change from any other heading, except from heading 8466", and "A change to lamps of heading 9405 from any
// other heading".
func (p *parser) change() (Node, bool) {
	if !p.take(words("a change")) {
		return Node{}, false
	}
	var scope []Node
	if p.take(words("to")) {
		s, ok := p.goods([]pattern{words(",? from any other"), words(",? from within")})
		if !ok {
			return Node{}, false
		}
		scope = append(scope, leaf(ForGoods{s}))
		p.take(comma)
	}
	e := Excluding{}
	switch {
	case p.takeAny(withinWords):
		if !p.takeAny(orAnyOther) {
			return Node{}, false
		}
	case p.take(fromOther):
		e.Level = levelOf(p.words[p.pos-1])
		if !p.exceptFrom(&e.Sets) && p.seesAny(exceptWords) {
			return Node{}, false
		}
		p.take(alsoChange)
	default:
		return Node{}, false
	}
	return p.with(allOf(append(scope, leaf(e))...))
}

func levelOf(name string) int {
	switch strings.TrimSuffix(name, "s") {
	case "chapter":
		return 2
	case "subheading":
		return 6
	}
	return 4
}

// goods reads which products of its rule set a rule is for.
func (p *parser) goods(ends ...[]pattern) (Set, bool) {
	start := p.pos
	other := p.sees(words("any other"))
	s, ok := p.setUntil(ends...)
	if !ok {
		if codes, found := setOf(append([]string{"materials"}, p.words[start:p.pos]...)); found {
			s, ok = codes, true
		}
	}
	if other && s.Words == "" { // those that other rules of the set do not name
		s.Words = plain(strings.Join(p.words[start:p.pos], " "))
	}
	return s, ok && (len(s.Codes) > 0 || s.Words != "")
}

// noChange reads "No change in tariff classification is required for a good of heading 8501, provided that …".
func (p *parser) noChange() (Node, bool) {
	if !p.take(words("no change in tariff classification is? required")) {
		return Node{}, false
	}
	var scope []Node
	if p.take(words("for|to")) {
		s, ok := p.goods([]pattern{words(",? provided"), words("."), words(",? if")})
		if !ok {
			return Node{}, false
		}
		scope = append(scope, leaf(ForGoods{s}))
	}
	if !p.take(words(",? provided that?")) {
		return Node{}, false
	}
	n, ok := try(p, p.list)
	if !ok {
		if n, ok = p.condition(); !ok {
			return n, false
		}
	}
	return p.with(allOf(append(scope, n)...))
}
