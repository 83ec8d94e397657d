package analysis_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
	wcocheck "github.com/tidewaiter/tidewaiter/internal/hmrc/wco/check"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/check/checktest"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/dataset"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/datamodel"
)

// exactly is a declaration that states a document and lets the service add nothing.
func exactly(t testing.TB, d *wco.Declaration) *body {
	t.Helper()
	decoded, err := datamodel.Decode(d)
	if err != nil {
		t.Fatal(err)
	}
	c := &body{}
	c.Declaration = customs.Declaration{DeclarationType: decoded.Direction, Header: *decoded.Header, Items: decoded.Items}
	c.Declaration.Fill = datamodel.FillNone
	if set, ok := dataset.Of(d); ok {
		c.Declaration.DataSet = string(set)
	}
	c.Shipment = customs.Shipment{PortOfEntry: "GBFXT", TransportMode: "SEA", Arrived: true}
	c.Client = customs.Client{Name: "Mill Lane Textiles Ltd", EORI: checktest.Other, Country: "GB", Role: "BOTH"}
	c.Trader.EORI = checktest.Trader
	return known(c)
}

// saidOtherwise are the rules that report what a code of customs means, so that the review does not repeat it.
var saidOtherwise = map[string]string{"CDS11006": "DEC-031", "CDS12070": "DEC-059", "CDS12149": "DEC-096", "CDS40011": "DEC-037"}

// testRefusal reviews a document that customs would refuse with a code, and compares the review with what the simulator finds.
func testRefusal(t *testing.T, d *wco.Declaration, code string, goods wcocheck.Goods) {
	c := exactly(t, d)
	c.Customs.Goods = goods
	review := judged(c)
	has := func(is func(rules.Finding) bool) bool { return slices.ContainsFunc(review.Findings, is) }
	named := has(func(f rules.Finding) bool {
		return f.Severity == rules.Blocker && (f.CustomsCode == code || f.CustomsCode == "" && f.Code == saidOtherwise[code]) && f.Field != "" && f.Field != "declaration"
	})
	if !named {
		t.Errorf("%s: no blocker names a field: %+v", code, review.Findings)
	}
	if other, known := saidOtherwise[code]; known && !has(func(f rules.Finding) bool { return f.Code == other }) {
		t.Errorf("%s is said by customs' code, not by %s", code, other)
	}
	sent, err := d.Encode()
	if err != nil {
		t.Fatal(err)
	}
	received, err := wco.Decode(sent)
	if err != nil {
		t.Fatal(err)
	}
	for _, fault := range wcocheck.Run(&received, wcocheck.Options{Day: "2026-11-21", Goods: goods}) {
		said := func(f rules.Finding) bool {
			return f.Severity == rules.Blocker && (f.CustomsCode == fault.Code || f.Code == saidOtherwise[fault.Code])
		}
		if fault.Severity == wcocheck.Refusal && !has(said) {
			t.Errorf("%s: the simulator also refuses it with %s: %s", code, fault.Code, fault.Message)
		}
	}
}

// What the simulator refuses, the review reports before: for every code that the checks can give, it has a blocker that names
// the field.
func TestEveryRefusalHasAFinding(t *testing.T) {
	for code, change := range checktest.WrongImports {
		d := checktest.Import()
		change(&d)
		testRefusal(t, &d, code, nil)
	}
	for code, change := range checktest.WrongExports {
		d := checktest.Export()
		change(&d)
		testRefusal(t, &d, code, nil)
	}
	for code, goods := range checktest.ByTariff {
		d := checktest.Import()
		testRefusal(t, &d, code, func(string, string) wcocheck.Commodity { return goods })
	}
}

// A document without a fault gets no blocker but that its T-shirts are not counted (DEC-037).
func TestNoRefusalOfCorrectDocuments(t *testing.T) {
	for name, d := range map[string]wco.Declaration{"import": checktest.Import(), "export": checktest.Export(), "warehouse entry": checktest.WarehouseEntry()} {
		for _, f := range judged(exactly(t, &d)).Findings {
			if f.Severity == rules.Blocker && f.Code != "DEC-037" || f.CustomsCode != "" && f.Severity == rules.Warning && !strings.HasPrefix(f.Message, "There is no") {
				t.Errorf("%s: %+v", name, f)
			}
		}
	}
}

// Items that share a fault share the finding.
func TestFindingsAreJoined(t *testing.T) {
	d := checktest.Import()
	items := &d.GoodsShipment.GovernmentAgencyGoodsItem
	for range 6 {
		*items = append(*items, (*items)[0])
	}
	d.GoodsItemQuantity = "7"
	for _, n := range []int{0, 2, 6} {
		(*items)[n].Commodity.InvoiceLine.ItemChargeAmount.Currency = "GGG"
	}
	found := judged(exactly(t, &d)).Findings
	at := slices.IndexFunc(found, func(f rules.Finding) bool { return f.Code == "DEC-303" })
	if at < 0 || found[at].Field != "items[0].itemPrice" || !strings.HasPrefix(found[at].Message, "Items 1, 3 and 7: ") {
		t.Errorf("%+v", found)
	}
}

// trueOfSamples are blockers that some of HMRC's samples deserve, apart from the refusals by customs: their goods are not counted,
// come from Russia, or are weapons.
var trueOfSamples = []string{"DEC-037", "DEC-064", "DEC-070"}

// No rule blocks what HMRC's samples declare, whatever their data set, and few warn: a false alarm is worse than none.
func TestSamplesDrawNoFalseAlarm(t *testing.T) {
	files, _ := filepath.Glob("../../../../../shared/customs/submissions/*.xml")
	if len(files) == 0 {
		t.Skip("HMRC's samples are not beside the project")
	}
	reviewed, warnings := 0, 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		d, err := wco.Decode(text)
		if err != nil || d.FunctionCode != wco.FunctionOriginal {
			continue
		}
		reviewed++
		for _, f := range judged(exactly(t, &d)).Findings {
			switch {
			case f.CustomsCode != "":
			case f.Severity == rules.Blocker && !slices.Contains(trueOfSamples, f.Code):
				t.Errorf("%s: %s %s: %s", filepath.Base(file), f.Code, f.Field, f.Message)
			case f.Severity == rules.Warning:
				warnings++
			}
		}
	}
	if reviewed < 150 || warnings > reviewed/2 {
		t.Errorf("%d warnings on %d samples", warnings, reviewed)
	}
}
