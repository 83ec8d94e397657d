package conformance

import (
	"strconv"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// The usage shows the three budgets as the headers do and spends one request of the standard one, counts the records of
// the organisation alone, and needs a key for the whole organisation.
func TestUsage(t *testing.T) {
	t.Parallel()
	p := serve(t, storetest.SQLite(t), "TIDEWAITER_LIMIT_STANDARD=50", "TIDEWAITER_LIMIT_AI=7", "TIDEWAITER_LIMIT_PUBLIC=0")
	c := p.organisation("A")
	p.organisation("B").client()
	c.declaration("")
	c.client()
	a := c.call("GET", "/api/usage", nil).want(t, 200)
	for name, want := range map[string]float64{"limit": 50, "remaining": 45} {
		if got := a.in("budgets", "standard", name); got != want {
			t.Errorf("standard %s is %v, want %v", name, got, want)
		}
	}
	if got := a.in("budgets", "standard", "reset"); strconv.FormatFloat(got.(float64), 'f', -1, 64) != a.header.Get("X-RateLimit-Reset") {
		t.Errorf("resets at %v, and by the header at %s", got, a.header.Get("X-RateLimit-Reset"))
	}
	if a.in("budgets", "ai", "limit") != 7.0 || a.in("budgets", "ai", "remaining") != 7.0 || a.in("budgets", "public", "limit") != nil {
		t.Errorf("other budgets: %s", a.text)
	}
	for kind, want := range map[string]float64{"client": 2, "shipment": 1, "declaration": 1, "gvms.movement": 0} {
		if got := a.in("records", kind); got != want {
			t.Errorf("%v records of the kind %s, want %v", got, kind, want)
		}
	}
	if a.in("storage", "documentBytes") != 0.0 || a.in("storage", "quotaBytes") != float64(10<<30) {
		t.Errorf("storage: %s", a.text)
	}
	if got := c.call("GET", "/api/usage", nil).in("budgets", "standard", "remaining"); got != 44.0 {
		t.Errorf("the next call leaves %v", got)
	}
	narrow, _ := c.makeKey(t, map[string]any{"scopes": []string{"customs:read"}})
	narrow.call("GET", "/api/usage", nil).refused(t, 403, "scope_required")
}
