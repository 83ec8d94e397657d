package conformance

import (
	"strings"
	"testing"
)

// demand returns the only demand of a declaration.
func (a answer) demand(t *testing.T) map[string]any {
	t.Helper()
	all, _ := a.in("declaration", "demands").([]any)
	if len(all) != 1 {
		t.Fatalf("not one demand: %s", a.text)
	}
	return all[0].(map[string]any)
}

// waitForStage waits until customs is at a stage with a declaration.
func (c *caller) waitForStage(id, stage string) (a answer) {
	c.eventually("stage "+stage, func() bool {
		a = c.call("GET", "/api/declarations/"+id, nil)
		return a.in("declaration", "stage") == stage
	})
	return a
}

// A request for documents is an open demand with customs' day. It is in the record, the filtered list, the deadlines, the
// audit trail and the events; a user cannot close it.
func TestDemandForDocuments(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		id := c.declaration("SIM-D0-1")
		other := c.declaration("INV-2")
		c.submit(id).want(t, 200)
		c.waitForStatus(id, "ACCEPTED")
		a := c.waitForStage(id, "DOCUMENTS_REQUIRED")
		d := a.demand(t)
		if d["kind"] != "DOCUMENTS" || d["status"] != "OPEN" || d["dueSource"] != "message" || d["dueAt"] == nil || d["messageId"] == "" || d["closedAt"] != nil {
			t.Errorf("demand %v", d)
		}
		if a.in("declaration", "status") != "ACCEPTED" || a.in("declaration", "dueAt") != d["dueAt"] {
			t.Errorf("record %s", a.text)
		}
		list := c.call("GET", "/api/declarations?demand=DOCUMENTS", nil).want(t, 200)
		if !strings.Contains(list.text, id) || strings.Contains(list.text, other) {
			t.Errorf("list %s", list.text)
		}
		if none := c.call("GET", "/api/declarations?demand=PAYMENT&status=ACCEPTED", nil).want(t, 200); strings.Contains(none.text, id) {
			t.Errorf("list %s", none.text)
		}
		c.call("GET", "/api/declarations?demand=MONEY", nil).refused(t, 400, "invalid_request")
		c.call("GET", "/api/declarations?demand=ANY", nil).refused(t, 400, "invalid_request")
		deadlines := c.call("GET", "/api/deadlines?windowDays=60", nil).want(t, 200)
		if !strings.Contains(deadlines.text, `"kind":"documents"`) || !strings.Contains(deadlines.text, d["dueAt"].(string)) {
			t.Errorf("deadlines %s", deadlines.text)
		}
		if events := c.call("GET", "/api/audit?eventType=declaration.documents_required", nil).want(t, 200); !strings.Contains(events.text, id) {
			t.Errorf("events %s", events.text)
		}
		path := "/api/declarations/" + id + "/demands/" + d["id"].(string) + "/close"
		c.call("POST", path, nil).refused(t, 400, "invalid_state")
		c.call("POST", "/api/declarations/"+other+"/demands/"+d["id"].(string)+"/close", nil).refused(t, 404, "not_found")
	})
}

// A user closes a query once it is answered. The record then has no open demand, and is in no list of them.
func TestQueryIsClosedByAUser(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		id := c.declaration("SIM-Q0-1")
		c.submit(id).want(t, 200)
		c.waitForStatus(id, "ACCEPTED")
		d := c.waitForStage(id, "QUERIED").demand(t)
		if d["dueAt"] != nil || !strings.Contains(d["text"].(string), "more detail") || !strings.Contains(d["text"].(string), "no deadline") {
			t.Errorf("demand %v", d)
		}
		path := "/api/declarations/" + id + "/demands/" + d["id"].(string) + "/close"
		closed := c.call("POST", path, map[string]any{"note": "By letter"}).want(t, 200)
		if closed.in("demand", "status") != "CLOSED" || closed.in("demand", "closedBy") == nil {
			t.Errorf("closed: %s", closed.text)
		}
		c.call("POST", path, nil).want(t, 200)
		if a := c.call("GET", "/api/declarations/"+id, nil); a.in("declaration", "stage") != "ACCEPTED" || a.demand(t)["status"] != "CLOSED" {
			t.Errorf("record %s", a.text)
		}
		if list := c.call("GET", "/api/declarations?demand=QUERY", nil).want(t, 200); strings.Contains(list.text, id) {
			t.Errorf("list %s", list.text)
		}
		if events := c.call("GET", "/api/audit?eventType=declaration.demand_closed", nil).want(t, 200); strings.Count(events.text, `"demand_closed"`)+strings.Count(events.text, `declaration.demand_closed`) != 1 || !strings.Contains(events.text, "By letter") {
			t.Errorf("events %s", events.text)
		}
	})
}
