package nomenclature

import "strings"

// Nearest returns the nearest code above one of ten digits that the nomenclature has; empty if there is none.
func (t *Tree) Nearest(code string) string {
	for digits := codeDigits - 2; digits >= chapterDigits; digits -= 2 {
		above := code[:digits] + strings.Repeat("0", codeDigits-digits)
		if _, ok := t.byCode[above]; ok {
			return above
		}
	}
	return ""
}

// Below returns the declarable codes below the line at i on a day (YYYY-MM-DD), at most most of them, in the order of the
// nomenclature.
func (t *Tree) Below(i int, day string, most int) (codes []string) {
	depth := t.nodes[i].Depth()
	for j := i + 1; j < len(t.nodes) && t.nodes[j].Depth() > depth && len(codes) < most; j++ {
		if n := &t.nodes[j]; n.Declarable && n.InForce(day) {
			codes = append(codes, n.Code)
		}
	}
	return codes
}

// Codes returns the codes of the line at i and of the lines above it that have a code of their own.
func (t *Tree) Codes(i int) (codes []string) {
	for ; i != none; i = t.parent[i] {
		if t.nodes[i].Suffix == Line {
			codes = append(codes, t.nodes[i].Code)
		}
	}
	return codes
}
