package origin

import "slices"

// maxClauses limits how many combinations of alternatives a rule may have. The most in the published texts is 24.
const maxClauses = 256

// clauses returns the alternatives of every reading of a node; false if there are too many.
func clauses(n Node) (readings [][]clause, ok bool) {
	nodes, ok := n.readings()
	for _, r := range nodes {
		all, fits := r.alternatives()
		if !fits {
			return nil, false
		}
		readings = append(readings, all)
	}
	return readings, ok
}

// readings returns the node without Readings, once for each way to read the whole.
func (n Node) readings() ([]Node, bool) {
	switch n.Op {
	case Is:
		return []Node{n}, true
	case Readings:
		var all []Node
		for _, c := range n.Nodes {
			r, ok := c.readings()
			if !ok {
				return nil, false
			}
			all = append(all, r...)
		}
		return all, len(all) <= maxClauses
	}
	all := []Node{{Op: n.Op}}
	for _, c := range n.Nodes {
		r, ok := c.readings()
		if !ok || len(all)*len(r) > maxClauses {
			return nil, false
		}
		var next []Node
		for _, a := range all {
			for _, b := range r {
				next = append(next, Node{Op: n.Op, Nodes: append(slices.Clone(a.Nodes), b)})
			}
		}
		all = next
	}
	return all, true
}

// alternatives returns the node as a choice of clauses.
func (n Node) alternatives() ([]clause, bool) {
	if n.Op == Is {
		return []clause{{n.Leaf}}, true
	}
	all := []clause{{}}
	if n.Op == Any {
		all = nil
	}
	for _, c := range n.Nodes {
		more, ok := c.alternatives()
		if !ok {
			return nil, false
		}
		if n.Op == Any {
			all = append(all, more...)
		} else {
			all = product(all, more)
		}
		if len(all) > maxClauses {
			return nil, false
		}
	}
	return all, true
}

func product(a, b []clause) (all []clause) {
	for _, x := range a {
		for _, y := range b {
			all = append(all, slices.Concat(x, y))
		}
	}
	return all
}
