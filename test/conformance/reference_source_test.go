package conformance

import (
	"encoding/csv"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// A reference that this service made says so wherever it is shown: in the record, the list, the search, the export, the
// event in the audit trail and the webhook. A record without a reference has null.
func TestReferencesOfTheServiceSaySo(t *testing.T) {
	backends(t, func(t *testing.T, b storetest.Backend) {
		c := serve(t, b, allowPrivate).organisation("A")
		for _, k := range hubKinds(t) {
			if k.ReferenceMember == "" {
				continue
			}
			c.call("POST", "/api/hubs/"+k.Hub, nil).want(t, 200)
			r := receive(t)
			endpoint, _ := c.endpoint(r.URL, k.Kind+".*")
			made := c.call("POST", k.Path, k.body()).want(t, k.made())
			events := 1
			record := made.body
			if !k.Plain {
				record = made.in(k.Singular).(map[string]any)
			}
			id := record["id"].(string)
			if source, shown := record["referenceSource"]; record[k.ReferenceMember] == nil && (source != nil || !shown) {
				t.Errorf("%s without a reference: %s", k.Kind, made.text)
			}
			if record[k.ReferenceMember] == nil {
				events = 2
				record = c.call("POST", k.Path+"/"+id+"/submit", nil).want(t, 200).in(k.Singular).(map[string]any)
			}
			checkSimulated(t, k.Kind, record)
			reference := record[k.ReferenceMember].(string)
			checkSimulated(t, "one "+k.Kind, c.call("GET", k.Path+"/"+id, nil).want(t, 200).in(k.Singular).(map[string]any))
			checkSimulated(t, "listed "+k.Kind, c.call("GET", k.Path, nil).want(t, 200).in(k.Plural).([]any)[0].(map[string]any))
			checkSimulated(t, "found "+k.Kind, c.call("GET", "/api/search?q="+reference, nil).want(t, 200).in("results").([]any)[0].(map[string]any))
			data := r.arrive(t, events)[events-1].body["data"].(map[string]any)
			checkSimulated(t, "webhook of "+k.Kind, data["object"].(map[string]any))
			if event := c.events("eventType=" + k.Kind + ".submitted"); events == 2 && event[0]["data"].(map[string]any)["referenceSource"] != "simulated" {
				t.Errorf("event of %s: %v", k.Kind, event)
			}
			checkExported(t, c, k.Hub, k.ReferenceMember, reference)
			checkKept(t, c, k.Path+"/"+id, reference)
			c.call("DELETE", endpoints+"/"+endpoint, nil).want(t, 200)
		}
	})
}

func checkSimulated(t *testing.T, what string, record map[string]any) {
	t.Helper()
	if record["referenceSource"] != "simulated" {
		t.Errorf("%s: referenceSource is %v in %v", what, record["referenceSource"], record)
	}
}

// checkKept checks the evidence pack of a record, and the bodies of its events: each that has the reference names its source.
func checkKept(t *testing.T, c *caller, path, reference string) {
	t.Helper()
	const source = `"referenceSource":"simulated"`
	record := c.evidence(path)["record.json"]
	if record = strings.ReplaceAll(record, `": "`, `":"`); !strings.Contains(record, reference) || !strings.Contains(record, source) {
		t.Errorf("evidence of %s: %s", path, record)
	}
	all := c.call("GET", "/api/events?limit=100", nil).want(t, 200).body["events"].([]any)
	named := 0
	for _, e := range all {
		if text, _ := json.Marshal(e); strings.Contains(string(text), reference) {
			if named++; !strings.Contains(string(text), source) {
				t.Errorf("an event of %s: %s", path, text)
			}
		}
	}
	if named == 0 {
		t.Errorf("no event of %s has its reference", path)
	}
}

// checkExported checks the export of a Hub with one record, in which the source is beside the reference.
func checkExported(t *testing.T, c *caller, hub, member, reference string) {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(c.call("GET", "/api/export/"+hub, nil).want(t, 200).text)).ReadAll()
	if err != nil || len(rows) != 2 {
		t.Fatalf("export of %s: %d rows, %v", hub, len(rows), err)
	}
	at := slices.Index(rows[0], "referenceSource")
	if at < 1 || rows[0][at-1] != member || rows[1][at-1] != reference || rows[1][at] != "simulated" {
		t.Errorf("export of %s: %q", hub, rows)
	}
}

