package customs_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
	"github.com/tidewaiter/tidewaiter/internal/tariff"
	"github.com/tidewaiter/tidewaiter/internal/tariff/duty"
)

// estimateOf writes the estimate of a declaration of one item of £1,000 and 1,000 kg: totals, then what is payable now, postponed
// and secured, and what is missing.
func estimateOf(t *testing.T, by customs.Tariff, item, header string) (string, customs.Estimate) {
	t.Helper()
	var d customs.Declaration
	body := `{"declarationType":"IMPORT","items":[{"netMassKg":1000,"customsValueGbp":1000` + item + `}]` + header + `}`
	if err := json.Unmarshal([]byte(body), &d); err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(customs.Declarations(by, nil, nil).Derive(&d, november))
	if err != nil {
		t.Fatal(err)
	}
	var added customs.DeclarationAdds
	if err := json.Unmarshal(raw, &added); err != nil {
		t.Fatal(err)
	}
	e := *added.Estimate
	words := []string{fmt.Sprintf("%s %s %s, %s %s %s", added.TotalDutyGBP.Fixed(), added.TotalVATGBP.Fixed(), added.TotalOtherGBP.Fixed(),
		e.PayableGBP.Fixed(), e.PostponedGBP.Fixed(), e.SecuredGBP.Fixed())}
	for _, m := range e.Missing {
		words = append(words, m.Code)
	}
	if e.Complete != (len(e.Missing) == 0) {
		t.Errorf("complete is %v, and missing is %v", e.Complete, e.Missing)
	}
	return strings.Join(words, ", "), e
}

// The estimate is of the duty that each item declares, with remedies as duty and excise as other tax. What is missing is named, and
// the known sum stays.
func TestEstimateOfWhatIsDeclared(t *testing.T) {
	l := storetest.Recorded(t, storetest.SQLite(t).Open(t), "1516209821_2025-06-04_uk.json", "2208909110_2021-11-15_uk.json", "6911100090_2025-02-11_uk_AD.json")
	const fats = `,"commodityCode":"1516209821","countryOfOrigin":"CA","taricAdditionalCodes":["B999"]`
	const biodiesel = fats + `,"taxLines":[{"type":"A30","baseQuantity":{"value":1,"unit":"TNE#I"}}]`
	const spirits = `,"commodityCode":"2208909110","countryOfOrigin":"US","nationalAdditionalCodes":["X451"]`
	const quantities = `,"taxLines":[{"type":"451","baseQuantity":{"value":100,"unit":"LPA"}},{"type":"A00","baseQuantity":{"value":2.5,"unit":"HLT"}},{"baseQuantity":{"value":40,"unit":"ASV"}}]`
	for name, c := range map[string]struct{ item, header, want string }{
		"full duty":           {biodiesel, ``, "451.43 290.28 0.00, 741.71 0.00 0.00"},
		"preference":          {biodiesel + `,"preferenceCode":"300"`, `,"documents":[{"type":"U110","reference":"1"}]`, "342.43 268.48 0.00, 610.91 0.00 0.00"},
		"postponed VAT":       {biodiesel, `,"fiscalReferences":[{"id":"GB123456789","role":"FR1"}]`, "451.43 290.28 0.00, 451.43 290.28 0.00"},
		"zero rate":           {biodiesel + `,"nationalAdditionalCodes":["VATZ"]`, ``, "451.43 0.00 0.00, 451.43 0.00 0.00"},
		"quantity missing":    {fats, ``, "109.00 0.00 0.00, 109.00 0.00 0.00, FACT_MISSING"},
		"excise":              {spirits + quantities, ``, "93.25 793.45 2874.00, 3760.70 0.00 0.00"},
		"without litres":      {spirits, ``, "0.00 0.00 0.00, 0.00 0.00 0.00, FACT_MISSING, FACT_MISSING, FACT_MISSING"},
		"another country":     {`,"commodityCode":"6911100090","countryOfOrigin":"CN"`, ``, "120.00 224.00 0.00, 344.00 0.00 0.00, COUNTRY_NOT_HELD"},
		"preference it lacks": {biodiesel + `,"preferenceCode":"200"`, ``, "451.43 290.28 0.00, 741.71 0.00 0.00, OPTION_NOT_AVAILABLE"},
		"own table":           {`,"commodityCode":"6109100010","countryOfOrigin":"BD"`, ``, "120.00 224.00 0.00, 344.00 0.00 0.00, KINDS_NOT_HELD"},
	} {
		got, e := estimateOf(t, l, c.item, c.header)
		if got != c.want {
			t.Errorf("%s: %s, not %s", name, got, c.want)
		}
		if e.Edition != 1 || e.EngineVersion != duty.EngineVersion || e.Date != "2026-11-26" {
			t.Errorf("%s: %+v", name, e)
		}
	}
}

