package conformance

import (
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

func movement() map[string]any {
	return map[string]any{
		"movementType": "GB_NI", "traderEori": "XI123456789000", "consignorName": "Harbour Kitchens Ltd", "consigneeName": "Lagan Interiors Ltd",
		"commodityCode": "9403409000", "goodsDescription": "Flat-packed wooden kitchen cupboards", "netMassKg": 1250.5,
	}
}

// A declaration for Northern Ireland has the lifecycle of the specification.
func TestTSS(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		c.call("POST", "/api/hubs/tss", nil).want(t, 200)
		made := c.call("POST", "/api/tss/declarations", movement()).want(t, 200)
		if made.in("declaration", "status") != "DRAFT" || made.in("declaration", "netMassKg") != 1250.5 {
			t.Errorf("made: %s", made.text)
		}
		one := "/api/tss/declarations/" + made.id()
		c.call("POST", one+"/mark-accepted", nil).refused(t, 400, "invalid_state")
		if a := c.call("PATCH", one, `{"vehicleReg":"AB24 CDE"}`).want(t, 200); a.in("declaration", "vehicleReg") != "AB24 CDE" {
			t.Errorf("patched: %s", a.text)
		}
		reviewed := c.call("POST", one+"/review", nil).want(t, 200)
		if _, ok := reviewed.in("review", "riskScore").(float64); !ok || reviewed.in("review", "findings") == nil || reviewed.in("review", "summary") == "" {
			t.Errorf("reviewed: %s", reviewed.text)
		}
		if a := c.call("POST", one+"/review", nil); a.text != reviewed.text {
			t.Error("two reviews of the same record differ")
		}
		submitted := c.call("POST", one+"/submit", nil).want(t, 200)
		mrn, _ := submitted.in("declaration", "mrn").(string)
		parsed, err := ident.ParseMRN(mrn)
		if err != nil || !parsed.ValidChecksum() || !strings.HasPrefix(mrn[2:], "GB") || submitted.in("note") == "" {
			t.Errorf("submitted: %v %s", err, submitted.text)
		}
		c.call("POST", one+"/submit", nil).refused(t, 400, "invalid_state")
		c.call("PATCH", one, `{"vehicleReg":"X"}`).refused(t, 400, "invalid_state")
		c.as("MEMBER").call("POST", one+"/mark-accepted", nil).refused(t, 403, "owner_role_required")
		if a := c.call("POST", one+"/mark-accepted", nil).want(t, 200); a.in("declaration", "status") != "ACCEPTED" {
			t.Errorf("accepted: %s", a.text)
		}
		c.call("DELETE", one, nil).refused(t, 400, "invalid_state")
		second := "/api/tss/declarations/" + c.call("POST", "/api/tss/declarations", movement()).id()
		c.call("POST", second+"/submit", nil).want(t, 200)
		if a := c.call("DELETE", second, nil).want(t, 200); a.in("declaration", "status") != "CANCELLED" {
			t.Errorf("cancelled: %s", a.text)
		}
		c.call("DELETE", "/api/hubs/tss", nil).want(t, 200)
		c.call("GET", "/api/tss/declarations", nil).refused(t, 402, "hub_not_enabled")
		c.call("GET", one, nil).want(t, 200)
	})
}
