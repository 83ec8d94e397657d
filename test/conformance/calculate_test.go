package conformance

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// horses is the answer of the tariff service for live horses with a duty in per cent, a preference for Bangladesh and VAT.
func horses(percent float64) string {
	one := func(sid int, typ, area string, rate float64) string {
		return fmt.Sprintf(`{"id": %d, "effective_start_date": "2021-01-01T00:00:00.000Z", "effective_end_date": null, "measure_type": {"id": %q, "description": "x"},
			"geographical_area": {"id": %q}, "measure_components": [{"duty_expression_id": "01", "duty_amount": %v}]}`, sid, typ, area, rate)
	}
	return `{"goods_nomenclature_item_id": "0101210000", "producline_suffix": "80", "description": "Horses", "declarable": true, "import_measures": [` +
		one(20000001, "103", "1011", percent) + "," + one(20000002, "142", "BD", 0) + "," + one(-1, "305", "1011", 20) + `]}`
}

// priced is a line of a calculation worth £1,000.
func priced(code, origin string, more map[string]any) map[string]any {
	l := map[string]any{"commodityCode": code, "origin": origin, "price": map[string]any{"amount": 1000, "currency": "GBP"}}
	for name, value := range more {
		l[name] = value
	}
	return l
}

func calculation(lines ...any) map[string]any {
	return map[string]any{"date": "2026-11-20", "destination": "GB", "incoterm": "CIF", "vatCosts": []any{}, "lines": lines}
}

// kinds are the options of a line with their totals.
func kinds(line any) (all []string) {
	for _, o := range line.(map[string]any)["options"].([]any) {
		option := o.(map[string]any)
		all = append(all, fmt.Sprint(option["kind"], " ", option["totals"].(map[string]any)["knownGbp"]))
	}
	return all
}

// A calculation names every option, cheapest first. Imported answers are in force within seconds; an earlier edition gives the
// same bytes as before, and the command line those of the API.
func TestCalculate(t *testing.T) {
	backends(t, func(t *testing.T, b storetest.Backend) {
		p := serve(t, b)
		c := p.organisation("A")
		ask := calculation(priced("6109100010", "BD", nil))
		before := c.as("VIEWER").call("POST", "/api/tariff/calculate", ask).want(t, 200)
		if got := fmt.Sprint(kinds(before.in("lines").([]any)[0])); got != "[THIRD_COUNTRY 344]" || before.in("totals", "complete") != false {
			t.Errorf("the built-in table: %s", before.text)
		}
		folder := t.TempDir()
		if err := os.WriteFile(filepath.Join(folder, "0101210000_2026-01-01_uk.json"), []byte(horses(10)), 0o600); err != nil {
			t.Fatal(err)
		}
		if out, err := p.runOperator("tariff", "import", folder, "--json"); err != nil || !strings.Contains(out, `"recordings"`) {
			t.Fatalf("%v %s", err, out)
		}
		ask = calculation(priced("0101210000", "BD", map[string]any{"facts": map[string]any{"proofOfOrigin": "HELD"}}))
		var after answer
		for end := time.Now().Add(waitLimit); ; time.Sleep(50 * time.Millisecond) {
			after = c.call("POST", "/api/tariff/calculate", ask).want(t, 200)
			if after.in("edition", "id") == 1.0 {
				break
			}
			if time.Now().After(end) {
				t.Fatal("the recorded answer is not in force")
			}
		}
		if got := fmt.Sprint(kinds(after.in("lines").([]any)[0])); got != "[PREFERENCE 200 THIRD_COUNTRY 320]" || after.in("totals", "totalGbp") != 200.0 {
			t.Errorf("%s", after.text)
		}
		old := calculation(priced("6109100010", "BD", nil))
		old["edition"] = 0
		if again := c.call("POST", "/api/tariff/calculate", old).want(t, 200); again.text != before.text {
			t.Errorf("edition 0: %s, not %s", again.text, before.text)
		}
		request := written(t, `{"date": "2026-11-20", "destination": "GB", "incoterm": "CIF", "vatCosts": [], "lines": [{"commodityCode": "0101210000", "origin": "BD",
			"price": {"amount": 1000, "currency": "GBP"}, "facts": {"proofOfOrigin": "HELD"}}]}`)
		if out, err := p.runOperator("tariff", "calculate", "--json", request); err != nil || out != after.text {
			t.Errorf("command line: %v %s, not %s", err, out, after.text)
		}
	})
}

