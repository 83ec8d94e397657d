package conformance

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// An import goes from draft to cleared automatically, with the assessed amounts.
func TestImportIsCleared(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		made := c.call("POST", "/api/declarations", goods(c.shipment(), "INV-1")).want(t, 201)
		if made.body["status"] != "DRAFT" || made.body["mrn"] != nil || made.body["totalDutyGbp"] != 222.0 || made.body["totalVatGbp"] != 414.4 {
			t.Errorf("the draft: %s", made.text)
		}
		if lrn, _ := made.body["lrn"].(string); len(lrn) == 0 || len(lrn) > 22 {
			t.Errorf("LRN %q", lrn)
		}
		first := c.submit(made.id()).want(t, 200)
		if first.body["status"] != "SUBMITTED" || first.body["conversationId"] == "" {
			t.Errorf("the submission: %s", first.text)
		}
		cleared := c.waitForAssessment(made.id())
		d := cleared.body["declaration"].(map[string]any)
		if mrn, _ := d["mrn"].(string); len(mrn) != 18 {
			t.Errorf("MRN %q", mrn)
		}
		if d["totalDutyGbp"] != 222.0 || d["totalVatGbp"] != 414.4 || len(d["taxes"].([]any)) != 2 || d["dutyBasis"] != "final" {
			t.Errorf("the assessment: %s", cleared.text)
		}
		if again := c.submit(made.id()).want(t, 200); again.text != first.text {
			t.Errorf("submitted again: %s, not %s", again.text, first.text)
		}
		events := c.waitForEvents(made.id(), "declaration.created", "declaration.submitted", "declaration.accepted", "declaration.tax_assessed", "declaration.tax_assessed", "declaration.cleared")
		if events[0] != "declaration.created" || events[1] != "declaration.submitted" {
			t.Errorf("events %v", events)
		}
	})
}

// A rejected declaration has reasons and places, is corrected, and is submitted again with a new LRN.
func TestRejectedIsCorrectedAndSubmittedAgain(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		id := c.declaration("SIM-BCDS12056-1")
		before := c.call("GET", "/api/declarations/"+id, nil).in("declaration", "lrn")
		c.submit(id).want(t, 200)
		rejected := c.waitForStatus(id, "REJECTED")
		errors, _ := rejected.in("declaration", "errors").([]any)
		if len(errors) != 1 {
			t.Fatalf("errors: %s", rejected.text)
		}
		if e := errors[0].(map[string]any); e["code"] != "CDS12056" || e["field"] != "items[0].commodityCode" {
			t.Errorf("error %v", e)
		}
		patched := c.call("PATCH", "/api/declarations/"+id, map[string]any{"documents": []any{map[string]any{"type": "N935", "reference": "INV-1"}}}).want(t, 200)
		if patched.in("declaration", "status") != "REJECTED" {
			t.Errorf("patched: %s", patched.text)
		}
		c.submit(id).want(t, 200)
		cleared := c.waitForStatus(id, "CLEARED")
		if cleared.in("declaration", "lrn") == before {
			t.Error("the LRN was used twice")
		}
	})
}

// CDS finds real errors of a declaration, at their fields.
func TestErrorsAreReportedAtTheirFields(t *testing.T) {
	p := shared(t)
	c := p.organisation("A")
	body := goods(c.shipment(), "INV-1")
	item := body["items"].([]any)[0].(map[string]any)
	item["commodityCode"], item["grossMassKg"] = "610910", 100
	id := c.call("POST", "/api/declarations", body).want(t, 201).id()
	c.submit(id).want(t, 200)
	var fields []string
	for _, e := range c.waitForStatus(id, "REJECTED").in("declaration", "errors").([]any) {
		fields = append(fields, e.(map[string]any)["field"].(string))
	}
	for _, want := range []string{"items[0].commodityCode", "items[0].netMassKg"} {
		if !slices.Contains(fields, want) {
			t.Errorf("%s is not among %v", want, fields)
		}
	}
}

