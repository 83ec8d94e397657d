package codelist_test

import (
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/codelist"
)

// Every list is read, has a day, and holds what it should and no more.
func TestLists(t *testing.T) {
	for _, test := range []struct {
		list         *codelist.List
		least        int
		holds, lacks string
	}{
		{codelist.Currencies(), 150, "GBP", "GGG"}, {codelist.Packages(), 370, "CT", "QZ"}, {codelist.Dangerous(), 2300, "1203", "9999"},
		{codelist.Offices(), 270, "GB000060", "GB999999"}, {codelist.Locations(), 1700, "GBAUFXTFXTFXT", "GBAUDVRDVRDVR"}, {codelist.ExportAdditional(), 65, "000", "C07"},
	} {
		l := test.list
		if l.Len() < test.least || l.Len() != len(l.All()) || l.AsOf < "2022" || l.Name == "" || !l.Has(test.holds) || l.Has(test.lacks) {
			t.Errorf("%s: %d codes as at %s", l.Name, l.Len(), l.AsOf)
		}
	}
	if !codelist.StatusNeedsReason("UA") || codelist.StatusNeedsReason("AC") {
		t.Error("the status UA needs a reason and AC none")
	}
}

// A procedure of exports has its own additional procedures.
func TestAdditional(t *testing.T) {
	l, known := codelist.Additional("3153")
	if !known || !l.Has("D51") || l.Has("A04") {
		t.Error("procedure 3153 has D51 and not A04")
	}
	if _, known := codelist.Additional("4000"); known {
		t.Error("4000 is no procedure of exports")
	}
}

// Northern Ireland and Kosovo are countries of customs; former codes and inventions are not.
func TestCountry(t *testing.T) {
	for code, want := range map[string]bool{"GB": true, "XI": true, "XK": true, "QP": true, "ZG": false, "YY": false, "": false, "G": false, "EU XC": false} {
		if codelist.Country(code) != want {
			t.Errorf("%q", code)
		}
	}
	if !codelist.FormerCountry("ZG") || codelist.FormerCountry("GB") || codelist.FormerCountry("YY") {
		t.Error("ZG is a former code, GB and YY are not")
	}
}
