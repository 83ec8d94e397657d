package conformance

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
	"github.com/tidewaiter/tidewaiter/test/program"
)

const (
	tariffLines = "commodity_code,product_line_suffix,start_date,end_date,indent,end_line,description\n" +
		"6100000000,80,1972-01-01,,0,0,KNITTED CLOTHES\n6109000000,80,2022-01-01,,0,0,T-shirts and vests\n6109100000,80,1972-01-01,,1,0,Of cotton\n" +
		"6109100010,80,1972-01-01,,2,1,T-shirts\n6109100090,80,1972-01-01,2090-12-31,2,1,Other\n"
	tariffDuties = "ukgt_duty_rate,commodity\n25.00%,61091000\n"
)

// written is a file with a text.
func written(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// Any key can read a code with its place, its measures and their sources. A repeated request gets 304; an invalid
// or unknown code is refused.
func TestCommodity(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A").as("VIEWER")
		a := c.call("GET", "/api/tariff/commodities/6109100010", nil).want(t, 200)
		if a.in("commodity", "code") != "6109100010" || a.in("commodity", "declarable") != true || a.in("commodity", "dutyExpression") != "12.0%" ||
			a.in("commodity", "dutyAsOf") != "2021-01-01" || a.in("commodity", "supplementaryUnit") != "NAR" || a.in("commodity", "tariff", "version") != 0.0 {
			t.Errorf("%s", a.text)
		}
		path := a.in("commodity", "path").([]any)
		if len(path) < 3 || path[0].(map[string]any)["code"] != "61" || path[1].(map[string]any)["code"] != "6109" || path[len(path)-1].(map[string]any)["code"] != "6109100010" {
			t.Errorf("path: %v", path)
		}
		if again := c.call("GET", "/api/tariff/commodities/6109100010", nil, "If-None-Match", a.header.Get("ETag")); again.status != 304 || again.text != "" {
			t.Errorf("%d %s", again.status, again.text)
		}
		for _, code := range []string{"61", "6109"} {
			a := c.call("GET", "/api/tariff/commodities/"+code, nil).want(t, 200)
			if children := a.in("commodity", "children").([]any); len(children) == 0 || a.in("commodity", "dutyExpression") != nil || a.in("commodity", "declarable") != false {
				t.Errorf("%s: %s", code, a.text)
			}
		}
		for _, code := range []string{"99", "7701", "6109100011", "0000000000"} {
			c.call("GET", "/api/tariff/commodities/"+code, nil).refused(t, 404, "not_found")
		}
		for _, code := range []string{"6", "610", "61091000101", "61091O0010", "t-shirt", "%20", "6109 1000", strings.Repeat("6", 64), strings.Repeat("6", 200), "..", "６１"} {
			if a := c.call("GET", "/api/tariff/commodities/"+strings.ReplaceAll(code, " ", "%20"), nil); a.status != 400 && a.status != 404 {
				t.Errorf("%q: %d %s", code, a.status, a.text)
			}
		}
		c.call("GET", "/api/tariff/commodities/61091000101", nil).refused(t, 400, "invalid_request")
		c.call("GET", "/api/tariff/commodities/6109?on=tomorrow", nil).refused(t, 400, "invalid_request")
		c.call("GET", "/api/tariff/commodities/6109?date=2026-11-21", nil).want(t, 400)
		c.server.call("", "GET", "/api/tariff/commodities/6109", nil).refused(t, 401, "unauthorized")
	})
}

// An imported tariff takes effect in a running service within seconds, for codes and for the duty of declarations;
// an invalid file changes nothing; a rollback restores the former tariff.
func TestTariffVersions(t *testing.T) {
	backends(t, func(t *testing.T, b storetest.Backend) {
		p := serve(t, b)
		c := p.organisation("A")
		shipment := c.shipment()
		duty := func() any {
			return c.call("POST", "/api/declarations", goods(shipment, "")).want(t, 201).in("totalDutyGbp")
		}
		version := func(want float64) {
			t.Helper()
			for end := time.Now().Add(waitLimit); c.call("GET", "/api/tariff/commodities/6109", nil).in("commodity", "tariff", "version") != want; time.Sleep(50 * time.Millisecond) {
				if time.Now().After(end) {
					t.Fatalf("version %v is not in force", want)
				}
			}
		}
		if got := duty(); got != 222.0 {
			t.Errorf("built-in duty: %v", got)
		}
		lines, duties := written(t, tariffLines), written(t, tariffDuties)
		if out, err := p.runOperator("tariff", "import", lines, duties, "--json"); err != nil || !strings.Contains(out, `"imported":true`) || !strings.Contains(out, `"withDuty":2`) {
			t.Fatalf("%v %s", err, out)
		}
		version(1)
		if got := duty(); got != 462.5 {
			t.Errorf("imported duty: %v", got)
		}
		broken := written(t, tariffLines+"6109900000,80,1972-01-01,,one,1,Of other textiles\n")
		if out, err := p.runOperator("tariff", "import", duties, broken, "--json"); err == nil || !strings.Contains(out, `"row":7`) || !strings.Contains(out, `"imported":false`) {
			t.Errorf("%v %s", err, out)
		}
		if out, err := p.runOperator("tariff", "status"); err != nil || !strings.Contains(out, "version 1, as of 2022-01-01") || !strings.Contains(out, "in force since") {
			t.Errorf("%v %s", err, out)
		}
		a := c.call("GET", "/api/tariff/commodities/6109100090", nil).want(t, 200)
		if a.in("commodity", "validTo") != "2090-12-31" || a.in("commodity", "dutyExpression") != "25.00%" || a.in("commodity", "tariff", "importedAt") == nil {
			t.Errorf("%s", a.text)
		}
		if out, err := p.runOperator("tariff", "rollback"); err != nil || !strings.Contains(out, "built-in table") {
			t.Errorf("%v %s", err, out)
		}
		version(0)
		if got := duty(); got != 222.0 {
			t.Errorf("duty after the rollback: %v", got)
		}
		p.runOperator("tariff", "rollback", "--to", "1")
		p.restart()
		if got := p.call(c.key, "GET", "/api/tariff/commodities/6109", nil).in("commodity", "tariff", "version"); got != 1.0 {
			t.Errorf("a service that starts has version %v", got)
		}
	})
}

