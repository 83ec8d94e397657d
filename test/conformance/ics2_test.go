package conformance

import (
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

func entry() map[string]any {
	return map[string]any{
		"filingType": "ENS_SEA", "modeOfTransport": "1", "carrierName": "Northern Star Lines", "carrierEori": "GB123456789000",
		"consignorName": "Busan Kitchenware Co., Ltd.", "consigneeName": "Harbour Kitchens Ltd", "consigneeEori": "GB205672212000",
		"transportDocNumber": "NSLU260411987", "portOfLoading": "KRPUS", "portOfUnloading": "GBFXT", "estimatedArrival": inDays(30),
		"totalPackages": 420, "totalGrossMassKg": 3150.5,
		"goodsDescription": "Electric espresso machines for household use", "commodityCodes": []string{"851671"},
	}
}

// An entry summary declaration has the lifecycle of the specification.
func TestICS2(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		c.call("POST", "/api/ics2/filings", entry()).refused(t, 402, "hub_not_enabled")
		c.call("POST", "/api/hubs/ics2", nil).want(t, 200)
		made := c.call("POST", "/api/ics2/filings", entry()).want(t, 200)
		if made.in("filing", "status") != "DRAFT" || made.in("filing", "totalPackages") != 420.0 || made.in("filing", "totalGrossMassKg") != 3150.5 {
			t.Errorf("made: %s", made.text)
		}
		one := "/api/ics2/filings/" + made.id()
		reviewed := c.call("POST", one+"/review", nil).want(t, 200)
		if reviewed.in("review", "hasBlockers") != false || reviewed.in("review", "riskScore") != 0.0 {
			t.Errorf("the correct example has findings: %s", reviewed.text)
		}
		c.call("PATCH", one, `{"portOfLoading":"RUVVO","goodsDescription":"Goods","carrierEori":null}`).want(t, 200)
		faulty := c.call("POST", one+"/review", nil).want(t, 200)
		for _, code := range []string{"ICS2-012", "ICS2-023", "ICS2-036"} {
			if !strings.Contains(faulty.text, code) {
				t.Errorf("%s is not found: %s", code, faulty.text)
			}
		}
		if faulty.in("review", "hasBlockers") != true {
			t.Errorf("no blockers: %s", faulty.text)
		}
		submitted := c.call("POST", one+"/submit", nil).want(t, 200)
		mrn, _ := submitted.in("filing", "mrn").(string)
		parsed, err := ident.ParseMRN(mrn)
		if err != nil || !parsed.ValidChecksum() || !strings.HasPrefix(mrn[2:], "GB") || submitted.in("filing", "submittedAt") == nil || submitted.in("note") == "" {
			t.Errorf("submitted: %v %s", err, submitted.text)
		}
		c.call("POST", one+"/submit", nil).refused(t, 400, "invalid_state")
		c.as("MEMBER").call("POST", one+"/mark-rejected", `{"reason":"x"}`).refused(t, 403, "owner_role_required")
		if a := c.call("POST", one+"/mark-rejected", `{"reason":"Carrier unknown"}`).want(t, 200); a.in("filing", "status") != "REJECTED" || a.in("filing", "reason") != "Carrier unknown" {
			t.Errorf("rejected: %s", a.text)
		}
		c.call("DELETE", one, nil).refused(t, 400, "invalid_state")
		second := "/api/ics2/filings/" + c.call("POST", "/api/ics2/filings", entry()).id()
		c.call("POST", second+"/submit", nil).want(t, 200)
		if a := c.call("POST", second+"/mark-accepted", nil).want(t, 200); a.in("filing", "status") != "ACCEPTED" {
			t.Errorf("accepted: %s", a.text)
		}
		if a := c.call("GET", "/api/ics2/filings?status=ACCEPTED", nil).want(t, 200); strings.Count(a.text, `"id"`) != 1 {
			t.Errorf("listed: %s", a.text)
		}
	})
}

// Missing or mistyped required fields are refused; malformed values are stored for the review.
func TestICS2Input(t *testing.T) {
	anyDatabase(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		c.call("POST", "/api/hubs/ics2", nil).want(t, 200)
		for field, bad := range map[string]any{
			"filingType": "ENS_PIPE", "modeOfTransport": 1, "carrierName": "", "transportDocNumber": nil, "consignorName": strings.Repeat("x", 141), "portOfLoading": 7,
			"estimatedArrival": "2026-02-30T00:00:00Z", "totalPackages": 1.5, "totalGrossMassKg": -1, "goodsDescription": []string{"x"}, "commodityCodes": "851671", "vessel": "x",
		} {
			e := entry()
			e[field] = bad
			if a := c.call("POST", "/api/ics2/filings", e).refused(t, 400, "invalid_request"); !strings.Contains(a.text, `"`+field) {
				t.Errorf("%s is not named: %s", field, a.text)
			}
		}
		least := entry()
		for _, optional := range []string{"carrierEori", "consigneeEori", "estimatedArrival", "totalPackages", "totalGrossMassKg", "goodsDescription", "commodityCodes"} {
			delete(least, optional)
		}
		least["portOfLoading"], least["modeOfTransport"] = "釜山港", "boat"
		one := "/api/ics2/filings/" + c.call("POST", "/api/ics2/filings", least).want(t, 200).id()
		if a := c.call("POST", one+"/review", nil).want(t, 200); a.in("review", "hasBlockers") != true {
			t.Errorf("reviewed: %s", a.text)
		}
	})
}

// A filing has deadlines until it is accepted.
func TestICS2Deadlines(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		c.call("POST", "/api/hubs/ics2", nil).want(t, 200)
		e := entry()
		e["estimatedArrival"] = inDays(9)
		one := "/api/ics2/filings/" + c.call("POST", "/api/ics2/filings", e).want(t, 200).id()
		due := func() string { return c.call("GET", "/api/deadlines", nil).want(t, 200).text }
		if text := due(); !strings.Contains(text, "ics2.filing") || !strings.Contains(text, "Submit the entry summary declaration") {
			t.Errorf("draft: %s", text)
		}
		c.call("POST", one+"/submit", nil).want(t, 200)
		if text := due(); !strings.Contains(text, "accepted before the goods arrive") {
			t.Errorf("submitted: %s", text)
		}
		c.call("POST", one+"/mark-accepted", nil).want(t, 200)
		if text := due(); strings.Contains(text, "ics2.filing") {
			t.Errorf("accepted: %s", text)
		}
	})
}
