package origin

import (
	"math/big"
	"slices"
	"strings"
)

// condition reads one condition.
func (p *parser) condition() (Node, bool) {
	p.take(words("in which"))
	p.take(words("within the above limit|limits ,?"))
	for _, f := range []func() (Node, bool){p.from, p.otherHeading, p.outweighed, p.ceiling, p.maximum, p.content, p.obtained, p.share} {
		if n, ok := try(p, f); ok {
			return n, true
		}
	}
	return Node{}, false
}

var fromAny = []pattern{words("non-originating? materials|products of any heading"), words("non-originating? materials|products of any subheading"), words("non-originating? materials|products of any chapter"), words("any heading")}

// from reads what the product must be made from.
func (p *parser) from() (Node, bool) {
	if !p.take(words("from")) {
		return Node{}, false
	}
	p.take(words("any of?"))
	p.take(words("the following materials :"))
	if start := p.pos; p.takeAny(fromAny) {
		return p.anyHeading(p.words[start:p.pos])
	}
	if p.take(words("non-originating? materials|products not classified in|within")) || p.take(words("non-originating? materials|products classified in|within any? heading? other than")) {
		s, ok := p.set()
		return leaf(Excluding{Sets: []Set{s}}), ok
	}
	if p.take(colon) || p.at(itemMark) {
		return p.fromList()
	}
	s, ok := p.set()
	if !ok || s.all() {
		return Node{}, false
	}
	return leaf(From{[]Set{s}}), true
}

// fromList reads ": - yarn, - fabric, or - fibres": any of the materials.
func (p *parser) fromList() (Node, bool) {
	var f From
	for p.take(words(itemMark)) {
		if p.take(words("the following materials :")) {
			return Node{}, false // a list in a list
		}
		s, ok := p.set()
		if !ok {
			return Node{}, false
		}
		f.Sets = append(f.Sets, s)
		p.take(words(",|;"))
		if p.take(words("and")) && !p.take(words("/ or")) {
			return Node{}, false
		}
		p.take(words("or"))
	}
	return leaf(f), len(f.Sets) > 0
}

var (
	thatOfProduct  = []pattern{words(",? except|excluding for? from? that|those of? the? product|good|products"), words(",? except|excluding for? from? that|those of the final product")}
	otherThanThat  = words(",? other than that|those of the product|good")
	includingWords = words(",? including other? non-originating?")
)

// anyHeading reads the exceptions after "materials of any heading".
func (p *parser) anyHeading(opening []string) (Node, bool) {
	e, level := Excluding{}, 4
	if slices.Contains(opening, "subheading") {
		level = 6
	} else if slices.Contains(opening, "chapter") {
		level = 2
	}
	if p.takeAny(thatOfProduct) || p.take(otherThanThat) {
		e.Level = level
		if at := p.pos; p.take(words(",? and|or that? those? of?")) {
			if s, ok := p.set(); ok && len(s.Codes) > 0 {
				e.Sets = append(e.Sets, s)
				return leaf(e), true
			}
			p.pos = at
		}
	}
	at := p.pos
	if p.take(includingWords) {
		if _, ok := p.set(); !ok {
			p.pos = at
			return Node{}, false
		}
	}
	p.exceptFrom(&e.Sets)
	return leaf(e), true
}

var otherHeadings = []pattern{
	words("all? the? non-originating? other? materials used? is|are|must|shall be? already? classified? in|within|under a heading other than that|those of the product|good"),
	words("all? the? non-originating? other? materials used? is|are|must|shall be? already? classified? in|within|under a heading other than that|those of the final? product|good"),
}

// otherHeading reads "all the materials used are classified within a heading other than that of the product".
func (p *parser) otherHeading() (Node, bool) {
	if p.takeAny(otherHeadings) {
		return leaf(Excluding{Level: 4}), true
	}
	if p.take(words("all? the? materials used? is|are classified? in|within a subheading other than that of the product|good")) {
		return leaf(Excluding{Level: 6}), true
	}
	if p.take(words("all? the? materials used? are classified? in|within a chapter other than that of the product|good")) {
		return leaf(Excluding{Level: 2}), true
	}
	if p.take(words("all? the? materials used? are classified? in|within a? heading? other than")) {
		s, ok := p.set()
		return leaf(Excluding{Sets: []Set{s}}), ok && len(s.Codes) > 0
	}
	return Node{}, false
}

var outweighing = words("the? value of all? the? non-originating materials used does|do|must|shall|may not exceed the? value of all? the? originating materials used?")

