package tariff

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/tariff/nomenclature"
)

// group is the product line suffix of a subheading whose code with zeros is also that of a
// line below it.
const group = "10"

var errOrphan = errors.New("must be below its chapter and its heading")

// embeddedNodes returns the rows as nodes in the order of the nomenclature. The parent of a row has
// the longest prefix of its code. A heading or subheading with only one code, such as honey,
// is that line.
func embeddedNodes(all []embeddedRow) ([]nomenclature.Node, error) {
	rows := inOrder(all)
	nodes := make([]nomenclature.Node, 0, len(rows))
	var above []string
	for i, r := range rows {
		for len(above) > 0 && !strings.HasPrefix(r.code, above[len(above)-1]) {
			above = above[:len(above)-1]
		}
		if len(above) < min(len(r.code)/2-1, 2) {
			return nil, fmt.Errorf("code %q: %w", r.code, errOrphan)
		}
		if last := len(nodes) - 1; last >= 0 && nodes[last].Code == r.padded {
			if singleCode(rows[i:], above[len(above)-1]) {
				absorb(&nodes[last], r)
				continue
			}
			nodes[last].Suffix = group
		}
		nodes = append(nodes, r.node(max(len(above)-1, 0)))
		above = append(above, r.code)
	}
	return nodes, nil
}

// inOrder sorts rows by code, and of two that differ only in zeros the shorter one first.
func inOrder(all []embeddedRow) []*embeddedRow {
	rows := make([]*embeddedRow, len(all))
	for i := range all {
		rows[i] = &all[i]
	}
	slices.SortFunc(rows, func(a, b *embeddedRow) int {
		return cmp.Or(strings.Compare(a.padded, b.padded), cmp.Compare(len(a.code), len(b.code)))
	})
	return rows
}

// singleCode reports whether all rows with a prefix have the same code of ten digits.
func singleCode(rows []*embeddedRow, below string) bool {
	for _, r := range rows {
		if !strings.HasPrefix(r.code, below) {
			return true
		}
		if r.padded != rows[0].padded {
			return false
		}
	}
	return true
}

func absorb(n *nomenclature.Node, r *embeddedRow) {
	n.Declarable = n.Declarable || r.declarable()
	n.Terms = slices.Concat(n.Terms, []string{r.description}, r.terms)
}

func (r *embeddedRow) node(indent int) nomenclature.Node {
	return nomenclature.Node{
		Code: r.padded, Suffix: nomenclature.Line, Indent: indent, Description: r.description, Terms: r.terms,
		Declarable: r.declarable(), From: embeddedNomenclature,
	}
}

func padded(code string) string { return code + strings.Repeat("0", commodityDigits-len(code)) }
