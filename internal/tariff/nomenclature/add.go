package nomenclature

import "slices"

// With returns the tree with codes that it lacks. Each path leads from the chapter and the heading down to the code, which is its
// last node; the chapter and the heading are added too if they are missing. A code stands below the nearest line of its path that
// the tree has, and is as deep as that line's other children, whatever its own indent says.
func (t *Tree) With(paths [][]Node) (*Tree, error) {
	nodes, known := slices.Clone(t.nodes), map[string]bool{}
	for code := range t.byCode {
		known[code] = true
	}
	for _, path := range paths {
		above := ""
		for i, n := range path {
			added := i < 2 || i == len(path)-1 // chapter, heading, code
			if !known[n.Code] && added {
				nodes = insert(nodes, above, n)
				known[n.Code] = true
			}
			if known[n.Code] && n.Suffix == Line {
				above = n.Code
			}
		}
	}
	return New(nodes)
}

// insert inserts a node below the line of a code, in the order of codes; a chapter if there is none.
func insert(nodes []Node, above string, n Node) []Node {
	at, depth := 0, 0
	if above != "" {
		parent := slices.IndexFunc(nodes, func(o Node) bool { return o.Code == above && o.Suffix == Line })
		at, depth = parent+1, nodes[parent].Depth()+1
		n.Indent = depth - 1
	}
	for at < len(nodes) && nodes[at].Depth() >= depth && (nodes[at].Depth() > depth || nodes[at].Code < n.Code) {
		at++
	}
	return slices.Insert(nodes, at, n)
}
