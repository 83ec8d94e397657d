package conformance

import (
	"slices"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// exciseMovement is a minimal movement of whisky in bond.
func exciseMovement() map[string]any {
	return map[string]any{
		"category": "ALCOHOL", "movementType": "DOMESTIC", "dispatcherName": "Speyside Bonded Stores Ltd", "dispatcherExciseNumber": "GBWK002281023",
		"consigneeName": "Thames Bond Warehousing Ltd", "productCode": "S200", "productDescription": "Single malt Scotch whisky",
	}
}

// An excise movement has the lifecycle of the specification: submitted with an ARC, then accepted, dispatched and
// delivered by the OWNER.
func TestEMCS(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		c.call("POST", "/api/emcs/movements", exciseMovement()).refused(t, 402, "hub_not_enabled")
		c.call("POST", "/api/hubs/emcs", nil).want(t, 200)
		made := c.call("POST", "/api/emcs/movements", exciseMovement()).want(t, 200)
		if made.in("movement", "status") != "DRAFT" || made.in("movement", "productCode") != "S200" {
			t.Errorf("made: %s", made.text)
		}
		one := "/api/emcs/movements/" + made.id()
		if a := c.call("PATCH", one, `{"quantityLitres":6300.25,"expectedJourneyTime":2}`).want(t, 200); a.in("movement", "quantityLitres") != 6300.25 || a.in("movement", "expectedJourneyTime") != 2.0 {
			t.Errorf("patched: %s", a.text)
		}
		reviewed := c.call("POST", one+"/review", nil).want(t, 200)
		if reviewed.in("review", "hasBlockers") != true {
			t.Errorf("without a consignee's number: %s", reviewed.text)
		}
		if a := c.call("POST", one+"/review", nil); a.text != reviewed.text {
			t.Error("two reviews of the same record differ")
		}
		submitted := c.call("POST", one+"/submit", nil).want(t, 200)
		code, _ := submitted.in("movement", "arc").(string)
		arc, err := ident.ParseARC(code)
		if err != nil || len(code) != 21 || !arc.ValidChecksum() || !strings.HasPrefix(code[2:], "GB") || submitted.in("note") == "" {
			t.Errorf("submitted: %v %s", err, submitted.text)
		}
		c.call("PATCH", one, `{"vehicleReg":"X"}`).refused(t, 400, "invalid_state")
		member := c.as("MEMBER")
		for _, step := range []struct{ mark, status string }{{"mark-accepted", "ACCEPTED"}, {"mark-dispatched", "IN_TRANSIT"}, {"mark-delivered", "DELIVERED"}} {
			member.call("POST", one+"/"+step.mark, nil).refused(t, 403, "owner_role_required")
			if a := c.call("POST", one+"/"+step.mark, nil).want(t, 200); a.in("movement", "status") != step.status || a.in("movement", "arc") != code {
				t.Errorf("%s: %s", step.mark, a.text)
			}
			c.call("POST", one+"/"+step.mark, nil).refused(t, 400, "invalid_state")
		}
		c.call("DELETE", one, nil).refused(t, 400, "invalid_state")
		if a := c.call("GET", "/api/emcs/movements?status=DELIVERED", nil).want(t, 200); len(a.in("movements").([]any)) != 1 {
			t.Errorf("delivered: %s", a.text)
		}
	})
}

// A movement can be cancelled until dispatch, and rejected with a reason.
func TestEMCSCancelAndReject(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		c.call("POST", "/api/hubs/emcs", nil).want(t, 200)
		for steps, status := range map[string]int{"": 200, "submit": 200, "submit mark-accepted": 200, "submit mark-accepted mark-dispatched": 400} {
			one := "/api/emcs/movements/" + c.call("POST", "/api/emcs/movements", exciseMovement()).want(t, 200).id()
			for _, step := range strings.Fields(steps) {
				c.call("POST", one+"/"+step, nil).want(t, 200)
			}
			if a := c.call("DELETE", one, nil).want(t, status); status == 200 && a.in("movement", "status") != "CANCELLED" {
				t.Errorf("after %q: %s", steps, a.text)
			}
		}
		one := "/api/emcs/movements/" + c.call("POST", "/api/emcs/movements", exciseMovement()).id()
		c.call("POST", one+"/submit", nil).want(t, 200)
		c.call("POST", one+"/mark-dispatched", nil).refused(t, 400, "invalid_state")
		if a := c.call("POST", one+"/mark-rejected", `{"reason":"Unknown consignee"}`).want(t, 200); a.in("movement", "status") != "REJECTED" || a.in("movement", "reason") != "Unknown consignee" {
			t.Errorf("rejected: %s", a.text)
		}
	})
}

// Invalid input is refused with every wrong field; implausible input is stored.
func TestEMCSInput(t *testing.T) {
	anyDatabase(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		c.call("POST", "/api/hubs/emcs", nil).want(t, 200)
		bad := map[string]any{
			"category": "PERFUME", "movementType": "IMPORT", "dispatcherName": " ", "dispatcherExciseNumber": strings.Repeat("X", 36), "consigneeName": "B",
			"productCode": "S200", "productDescription": "C", "consigneeCountry": "UK", "quantityLitres": -1, "quantityKg": "1", "alcoholAbv": -0.5,
			"numberOfPackages": 1.5, "expectedJourneyTime": 10_000_000, "scheduledDispatchAt": "2026-02-30T00:00:00Z", "arc": "26GB",
		}
		want := []string{"alcoholAbv", "arc", "category", "consigneeCountry", "dispatcherExciseNumber", "dispatcherName", "expectedJourneyTime",
			"movementType", "numberOfPackages", "quantityKg", "quantityLitres", "scheduledDispatchAt"}
		if got := slices.Sorted(slices.Values(c.call("POST", "/api/emcs/movements", bad).refused(t, 400, "invalid_request").fields())); !slices.Equal(got, want) {
			t.Errorf("refused %v, not %v", got, want)
		}
		odd := exciseMovement()
		odd["dispatcherExciseNumber"], odd["productCode"], odd["alcoholAbv"], odd["numberOfPackages"], odd["expectedJourneyTime"] = "?", "Gin", 400, 999_999_999_999_999, 0
		c.call("POST", "/api/emcs/movements", odd).want(t, 200)
	})
}
