package conformance

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"
)

// instant reads a time of an answer.
func (a answer) instant(t *testing.T, path ...string) time.Time {
	t.Helper()
	text, _ := a.in(path...).(string)
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		t.Fatalf("%v: %v in %s", path, err, a.text)
	}
	return at
}

// The test clock stands where it is set, only goes forward, at most ten years, and belongs to one test organisation.
func TestClockStandsAndAdvances(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		const path = "/api/test/clock"
		live, other := p.organisation("A"), p.organisation("B").sandbox()
		test := live.sandbox()
		for _, method := range []string{"GET", "DELETE"} {
			live.call(method, path, nil).refused(t, 403, "sandbox_only")
		}
		live.call("POST", path, map[string]any{"advance": "P1D"}).refused(t, 403, "sandbox_only")
		if a := test.call("GET", path, nil).want(t, 200); a.in("clock", "frozen") != false {
			t.Errorf("at first: %s", a.text)
		}
		start := time.Now().UTC().AddDate(0, 2, 0).Truncate(time.Second)
		test.call("POST", path, map[string]any{"now": start.Format(time.RFC3339)}).want(t, 200)
		test.call("POST", path, map[string]any{"advance": "P30D"}).want(t, 200)
		want := start.AddDate(0, 0, 30)
		for range 2 {
			if a := test.call("GET", path, nil).want(t, 200); a.in("clock", "frozen") != true || !a.instant(t, "clock", "now").Equal(want) {
				t.Errorf("want %s: %s", want, a.text)
			}
			if a := test.call("POST", "/api/clients", map[string]any{"name": "A"}).want(t, 201); !a.instant(t, "createdAt").Equal(want) {
				t.Errorf("a client was created at %s, want %s", a.in("createdAt"), want)
			}
		}
		for _, wrong := range []map[string]any{
			{"now": want.Add(-time.Second).Format(time.RFC3339)}, {"advance": "P10Y"}, {"advance": "P-1D"}, {"advance": "P0D"}, {}, {"now": want.Format(time.RFC3339), "advance": "P1D"}, {"now": "soon"},
		} {
			test.call("POST", path, wrong).refused(t, 400, "invalid_request")
		}
		if a := other.call("GET", path, nil).want(t, 200); a.in("clock", "frozen") != false || a.instant(t, "clock", "now").After(time.Now().Add(time.Hour)) {
			t.Errorf("another test organisation: %s", a.text)
		}
		if a := live.call("POST", "/api/clients", map[string]any{"name": "A"}).want(t, 201); a.instant(t, "createdAt").After(time.Now().Add(time.Hour)) {
			t.Errorf("a live client was created at %s", a.in("createdAt"))
		}
		if a := test.call("DELETE", path, nil).want(t, 200); a.in("clock", "frozen") != false || a.instant(t, "clock", "now").After(time.Now().Add(time.Hour)) {
			t.Errorf("after the return to real time: %s", a.text)
		}
		if a := test.call("POST", "/api/clients", map[string]any{"name": "A"}).want(t, 201); a.instant(t, "createdAt").After(time.Now().Add(time.Hour)) {
			t.Errorf("after the return to real time a client was created at %s", a.in("createdAt"))
		}
		events := test.call("GET", "/api/audit?limit=3", nil).want(t, 200).body["events"].([]any)
		if first := events[0].(map[string]any); first["eventType"] != "client.created" {
			t.Errorf("the newest event is %v", first)
		}
		if v := p.command("audit", "verify", "--org", test.org); v["ok"] != true {
			t.Errorf("verify: %v", v)
		}
	})
}

// Time that passes on the test clock makes a filing OVERDUE and a licence EXPIRED before the answer, and moves the
// deadlines; the same filing of a live organisation stays a draft.
func TestClockMovesTimersAndDeadlines(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		live := p.organisation("A")
		test := live.sandbox()
		due := time.Now().UTC().AddDate(0, 0, 20)
		body := map[string]any{
			"filingType": "CONFIRMATION_STATEMENT", "companyNumber": "12345678", "companyName": "Mill Lane Ltd", "subject": "Annual statement", "dueDate": due.Format(time.RFC3339),
		}
		ids := map[*caller]string{}
		for _, c := range []*caller{live, test} {
			c.call("POST", "/api/hubs/corporate", nil).want(t, 200)
			ids[c] = c.call("POST", "/api/corporate/filings", body).want(t, 200).id()
		}
		status := func(c *caller) any {
			return c.call("GET", "/api/corporate/filings/"+ids[c], nil).want(t, 200).in("filing", "status")
		}
		test.call("POST", "/api/test/clock", map[string]any{"advance": "P15D"}).want(t, 200)
		deadlines := test.call("GET", "/api/deadlines", nil).want(t, 200).body["deadlines"].([]any)
		if len(deadlines) != 1 || deadlines[0].(map[string]any)["status"] != "due_soon" || status(test) != "DRAFT" {
			t.Errorf("five days before: %v, %v", deadlines, status(test))
		}
		test.call("POST", "/api/test/clock", map[string]any{"advance": "P10D"}).want(t, 200)
		if status(test) != "OVERDUE" || status(live) != "DRAFT" {
			t.Errorf("after the due date the test filing is %v, the live one %v", status(test), status(live))
		}
	})
}

