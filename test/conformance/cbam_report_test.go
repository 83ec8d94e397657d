package conformance

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Imports are listed by the quarter in which they were recorded.
func TestCBAMQuarters(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		c.call("POST", "/api/hubs/cbam", nil).want(t, 200)
		for range 2 {
			c.call("POST", "/api/cbam/imports", steel()).want(t, 201)
		}
		for query, want := range map[string]int{"": 2, "?quarter=" + thisQuarter(): 2, "?quarter=2024-Q1": 0, "?quarter=" + thisQuarter() + "&limit=1": 1} {
			if a := c.call("GET", "/api/cbam/imports"+query, nil).want(t, 200); len(a.in("imports").([]any)) != want {
				t.Errorf("%q: %s", query, a.text)
			}
		}
		for _, quarter := range []string{"2026-Q5", "2026-Q0", "26-Q1", "2026", "0000-Q1", "2026-q1"} {
			if a := c.call("GET", "/api/cbam/imports?quarter="+quarter, nil).refused(t, 400, "invalid_request"); !slices.Equal(a.fields(), []string{"quarter"}) {
				t.Errorf("%s: %s", quarter, a.text)
			}
		}
	})
}

// A report is a snapshot of a quarter's imports: drawn up again while it is a draft, locked by its submission,
// exported as XML that is valid by the registry's schema.
func TestCBAMReport(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A & B <Ltd>")
		c.call("POST", "/api/hubs/cbam", nil).want(t, 200)
		hostile := steel()
		hostile["notes"] = "]]> <x>&amp; 鋼鉄 \u202e"
		c.call("POST", "/api/cbam/imports", hostile).want(t, 201)
		drawn := c.call("POST", "/api/cbam/reports", nil).want(t, 200)
		for member, want := range map[string]any{"quarter": thisQuarter(), "status": "DRAFT", "totalImportsCount": 1.0, "totalNetMassKg": 24500.0, "totalEmissionsKg": 51450.0} {
			if got := drawn.in("report", member); got != want {
				t.Errorf("%s is %v, not %v", member, got, want)
			}
		}
		c.call("POST", "/api/cbam/imports", steel()).want(t, 201)
		again := c.call("POST", "/api/cbam/reports", map[string]any{"quarter": thisQuarter()}).want(t, 200)
		if again.id() != drawn.id() || again.in("report", "totalImportsCount") != 2.0 {
			t.Errorf("drawn up again: %s", again.text)
		}
		one := "/api/cbam/reports/" + drawn.id()
		c.call("POST", one+"/review", nil).want(t, 200)
		submitted := c.as("MEMBER").call("POST", one+"/submit", nil).want(t, 200)
		if reference, _ := submitted.in("report", "reference").(string); !regexp.MustCompile(`^CBAM-GB-\d{4}Q[1-4]-\w+$`).MatchString(reference) ||
			submitted.in("chargeable") != false || submitted.in("note") == "" || submitted.in("report", "submittedAt") == nil {
			t.Errorf("submitted: %s", submitted.text)
		}
		c.call("POST", "/api/cbam/imports", steel()).want(t, 201)
		c.call("POST", "/api/cbam/reports", nil).refused(t, 400, "invalid_state")
		c.call("DELETE", one, nil).refused(t, 400, "invalid_state")
		if a := c.call("GET", one, nil).want(t, 200); a.in("report", "totalImportsCount") != 2.0 || len(a.in("imports").([]any)) != 2 || a.in("hasMore") != false {
			t.Errorf("locked: %s", a.text)
		}
		c.as("MEMBER").call("POST", one+"/mark-accepted", nil).refused(t, 403, "owner_role_required")
		if a := c.call("POST", one+"/mark-accepted", nil).want(t, 200); a.in("report", "status") != "ACCEPTED" {
			t.Errorf("accepted: %s", a.text)
		}
		c.call("DELETE", one, nil).refused(t, 400, "invalid_state")
		if e := c.events("eventType=cbam.report.accepted"); len(e) != 1 {
			t.Errorf("events: %v", e)
		}
		validReport(t, c.call("GET", one+"/export.xml", nil).want(t, 200))
	})
}

// A draft can be deleted; a quarter that cannot be reported is refused with the reason.
func TestCBAMReportRefusals(t *testing.T) {
	anyDatabase(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		c.call("POST", "/api/hubs/cbam", nil).want(t, 200)
		for _, quarter := range []any{"2026-Q5", "2199-Q1", "1976-Q4", 7, "", "2026-Q4 "} {
			if a := c.call("POST", "/api/cbam/reports", map[string]any{"quarter": quarter}).refused(t, 400, "invalid_request"); !slices.Equal(a.fields(), []string{"quarter"}) {
				t.Errorf("%v: %s", quarter, a.text)
			}
		}
		one := "/api/cbam/reports/" + c.call("POST", "/api/cbam/reports", `{"quarter":"2026-Q1"}`).want(t, 200).id()
		validReport(t, c.call("GET", one+"/export.xml", nil).want(t, 200))
		c.call("DELETE", one, nil).want(t, 200)
		c.call("GET", one, nil).refused(t, 404, "not_found")
		c.call("POST", "/api/cbam/reports", `{"quarter":"2026-Q1"}`).want(t, 200)
	})
}

// validReport validates an export with the published schema.
func validReport(t *testing.T, a answer) {
	t.Helper()
	schema, err := filepath.Abs("../../../shared/domain/data/cbam/QReport_reconstructed.xsd")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(schema); err != nil {
		t.Log("the registry's schema is not beside the project: the XML is not validated")
		return
	}
	file := filepath.Join(t.TempDir(), "report.xml")
	if err := os.WriteFile(file, []byte(a.text), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("xmllint", "--noout", "--nonet", "--schema", schema, file).CombinedOutput(); err != nil || !strings.Contains(string(out), "validates") {
		t.Errorf("%v: %s\n%s", err, out, a.text)
	}
}

// The cost uses the configured price, and an import without a supplier's figure uses the published default value
// if that table was imported.
func TestCBAMSettings(t *testing.T) {
	alone(t, func(t *testing.T, p *server) {
		table := filepath.Join(t.TempDir(), "defaults.csv")
		const rows = "country,cn,category,description,direct,indirect,total\nTürkiye,72085120,Iron and steel,Plates,2.4,0,2.4\n"
		if err := os.WriteFile(table, []byte(rows), 0o600); err != nil {
			t.Fatal(err)
		}
		p.command("data", "import", "cbam-defaults", table, "--date", "2026-01-01")
		p.restart() // a process that starts with the table
		c := p.organisation("A")
		c.call("POST", "/api/hubs/cbam", nil).want(t, 200)
		body := steel()
		delete(body, "embeddedEmissionsKgCo2")
		body["netMassKg"] = 1000
		if a := c.call("POST", "/api/cbam/imports", body).want(t, 201); a.in("embeddedEmissionsKgCo2") != 2400.0 || a.in("emissionsBasis") != "DEFAULT_VALUE" {
			t.Errorf("estimated: %s", a.text)
		}
		if a := c.call("POST", "/api/cbam/reports", nil).want(t, 200); a.in("report", "certificatePriceGbp") != 100.5 || a.in("report", "totalCertCostGbp") != 241.2 {
			t.Errorf("reported: %s", a.text)
		}
	}, "TIDEWAITER_CBAM_PRICE=100.50")
}
