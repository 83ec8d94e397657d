package conformance

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// originFiles writes a scheme for Canada with one rule, and returns their folder.
func originFiles(t *testing.T, rule string) string {
	t.Helper()
	folder := t.TempDir()
	set, err := json.Marshal(map[string]any{"rule_sets": []any{map[string]any{
		"heading": "8517", "subdivision": "", "min": "8517000000", "max": "8517999999", "valid": true,
		"rules": []any{map[string]any{"rule": rule, "class": []string{}, "operator": nil, "quota": false, "import": true, "export": true}},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"roo_schemes_uk.json": `{"scope":"uk","schemes":[{"scheme_code":"canada","title":"UK-Canada","validity_start_date":"2021-01-01","validity_end_date":null,"countries":["CA"],
			"cumulation_methods":{"bilateral":{"countries":["GB","CA"]}},"proofs":[{"summary":"Origin declaration","proof_class":"origin-declaration","subtext":""}]}]}`,
		"rule_sets_uk/canada.json": string(set), "uk/articles/canada/insufficient-processing.md": "These operations are insufficient: packing, sorting, and simple assembly of parts.",
		"readme.txt": "not imported",
	} {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// router is a question about a router of Canada with one foreign material.
func router(material string) map[string]any {
	return map[string]any{
		"date": "2026-11-26", "commodityCode": "8517620000", "exportCountry": "CA", "destination": "GB", "exWorksPrice": map[string]any{"amount": 100, "currency": "GBP"},
		"materials":  []any{map[string]any{"commodityCode": material, "origin": "CN", "value": map[string]any{"amount": 30, "currency": "GBP"}, "originating": false}},
		"production": map[string]any{"country": "CA", "onlyMinimalOperations": false}, "transport": map[string]any{"direct": true, "alteredInTransit": false},
	}
}

// Imported rules of origin take effect in a running service within seconds, for every role, and leave no audit event. A file that is
// not in the published form changes nothing, and what is imported again is no new version.
func TestOrigin(t *testing.T) {
	backends(t, func(t *testing.T, b storetest.Backend) {
		p := serve(t, b)
		c := p.organisation("A")
		viewer := c.as("VIEWER")
		if a := viewer.call("POST", "/api/tariff/origin", router("850440")).want(t, 200); a.in("originData") != "0" || len(a.in("schemes").([]any)) != 0 {
			t.Errorf("before the first import: %s", a.text)
		}
		folder := originFiles(t, "Manufacture from materials of any heading, except that of the product.")
		broken := written(t, `{"rule_sets":[{"heading":"8517","min":"85","max":"8517999999","rules":[{"rule":"x"}]}]}`)
		if out, err := p.runOperator("tariff", "import", folder, broken, "--json"); err == nil || !strings.Contains(out, `"imported":false`) {
			t.Errorf("%v %s", err, out)
		}
		out, err := p.runOperator("tariff", "import", folder, "--json")
		if err != nil || !strings.Contains(out, `"version":1`) || !strings.Contains(out, `"compiled":1`) || !strings.Contains(out, `"documents":3`) {
			t.Fatalf("%v %s", err, out)
		}
		if again, err := p.runOperator("tariff", "import", folder, "--json"); err != nil || !strings.Contains(again, `"version":1`) || !strings.Contains(again, `"changed":0`) {
			t.Errorf("%v %s", err, again)
		}
		for end := time.Now().Add(waitLimit); viewer.call("POST", "/api/tariff/origin", router("850440")).in("originData") != "1"; time.Sleep(50 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatal("the rules are not in force")
			}
		}
		events := c.call("GET", "/api/audit", nil).want(t, 200).text
		for material, want := range map[string]string{"850440": "QUALIFIES", "851770": "NEEDS_PERSON"} { // no tolerance is held
			a := viewer.call("POST", "/api/tariff/origin", router(material)).want(t, 200)
			if scheme := a.in("schemes").([]any)[0].(map[string]any); scheme["decision"] != want || scheme["rule"].(map[string]any)["heading"] != "8517" {
				t.Errorf("%s: %s", material, a.text)
			}
			if again := viewer.call("POST", "/api/tariff/origin", router(material)); again.text != a.text {
				t.Errorf("the same question has another answer:\n%s\n%s", a.text, again.text)
			}
		}
		if after := c.call("GET", "/api/audit", nil).want(t, 200).text; after != events {
			t.Error("a question left an audit event")
		}
		if out, err := p.runOperator("tariff", "status", "--json"); err != nil || !strings.Contains(out, `"scheme":"canada"`) {
			t.Errorf("%v %s", err, out)
		}
	})
}

// A 400 names every fault of a question, whether the schema or only the data show it.
func TestOriginFaults(t *testing.T) {
	p := serve(t, storetest.SQLite(t))
	c := p.organisation("A")
	q := router("8504")
	q["exportCountry"], q["date"], q["odd"], q["destination"], q["schemes"] = "ZZ", "2026-02-30", true, "FR", []string{"atlantis"}
	q["exWorksPrice"] = map[string]any{"amount": 0, "currency": "pounds"}
	got := c.call("POST", "/api/tariff/origin", q).refused(t, 400, "invalid_request").fields()
	want := []string{"date", "destination", "exWorksPrice.amount", "exWorksPrice.currency", "exportCountry", "materials[0].commodityCode", "odd", "schemes[0]"}
	if !reflect.DeepEqual(sorted(got), want) {
		t.Errorf("%v, not %v", sorted(got), want)
	}
	many := router("850440")
	line := many["materials"].([]any)[0]
	var lines []any
	for range 101 {
		lines = append(lines, line)
	}
	many["materials"] = lines
	if got := c.call("POST", "/api/tariff/origin", many).refused(t, 400, "invalid_request").fields(); !reflect.DeepEqual(got, []string{"materials"}) {
		t.Errorf("101 lines: %v", got)
	}
	c.call("POST", "/api/tariff/origin", `{"description":"`+strings.Repeat("x", 2<<20)+`"}`).refused(t, 413, "payload_too_large")
}

// A folder is read with its subfolders: tables of the tariff and rules of origin in one command, and nothing else.
func TestTariffFolder(t *testing.T) {
	p := serve(t, storetest.SQLite(t))
	folder := originFiles(t, "A change from any other heading.")
	for name, text := range map[string]string{"lines.csv": tariffLines, "duties.csv": tariffDuties, "other.csv": "a,b\n1,2\n"} {
		if err := os.WriteFile(filepath.Join(folder, "uk", name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	out, err := p.runOperator("tariff", "import", folder, "--json")
	if err != nil || !strings.Contains(out, `"nomenclature"`) || !strings.Contains(out, `"duties"`) || !strings.Contains(out, `"documents":3`) {
		t.Errorf("%v %s", err, out)
	}
	if out, err := p.runOperator("tariff", "import", t.TempDir()); err == nil {
		t.Errorf("an empty folder is imported: %s", out)
	}
}