// An export is cleared without tax.
func TestExportIsClearedWithoutTax(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		body := goods(c.shipment(), "")
		body["declarationType"] = "EXPORT"
		made := c.call("POST", "/api/declarations", body).want(t, 201)
		c.submit(made.id()).want(t, 200)
		d := c.waitForStatus(made.id(), "CLEARED").body["declaration"].(map[string]any)
		if d["totalDutyGbp"] != 0.0 || d["totalVatGbp"] != 0.0 || d["taxes"] != nil || d["ducr"] == nil {
			t.Errorf("%v", d)
		}
	})
}

// A draft is cancelled at once, an accepted declaration if CDS grants it, and a cleared one never.
func TestCancel(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		draft := c.declaration("")
		if a := c.call("DELETE", "/api/declarations/"+draft, nil).want(t, 200); a.in("declaration", "status") != "CANCELLED" {
			t.Errorf("the draft: %s", a.text)
		}
		c.call("DELETE", "/api/declarations/"+draft, nil).refused(t, 400, "invalid_state")
		accepted := c.declaration("SIM-GXS-1")
		c.submit(accepted).want(t, 200)
		c.waitForStatus(accepted, "ACCEPTED")
		c.call("DELETE", "/api/declarations/"+accepted, nil).want(t, 200)
		if a := c.waitForStatus(accepted, "CANCELLED"); a.in("declaration", "cancellation", "status") != "GRANTED" {
			t.Errorf("cancelled: %s", a.text)
		}
		cleared := c.declaration("INV-1")
		c.submit(cleared).want(t, 200)
		c.waitForStatus(cleared, "CLEARED")
		c.call("DELETE", "/api/declarations/"+cleared, nil).refused(t, 400, "invalid_state")
	})
}

// fakeCDS is a stand-in for CDS whose answers the test sets.
type fakeCDS struct {
	*httptest.Server
	posts   atomic.Int64
	mu      sync.Mutex
	answer  http.HandlerFunc
	bodies  []string
	headers []http.Header
}

func startFakeCDS(t *testing.T) *fakeCDS {
	c := &fakeCDS{}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		c.posts.Add(1)
		c.mu.Lock()
		c.bodies, c.headers = append(c.bodies, string(body)), append(c.headers, r.Header)
		reply := c.answer
		c.mu.Unlock()
		reply(w, r)
	}))
	t.Cleanup(c.Close)
	return c
}

func (c *fakeCDS) respondWith(h http.HandlerFunc) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.answer = h
}

const conversation = "4b0f8f6e-3b1f-4a2e-9d4c-0a1b2c3d4e5f"

func acceptSubmission(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("X-Conversation-ID", conversation)
	w.WriteHeader(202)
}

