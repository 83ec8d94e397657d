package nomenclature

// Children returns the indices of the lines directly below the one at i, at most most of them,
// and whether there are more.
func (t *Tree) Children(i, most int) (places []int, more bool) {
	for j := i + 1; j < len(t.nodes) && t.parent[j] >= i; j++ {
		if t.parent[j] != i {
			continue
		}
		if len(places) == most {
			return places, true
		}
		places = append(places, j)
	}
	return places, false
}
