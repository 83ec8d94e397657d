package conformance

import "testing"

// request returns the last request of a declaration.
func (a answer) request(t *testing.T) map[string]any {
	t.Helper()
	all, _ := a.in("declaration", "requests").([]any)
	if len(all) == 0 {
		t.Fatalf("no request: %s", a.text)
	}
	return all[len(all)-1].(map[string]any)
}

// A cancellation is requested with a reason, listed and decided by customs. While it is open, a second one is refused; a
// repeat with the same key gets the same answer. A cleared declaration takes reason 3 only.
func TestCancellationWithReason(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		id := c.declaration("SIM-G5-1")
		path := "/api/declarations/" + id + "/cancellation"
		twice := map[string]any{"reasonCode": "2", "reason": "Declared twice"}
		c.call("POST", path, twice).refused(t, 400, "invalid_state")
		c.call("POST", path, map[string]any{"reasonCode": "4", "reason": ""}).refused(t, 400, "invalid_request")
		c.submit(id).want(t, 200)
		c.waitForStatus(id, "ACCEPTED")
		first := c.call("POST", path, twice, "Idempotency-Key", "one", "X-Simulate", "deny").want(t, 200)
		if first.in("request", "kind") != "CANCELLATION" || first.in("request", "reasonCode") != "2" || first.in("request", "reason") != "Declared twice" || first.in("request", "status") != "REQUESTED" {
			t.Errorf("request %s", first.text)
		}
		c.call("POST", path, twice).refused(t, 409, "request_in_progress")
		if again := c.call("POST", path, twice, "Idempotency-Key", "one", "X-Simulate", "deny").want(t, 200); again.text != first.text {
			t.Errorf("repeated: %s, not %s", again.text, first.text)
		}
		c.eventually("the denial", func() bool {
			return c.call("GET", "/api/declarations/"+id, nil).request(t)["status"] == "DENIED"
		})
		c.call("DELETE", "/api/declarations/"+id, map[string]any{"reasonCode": "3", "reason": "Sold"}, "X-Simulate", "grant").want(t, 200)
		a := c.waitForStatus(id, "CANCELLED")
		if r := a.request(t); r["status"] != "GRANTED" || r["reason"] != "Sold" || a.in("declaration", "stage") != "WITHDRAWN" {
			t.Errorf("record %s", a.text)
		}
		cleared := c.declaration("INV-1")
		c.submit(cleared).want(t, 200)
		c.waitForStatus(cleared, "CLEARED")
		c.call("POST", "/api/declarations/"+cleared+"/cancellation", twice).refused(t, 400, "invalid_state")
		c.call("POST", "/api/declarations/"+cleared+"/cancellation", map[string]any{"reasonCode": "3", "reason": "Article 27"}).want(t, 200)
		c.waitForStatus(cleared, "CANCELLED")
	})
}

// The goods of a pre-lodged declaration are presented: customs then accepts and clears it, and the demand is closed.
// Before its registration and after its acceptance nothing can be presented.
func TestPresentationOfGoods(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		shipment := c.shipment()
		c.call("PATCH", "/api/shipments/"+shipment, map[string]any{"arrived": false, "expectedArrival": "2099-01-01T00:00:00Z"}).want(t, 200)
		id := c.call("POST", "/api/declarations", goods(shipment, "SIM-R-1")).want(t, 201).id()
		path := "/api/declarations/" + id + "/presentation"
		c.call("POST", path, nil).refused(t, 400, "invalid_state")
		c.submit(id).want(t, 200)
		a := c.waitForStage(id, "REGISTERED")
		if d := a.demand(t); d["kind"] != "PRESENTATION" || d["dueSource"] != "rule" || a.in("declaration", "prelodged") != true {
			t.Fatalf("record %s", a.text)
		}
		where := map[string]any{"country": "GB", "type": "A", "qualifier": "U", "name": "FXTFXTFXT"}
		asked := c.call("POST", path, map[string]any{"presentedAt": "2026-11-24T04:00:00Z", "location": where}).want(t, 200)
		if asked.in("request", "kind") != "PRESENTATION" || asked.in("request", "presentedAt") != "2026-11-24T04:00:00Z" {
			t.Errorf("request %s", asked.text)
		}
		a = c.waitForStatus(id, "CLEARED")
		if d := a.demand(t); d["status"] != "CLOSED" || a.request(t)["status"] != "GRANTED" {
			t.Errorf("record %s", a.text)
		}
		c.call("POST", path, nil).refused(t, 400, "invalid_state")
		if events := c.call("GET", "/api/audit?eventType=declaration.presentation_requested", nil).want(t, 200); events.in("events") == nil || len(events.in("events").([]any)) != 1 {
			t.Errorf("events %s", events.text)
		}
	})
}