// What a special procedure suspends stays in the totals, as customs assesses it, and is not payable; the charge says why.
func TestEstimateOfSuspendedCharges(t *testing.T) {
	l := storetest.Recorded(t, storetest.SQLite(t).Open(t), "1516209821_2025-06-04_uk.json")
	for name, c := range map[string]struct{ item, header, want string }{
		"by measures": {`,"commodityCode":"1516209821","countryOfOrigin":"AR","procedureCode":"5100"`, ``, "109.00 221.80 0.00, 0.00 0.00 330.80"},
		"waived": {`,"commodityCode":"1516209821","countryOfOrigin":"AR","procedureCode":"7100"`, `,"guarantees":[{"type":"0","reference":"Guaranteenotrequired"}]`,
			"109.00 221.80 0.00, 0.00 0.00 0.00"},
		"by the table": {`,"commodityCode":"6109100010","countryOfOrigin":"BD","procedureCode":"7100"`, ``, "120.00 224.00 0.00, 0.00 0.00 344.00, KINDS_NOT_HELD"},
	} {
		got, e := estimateOf(t, l, c.item, c.header)
		if got != c.want {
			t.Errorf("%s: %s, not %s", name, got, c.want)
		}
		if len(e.Items) != 1 || e.SuspendedGBP.Sign() <= 0 {
			t.Fatalf("%s: %+v", name, e)
		}
		for _, one := range e.Items[0].Charges {
			if one.Payable != "SUSPENDED" || one.Reason == "" || one.Source == "" {
				t.Errorf("%s: %+v", name, one)
			}
		}
	}
}

// The full form of an item is estimated as the short one.
func TestEstimateOfFullForm(t *testing.T) {
	l := storetest.Recorded(t, storetest.SQLite(t).Open(t), "1516209821_2025-06-04_uk.json")
	got, _ := estimateOf(t, l, `,"classifications":[{"id":"15162098","type":"TSP"},{"id":"21","type":"TRC"},{"id":"VATZ","type":"GN"}],
		"origins":[{"country":"AR","type":"1"}],"taxLines":[{"type":"A00","preferenceCode":"100"}]`, ``)
	if want := "109.00 0.00 0.00, 109.00 0.00 0.00"; got != want {
		t.Errorf("%s, not %s", got, want)
	}
}

// With the built-in table the totals are those of its duty and VAT, and never called complete. A declared tax that it does not have
// counts as other tax. An export owes nothing.
func TestEstimateByTheTable(t *testing.T) {
	shirts := `,"commodityCode":"6109100010","countryOfOrigin":"BD"`
	for item, want := range map[string]string{
		shirts: "120.00 224.00 0.00, 344.00 0.00 0.00, KINDS_NOT_HELD",
		shirts + `,"taxLines":[{"type":"A30","assessed":{"amount":5,"currency":"GBP"},"payable":{"amount":5,"currency":"GBP"}},{"type":"440","assessed":{"amount":7,"currency":"GBP"},"payable":{"amount":7,"currency":"GBP"}}]`: "120.00 224.00 7.00, 351.00 0.00 0.00, KINDS_NOT_HELD",
		`,"commodityCode":"0100000000"`: "0.00 0.00 0.00, 0.00 0.00 0.00, NO_DUTY_MEASURE, KINDS_NOT_HELD",
	} {
		if got, e := estimateOf(t, tariff.Embedded(), item, ``); got != want || e.Edition != 0 || e.Complete {
			t.Errorf("%s: %s, not %s", item, got, want)
		}
	}
	var d customs.Declaration
	if err := json.Unmarshal([]byte(`{"declarationType":"EXPORT","items":[{"commodityCode":"61091000","customsValueGbp":1000}]}`), &d); err != nil {
		t.Fatal(err)
	}
	if e := customs.Declarations(tariff.Embedded(), nil, nil).Derive(&d, time.Now())["estimate"].(*customs.Estimate); !e.Complete || e.PayableGBP.Sign() != 0 {
		t.Errorf("export: %+v", e)
	}
}