// Reports and returns have the mark too, and their documents have it on each page.
func TestReferencesOfStatementsSaySo(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		c.call("POST", "/api/hubs/cbam", nil).want(t, 200)
		c.call("POST", "/api/hubs/tax", nil).want(t, 200)
		c.call("POST", "/api/cbam/imports", steel()).want(t, 201)
		report := c.call("POST", "/api/cbam/reports", nil).want(t, 200)
		if source, shown := report.in("report").(map[string]any)["referenceSource"]; source != nil || !shown {
			t.Errorf("a draft: %s", report.text)
		}
		submitted := c.call("POST", "/api/cbam/reports/"+report.id()+"/submit", nil).want(t, 200).in("report").(map[string]any)
		checkSimulated(t, "report", submitted)
		checkExported(t, c, "cbam", "reference", submitted["reference"].(string))
		period := c.call("GET", "/api/tax/periods", nil).want(t, 200).in("periods").([]any)[0].(map[string]any)["id"]
		vat := c.call("POST", "/api/tax/returns", map[string]any{"periodId": period}).want(t, 200)
		one := "/api/tax/returns/" + vat.id()
		returned := c.call("POST", one+"/submit", nil).want(t, 200).in("return").(map[string]any)
		checkSimulated(t, "return", returned)
		checkExported(t, c, "tax", "hmrcReference", returned["hmrcReference"].(string))
	})
}

// A declaration that quotes a reference that this service made is not sent to HMRC: the analysis has a blocker, and its
// submission names the field. A simulator may get it.
func TestSimulatedReferencesDoNotReachHMRC(t *testing.T) {
	t.Parallel()
	stand := startFakeCDS(t)
	stand.respondWith(acceptSubmission)
	for _, connected := range []bool{true, false} {
		p := serve(t, storetest.SQLite(t))
		if connected {
			p = serveWith(t, storetest.SQLite(t), stand)
		}
		c := p.organisation("A")
		c.call("POST", "/api/hubs/trade", nil).want(t, 200)
		licence := c.call("POST", "/api/trade/licences", exportLicence()).want(t, 200).id()
		reference := c.call("POST", "/api/trade/licences/"+licence+"/submit", nil).want(t, 200).in("licence", "reference").(string)
		id := c.declaration("")
		documents := map[string]any{"documents": []any{map[string]any{"type": "N935", "status": "AC", "reference": "INV-1"}, map[string]any{"type": "X002", "reference": strings.ToLower(reference)}}}
		c.call("PATCH", "/api/declarations/"+id, documents).want(t, 200)
		analysis := c.call("POST", "/api/ai/analyse-declaration", map[string]any{"declarationId": id}).want(t, 200)
		if strings.Contains(analysis.text, "DEC-308") != connected {
			t.Errorf("connected %t: %s", connected, analysis.text)
		}
		if !connected {
			c.submit(id).want(t, 200)
			continue
		}
		if a := c.submit(id).refused(t, 422, "declaration_incomplete"); !slices.Equal(a.fields(), []string{"documents[1].reference"}) || !strings.Contains(a.text, reference) {
			t.Errorf("submitted: %s", a.text)
		}
		c.call("POST", "/api/trade/licences/"+licence+"/mark-approved", map[string]any{"reference": "GBSIEL/2026/0000123/P"}).want(t, 200)
		c.submit(id).refused(t, 422, "declaration_incomplete") // it still quotes the former reference
		c.call("PATCH", "/api/declarations/"+id, map[string]any{"documents": []any{map[string]any{"type": "N935", "status": "AC", "reference": "INV-1"}}}).want(t, 200)
		c.submit(id).want(t, 200)
	}
}
