package conformance

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// exportLicence is a correct application for a licence for a machine tool.
func exportLicence() map[string]any {
	return map[string]any{
		"licenceType": "DUAL_USE_SIEL", "exporterName": "Pennine Machine Tools Ltd", "exporterEori": "GB205672212000",
		"endUserName": "Hanbit Turbine Co., Ltd.", "endUserAddress": "41 Jangan-ro, Changwon 51542, Republic of Korea", "endUserCountry": "KR",
		"productCode": "2B001.b.2", "productDescription": "Five-axis CNC machining centre for milling turbine blades, positioning repeatability 2.4 micrometres",
		"endUse": "Milling of steam turbine blades for civil power stations at the Changwon works", "quantity": 2, "unitOfMeasure": "units",
		"validFrom": inDays(20), "validUntil": inDays(385),
	}
}

// An export licence has the lifecycle of the specification.
func TestTrade(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		c.call("GET", "/api/trade/licences", nil).refused(t, 402, "hub_not_enabled")
		c.call("POST", "/api/trade/licences", exportLicence()).refused(t, 402, "hub_not_enabled")
		c.call("POST", "/api/hubs/trade", nil).want(t, 200)
		made := c.call("POST", "/api/trade/licences", exportLicence()).want(t, 200)
		if made.in("licence", "status") != "DRAFT" || made.in("licence", "quantity") != 2.0 {
			t.Errorf("made: %s", made.text)
		}
		one := "/api/trade/licences/" + made.id()
		if r := c.call("POST", one+"/review", nil).want(t, 200); len(r.in("review", "findings").([]any)) != 0 {
			t.Errorf("reviewed: %s", r.text)
		}
		c.call("PATCH", one, `{"endUserCountry":"RU","endUse":"Parts of ballistic missiles","exporterEori":"GB1"}`).want(t, 200)
		faulty := c.call("POST", one+"/review", nil).want(t, 200)
		for _, code := range []string{"TRD-001", "TRD-009", "TRD-010", "TRD-018"} {
			if !strings.Contains(faulty.text, code) {
				t.Errorf("%s is not found: %s", code, faulty.text)
			}
		}
		if faulty.in("review", "hasBlockers") != true {
			t.Errorf("no blockers: %s", faulty.text)
		}
		submitted := c.call("POST", one+"/submit", nil).want(t, 200)
		if reference, _ := submitted.in("licence", "reference").(string); !regexp.MustCompile(`^GBSIE\d{4}/\d{6}$`).MatchString(reference) || submitted.in("note") == "" {
			t.Errorf("submitted: %s", submitted.text)
		}
		c.call("POST", one+"/submit", nil).refused(t, 400, "invalid_state")
		c.call("PATCH", one, `{"endUse":"X"}`).refused(t, 400, "invalid_state")
		c.as("MEMBER").call("POST", one+"/mark-approved", nil).refused(t, 403, "owner_role_required")
		if a := c.call("POST", one+"/mark-approved", nil).want(t, 200); a.in("licence", "status") != "APPROVED" {
			t.Errorf("approved: %s", a.text)
		}
		c.call("POST", one+"/mark-approved", nil).refused(t, 400, "invalid_state")
		c.call("DELETE", one, nil).refused(t, 400, "invalid_state")
		c.call("POST", one+"/expire", nil).refused(t, 404, "not_found")
		if a := c.call("GET", "/api/trade/licences?status=APPROVED", nil).want(t, 200); strings.Count(a.text, `"id"`) != 1 {
			t.Errorf("listed: %s", a.text)
		}
		second := "/api/trade/licences/" + c.call("POST", "/api/trade/licences", exportLicence()).id()
		c.call("POST", second+"/submit", nil).want(t, 200)
		c.call("POST", second+"/mark-rejected", `{}`).refused(t, 400, "invalid_request")
		if a := c.call("POST", second+"/mark-rejected", `{"reason":"End user unknown"}`).want(t, 200); a.in("licence", "status") != "REJECTED" || a.in("licence", "reason") != "End user unknown" {
			t.Errorf("rejected: %s", a.text)
		}
	})
}

// Missing or mistyped fields are refused; malformed values are stored for the review.
func TestTradeInput(t *testing.T) {
	anyDatabase(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		c.call("POST", "/api/hubs/trade", nil).want(t, 200)
		got := c.call("POST", "/api/trade/licences", `{"licenceType":"SIEL","exporterName":"","endUserCountry":"kr","productCode":3,"quantity":-1,"validUntil":"2026-02-30T00:00:00Z","mrn":"x"}`)
		got.refused(t, 400, "invalid_request")
		want := []string{"endUserCountry", "endUserName", "exporterName", "licenceType", "mrn", "productCode", "productDescription", "quantity", "validUntil"}
		if fields := slices.Sorted(slices.Values(got.fields())); !slices.Equal(fields, want) {
			t.Errorf("%v", fields)
		}
		body := exportLicence()
		body["exporterEori"], body["productCode"], body["productDescription"], body["quantity"] = "??", "nonsense", strings.Repeat("ж", 1000), 0.3
		kept := c.call("POST", "/api/trade/licences", body).want(t, 200)
		if kept.in("licence", "productCode") != "nonsense" || kept.in("licence", "quantity") != 0.3 {
			t.Errorf("kept: %s", kept.text)
		}
		body["productDescription"] = strings.Repeat("ж", 1001)
		c.call("POST", "/api/trade/licences", body).refused(t, 400, "invalid_request")
	})
}