// Retention follows the test clock: a filing that ended is deleted when its time is over, before the answer. The same
// filing of a live organisation stays.
func TestClockMovesRetention(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		live := p.organisation("A")
		test := live.sandbox()
		body := map[string]any{"filingType": "CONFIRMATION_STATEMENT", "companyNumber": "12345678", "companyName": "Mill Lane Ltd", "subject": "Annual statement", "dueDate": time.Now().UTC().AddDate(0, 1, 0).Format(time.RFC3339)}
		paths := map[*caller]string{}
		for _, c := range []*caller{live, test} {
			c.call("POST", "/api/hubs/corporate", nil).want(t, 200)
			paths[c] = "/api/corporate/filings/" + c.call("POST", "/api/corporate/filings", body).want(t, 200).id()
			c.call("DELETE", paths[c], nil).want(t, 200)
		}
		test.call("POST", "/api/test/clock", map[string]any{"advance": "P5Y"}).want(t, 200)
		test.call("GET", paths[test], nil).want(t, 200)
		test.call("POST", "/api/test/clock", map[string]any{"advance": "P3Y"}).want(t, 200)
		test.call("GET", paths[test], nil).want(t, 404)
		live.call("GET", paths[live], nil).want(t, 200)
		if v := p.command("audit", "verify", "--org", test.org); v["ok"] != true {
			t.Errorf("verify: %v", v)
		}
	})
}

// The simulator, the checks at creation, CBAM quarters, VAT periods and the names of exports follow the test clock.
func TestClockMovesSimulatorAndPeriods(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		live := p.organisation("A")
		test := live.sandbox()
		year := time.Now().UTC().Year() + 2
		test.call("POST", "/api/test/clock", map[string]any{"now": fmt.Sprintf("%d-05-10T09:00:00Z", year)}).want(t, 200)
		id := test.declaration("INV-1")
		test.submit(id).want(t, 200)
		d := test.waitForStatus(id, "CLEARED")
		if mrn := fmt.Sprint(d.in("declaration", "mrn")); !strings.HasPrefix(mrn, fmt.Sprintf("%02dGB", year%100)) {
			t.Errorf("the simulator assigned the MRN %s in %d", mrn, year)
		}
		for _, hub := range []string{"cbam", "tax"} {
			live.call("POST", "/api/hubs/"+hub, nil).want(t, 200)
			test.call("POST", "/api/hubs/"+hub, nil).want(t, 200)
		}
		quarter := fmt.Sprintf("%d-Q2", year)
		if a := test.call("POST", "/api/cbam/imports", steel()).want(t, 201); a.in("quarter") != quarter {
			t.Errorf("the import belongs to %v, not %s", a.in("quarter"), quarter)
		}
		if a := test.call("POST", "/api/cbam/reports", nil).want(t, 200); a.in("report", "quarter") != quarter {
			t.Errorf("the report: %s", a.text)
		}
		periods := test.call("GET", "/api/tax/periods", nil).want(t, 200)
		if !strings.Contains(periods.text, `"`+quarter+`"`) {
			t.Errorf("the periods do not reach the test clock: %s", periods.text)
		}
		if name := test.call("GET", "/api/export/clients", nil).want(t, 200).header.Get("Content-Disposition"); !strings.Contains(name, fmt.Sprintf("clients-%d-05-10.csv", year)) {
			t.Errorf("the export is %s", name)
		}
		if a := live.call("POST", "/api/cbam/imports", steel()).want(t, 201); a.in("quarter") == quarter {
			t.Errorf("a live import belongs to %s", quarter)
		}
	})
}

// A failed delivery is tried again when the test clock reaches its next attempt, and dated by that clock. Signatures have
// real time.
func TestClockMovesWebhookRetries(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		const path = "/api/test/clock"
		test := p.organisation("A").sandbox()
		h := receive(t)
		h.answers(500)
		id, _ := test.endpoint(h.URL, "client.created")
		test.call("POST", path, map[string]any{"advance": "P40D"}).want(t, 200)
		test.call("POST", "/api/clients", map[string]any{"name": "A"}).want(t, 201)
		attempted := func(n int) map[string]any {
			h.arrive(t, n)
			for deadline := time.Now().Add(waitLimit); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
				d := test.call("GET", endpoints+"/"+id+"/deliveries", nil).want(t, 200).body["deliveries"].([]any)[0].(map[string]any)
				if fmt.Sprint(d["attempts"]) == fmt.Sprint(n) {
					return d
				}
			}
			t.Fatalf("attempt %d is not stored", n)
			return nil
		}
		attempted(1)
		test.call("POST", path, map[string]any{"advance": "PT1M"}).want(t, 200)
		attempted(2)
		h.answers(200)
		now := test.call("POST", path, map[string]any{"advance": "P1D"}).want(t, 200).in("clock", "now")
		if d := attempted(3); d["status"] != "DELIVERED" || d["deliveredAt"] != now {
			t.Errorf("at %s: %v", now, d)
		}
		stamp, _ := strconv.ParseInt(h.arrivals()[2].header.Get("webhook-timestamp"), 10, 64)
		if at := time.Unix(stamp, 0); at.After(time.Now().Add(time.Hour)) {
			t.Errorf("the signature is of %s", at)
		}
	}, allowPrivate)
}
