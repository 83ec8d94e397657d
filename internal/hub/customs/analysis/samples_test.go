package analysis_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
)

// unknownCodes are the rules that take a code for one that does not exist.
var unknownCodes = strings.Fields("DEC-044 DEC-055 DEC-091 DEC-095 DEC-108 DEC-109 DEC-110")

// No code in HMRC's own samples is reported as unknown.
func TestSamplesUseKnownCodes(t *testing.T) {
	files, _ := filepath.Glob("../../../../../shared/customs/submissions/*.xml")
	if len(files) == 0 {
		t.Skip("HMRC's samples are not beside the project")
	}
	items := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		d, err := wco.Decode(text)
		if err != nil || len(d.TypeCode) != 3 || !strings.Contains("IMA IMD EXA EXD", d.TypeCode) {
			continue
		}
		for _, i := range d.GoodsShipment.GovernmentAgencyGoodsItem {
			items++
			for _, f := range judged(sample(d.TypeCode, i)).Findings {
				if slices.Contains(unknownCodes, f.Code) {
					t.Errorf("%s: %s %s", filepath.Base(file), f.Code, f.Message)
				}
			}
		}
	}
	if items < 80 {
		t.Errorf("only %d items", items)
	}
}

// sample is a declaration with the codes of an item of HMRC's.
func sample(kind string, i wco.GovernmentAgencyGoodsItem) *body {
	c := imported()
	if kind[:2] == "EX" {
		c = exported()
	}
	own := first(c)
	own.AdditionalProcedureCodes, own.PreferenceCode, own.PackageType = nil, "", ""
	for n, p := range i.GovernmentProcedure {
		if n == 0 {
			own.ProcedureCode = p.CurrentCode + p.PreviousCode
			continue
		}
		own.AdditionalProcedureCodes = append(own.AdditionalProcedureCodes, p.CurrentCode)
	}
	for _, fee := range i.Commodity.DutyTaxFee {
		own.PreferenceCode += fee.DutyRegimeCode
	}
	for _, p := range i.Packaging {
		own.PackageType = p.TypeCode
	}
	for _, doc := range i.AdditionalDocument {
		c.Declaration.Documents = append(c.Declaration.Documents, customs.Document{Type: doc.CategoryCode + doc.TypeCode, Reference: doc.ID, Status: doc.LPCOExemptionCode})
	}
	return c
}
