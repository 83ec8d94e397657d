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
	anyDatabase(t, func(t *testing.T, p *server) {
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

// Without a connection, an OWNER enters the GMR that HMRC gave, with the state that HMRC shows, when it was given and HMRC's document. It replaces the simulated one
// everywhere, and is entered and corrected until the crossing is over. A member, a wrong form and the number of another record are refused.
func TestGMROfHMRC(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		c.call("POST", "/api/hubs/gvms", nil).want(t, 200)
		made := c.call("POST", "/api/gvms/movements", vehicleMovement()).want(t, 201)
		one, simulated := "/api/gvms/movements/"+made.id(), made.in("gmrId").(string)
		c.as("MEMBER").call("POST", one+"/mark-open", map[string]any{"reference": "GMRI000023KN"}).refused(t, 403, "owner_role_required")
		for _, wrong := range []string{"?", "26GB3TTI2CQ1C7FGR9", simulated} {
			c.call("POST", one+"/mark-open", map[string]any{"reference": wrong}).refusedFor(t, "reference")
		}
		entered := c.call("POST", one+"/mark-open", map[string]any{"reference": " gmri 000023kn ", "decidedAt": "2026-11-20T09:30:00.000Z",
			"document": map[string]any{"fileName": "gmr.txt", "content": "R01S"}}).want(t, 200)
		if m := entered.in("movement").(map[string]any); m["gmrId"] != "GMRI000023KN" || m["referenceSource"] != nil || m["simulatedReference"] != simulated || m["status"] != "OPEN" || m["decisionDocument"] == nil {
			t.Errorf("entered: %s", entered.text)
		}
		for _, path := range []string{one, "/api/gvms/movements", "/api/search?q=GMRI000023KN", "/api/export/gvms"} {
			if a := c.call("GET", path, nil).want(t, 200); !strings.Contains(a.text, "GMRI000023KN") || strings.Contains(a.text, `"referenceSource":"simulated"`) {
				t.Errorf("%s: %s", path, a.text)
			}
		}
		if event := c.events("limit=1&eventType=gvms.movement.opened")[0]["data"].(map[string]any); event["reference"] != "GMRI000023KN" || event["formerReference"] != simulated || event["formerReferenceSource"] != "simulated" {
			t.Errorf("event: %v", event)
		}
		second := "/api/gvms/movements/" + c.call("POST", "/api/gvms/movements", vehicleMovement()).want(t, 201).id()
		c.call("POST", second+"/mark-open", map[string]any{"reference": "GMRI000023KN"}).refused(t, 409, "reference_taken")
		for _, step := range []struct{ mark, status string }{
			{"mark-not-finalisable", "NOT_FINALISABLE"}, {"mark-open", "OPEN"}, {"mark-checked-in", "CHECKED_IN"}, {"mark-embarked", "EMBARKED"}, {"mark-completed", "COMPLETED"},
		} {
			if a := c.call("POST", one+"/"+step.mark, nil).want(t, 200); a.in("movement", "status") != step.status || a.in("movement", "gmrId") != "GMRI000023KN" {
				t.Errorf("%s: %s", step.mark, a.text)
			}
		}
		c.call("PATCH", one, `{"vehicleReg":"XY73 ABC"}`).refused(t, 400, "invalid_state")
		c.call("POST", one+"/mark-open", nil).refused(t, 400, "invalid_state")
	})
}

// The routes of a test organisation are those of the simulator, found by ports and carriers, with the time at which they were read; without a connection there are none. The
// review names a route that is not among them.
func TestRoutes(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		live := p.organisation("A")
		test := live.sandbox()
		test.call("GET", "/api/gvms/routes", nil).refused(t, 402, "hub_not_enabled")
		for _, c := range []*caller{live, test} {
			c.call("POST", "/api/hubs/gvms", nil).want(t, 200)
		}
		if a := live.call("GET", "/api/gvms/routes", nil).want(t, 200); len(a.in("routes").([]any)) != 0 || a.in("mode") != "off" || a.in("readAt") != nil {
			t.Errorf("without a connection: %s", a.text)
		}
		for query, want := range map[string]string{
			"": "SIM-4 SIM-3 SIM-1 SIM-2", "?q=calais": "SIM-1 SIM-2", "?q=DOVER+uk_inbound": "SIM-1", "?q=ferries+belfast&on=2026-12-01": "SIM-4 SIM-3", "?q=Rosslare": "", "?on=2019-12-31": "",
		} {
			a := test.call("GET", "/api/gvms/routes"+query, nil).want(t, 200)
			var ids []string
			for _, r := range a.in("routes").([]any) {
				ids = append(ids, r.(map[string]any)["routeId"].(string))
			}
			if strings.Join(ids, " ") != want || a.in("mode") != "simulator" || a.in("readAt") == nil {
				t.Errorf("%s: %s", query, a.text)
			}
		}
		test.call("GET", "/api/gvms/routes?on=soon", nil).refusedFor(t, "on")
		for route, found := range map[string]bool{"SIM-1": false, "SIM-99": true} {
			for _, c := range []*caller{live, test} {
				dry := c.call("POST", "/api/gvms/movements", map[string]any{"routeFrom": "Calais", "routeTo": "Dover", "vehicleReg": "AB24 CDE", "routeId": route}).want(t, 201)
				review := c.call("POST", "/api/gvms/movements/"+dry.id()+"/review", nil).want(t, 200)
				if strings.Contains(review.text, "GVMS-036") != (found && c == test) {
					t.Errorf("%s: %s", route, review.text)
				}
			}
		}
	})
}