// outweighed reads "the value of all the non-originating materials used does not exceed the value of the originating ones".
func (p *parser) outweighed() (Node, bool) {
	p.take(words("where"))
	return leaf(Outweighed{}), p.take(outweighing)
}

var (
	valueOf = []pattern{
		words("the? total? value of all? any? the?"), words("their|its total? combined? value"), words("the? total? combined? value"), words("the? value of"),
		words("all? the? non-originating? value of"),
	}
	weightOf     = []pattern{words("the? total? combined? individual? net? weight of all? any? the?"), words("their|its total? net? weight"), words("the? total? combined? net? weight")}
	doesNot      = []pattern{words("does|do|must|shall|may|can not exceed"), words("cannot|doesn't|don't exceed"), words("is|are not|no more|higher|greater than"), words("not exceeding")}
	onlyUsed     = words("are? is? only used up to a value of")
	usedWord     = words("used")
	ofProduct    = words("of|for the? final|finished? printed? product|products|good|goods|set|fabric|sets")
	exWorksPrice = []pattern{words("the? value of the ex-works price (? exw? )?"), words("the? ex-works price (? exw? )?"), words("the? transaction value or|/ the? ex-works price"), words("the? exw")}
	fobPrice     = []pattern{words("the? free on board (? fob? )? price|cost|value"), words("the? fob price|value|cost"), words("the? value of the good"), words("the? fob")}
	productMass  = []pattern{words("the? net? weight"), words("the? total? net? weight")}
)

// ceiling reads "the value of all the materials used does not exceed 40% of the ex-works price of the product", and the
// same of weight.
func (p *parser) ceiling() (Node, bool) {
	p.take(words("where ,?"))
	p.take(words("within the above limit|limits ,?"))
	if n, ok := try(p, p.onlyUpTo); ok {
		return n, true
	}
	start := p.pos
	byWeight := p.takeAny(weightOf)
	if !byWeight && !p.takeAny(valueOf) {
		return Node{}, false
	}
	individual := slices.Contains(p.words[start:p.pos], "individual")
	p.theirs = slices.Contains([]string{"their", "its"}, p.words[start])
	of, ok := p.together()
	if !ok || !p.takeAny(doesNot) {
		return Node{}, false
	}
	p.take(colon)
	p.take(words(itemMark))
	if !individual {
		return p.limits(of, byWeight)
	}
	var all []Node
	for at := p.pos; len(of) > 0; of = of[1:] {
		p.pos = at
		n, ok := p.limits(of[:1], byWeight)
		if !ok {
			return n, false
		}
		all = append(all, n)
	}
	return allOf(all...), len(all) > 0
}

var andOf = []pattern{words("and of the?"), words(", of the?"), words("and the? materials of"), words("and the? weight of")}

// together reads the sets whose value or weight is meant; none for all materials.
func (p *parser) together() (all []Set, ok bool) {
	if p.seesAny(doesNot) {
		return nil, true
	}
	for {
		s, ok := p.setUntil(clauseStarts, verbs, andOf)
		if !ok {
			return nil, false
		}
		all = append(all, s)
		if !p.takeAny(andOf) {
			break
		}
	}
	p.take(usedWord)
	p.take(words("in production"))
	if p.takeAny(exceptions) || p.take(words(", except")) {
		not, ok := p.setUntil(clauseStarts, verbs, []pattern{comma})
		if !ok {
			return nil, false
		}
		all[len(all)-1].Except = append(all[len(all)-1].Except, not)
	}
	if at := p.pos; p.take(comma) && !p.seesAny(doesNot) {
		p.pos = at
	}
	if len(all) == 1 && all[0].all() {
		all = nil
	}
	return all, true
}

// onlyUpTo reads "the materials classified within heading 8431 are only used up to a value of 10% of the ex-works price".
func (p *parser) onlyUpTo() (Node, bool) {
	s, ok := p.setUntil([]pattern{words("are only"), words(", taken together"), words(".|;|:|,|" + itemMark)})
	if !ok {
		return Node{}, false
	}
	p.take(words(", taken together ,"))
	if !p.take(onlyUsed) {
		return Node{}, false
	}
	return p.limits([]Set{s}, false)
}

// limits reads "50% of the ex-works price (EXW) or 45% of the FOB price of the product".
func (p *parser) limits(of []Set, byWeight bool) (Node, bool) {
	first, ok := p.limit(of, byWeight)
	if !ok {
		return Node{}, false
	}
	all := []Node{first}
	for {
		n, ok := try(p, func() (Node, bool) {
			if !p.take(words(",? or")) {
				return Node{}, false
			}
			return p.limit(of, byWeight)
		})
		if !ok {
			return anyOf(all...), true
		}
		all = append(all, n)
	}
}

