package origin

import (
	"slices"
	"strings"
)

var (
	changePrefix = words("cth|cc|ctsh|ctc :")
	allUndergone = words("all the? non-originating materials used in the production of the? good|goods|product")
	hasUndergone = words("have|has undergone a change in tariff? classification at the")
	levelWord    = words("level|levels (? chapter|tariff|heading|subheading? heading? )?")
	levels       = map[string]int{"2-digit": 2, "4-digit": 4, "6-digit": 6, "two-digit": 2, "four-digit": 4, "six-digit": 6}
	manufacture  = words("manufacture|production")
	otherWork    = []pattern{words("other operations than those referred to in column"), words("other operations"), words("any other operation")}
	colon        = words(":")
)

// clause reads one way to fulfil a rule.
func (p *parser) clause() (Node, bool) {
	for _, f := range []func() (Node, bool){p.undergone, p.manufactured, p.change, p.noChange, p.content, p.condition, p.process} {
		if n, ok := try(p, f); ok {
			return n, true
		}
	}
	return Node{}, false
}

// undergone reads "All non-originating materials … have undergone a change in tariff classification at the 4-digit level".
func (p *parser) undergone() (Node, bool) {
	p.take(changePrefix)
	if !p.take(allUndergone) || !p.take(hasUndergone) || p.end() {
		return Node{}, false
	}
	level := levels[p.next()]
	if level == 0 || !p.take(levelWord) {
		return Node{}, false
	}
	e := Excluding{Level: level}
	if p.exceptFrom(&e.Sets) {
		return p.with(leaf(e))
	}
	return p.with(leaf(e))
}

var exceptWords = []pattern{words(",? and? except|excluding for? from? non-originating? materials? of? those? of?"), words(",? other than from? those? of?")}

// exceptFrom reads sets that are excluded.
func (p *parser) exceptFrom(to *[]Set) bool {
	at := p.pos
	if !p.takeAny(exceptWords) {
		return false
	}
	for {
		s, ok := p.set()
		if !ok {
			p.pos = at
			return false
		}
		*to = append(*to, s)
		if !p.take(words(",? or|and? except from")) {
			return true
		}
	}
}

// manufactured reads "Manufacture from …", "Manufacture in which …", "Manufacture: - from …".
func (p *parser) manufactured() (Node, bool) {
	if !p.take(manufacture) && !p.takeAny(otherWork) {
		return Node{}, false
	}
	p.take(comma)
	if n, ok := try(p, p.list); ok {
		return n, true
	}
	if n, ok := try(p, p.treatment); ok {
		return p.with(n)
	}
	n, ok := p.condition()
	if !ok {
		return n, false
	}
	return p.with(n)
}

// treatment reads "by thermal or electrolytic treatment [from …]".
func (p *parser) treatment() (Node, bool) {
	if !p.take(words("by")) {
		return Node{}, false
	}
	start := p.pos
	for !p.end() && !p.at("from", "in", ".", "provided", "or") || p.at("or") && !p.sees(words("or manufacture")) {
		p.pos++
	}
	if !ordinary(p.words[start:p.pos]) {
		return Node{}, false
	}
	n := leaf(Process{codeOf(strings.Join(p.words[start:p.pos], " "))})
	if p.end() || p.at(".", "or") {
		return n, true
	}
	c, ok := p.condition()
	return allOf(n, c), ok
}

var joiners = []pattern{
	words(",? and? / in which"), words(",? and provided that?"), words(",? provided that?"), words(",? provided also that"), words(",? and? if"), words(",? and? where"),
	words(",? and? in which"), words(",? and? that"), words(",? but"), words(",? and also"), words(",? and"), words(","),
}

// with reads the conditions that follow a node and adds them.
func (p *parser) with(n Node) (Node, bool) {
	all := []Node{n}
	for {
		p.theirs = false
		c, ok := try(p, p.joined)
		if !ok {
			return allOf(all...), true
		}
		if p.theirs {
			from, is := all[len(all)-1].Leaf.(From)
			if !is {
				return c, false
			}
			if c, ok = c.of(from.Sets); !ok {
				return c, false
			}
		}
		all = append(all, c)
	}
}

func (p *parser) joined() (Node, bool) {
	if !p.takeAny(joiners) {
		return Node{}, false
	}
	if n, ok := try(p, p.list); ok {
		return n, true
	}
	return p.condition()
}

// list reads ": - condition, and - condition". The connectives between the items say whether all or one must hold; lists
// without connectives state conditions that all must hold.
func (p *parser) list() (Node, bool) {
	p.take(words("in which"))
	p.take(colon)
	if !p.at(itemMark) {
		return Node{}, false
	}
	var items []Node
	op, explicit := All, false
	for p.take(words(itemMark)) {
		items = append(items, p.item())
		p.take(words(",|;|."))
		switch {
		case p.sees(words("and / or")), p.sees(words("and or")):
			return Node{}, false
		case p.take(words("or")):
			if explicit && op != Any {
				return Node{}, false
			}
			op, explicit = Any, true
		case p.take(words("and")):
			if explicit && op != All {
				return Node{}, false
			}
			explicit = true
		}
	}
	if op == Any && slices.ContainsFunc(items, Node.unread) && len(items) < 2 {
		return Node{}, false
	}
	return combined(op, items), true
}

// item reads an item of a list with its provisos. What is not understood becomes a part of its own.
func (p *parser) item() Node {
	start := p.pos
	if n, ok := try(p, func() (Node, bool) {
		n, ok := p.condition()
		if !ok {
			return n, false
		}
		if n, ok = p.with(n); !ok {
			return n, false
		}
		for {
			next, found := try(p, func() (Node, bool) { p.take(stop); return p.proviso(n) })
			if !found {
				return n, p.itemEnds()
			}
			n = next
		}
	}); ok {
		return n
	}
	p.pos = start
	for !p.end() && !p.at(itemMark) {
		p.pos++
	}
	return leaf(Unread{strings.Join(p.words[start:p.pos], " ")})
}

func (p *parser) itemEnds() bool {
	at := p.pos
	defer func() { p.pos = at }()
	p.take(words(",|;|."))
	p.take(words("and|or"))
	return p.end() || p.at(itemMark) || p.seesAny(alternative) || p.at("manufacture", "production")
}