func respond(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

// serveWith starts a server that uses the test's fakeCDS, for one organisation, with a user's token from a file.
func serveWith(t *testing.T, b storetest.Backend, c *fakeCDS) *server {
	token := filepath.Join(t.TempDir(), "token.json")
	if err := os.WriteFile(token, []byte(`{"Access":"access","Refresh":"refresh"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	return serve(t, b, "TIDEWAITER_CUSTOMS_MODE=hmrc", "TIDEWAITER_CUSTOMS_URL="+c.URL, "TIDEWAITER_CUSTOMS_RATE=1000",
		"TIDEWAITER_CUSTOMS_CLIENT_ID=app", "TIDEWAITER_CUSTOMS_CLIENT_SECRET=secret", "TIDEWAITER_CUSTOMS_USER_TOKEN="+token,
		"TIDEWAITER_CUSTOMS_INBOUND=static-token", "TIDEWAITER_CUSTOMS_INBOUND_TOKEN=Basic secret")
}

// For every answer of CDS except 202 the caller learns whether it was refused or unreachable, and the declaration
// is unchanged.
func TestCDSFailures(t *testing.T) {
	t.Parallel()
	stand := startFakeCDS(t)
	p := serveWith(t, storetest.SQLite(t), stand)
	c := p.organisation("A")
	problem := `<errorResponse><code>BAD_REQUEST</code><message>Payload is not valid according to schema</message></errorResponse>`
	for _, failure := range []struct {
		name   string
		answer http.HandlerFunc
		code   string
	}{
		{"bad request", respond(400, problem), "customs_rejected"},
		{"forbidden", respond(403, `<errorResponse><code>PAYLOAD_FORBIDDEN</code></errorResponse>`), "customs_rejected"},
		{"too many", respond(429, "slow down"), "customs_rejected"},
		{"their fault", respond(500, "oops"), "customs_unreachable"},
		{"rubbish", respond(200, "<html>"), "customs_unreachable"},
		{"no conversation", respond(202, ""), "customs_unreachable"},
	} {
		id := c.declaration("")
		stand.respondWith(failure.answer)
		a := c.submit(id).refused(t, 502, failure.code)
		if d := c.call("GET", "/api/declarations/"+id, nil); d.in("declaration", "status") != "DRAFT" || d.in("declaration", "mrn") != nil {
			t.Errorf("%s: %s after %s", failure.name, d.text, a.text)
		}
	}
}

// After a lost answer the declaration is unchanged, keeps its LRN, and is sent again with the same bytes.
func TestUnknownOutcomeKeepsTheLRN(t *testing.T) {
	t.Parallel()
	stand := startFakeCDS(t)
	p := serveWith(t, storetest.SQLite(t), stand)
	c := p.organisation("A")
	id := c.declaration("")
	stand.respondWith(respond(500, ""))
	c.submit(id).refused(t, 502, "customs_unreachable")
	c.call("PATCH", "/api/declarations/"+id, map[string]any{"documents": []any{}}).refused(t, 400, "invalid_state")
	c.call("DELETE", "/api/declarations/"+id, nil).refused(t, 400, "invalid_state")
	stand.respondWith(acceptSubmission)
	if a := c.submit(id).want(t, 200); a.body["conversationId"] != conversation {
		t.Errorf("submitted: %s", a.text)
	}
	if len(stand.bodies) != 2 || stand.bodies[0] != stand.bodies[1] {
		t.Errorf("%d documents, want the same one twice", len(stand.bodies))
	}
}

// If many callers submit at once, one message is sent and all get the same answer.
func TestManySubmitsSendOnce(t *testing.T) {
	backends(t, func(t *testing.T, b storetest.Backend) {
		stand := startFakeCDS(t)
		stand.respondWith(func(w http.ResponseWriter, r *http.Request) {
			time.Sleep(100 * time.Millisecond)
			acceptSubmission(w, r)
		})
		p := serveWith(t, b, stand)
		c := p.organisation("A")
		id := c.declaration("")
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				if a := c.submit(id); a.status != 200 || a.body["conversationId"] != conversation {
					t.Errorf("%d: %s", a.status, a.text)
				}
			})
		}
		all.Wait()
		if n := stand.posts.Load(); n != 1 {
			t.Errorf("%d messages were sent", n)
		}
	})
}

// notificationXML is a minimal message from CDS.
func notificationXML(code, id, mrn, issued, more string) string {
	return fmt.Sprintf(`<MetaData xmlns="urn:wco:datamodel:WCO:DocumentMetaData-DMS:2"><Response xmlns="urn:wco:datamodel:WCO:RES-DMS:2"><FunctionCode>%s</FunctionCode>`+
		`<FunctionalReferenceID>%s</FunctionalReferenceID><IssueDateTime><DateTimeString xmlns="urn:wco:datamodel:WCO:Response_DS:DMS:2" formatCode="304">%s</DateTimeString></IssueDateTime>`+
		`%s<Declaration><ID>%s</ID></Declaration></Response></MetaData>`, code, id, issued, more, mrn)
}

func (p *server) postNotification(authorization, conversation, body string) answer {
	return p.call("", "POST", "/api/cds/webhook", body, "Content-Type", "application/xml", "Authorization", authorization, "X-Conversation-ID", conversation)
}

// Order and duplicates of messages do not matter: reversed and sent twice each, they lead to the same state.
func TestMessagesInAnyOrder(t *testing.T) {
	backends(t, func(t *testing.T, b storetest.Backend) {
		stand := startFakeCDS(t)
		stand.respondWith(acceptSubmission)
		p := serveWith(t, b, stand)
		c := p.organisation("A")
		id := c.declaration("")
		c.submit(id).want(t, 200)
		const mrn = "26GB3TTI2CQ1C7FGR4"
		messages := []string{
			notificationXML("09", "m4", mrn, "20261121090003Z", ""), notificationXML("13", "m3", mrn, "20261121090002Z", "<Status><NameCode>4</NameCode></Status>"),
			notificationXML("01", "m2", mrn, "20261121090001Z", ""), notificationXML("02", "m1", mrn, "20261121090000Z", ""),
			notificationXML("99", "m5", mrn, "20261121090004Z", ""), notificationXML("06", "m6", mrn, "junk", ""),
		}
		for range 2 {
			for _, m := range messages {
				p.postNotification("Basic secret", conversation, m).want(t, 200)
			}
		}
		a := c.waitForStatus(id, "CLEARED")
		if a.in("declaration", "mrn") != mrn || a.in("declaration", "acceptedAt") == nil {
			deadline := time.Now().Add(waitLimit)
			for a.in("declaration", "acceptedAt") == nil && time.Now().Before(deadline) {
				a = c.waitForStatus(id, "CLEARED")
			}
		}
		received := 0
		for deadline := time.Now().Add(waitLimit); received < len(messages) && time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
			received = strings.Count(c.call("GET", "/api/declarations/"+id+"/timeline", nil).text, `"kind":"received"`)
		}
		if received != len(messages) || a.in("declaration", "mrn") != mrn {
			t.Errorf("%d messages of %d; %s", received, len(messages), a.text)
		}
	})
}

// A message without proof of its sender is refused; one with proof is accepted, whatever its content.
func TestInboundMessagesAreAuthenticated(t *testing.T) {
	t.Parallel()
	stand := startFakeCDS(t)
	p := serveWith(t, storetest.SQLite(t), stand)
	for _, authorization := range []string{"", "Basic", "Basic secre", "Basic secrets", "Bearer secret", "basic secret"} {
		p.postNotification(authorization, conversation, "<x/>").refused(t, 401, "unauthorized")
	}
	bomb := `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]><x>&b;</x>`
	for name, body := range map[string]string{
		"garbage": "not xml", "bomb": bomb, "external": `<!DOCTYPE x SYSTEM "file:///etc/passwd"><x/>`, "unknown namespace": `<Root xmlns="hmrc:fileupload"/>`,
		"UTF-16": "\xff\xfe<\x00x\x00/\x00>\x00", "empty": "", "20 MB": "<x>" + strings.Repeat("a", 20<<20-7) + "</x>",
	} {
		if a := p.postNotification("Basic secret", conversation, body); a.status != 200 || a.text != "{}" {
			t.Errorf("%s: %d %s", name, a.status, a.text)
		}
	}
	p.postNotification("Basic secret", conversation, strings.Repeat("a", 20<<20+1)).refused(t, 413, "payload_too_large")

	signed := serve(t, storetest.SQLite(t))
	signed.postNotification("Basic secret", conversation, "<x/>").refused(t, 401, "unauthorized")
	signed.postNotification("Bearer eyJhbGciOiJub25lIn0.e30.", conversation, "<x/>").refused(t, 401, "unauthorized")
}
