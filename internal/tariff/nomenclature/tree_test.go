package nomenclature_test

import (
	"slices"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/tariff/nomenclature"
)

func horses() []nomenclature.Node {
	return []nomenclature.Node{
		{Code: "0100000000", Suffix: "80", Description: "Animals"},
		{Code: "0101000000", Suffix: "80", Description: "Horses and asses"},
		{Code: "0101210000", Suffix: "10", Indent: 1, Description: "Horses"},
		{Code: "0101210000", Suffix: "80", Indent: 2, Description: "For breeding", Declarable: true, From: "2012-01-01"},
		{Code: "0101300000", Suffix: "80", Indent: 1, Description: "Asses", Declarable: true, From: "2012-01-01", To: "2021-12-31"},
	}
}

// The parent of a line is the last line before it with a smaller indent; that of a heading is
// its chapter.
func TestPath(t *testing.T) {
	tree, err := nomenclature.New(horses())
	if err != nil {
		t.Fatal(err)
	}
	for code, want := range map[string][]int{"0101210000": {0, 1, 2, 3}, "01013": {0, 1, 4}, "0101": {0, 1}, "01": {0}} {
		i, ok := tree.Find(code)
		if !ok || !slices.Equal(tree.Path(i), want) {
			t.Errorf("%s is at %v, want %v", code, tree.Path(i), want)
		}
	}
}

// Goods can be declared only under declarable codes, on the days on which these are in force.
func TestDeclarable(t *testing.T) {
	tree, err := nomenclature.New(horses())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		code, day string
		want      bool
	}{
		{"0101210000", "2026-11-21", true}, {"0101210000", "2011-12-31", false},
		{"0101300000", "2021-12-31", true}, {"0101300000", "2022-01-01", false},
		{"0101000000", "2026-11-21", false}, {"0101290000", "2026-11-21", false}, {"01012", "2026-11-21", false},
	} {
		if tree.Declarable(c.code, c.day) != c.want {
			t.Errorf("%s on %s: want %v", c.code, c.day, c.want)
		}
	}
}

// Nodes that are not a tree are refused.
func TestNoTree(t *testing.T) {
	for name, nodes := range map[string][]nomenclature.Node{
		"short code": {{Code: "0101", Suffix: "80"}},
		"letters":    {{Code: "01010000XX", Suffix: "80"}},
		"twice":      append(horses(), horses()[4]),
		"orphan":     horses()[3:],
	} {
		if _, err := nomenclature.New(nodes); err == nil {
			t.Errorf("%s: was taken", name)
		}
	}
}