func (p *parser) limit(of []Set, byWeight bool) (Node, bool) {
	percent, ok := p.percent()
	if !ok || !p.take(words("of")) {
		return Node{}, false
	}
	base, ok := p.base(byWeight)
	return leaf(Ceiling{Of: of, Percent: percent, Base: base}), ok
}

func (p *parser) percent() (*big.Rat, bool) {
	if p.end() {
		return nil, false
	}
	digits, ok := strings.CutSuffix(p.words[p.pos], "%")
	if !ok || strings.Trim(digits, "0123456789.") != "" {
		return nil, false
	}
	r, ok := new(big.Rat).SetString(digits)
	if !ok || r.Cmp(hundred) > 0 {
		return nil, false
	}
	p.pos++
	return r, true
}

var hundred = big.NewRat(100, 1)

// base reads what a percentage is of.
func (p *parser) base(byWeight bool) (b Base, ok bool) {
	switch {
	case byWeight && p.takeAny(productMass):
		b = Mass
	case byWeight:
		return 0, false
	case p.takeAny(exWorksPrice):
		b = ExWorks
	case p.takeAny(fobPrice):
		b = FOB
	default:
		return 0, false
	}
	p.take(ofProduct)
	return b, true
}

// maximum reads the short forms of a ceiling in which MaxNOM stands.
func (p *parser) maximum() (Node, bool) {
	if p.take(words("a? maximum of")) {
		n, ok := p.limits(nil, false)
		return n, ok && p.take(words("is|are made up of non-originating parts|materials"))
	}
	if p.take(words("the? maximum value of non-originating materials cannot exceed")) {
		return p.limits(nil, false)
	}
	return Node{}, false
}

var contentWords = []pattern{words("your? goods? contain? there? is? has? a? regional value content ( rvc ) of at least|not? less? than?"), words("there? is? a? regional value content of? is? not|at less|least than?")}

// content reads a regional value content.
func (p *parser) content() (Node, bool) {
	if !p.takeAny(contentWords) {
		return Node{}, false
	}
	p.take(colon)
	if !p.at(itemMark) {
		return p.regional()
	}
	var all []Node
	for p.take(words(itemMark)) {
		n, ok := p.regional()
		if !ok {
			return n, false
		}
		all = append(all, n)
		p.take(words(",|;|."))
		p.take(words("or"))
	}
	return anyOf(all...), true
}

func (p *parser) regional() (Node, bool) {
	percent, ok := p.percent()
	if !ok {
		return Node{}, false
	}
	switch {
	case p.take(words("of")):
		b, ok := p.base(false)
		return leaf(Content{BuildDown, percent, b}), ok
	case p.take(words("under the build-down method")):
		return leaf(Content{BuildDown, percent, FOB}), true
	case p.take(words("under the build-up method")):
		return leaf(Content{BuildUp, percent, FOB}), true
	case p.take(words("under the focused value method taking into account only the non-originating materials of")):
		codes, ok := p.codes()
		return leaf(Ceiling{Of: []Set{{Codes: codes}}, Percent: new(big.Rat).Sub(hundred, percent), Base: FOB}), ok
	case p.take(words("under the net cost method")):
		return leaf(Unread{"net cost method"}), true
	}
	return Node{}, false
}

var (
	areObtained    = words("used? is|are|must|shall be? wholly obtained")
	inTheCountry   = []pattern{words("or produced"), words("in the country or territory"), words("in a? party|parties")}
	areOriginating = words("used? is|are|must|shall already? be? already? originating")
)

// obtained reads "all the materials of chapter 4 used are wholly obtained", and the same of originating ones.
func (p *parser) obtained() (Node, bool) {
	p.take(words("all|any"))
	s, ok := p.subject()
	if !ok {
		return Node{}, false
	}
	switch {
	case p.take(areObtained):
		p.takeAny(inTheCountry)
		return leaf(Obtained{s}), true
	case p.take(areOriginating):
		return leaf(Excluding{Sets: []Set{s}}), true
	}
	return Node{}, false
}

// share reads "at least 70% by weight of the tobacco of heading 2401 used is originating".
func (p *parser) share() (Node, bool) {
	if !p.take(words("at least")) {
		return Node{}, false
	}
	percent, ok := p.percent()
	if !ok || !p.take(words("by weight of the?")) {
		return Node{}, false
	}
	s, ok := p.subject()
	if !ok || !p.take(areOriginating) {
		return Node{}, false
	}
	return leaf(Share{s, percent}), true
}