// The simulator assesses with the current tariff.
func TestSimulatorAssessesByTheTariff(t *testing.T) {
	backends(t, func(t *testing.T, b storetest.Backend) {
		if out, err := (&server{Program: program.New(t, b.Folder, b.URL)}).runOperator("tariff", "import", written(t, tariffLines), written(t, tariffDuties)); err != nil {
			t.Fatalf("%v %s", err, out)
		}
		c := serve(t, b).organisation("A")
		id := c.declaration("")
		c.submit(id).want(t, 200)
		cleared := c.waitForStatus(id, "CLEARED")
		c.eventually("final assessment", func() bool { // on a slow machine it may arrive after the clearance
			cleared = c.call("GET", "/api/declarations/"+id, nil).want(t, 200)
			return cleared.in("declaration", "dutyBasis") == "final"
		})
		if cleared.in("declaration", "totalDutyGbp") != 462.5 {
			t.Errorf("%s", cleared.text)
		}
	})
}

// The publisher's tables are downloaded and put in force; if they are missing or incomplete, nothing changes.
func TestTariffSync(t *testing.T) {
	backends(t, func(t *testing.T, b storetest.Backend) {
		lines, measures := liveTables()
		var tables sync.Map
		publisher := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if text, ok := tables.Load(r.URL.Path); ok {
				http.ServeContent(w, r, "", time.Time{}, strings.NewReader(text.(string)))
				return
			}
			http.NotFound(w, r)
		}))
		t.Cleanup(publisher.Close)
		p := &server{Program: program.New(t, b.Folder, b.URL, "TIDEWAITER_TARIFF_URL="+publisher.URL+"/tables")}
		fetch := func(lines, measures string) (string, error) {
			tables.Store("/tables/commodities-report/data", lines)
			tables.Store("/tables/measures-on-declarable-commodities/data", measures)
			return p.runOperator("tariff", "sync", "--json")
		}
		if out, err := p.runOperator("tariff", "sync"); err == nil {
			t.Errorf("the tables are missing: %s", out)
		}
		if out, err := fetch(lines[:len(lines)/2], measures); err == nil {
			t.Errorf("half of the tables are missing: %s", out)
		}
		if out, err := p.runOperator("tariff", "status"); err != nil || strings.Contains(out, "version") {
			t.Errorf("%v %s", err, out)
		}
		if out, err := fetch(lines, measures); err != nil || !strings.Contains(out, `"declarable":96`) || !strings.Contains(out, `"withDuty":96`) {
			t.Errorf("%v %s", err, out)
		}
	})
}

// liveTables have one line with its duty and VAT in every chapter.
func liveTables() (lines, measures string) {
	lines = "commodity__sid,commodity__code,commodity__suffix,commodity__description,commodity__validity_start,commodity__validity_end,parent__sid\n"
	measures = "commodity__code,measure__type__id,measure__duty_expression,measure__geographical_area__id,measure__effective_start_date,measure__effective_end_date\n"
	for n := 1; n <= 97; n++ {
		if n == 77 {
			continue
		}
		lines += fmt.Sprintf("1%02[1]d,%02[1]d00000000,80,Chapter,2021-01-01,#NA,#NA\n2%02[1]d,%02[1]d01000000,80,Heading,2021-01-01,#NA,1%02[1]d\n", n)
		measures += fmt.Sprintf("%02[1]d01000000,103,4.00 %%,1011,2021-01-01,#NA\n%02[1]d01000000,305,20.00 %%,1011,2021-01-01,#NA\n", n)
	}
	return lines, measures
}
