package origin

import "slices"

var (
	mayBeUsed    = []pattern{words("used? may also? be used|incorporated"), words("are? may be used")}
	mayNotBeUsed = words("may|must|shall not be used")
	provided     = []pattern{words(",? provided|if that?"), words(",? where"), words(",? as long as"), words(", if")}
	anchors      = []pattern{words("however ,?"), words("nevertheless ,?")}
)

// proviso reads a sentence after a clause: what may be used nevertheless, what must not, or a further ceiling.
func (p *parser) proviso(n Node) (Node, bool) {
	if !p.takeAny(anchors) && !p.sees(words("the? materials of this description may also be used")) {
		return n, false
	}
	if c, ok := try(p, p.ceiling); ok {
		return allOf(n, c), true
	}
	sets, ok := p.sets()
	if !ok {
		return n, false
	}
	if p.take(mayNotBeUsed) {
		return allOf(n, leaf(Excluding{Sets: sets})), true
	}
	if !p.takeAny(mayBeUsed) {
		return n, false
	}
	var limits []Node
	if p.takeAny(provided) {
		c, ok := p.ceilingOf(sets)
		if !ok {
			return n, false
		}
		limits = append(limits, c)
	}
	widened, ok := n.allowing(sets)
	if !ok {
		return n, false
	}
	return allOf(append([]Node{widened}, limits...)...), true
}

var denomination = words(",? of which the denomination in all cases of a single filament or fibre is less than 9 decitex ,?")

// sets reads the subject of a proviso, in one phrase or as a list.
func (p *parser) sets() ([]Set, bool) {
	if !p.take(colon) && !p.at(itemMark) {
		s, ok := p.subject()
		return []Set{s}, ok && !s.all()
	}
	var all []Set
	for p.take(words(itemMark)) {
		s, ok := p.subject()
		if !ok || s.all() {
			return nil, false
		}
		all = append(all, s)
		p.take(words(",|;"))
		p.take(words("or|and"))
	}
	if start := p.pos; p.take(denomination) {
		for i := range all {
			if all[i].Words == "" {
				return nil, false
			}
			all[i].Words += " " + plainWords(p.words[start:p.pos])
		}
	}
	return all, len(all) > 0
}

// ceilingOf reads "their total value does not exceed 20% of the ex-works price of the product" of some sets together.
func (p *parser) ceilingOf(sets []Set) (Node, bool) {
	n, ok := p.ceiling()
	if !ok {
		return n, false
	}
	return n.of(sets)
}

// of gives ceilings their subject.
func (n Node) of(sets []Set) (Node, bool) {
	if c, is := n.Leaf.(Ceiling); is {
		if c.Of == nil {
			c.Of = sets
		}
		return leaf(c), true
	}
	nodes := make([]Node, len(n.Nodes))
	for i, c := range n.Nodes {
		var ok bool
		if nodes[i], ok = c.of(sets); !ok {
			return n, false
		}
	}
	return Node{Op: n.Op, Nodes: nodes}, len(nodes) > 0
}

// allowing widens the conditions on materials by sets that may be used. If the node has several conditions on materials,
// the sets widen each of them.
func (n Node) allowing(sets []Set) (Node, bool) {
	switch c := n.Leaf.(type) {
	case Excluding:
		c.May = slices.Concat(c.May, sets)
		return leaf(c), true
	case From:
		c.Sets = slices.Concat(c.Sets, sets)
		return leaf(c), true
	case Obtained:
		c.Of.Except = slices.Concat(c.Of.Except, sets)
		return leaf(c), true
	case nil:
	default:
		return n, false
	}
	widened := false
	nodes := slices.Clone(n.Nodes)
	for i := range nodes {
		if next, ok := nodes[i].allowing(sets); ok {
			nodes[i], widened = next, true
		}
	}
	return Node{Op: n.Op, Nodes: nodes}, widened
}
