package conformance

import (
	"slices"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// vehicleMovement is a lorry from Calais.
func vehicleMovement() map[string]any {
	return map[string]any{"routeFrom": "FRCQF", "routeTo": "Dover", "vehicleReg": "AB24 CDE", "crossingDate": inDays(3)}
}

// A goods movement record has the lifecycle of the specification: open from the start, with its own GMR, until it
// is cancelled.
func TestGVMS(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		c.call("GET", "/api/gvms/movements", nil).refused(t, 402, "hub_not_enabled")
		c.call("POST", "/api/gvms/movements", vehicleMovement()).refused(t, 402, "hub_not_enabled")
		c.call("POST", "/api/hubs/gvms", nil).want(t, 200)
		made := c.call("POST", "/api/gvms/movements", vehicleMovement()).want(t, 201)
		gmr, _ := made.in("gmrId").(string)
		if _, err := ident.ParseGMR(gmr); err != nil || !strings.HasPrefix(gmr, "GMRA") || made.in("status") != "OPEN" || made.in("routeTo") != "Dover" || made.in("id") == nil {
			t.Errorf("made: %v %s", err, made.text)
		}
		one := "/api/gvms/movements/" + made.id()
		if a := c.call("GET", one, nil).want(t, 200); a.in("movement", "gmrId") != gmr {
			t.Errorf("got: %s", a.text)
		}
		if a := c.call("PATCH", one, `{"routeTo":"Holyhead","vehicleReg":"XY73 ABC"}`).want(t, 200); a.in("movement", "gmrId") != gmr || a.in("movement", "vehicleReg") != "XY73 ABC" {
			t.Errorf("patched: %s", a.text)
		}
		if r := c.call("POST", one+"/review", nil).want(t, 200); !strings.Contains(r.text, "GVMS-017") || r.in("review", "hasBlockers") != false {
			t.Errorf("reviewed: %s", r.text)
		}
		if a := c.call("GET", "/api/deadlines", nil).want(t, 200); !strings.Contains(a.text, `"kind":"crossing"`) {
			t.Errorf("deadlines: %s", a.text)
		}
		if a := c.call("DELETE", one, nil).want(t, 200); a.in("movement", "status") != "CANCELLED" || a.in("movement", "gmrId") != gmr {
			t.Errorf("cancelled: %s", a.text)
		}
		c.call("DELETE", one, nil).refused(t, 400, "invalid_state")
		c.call("PATCH", one, `{"routeTo":"Dover"}`).refused(t, 400, "invalid_state")
		if a := c.call("GET", "/api/deadlines", nil).want(t, 200); strings.Contains(a.text, `"kind":"crossing"`) {
			t.Errorf("deadlines of a cancelled record: %s", a.text)
		}
		if a := c.call("GET", "/api/gvms/movements?status=CANCELLED", nil).want(t, 200); len(a.in("movements").([]any)) != 1 {
			t.Errorf("listed: %s", a.text)
		}
	})
}

// Invalid input is refused with every wrong field; implausible input is stored.
func TestGVMSInput(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		c.call("POST", "/api/hubs/gvms", nil).want(t, 200)
		bad := map[string]any{"routeFrom": " ", "routeTo": strings.Repeat("x", 141), "vehicleReg": 7, "crossingDate": "2026-02-30T00:00:00Z", "gmrId": "GMRA12345678"}
		want := []string{"crossingDate", "gmrId", "routeFrom", "routeTo", "vehicleReg"}
		if got := slices.Sorted(slices.Values(c.call("POST", "/api/gvms/movements", bad).refused(t, 400, "invalid_request").fields())); !slices.Equal(got, want) {
			t.Errorf("refused %v, not %v", got, want)
		}
		if got := c.call("POST", "/api/gvms/movements", map[string]any{}).refused(t, 400, "invalid_request").fields(); len(got) != 3 {
			t.Errorf("an empty body: %v", got)
		}
		odd := map[string]any{"routeFrom": "Дувр", "routeTo": "?", "vehicleReg": "🚚", "crossingDate": "1999-01-01T00:00:00Z"}
		one := "/api/gvms/movements/" + c.call("POST", "/api/gvms/movements", odd).want(t, 201).id()
		if r := c.call("POST", one+"/review", nil).want(t, 200); r.in("review", "hasBlockers") != true {
			t.Errorf("reviewed: %s", r.text)
		}
	})
}
