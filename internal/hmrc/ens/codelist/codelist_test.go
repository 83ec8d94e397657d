package codelist_test

import (
	"slices"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/ens/codelist"
)

// Every list is read whole and in order, and holds what it should and no more.
func TestLists(t *testing.T) {
	for _, c := range []struct {
		list    codelist.List
		length  int
		in, out string
	}{
		{codelist.Countries, 264, "XI", "UK"},
		{codelist.Languages, 190, "EN", "ENG"},
		{codelist.Documents, 603, "N730", "N73"},
		{codelist.Packages, 406, "VQ", "VX"},
		{codelist.Payments, 7, "Z", "E"},
		{codelist.Modes, 7, "10", "5"},
		{codelist.Circumstances, 4, "E", "B"},
		{codelist.Mentions, 7, "10600", "10601"},
	} {
		codes := c.list.Codes()
		if len(codes) != c.length || !slices.IsSorted(codes) || !c.list.Has(c.in) || c.list.Has(c.out) {
			t.Errorf("%s: %d codes, sorted %v, has %s %v, has %s %v", c.list, len(codes), slices.IsSorted(codes), c.in, c.list.Has(c.in), c.out, c.list.Has(c.out))
		}
	}
	if codelist.List("OTHER").Has("A") {
		t.Error("an unknown list has codes")
	}
}
