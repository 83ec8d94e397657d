package conformance

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// spirits is the answer of the tariff service for a spirit: duty, a preference for Bangladesh with a proof, a quota, a trade remedy
// by company, excise duty for each litre of pure alcohol, and two rates of VAT.
func spirits() string {
	measure := func(sid int, typ, area string, rate float64, more string) string {
		return fmt.Sprintf(`{"id": %d, "effective_start_date": "2021-01-01T00:00:00.000Z", "effective_end_date": null, "measure_type": {"id": %q, "description": "x"},
			"geographical_area": {"id": %q}, "measure_components": [{"duty_expression_id": "01", "duty_amount": %v%s`, sid, typ, area, rate, more)
	}
	coded := func(code string) string { return `}], "additional_code": {"code": "` + code + `"}}` }
	const plain, perLitre = `]}`, `, "monetary_unit_code": "GBP", "measurement_unit_code": "LPA"`
	one := func(sid int, typ, area string, rate float64) string {
		return measure(sid, typ, area, rate, "}") + plain
	}
	return `{"goods_nomenclature_item_id": "2208909110", "producline_suffix": "80", "description": "Spirits", "declarable": true, "import_measures": [` +
		one(20000001, "103", "1011", 12.5) + "," + one(20000002, "142", "BD", 3) + "," +
		measure(20000003, "552", "BD", 7.25, "") + coded("B107") + "," + measure(20000004, "552", "BD", 30, "") + coded("B999") + "," +
		measure(-3, "306", "1011", 28.74, perLitre) + coded("X451") + "," +
		one(-1, "305", "1011", 20) + "," + measure(-2, "305", "1011", 0, "") + coded("VATZ") + `]}`
}

// What is estimated for a declaration is what the simulator assesses, to the penny: by preference, additional codes, excise and VAT
// rate. Postponed VAT is not payable now, and what is missing is named.
func TestEstimateEqualsDebit(t *testing.T) {
	backends(t, func(t *testing.T, b storetest.Backend) {
		p := serve(t, b)
		c := p.organisation("A")
		folder := t.TempDir()
		if err := os.WriteFile(filepath.Join(folder, "2208909110_2026-01-01_uk.json"), []byte(spirits()), 0o600); err != nil {
			t.Fatal(err)
		}
		if out, err := p.runOperator("tariff", "import", folder, "--json"); err != nil {
			t.Fatalf("%v %s", err, out)
		}
		shipment := c.shipment()
		litres := []any{map[string]any{"type": "451", "baseQuantity": map[string]any{"value": 33.333, "unit": "LPA"}}}
		created := func(item map[string]any) answer {
			body := goods(shipment, "INV-1")
			one := body["items"].([]any)[0].(map[string]any)
			maps.Copy(one, map[string]any{
				"commodityCode": "2208909110", "description": "Arrack in bottles", "customsValueGbp": 1234.57, "preferenceCode": "100",
				"taricAdditionalCodes": []any{"B107"}, "nationalAdditionalCodes": []any{"X451"}, "taxLines": litres,
			})
			maps.Copy(one, item)
			return c.call("POST", "/api/declarations", body).want(t, 201)
		}
		for end := time.Now().Add(waitLimit); ; time.Sleep(50 * time.Millisecond) {
			if created(nil).in("estimate", "edition") == 1.0 {
				break
			}
			if time.Now().After(end) {
				t.Fatal("the recorded answer is not in force")
			}
		}
		for name, item := range map[string]map[string]any{
			"duty for all countries": nil,
			"preference":             {"preferenceCode": "300", "preferentialOrigin": "BD", "documents": []any{map[string]any{"type": "U110", "reference": "1", "status": "AC"}}},
			"another company":        {"taricAdditionalCodes": []any{"B999"}},
			"zero rate":              {"nationalAdditionalCodes": []any{"X451", "VATZ"}},
			"litres missing":         {"taxLines": []any{}},
			"preference it lacks":    {"preferenceCode": "200", "preferentialOrigin": "BD"},
		} {
			draft := created(item)
			c.submit(draft.id()).want(t, 200)
			cleared := c.waitForAssessment(draft.id())
			for _, total := range []string{"totalDutyGbp", "totalVatGbp", "totalOtherTaxGbp"} {
				if was, is := draft.body[total], cleared.in("declaration", total); was != is {
					t.Errorf("%s: %s was estimated as %v and assessed as %v", name, total, was, is)
				}
			}
			complete := name != "litres missing" && name != "preference it lacks"
			if got := draft.in("estimate", "complete"); got != complete {
				t.Errorf("%s: complete is %v: %s", name, got, draft.text)
			}
			if draft.body["totalDutyGbp"] == 0.0 {
				t.Errorf("%s: no duty: %s", name, draft.text)
			}
		}
	})
}