// What makes a calculation meaningless is named, all at once; what concerns one line is its problem.
func TestCalculateBadInput(t *testing.T) {
	p := serve(t, storetest.SQLite(t))
	c := p.organisation("A")
	bad := calculation(
		priced("61", "UK", map[string]any{"colour": "red", "netMassKg": "1"}), priced("6109100010", "GB", nil),
		map[string]any{"price": map[string]any{"amount": 1.0001, "currency": "pounds"}},
	)
	a := c.call("POST", "/api/tariff/calculate", bad).refused(t, 400, "invalid_request")
	for _, field := range []string{"lines[0].commodityCode", "lines[0].origin", "lines[0].colour", "lines[0].netMassKg", "lines[2].price.amount", "lines[2].price.currency"} {
		if !strings.Contains(fmt.Sprint(a.fields()), field) {
			t.Errorf("%s is not named: %s", field, a.text)
		}
	}
	origins := calculation(priced("6109100010", "XK", map[string]any{"preferentialOrigin": "1060"}), priced("6109100010", "XK", map[string]any{"preferentialOrigin": "ZZ"}))
	a = c.call("POST", "/api/tariff/calculate", origins).refused(t, 400, "invalid_request")
	if got := fmt.Sprint(a.fields()); got != "[lines[1].preferentialOrigin]" {
		t.Errorf("%s", got)
	}
	many := calculation()
	many["lines"] = slices.Repeat([]any{priced("6109100010", "BD", nil)}, 1001)
	a = c.call("POST", "/api/tariff/calculate", many).refused(t, 400, "invalid_request")
	if got := fmt.Sprint(a.fields()); got != "[lines]" || !strings.Contains(a.text, "/api/tariff/what-if") {
		t.Errorf("%s", a.text)
	}
	second := calculation(
		priced("6109100010", "GB", nil), map[string]any{"price": map[string]any{"amount": 1, "currency": "GBP"}},
		priced("6109100010", "BD", map[string]any{"facts": map[string]any{"documents": []any{map[string]any{"code": "C990"}}, "documentsAbsent": []any{"C990"}}}),
	)
	second["edition"], second["rateTable"] = 9, "9"
	second["additions"] = []any{map[string]any{"code": "BA", "amount": 1, "currency": "GBP"}}
	a = c.call("POST", "/api/tariff/calculate", second).refused(t, 400, "invalid_request")
	if got := fmt.Sprint(a.fields()); got != "[additions[0].code lines[0].dispatchCountry lines[1].commodityCode lines[1].origin lines[2].facts.documentsAbsent edition rateTable]" {
		t.Errorf("%s", got)
	}
	lines := calculation(priced("6109100010", "BD", nil), priced("0101999999", "BD", nil), priced("610910", "BD", nil), priced("6109100010", "BD", map[string]any{
		"price": map[string]any{"amount": 5, "currency": "USD"}}))
	a = c.call("POST", "/api/tariff/calculate", lines).want(t, 200)
	var outcomes []string
	for _, l := range a.in("lines").([]any) {
		line := l.(map[string]any)
		outcome := fmt.Sprint(line["outcome"])
		for _, problem := range line["problems"].([]any) {
			outcome += " " + fmt.Sprint(problem.(map[string]any)["code"])
		}
		outcomes = append(outcomes, outcome)
	}
	if got := strings.Join(outcomes, ", "); got != "CALCULATED, NOT_CALCULABLE CODE_UNKNOWN, NOT_CALCULABLE CODE_NOT_DECLARABLE, NOT_CALCULABLE RATE_MISSING" {
		t.Errorf("%s", got)
	}
}

// A product supplies the code and the origin of a line.
func TestCalculateProduct(t *testing.T) {
	p := serve(t, storetest.SQLite(t))
	c := p.organisation("A")
	client := c.call("POST", "/api/clients", map[string]any{"name": "Harbour Textiles Ltd"}).want(t, 201).id()
	made := c.call("POST", "/api/products", map[string]any{"clientId": client, "code": "TS-1", "description": "T-shirts", "commodityCode": "6109100010", "countryOfOrigin": "BD"}).want(t, 201)
	line := map[string]any{"productId": made.id(), "price": map[string]any{"amount": 1000, "currency": "GBP"}}
	a := c.call("POST", "/api/tariff/calculate", calculation(line)).want(t, 200)
	first := a.in("lines").([]any)[0].(map[string]any)
	if first["commodityCode"] != "6109100010" || fmt.Sprint(kinds(first)) != "[THIRD_COUNTRY 344]" || first["product"].(map[string]any)["code"] != "TS-1" {
		t.Errorf("%s", a.text)
	}
	line["productId"] = unknownID
	c.call("POST", "/api/tariff/calculate", calculation(line)).refused(t, 400, "invalid_request")
}
