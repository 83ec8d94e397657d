package conformance

import (
	"net/http"
	"reflect"
	"testing"
)

// An OWNER sets a hold on a record or on the organisation, changes its reason, and lifts it; every member sees it,
// and the trail shows who did it and why.
func TestHolds(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		testHolds(t, p.organisation("A"))
	})
}

func testHolds(t *testing.T, c *caller) {
	record := c.client()
	if held := c.call(http.MethodGet, "/api/holds", nil).want(t, 200).body["holds"].([]any); len(held) != 0 {
		t.Fatalf("holds of a new organisation: %v", held)
	}
	ask := map[string]any{"recordId": record, "reason": "HMRC inquiry 4711"}
	set := c.call(http.MethodPost, "/api/holds", ask).want(t, 200)
	if set.in("hold", "recordId") != record || set.in("hold", "kind") != "client" || set.in("hold", "reason") != "HMRC inquiry 4711" || set.in("hold", "operator") != false {
		t.Errorf("set: %s", set.text)
	}
	c.call(http.MethodPost, "/api/holds", map[string]any{"reason": "court order"}).want(t, 200)
	c.call(http.MethodPost, "/api/holds", map[string]any{"recordId": record, "reason": "HMRC inquiry 4712"}).want(t, 200)
	if held := c.call(http.MethodGet, "/api/holds", nil).want(t, 200).body["holds"].([]any); len(held) != 2 {
		t.Errorf("holds: %v", held)
	}
	c.call(http.MethodPost, "/api/holds/lift", map[string]any{"recordId": record, "reason": "closed"}).want(t, 200)
	c.call(http.MethodPost, "/api/holds/lift", map[string]any{"recordId": record, "reason": "closed"}).refused(t, 404, "not_found")
	c.call(http.MethodPost, "/api/holds/lift", map[string]any{"reason": ""}).refused(t, 400, "invalid_request")
	c.call(http.MethodPost, "/api/holds", map[string]any{"recordId": unknownID, "reason": "x"}).refused(t, 404, "not_found")
	holdsSet := c.call(http.MethodGet, "/api/audit?eventType=retention.hold_set", nil).want(t, 200).body["events"].([]any)
	lifted := c.call(http.MethodGet, "/api/audit?eventType=retention.hold_lifted", nil).want(t, 200).body["events"].([]any)
	if len(holdsSet) != 3 || len(lifted) != 1 {
		t.Errorf("the trail has %d events of setting and %d of lifting", len(holdsSet), len(lifted))
	}
}

// The list of holds has pages, newest first; its cursor is valid for this list only.
func TestHoldPages(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		for _, record := range []any{c.client(), nil, c.client()} {
			ask := map[string]any{"recordId": record, "reason": "inquiry"}
			if record == nil {
				delete(ask, "recordId")
			}
			c.call(http.MethodPost, "/api/holds", ask).want(t, 200)
		}
		var want, seen []any
		last := "9"
		for _, one := range c.call(http.MethodGet, "/api/holds", nil).want(t, 200).body["holds"].([]any) {
			hold := one.(map[string]any)
			if want = append(want, hold["recordId"]); hold["setAt"].(string) > last {
				t.Errorf("%v is newer than the one before", hold)
			}
			last = hold["setAt"].(string)
		}
		for path := "/api/holds?limit=1"; path != ""; {
			a := c.call(http.MethodGet, path, nil).want(t, 200)
			for _, one := range a.body["holds"].([]any) {
				seen = append(seen, one.(map[string]any)["recordId"])
			}
			next, more := a.body["nextCursor"].(string)
			if path = ""; more {
				path = "/api/holds?limit=1&cursor=" + next
				p.organisation("B").call(http.MethodGet, path, nil).refused(t, 400, "invalid_request")
				c.call(http.MethodGet, "/api/clients?cursor="+next, nil).refused(t, 400, "invalid_request")
			}
			if more != a.body["hasMore"] {
				t.Errorf("hasMore: %s", a.text)
			}
		}
		if len(want) != 3 || !reflect.DeepEqual(seen, want) {
			t.Errorf("walked %v, not %v", seen, want)
		}
	})
}

// A draft under a hold, its own or the organisation's, cannot be deleted before the hold is lifted.
func TestHeldDraftsStay(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		c.call("POST", "/api/hubs/cbam", nil).want(t, 200)
		draft := c.call("POST", "/api/cbam/reports", `{"quarter":"2026-Q1"}`).want(t, 200).id()
		for _, hold := range []map[string]any{{"recordId": draft, "reason": "inquiry"}, {"reason": "court order"}} {
			c.call("POST", "/api/holds", hold).want(t, 200)
			c.call("DELETE", "/api/cbam/reports/"+draft, nil).refused(t, 400, "invalid_state")
			c.call("GET", "/api/cbam/reports/"+draft, nil).want(t, 200)
			c.call("POST", "/api/holds/lift", hold).want(t, 200)
		}
		c.call("DELETE", "/api/cbam/reports/"+draft, nil).want(t, 200)
	})
}
