package nomenclature_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/tariff/nomenclature"
)

// A code that the tree lacks is added below the nearest line above it, with its heading and chapter if these are missing too. The
// other lines keep their places.
func TestWith(t *testing.T) {
	tree, err := nomenclature.New(horses())
	if err != nil {
		t.Fatal(err)
	}
	chapter, heading := horses()[0], horses()[1]
	code := func(code string) nomenclature.Node {
		return nomenclature.Node{Code: code, Suffix: nomenclature.Line, Indent: 7, Description: "New", Declarable: true}
	}
	group := nomenclature.Node{Code: "0101210000", Suffix: nomenclature.Line}
	ninth := []nomenclature.Node{{Code: "0900000000", Suffix: "80", Description: "Coffee"}, {Code: "0901000000", Suffix: "80", Description: "Coffee"}, code("0901110000")}
	tree, err = tree.With([][]nomenclature.Node{
		{chapter, heading, code("0101290000")}, {chapter, heading, group, code("0101210010")}, ninth, {chapter, {Code: "0102000000", Suffix: "80"}, code("0102210000")},
		{chapter, heading, horses()[4]},
	})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for i := range tree.Len() {
		n := tree.At(i)
		got = append(got, fmt.Sprint(n.Code, "-", n.Suffix, " ", n.Indent))
	}
	want := []string{
		"0100000000-80 0", "0101000000-80 0", "0101210000-10 1", "0101210000-80 2", "0101210010-80 3", "0101290000-80 1", "0101300000-80 1",
		"0102000000-80 0", "0102210000-80 1", "0900000000-80 0", "0901000000-80 0", "0901110000-80 1",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if !tree.Declarable("0901110000", "2026-01-01") {
		t.Error("the new code cannot be declared")
	}
}
