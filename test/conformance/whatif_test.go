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

const whatIfPath = "/api/tariff/what-if"

// horsesInForce imports the answer of the tariff service for live horses, and waits until it is in force.
func (c *caller) horsesInForce() {
	c.t.Helper()
	folder := c.t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "0101210000_2026-01-01_uk.json"), []byte(horses(10)), 0o600); err != nil {
		c.t.Fatal(err)
	}
	if out, err := c.runOperator("tariff", "import", folder); err != nil {
		c.t.Fatalf("%v %s", err, out)
	}
	for end := time.Now().Add(waitLimit); ; time.Sleep(50 * time.Millisecond) {
		if c.call("POST", "/api/tariff/calculate", calculation(priced("0101210000", "US", nil))).want(c.t, 200).in("edition", "id") == 1.0 {
			return
		}
		if time.Now().After(end) {
			c.t.Fatal("the recorded answer is not in force")
		}
	}
}

// whatIf sends a what-if and waits for its end.
func (c *caller) whatIf(key string, source, change map[string]any) (job, result answer) {
	c.t.Helper()
	a := c.call("POST", whatIfPath, map[string]any{"source": source, "change": change, "groupBy": []any{"chapter"}}, "Idempotency-Key", key).want(c.t, 202)
	job = c.ended(whatIfPath+"/"+a.in("job", "id").(string), "job")
	if job.in("job", "status") != "DONE" {
		c.t.Fatalf("the job: %s", job.text)
	}
	return job, c.call("GET", job.in("job", "resultUrl").(string), nil).want(c.t, 200)
}

// A what-if computes lines, declarations and the catalogue in both cases. Its rows come in pages and as CSV.
func TestWhatIf(t *testing.T) {
	backends(t, func(t *testing.T, b storetest.Backend) {
		c := serve(t, b).organisation("A")
		c.horsesInForce()
		held := map[string]any{"facts": map[string]any{"proofOfOrigin": "HELD"}}
		lines := map[string]any{"incoterm": "CIF", "lines": []any{priced("0101210000", "US", held), priced("0101210000", "BD", held), priced("9999999999", "US", held)}}
		job, result := c.whatIf("lines", lines, map[string]any{"origin": "BD"})
		if job.in("job", "total") != 3.0 || job.in("job", "done") != 2.0 || job.in("job", "failed") != 1.0 {
			t.Errorf("the job: %s", job.text)
		}
		// 10 % of £1,000 and 20 % VAT on £1,100, and without duty £200 each
		if result.in("base", "totalGbp") != 520.0 || result.in("changed", "totalGbp") != 400.0 || result.in("difference", "totalGbp") != -120.0 || result.in("incomplete") != 1.0 {
			t.Errorf("the result: %s", result.text)
		}
		c.whatIfPages(t, job.in("job", "resultUrl").(string), result)

		client := c.client()
		c.call("POST", products, map[string]any{"clientId": client, "code": "H-1", "description": "Horses", "commodityCode": "0101210000", "countryOfOrigin": "US"}).want(t, 201)
		c.call("POST", products, map[string]any{"clientId": client, "code": "H-2", "description": "Goods without a code"}).want(t, 201)
		if _, result := c.whatIf("products", map[string]any{"products": true}, map[string]any{"origin": "BD", "facts": map[string]any{"proofOfOrigin": "HELD"}}); result.in("difference", "totalGbp") != -120.0 || result.in("lines") != 1.0 {
			t.Errorf("products: %s", result.text)
		}

		horse := goods(c.shipment(), "")
		item := horse["items"].([]any)[0].(map[string]any)
		item["commodityCode"], item["countryOfOrigin"] = "0101210000", "US"
		made := c.call("POST", "/api/declarations", horse).want(t, 201)
		year := map[string]any{"from": "2020-01-01", "to": "2099-12-31", "status": "DRAFT,CLEARED"}
		_, result = c.whatIf("declarations", map[string]any{"declarations": year}, map[string]any{"facts": map[string]any{"proofOfOrigin": "HELD"}, "origin": "BD"})
		// 10 % of £1,850 with VAT on it
		if row := result.in("rows").([]any)[0].(map[string]any); result.in("difference", "totalGbp") != -222.0 || row["ref"] != fmt.Sprint(made.in("lrn"), "/1") {
			t.Errorf("declarations: %s", result.text)
		}
		year["status"] = "CLEARED"
		if _, result := c.whatIf("none", map[string]any{"declarations": year}, map[string]any{"origin": "BD"}); len(result.in("rows").([]any)) != 0 {
			t.Errorf("no declarations: %s", result.text)
		}
	})
}