// Goods get the same answer on their own and in a licence, for every role that may read, and from
// the AI budget.
func TestTradeClassify(t *testing.T) {
	anyDatabase(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		c.call("POST", "/api/trade/classify", map[string]any{}).refused(t, 402, "hub_not_enabled")
		c.call("POST", "/api/hubs/trade", nil).want(t, 200)
		question := map[string]any{"productDescription": "Five-axis machining centre", "destinationCountry": "BR", "productCode": "8457101000", "endUse": "Tool making"}
		free := c.as("VIEWER").call("POST", "/api/trade/classify", question).want(t, 200)
		if free.in("classification", "verdict") != "needs_licence" || free.in("classification", "suggestedLicenceType") != "DUAL_USE_SIEL" ||
			free.in("classification", "controlRegime") != "DUAL_USE" || !strings.Contains(free.text, `"entry":"2B001"`) || free.header.Get("X-RateLimit-Limit") != helperBudget {
			t.Errorf("%s %s", free.header.Get("X-RateLimit-Limit"), free.text)
		}
		harmless := c.call("POST", "/api/trade/classify", `{"productDescription":"Cotton shirts","destinationCountry":"FR","hasCryptography":false}`).want(t, 200)
		if harmless.in("classification", "verdict") != "no_licence_needed" || harmless.in("classification", "suggestedLicenceType") != nil || len(harmless.in("classification", "controlEntries").([]any)) != 0 {
			t.Errorf("%s", harmless.text)
		}
		for _, text := range []string{`{}`, `{"productDescription":"A"}`, `{"productDescription":"A","destinationCountry":"GBR"}`, `{"productDescription":"A","destinationCountry":"FR","hasCryptography":"no"}`, `[]`} {
			c.call("POST", "/api/trade/classify", text).refused(t, 400, "invalid_request")
		}
		body := exportLicence()
		body["productDescription"], body["endUserCountry"], body["productCode"], body["endUse"], body["endUserName"], body["endUserAddress"] = "Five-axis machining centre", "BR", "8457101000", "Tool making", "Ferramentas SA", "Rua 5"
		one := "/api/trade/licences/" + c.call("POST", "/api/trade/licences", body).want(t, 200).id()
		if stored := c.as("VIEWER").call("POST", one+"/classify", nil).want(t, 200); stored.text != free.text {
			t.Errorf("stored %s\nfree   %s", stored.text, free.text)
		}
		c.call("POST", "/api/trade/licences/"+unknownID+"/classify", nil).refused(t, 404, "not_found")
		if e := c.events("limit=1&hub=trade"); len(e) != 1 || e[0]["eventType"] != "trade.licence.classified" || e[0]["toStatus"] != "DRAFT" {
			t.Errorf("%v", e)
		}
	})
}

// A licence approved until a past day expires when the program starts, exactly once for any number of processes; a
// valid one has a deadline.
func TestTradeExpiry(t *testing.T) {
	backends(t, func(t *testing.T, b storetest.Backend) {
		p := serve(t, b)
		c := p.organisation("A")
		c.call("POST", "/api/hubs/trade", nil).want(t, 200)
		approve := func(until string) string {
			body := exportLicence()
			body["validUntil"] = until
			one := "/api/trade/licences/" + c.call("POST", "/api/trade/licences", body).want(t, 200).id()
			c.call("POST", one+"/submit", nil).want(t, 200)
			c.call("POST", one+"/mark-approved", nil).want(t, 200)
			return one
		}
		past, soon := approve("2026-01-31T23:59:59Z"), approve(inDays(10))
		p.restart()
		p.restart()
		c.waitForField(t, past, "licence", "EXPIRED")
		if a := c.call("GET", soon, nil).want(t, 200); a.in("licence", "status") != "APPROVED" {
			t.Errorf("soon: %s", a.text)
		}
		due := c.call("GET", "/api/deadlines", nil).want(t, 200)
		if list := due.in("deadlines").([]any); len(list) != 1 || !strings.HasSuffix(soon, list[0].(map[string]any)["resourceId"].(string)) {
			t.Errorf("due: %s", due.text)
		}
		if a := c.call("GET", "/api/audit", nil).want(t, 200); strings.Count(a.text, `"trade.licence.expired"`) != 1 {
			t.Errorf("the trail: %s", a.text)
		}
	})
}
