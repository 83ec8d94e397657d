package check_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/check"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/check/checktest"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/dataset"
)

// today is the day of every check in these tests.
const today = "2026-11-24"

const shared = "../../../../../shared/customs/"

// refusals returns the codes of all refusals, each once, in order.
func refusals(d *wco.Declaration, o check.Options) (codes []string) {
	o.Day = today
	for _, f := range check.Run(d, o) {
		if f.Severity == check.Refusal && !slices.Contains(codes, f.Code) {
			codes = append(codes, f.Code)
		}
	}
	return codes
}

// Samples that are refused, by a part of their names, each with the codes and the reason.
var refusedSamples = []struct{ name, codes, reason string }{
	{"Rejected_Format", "CDS12022 CDS12078", "made by HMRC to be rejected, and of 2018"},
	{"Rejected_Obligation_Netmass", "CDS10001 CDS12078", "made by HMRC to be rejected, and of 2018"},
	{"invalid_currency", "CDS10020 CDS12078", "made by HMRC to be rejected, and of 2018"},
	{"FEC_check_2", "CDS10004 CDS12078", "of 2018: eight digits, and deferment without an account"},
	{"FEC_check_3", "CDS10004 CDS12078", "of 2018: eight digits, and deferment without an account"},
	{"TTM4_TC0", "CDS12078", "of 2018: deferment without an account"},
	{"TT1_IM_v2.02_Accepted", "CDS12078", "of 2018: deferment without an account"},
	{"example_accepted_import", "CDS12078", "of 2018: deferment without an account"},
	{"TT4_2_", "CDS12005 CDS12096 CDS12139", "of 2018: EORIs of 13 digits, no C505, tax by hand without OVR01"},
	{"TTM4_2_", "CDS12005 CDS12096 CDS12139", "of 2018: EORIs of 13 digits, no C505, tax by hand without OVR01"},
	{"b1_1040_EXA_selfrep", "CDS12120", "arrived without an authorisation; accepted in a body that names no data set"},
}

// Customs' own samples have no fault, apart from the exceptions above.
func TestSamples(t *testing.T) {
	paths, _ := filepath.Glob(shared + "submissions/*.xml")
	minimal, _ := filepath.Glob(shared + "minimal/*.xml")
	if len(paths) == 0 {
		t.Skip("the samples are not beside the project")
	}
	checked := 0
	for _, path := range append(paths, minimal...) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		d, err := wco.Decode(text)
		if err != nil || d.FunctionCode != wco.FunctionOriginal {
			continue
		}
		checked++
		allowed := ""
		for _, e := range slices.Backward(refusedSamples) {
			if strings.Contains(path, e.name) {
				allowed = e.codes
			}
		}
		for _, code := range refusals(&d, check.Options{}) {
			if !strings.Contains(allowed, code) {
				t.Errorf("%s: %s", filepath.Base(path), code)
			}
		}
		if _, known := dataset.Of(&d); !known {
			t.Errorf("%s: no data set", filepath.Base(path))
		}
	}
	if checked < 150 {
		t.Errorf("only %d samples are original declarations", checked)
	}
}

// A body that names no data set needs no authorisation of an arrived export and no location, and nothing else is forgiven.
func TestLenient(t *testing.T) {
	export := checktest.Export()
	export.AuthorisationHolder = nil
	export.GoodsShipment.Consignment.GoodsLocation = wco.GoodsLocation{}
	if got := refusals(&export, check.Options{}); !slices.Equal(got, []string{"CDS10001", "CDS12120"}) {
		t.Errorf("strictly it is refused with %v", got)
	}
	if got := refusals(&export, check.Options{Lenient: true}); got != nil {
		t.Errorf("without a data set it is refused with %v", got)
	}
	export.TotalPackageQuantity = ""
	if got := refusals(&export, check.Options{Lenient: true}); !slices.Equal(got, []string{"CDS10001"}) {
		t.Errorf("without packages it is refused with %v", got)
	}
}

// A requirement of our own knowledge is a warning, and with All a refusal.
func TestOwnKnowledge(t *testing.T) {
	d := checktest.WarehouseEntry()
	d.TotalPackageQuantity = ""
	if got := refusals(&d, check.Options{}); got != nil {
		t.Errorf("it is refused with %v", got)
	}
	if got := refusals(&d, check.Options{All: true}); !slices.Equal(got, []string{"CDS10001"}) {
		t.Errorf("with all requirements it is refused with %v", got)
	}
}

// A value that a dated list lacks is never passed over and never refused.
func TestUndecided(t *testing.T) {
	for name, change := range map[string]func(*wco.Declaration){
		"location": func(d *wco.Declaration) { d.GoodsShipment.Consignment.GoodsLocation.Name = "DVRDVRDVR" },
		"office":   func(d *wco.Declaration) { d.SupervisingOffice.ID = "GBXXX999" },
		"package":  func(d *wco.Declaration) { checktest.Item(d).Packaging[0].TypeCode = "??" },
		"country":  func(d *wco.Declaration) { d.GoodsShipment.ExportCountry.ID = "ZG" },
		"number": func(d *wco.Declaration) {
			checktest.Item(d).Commodity.DangerousGoods = []wco.DangerousGoods{{UNDGID: "9999"}}
		},
		"tariff": func(d *wco.Declaration) { checktest.Item(d).Commodity.Classification[0].ID = "99999999" },
	} {
		d := checktest.Import()
		if name == "number" {
			d = checktest.Export()
		}
		change(&d)
		goods := func(code, _ string) check.Commodity { return check.Commodity{Listed: code[:2] != "99"} }
		undecided := 0
		for _, f := range check.Run(&d, check.Options{Day: today, Goods: goods}) {
			switch f.Severity {
			case check.Refusal:
				t.Errorf("%s: refused with %s %s", name, f.Code, f.Message)
			case check.Unknown:
				undecided++
			case check.Warning:
			}
		}
		if undecided != 1 {
			t.Errorf("%s: %d messages", name, undecided)
		}
	}
}

// BenchmarkRun is a declaration of 999 items with documents, statements and taxes.
func BenchmarkRun(b *testing.B) {
	d := checktest.Import()
	one := d.GoodsShipment.GovernmentAgencyGoodsItem[0]
	for range 97 {
		one.AdditionalDocument = append(one.AdditionalDocument, one.AdditionalDocument[0])
	}
	d.GoodsShipment.GovernmentAgencyGoodsItem = slices.Repeat([]wco.GovernmentAgencyGoodsItem{one}, 999)
	d.GoodsItemQuantity = "999"
	if got := refusals(&d, check.Options{}); got != nil {
		b.Fatalf("it is refused with %v", got)
	}
	for b.Loop() {
		check.Run(&d, check.Options{Day: today})
	}
}