// 10,000 lines are too many for one calculation, which names the what-if; a what-if computes each of them.
func TestManyLines(t *testing.T) {
	const many = 10_000
	c := serve(t, storetest.SQLite(t)).organisation("A")
	c.horsesInForce()
	lines := slices.Repeat([]any{priced("0101210000", "US", nil)}, many)
	a := c.call("POST", "/api/tariff/calculate", calculation(lines...)).refused(t, 400, "invalid_request")
	if got := fmt.Sprint(a.fields()); got != "[lines]" || !strings.Contains(a.text, "/api/tariff/what-if") {
		t.Errorf("%s", a.text)
	}
	source := map[string]any{"incoterm": "CIF", "lines": lines}
	job, result := c.whatIf("many", source, map[string]any{"origin": "BD", "facts": map[string]any{"proofOfOrigin": "HELD"}})
	if job.in("job", "done") != float64(many) || result.in("base", "totalGbp") != 320.0*many || result.in("changed", "totalGbp") != 200.0*many || result.in("incomplete") != 0.0 {
		t.Errorf("the job: %s, the result: %.500s", job.text, result.text)
	}
}

// whatIfPages reads the rows of a result in pages and as CSV.
func (c *caller) whatIfPages(t *testing.T, path string, whole answer) {
	t.Helper()
	var rows []string
	for cursor := ""; ; {
		page := c.as("VIEWER").call("GET", path+"?limit=1"+cursor, nil).want(t, 200)
		row := page.in("rows").([]any)[0].(map[string]any)
		rows = append(rows, fmt.Sprint(row["ref"], " ", row["differenceGbp"]))
		if page.in("hasMore") == false {
			break
		}
		cursor = "&cursor=" + page.in("nextCursor").(string)
	}
	if fmt.Sprint(rows) != "[0 -120 1 0 2 <nil>]" {
		t.Errorf("rows: %v of %s", rows, whole.text)
	}
	c.call("GET", path+"?cursor=AAAA", nil).refused(t, 400, "invalid_request")
	file := c.call("GET", path+".csv", nil).want(t, 200)
	if lines := strings.Split(strings.TrimSpace(file.text), "\r\n"); len(lines) != 4 || !strings.HasPrefix(lines[1], "0,0101210000,320.00,200.00,-120.00,") {
		t.Errorf("CSV: %q", file.text)
	}
}

