package wco_test

import (
	"reflect"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
)

// A location code is country, type, qualifier and name; anything else is none.
func TestSplitGoodsLocation(t *testing.T) {
	got, ok := wco.SplitGoodsLocation("GBAUFXTFXTFXT")
	want := wco.GoodsLocation{Name: "FXTFXTFXT", TypeCode: "A", Address: wco.LocationAddress{TypeCode: "U", CountryCode: "GB"}}
	if !ok || got != want {
		t.Errorf("got %+v, %v", got, ok)
	}
	for _, code := range []string{"", "GBAU", "gbaufxt", "GBA1FXT", "GBAU FXT", "GBAUFXTFXTFXTFXTFXTFXTFXTFXTFXTFXTFXTFXTFXT"} {
		if got, ok := wco.SplitGoodsLocation(code); ok {
			t.Errorf("%q is %+v", code, got)
		}
	}
}

// A document code is its category and three more characters.
func TestSplitDocumentCode(t *testing.T) {
	for code, want := range map[string][2]string{"N935": {"N", "935"}, "C506": {"C", "506"}, "9AID": {"9", "AID"}, "Y929": {"Y", "929"}} {
		if category, kind, ok := wco.SplitDocumentCode(code); !ok || [2]string{category, kind} != want {
			t.Errorf("%s is %s and %s, %v", code, category, kind, ok)
		}
	}
	for _, code := range []string{"", "N93", "N9355", "n935", "N 35"} {
		if _, _, ok := wco.SplitDocumentCode(code); ok {
			t.Errorf("%q is a code", code)
		}
	}
}

// A procedure code is the procedure now and the one before.
func TestSplitProcedure(t *testing.T) {
	for code, want := range map[string]wco.GovernmentProcedure{
		"4000": {CurrentCode: "40", PreviousCode: "00"},
		"0700": {CurrentCode: "07", PreviousCode: "00"},
		"H1H1": {CurrentCode: "H1", PreviousCode: "H1"},
	} {
		if got, ok := wco.SplitProcedure(code); !ok || got != want {
			t.Errorf("%s is %+v, %v", code, got, ok)
		}
	}
	for _, code := range []string{"", "40", "4000000", "40 0"} {
		if _, ok := wco.SplitProcedure(code); ok {
			t.Errorf("%q is a procedure", code)
		}
	}
}

// Imports declare eight digits and two, exports eight of as many as they are given.
func TestClassify(t *testing.T) {
	got, ok := wco.ClassifyImport("8471300000")
	want := []wco.Classification{{ID: "84713000", IdentificationTypeCode: "TSP"}, {ID: "00", IdentificationTypeCode: "TRC"}}
	if !ok || !reflect.DeepEqual(got, want) {
		t.Errorf("import: %+v, %v", got, ok)
	}
	for _, code := range []string{"7318163100", "73181631"} {
		got, ok := wco.ClassifyExport(code)
		if !ok || !reflect.DeepEqual(got, []wco.Classification{{ID: "73181631", IdentificationTypeCode: "TSP"}}) {
			t.Errorf("export %s: %+v, %v", code, got, ok)
		}
	}
	for _, code := range []string{"", "73181631", "847130000", "84713000000", "84713000AB"} {
		if _, ok := wco.ClassifyImport(code); ok {
			t.Errorf("import of %q", code)
		}
	}
	for _, code := range []string{"", "731816", "731816310", "7318163A"} {
		if _, ok := wco.ClassifyExport(code); ok {
			t.Errorf("export of %q", code)
		}
	}
}
