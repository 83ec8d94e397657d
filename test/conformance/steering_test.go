package conformance

import (
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// The header selects the simulator's outcome. The answer says so first; record, timeline and event are marked. Sent
// again without it, the declaration is cleared and no longer marked.
func TestSteeringByHeader(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		id := c.declaration("INV-1")
		steer := func(value string) answer {
			return c.call("POST", "/api/cds/submit", map[string]any{"declarationId": id}, "X-Simulate", value)
		}
		for _, value := range []string{"nothing", "BCDS1205", "SIM-P-1"} {
			if a := steer(value).refused(t, 400, "invalid_request"); !strings.Contains(a.text, `"field":"X-Simulate"`) {
				t.Errorf("%s: %s", value, a.text)
			}
		}
		a := steer("reject CDS12056").want(t, 200)
		if !strings.HasPrefix(a.text, `{"note":"Simulated: `) || a.body["simulated"] != true || a.body["status"] != "SUBMITTED" {
			t.Errorf("the answer is %s", a.text)
		}
		rejected := c.waitForStatus(id, "REJECTED")
		if e := rejected.in("declaration", "errors").([]any)[0].(map[string]any); e["code"] != "CDS12056" {
			t.Errorf("the errors are %s", rejected.text)
		}
		if rejected.in("declaration", "simulated") != true || rejected.in("declaration", "simulatedBy") != "X-Simulate: reject CDS12056" {
			t.Errorf("the record is %s", rejected.text)
		}
		timeline := c.call("GET", "/api/declarations/"+id+"/timeline", nil).want(t, 200)
		for _, m := range timeline.body["timeline"].([]any) {
			if moment := m.(map[string]any); moment["kind"] != "event" && moment["simulated"] != true {
				t.Errorf("not marked: %v", moment)
			}
		}
		again := c.submit(id).want(t, 200)
		if strings.Contains(again.text, "imulated") {
			t.Errorf("the unsteered answer is %s", again.text)
		}
		if cleared := c.waitForStatus(id, "CLEARED"); strings.Contains(cleared.text, "simulated") {
			t.Errorf("the unsteered record is %s", cleared.text)
		}
	})
}

// A first reference that begins with SIM- steers, the header outranks it, and an ordinary reference steers nothing,
// whatever its first letter.
func TestSteeringByReference(t *testing.T) {
	p := shared(t)
	c := p.organisation("A")
	for _, reference := range []string{"BDX/26/1133", "BL-2026-17", "DN44", "P-1", "TAX_LIABILITY-1"} {
		id := c.declaration(reference)
		if a := c.submit(id).want(t, 200); strings.Contains(a.text, "imulated") {
			t.Errorf("%s: %s", reference, a.text)
		}
		c.waitForStatus(id, "CLEARED")
	}
	steered := c.declaration("SIM-BCDS12056-1")
	if a := c.submit(steered).want(t, 200); a.body["simulated"] != true || !strings.Contains(a.text, "the reference SIM-BCDS12056-1") {
		t.Errorf("the answer is %s", a.text)
	}
	c.waitForStatus(steered, "REJECTED")
	outranked := c.declaration("SIM-B-1")
	c.call("POST", "/api/cds/submit", map[string]any{"declarationId": outranked}, "X-Simulate", "G").want(t, 200)
	c.waitForStatus(outranked, "ACCEPTED")
	for _, d := range []struct{ decision, status string }{{"deny", "DENIED"}, {"grant", "GRANTED"}} {
		c.call("DELETE", "/api/declarations/"+outranked, nil, "X-Simulate", "perhaps").refused(t, 400, "invalid_request")
		c.call("DELETE", "/api/declarations/"+outranked, nil, "X-Simulate", d.decision).want(t, 200)
		c.eventually("cancellation "+d.status, func() bool {
			return c.call("GET", "/api/declarations/"+outranked, nil).in("declaration", "cancellation", "status") == d.status
		})
	}
}

// An organisation that is connected to HMRC cannot steer: the header is refused before anything is sent, and a SIM-
// reference blocks in the review. The request that HMRC gets has none of our headers.
func TestNoSteeringAtHMRC(t *testing.T) {
	t.Parallel()
	stand := startFakeCDS(t)
	stand.respondWith(acceptSubmission)
	c := serveWith(t, storetest.SQLite(t), stand).organisation("A")
	id := c.declaration("SIM-P-1")
	sent := stand.posts.Load()
	if a := c.call("POST", "/api/cds/submit", map[string]any{"declarationId": id}, "X-Simulate", "P").refused(t, 400, "invalid_request"); !strings.Contains(a.text, "connected to HMRC") {
		t.Errorf("the answer is %s", a.text)
	}
	if stand.posts.Load() != sent {
		t.Error("something was sent")
	}
	review := c.call("POST", "/api/ai/analyse-declaration", map[string]any{"declarationId": id}).want(t, 200)
	if !strings.Contains(review.text, `"code":"DEC-122","severity":"blocker"`) {
		t.Errorf("the review is %s", review.text)
	}
	if a := c.submit(id).want(t, 200); strings.Contains(a.text, "imulated") {
		t.Errorf("the answer is %s", a.text)
	}
	stand.mu.Lock()
	defer stand.mu.Unlock()
	for _, header := range stand.headers {
		if header.Get("X-Simulate") != "" || header.Get("X-Tidewaiter-Organisation") != "" {
			t.Errorf("HMRC gets %v", header)
		}
	}
	if len(stand.headers) == 0 {
		t.Error("no request was recorded")
	}
}