// A table is uploaded once and computed by what-ifs of its organisation that name it; every fault is named with its row.
func TestWhatIfUpload(t *testing.T) {
	alone(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		c.horsesInForce()
		const path = whatIfPath + "/uploads"
		const table = "ref;commodityCode;origin;price;quantity;unit;documents;proofOfOrigin\nH1;0101210000;US;1000;2;NAR;N864 C990;HELD\nH2;0101210000;US;0500.50;1;NAR;;\n"
		dry := c.call("POST", path+"?dryRun=true", form("file", table), formHeader...).want(t, 200)
		c.call("POST", path+"?dryRun=maybe", form("file", table), formHeader...).refused(t, 400, "invalid_request")
		c.call("POST", path+"?dryRun=true", form("file", "colour\nred\n"), formHeader...).refused(t, 400, "invalid_request")
		up := c.call("POST", path, form("file", table), formHeader...).want(t, 201)
		if dry.in("lines") != 2.0 || !slices.Equal(paths(dry.body), []string{"expiresAt", "lines"}) {
			t.Errorf("the dry run is %s", dry.text)
		}
		if up.in("lines") != 2.0 {
			t.Errorf("upload: %s", up.text)
		}
		source := map[string]any{"uploadId": up.in("uploadId")}
		_, result := c.whatIf("u", source, map[string]any{"origin": "CN"})
		if rows := result.in("rows").([]any); len(rows) != 2 || rows[0].(map[string]any)["ref"] != "H1" {
			t.Errorf("result: %s", result.text)
		}
		request := map[string]any{"source": source, "change": map[string]any{"origin": "CN"}}
		p.organisation("B").call("POST", whatIfPath, request, "Idempotency-Key", "k").refused(t, 400, "invalid_request")
		c.as("VIEWER").call("POST", path, form("file", table), formHeader...).want(t, 403)
		for file, fields := range map[string][]string{
			"colour\nred\n": {"headers"},
			"commodityCode,origin,price,netMassKg,quantity\n61,USA,1,x,3\n0101210000,US,,1,\n": {"row 1, netMassKg", "row 1, unit", "row 2, price"},
			"commodityCode,origin,price,date\n61,US,1,tomorrow\n0101210000,UK,1,\n":            {"row 1, commodityCode", "row 2, origin"},
			"commodityCode,origin,price,date\n0101210000,US,1,tomorrow\n":                      {"row 1, date"},
		} {
			a := c.call("POST", path, form("file", file), formHeader...).refused(t, 400, "invalid_request")
			for _, field := range fields {
				if !strings.Contains(a.text, `"field":"`+field+`"`) {
					t.Errorf("%s is not named: %s", field, a.text)
				}
			}
		}
	})
}

// A what-if is created once for a key, by members only, and every fault of the request is named.
func TestWhatIfRequest(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		body := map[string]any{"source": map[string]any{"lines": []any{priced("6109100010", "BD", nil)}}, "change": map[string]any{"origin": "CN"}}
		c.call("POST", whatIfPath, body).refused(t, 400, "invalid_request")
		c.as("VIEWER").call("POST", whatIfPath, body, "Idempotency-Key", "v").want(t, 403)
		first := c.call("POST", whatIfPath, body, "Idempotency-Key", "k").want(t, 202)
		if again := c.call("POST", whatIfPath, body, "Idempotency-Key", "k").want(t, 202); again.in("job", "id") != first.in("job", "id") {
			t.Errorf("a second job for the same key: %s", again.text)
		}
		one := whatIfPath + "/" + first.in("job", "id").(string)
		c.ended(one, "job")
		c.as("VIEWER").call("DELETE", one, nil).want(t, 403)
		if a := c.call("DELETE", one, nil).want(t, 200); a.in("job", "status") != "DONE" {
			t.Errorf("cancelled after its end: %s", a.text)
		}
		other := p.organisation("B")
		for _, path := range []string{one, one + "/result", one + "/result.csv"} {
			other.call("GET", path, nil).refused(t, 404, "not_found")
		}
		other.call("DELETE", one, nil).refused(t, 404, "not_found")
		bad := map[string]any{"source": map[string]any{"lines": []any{priced("61", "UK", map[string]any{"colour": "red"})}, "declarations": map[string]any{"from": "x", "to": "2026-01-01"}},
			"change": map[string]any{"edition": 99, "shape": 1}, "groupBy": []any{"colour"}}
		a := c.call("POST", whatIfPath, bad, "Idempotency-Key", "bad").refused(t, 400, "invalid_request")
		for _, field := range []string{
			"source", "source.lines[0].commodityCode", "source.lines[0].origin", "source.lines[0].colour", "source.declarations.from", "change.edition", "change.shape", "groupBy[0]",
		} {
			if !strings.Contains(a.text, `"field":"`+field+`"`) {
				t.Errorf("%s is not named: %s", field, a.text)
			}
		}
	})
}
