package conformance

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// period is the id of the current VAT period.
func (c *caller) period() string {
	c.t.Helper()
	return c.call("GET", "/api/tax/periods", nil).want(c.t, 200).in("periods").([]any)[0].(map[string]any)["id"].(string)
}

// The current period is created on first read, once, with its due date.
func TestVATPeriods(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		c.call("GET", "/api/tax/periods", nil).refused(t, 402, "hub_not_enabled")
		c.call("POST", "/api/hubs/tax", nil).want(t, 200)
		viewer := c.as("VIEWER")
		first := viewer.call("GET", "/api/tax/periods", nil).want(t, 200)
		if again := c.call("GET", "/api/tax/periods", nil).want(t, 200); again.text != first.text {
			t.Errorf("again: %s", again.text)
		}
		periods := first.in("periods").([]any)
		one := periods[0].(map[string]any)
		if len(periods) != 1 || one["status"] != "OPEN" || one["source"] != "mock" || !regexp.MustCompile(`^\d{4}-Q[1-4]$`).MatchString(one["periodKey"].(string)) ||
			!strings.Contains(one["dueDate"].(string), "-07T") {
			t.Errorf("periods: %s", first.text)
		}
		if e := c.events("hub=tax"); len(e) != 1 || e[0]["eventType"] != "tax.period.opened" || e[0]["actorType"] != "system" {
			t.Errorf("events: %v", e)
		}
		if a := c.call("GET", "/api/deadlines?windowDays=365", nil).want(t, 200); !strings.Contains(a.text, "Submit the VAT return of "+one["periodKey"].(string)) {
			t.Errorf("deadlines: %s", a.text)
		}
	})
}

// A return has the boxes computed from its input and its cleared imports, can be drawn up again while it is a
// draft, is locked by its submission, and fulfils its period.
func TestVATReturn(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		c.call("POST", "/api/hubs/tax", nil).want(t, 200)
		id := c.declaration("INV-1")
		c.submit(id).want(t, 200)
		vat := c.waitForStatus(id, "CLEARED").in("declaration", "totalVatGbp").(float64)
		period := c.period()
		ask := map[string]any{"periodId": period, "box1VatDueSales": 1000.10, "box2VatDueAcquisitions": 0.15, "box4AdditionalReclaim": 10.05, "box6TotalSales": 5000.99}
		drawn := c.call("POST", "/api/tax/returns", ask).want(t, 200)
		for box, want := range map[string]float64{
			"box3TotalVatDue": 1000.25, "box4ImportVat": vat, "box4AdditionalReclaim": 10.05, "box4VatReclaimed": vat + 10.05, "box5NetVat": 1000.25 - vat - 10.05,
			"box6TotalSales": 5000, "box7TotalPurchases": 0,
		} {
			if got := drawn.in("return", box).(float64); fmt.Sprintf("%.2f", got) != fmt.Sprintf("%.2f", want) {
				t.Errorf("%s is %v, not %v", box, got, want)
			}
		}
		ask["box1VatDueSales"] = 2000
		again := c.call("POST", "/api/tax/returns", ask).want(t, 200)
		if again.id() != drawn.id() || again.in("return", "box3TotalVatDue") != 2000.15 {
			t.Errorf("drawn up again: %s", again.text)
		}
		one := "/api/tax/returns/" + drawn.id()
		c.call("GET", one, nil).want(t, 200)
		if a := c.call("GET", "/api/tax/returns", nil).want(t, 200); len(a.in("returns").([]any)) != 1 {
			t.Errorf("listed: %s", a.text)
		}
		if r := c.call("POST", one+"/review", nil).want(t, 200); r.in("review", "summary") == "" {
			t.Errorf("review: %s", r.text)
		}
		member := c.as("MEMBER")
		member.call("POST", one+"/mark-accepted", nil).refused(t, 403, "owner_role_required")
		c.call("POST", one+"/mark-accepted", nil).refused(t, 400, "invalid_state")
		submitted := member.call("POST", one+"/submit", nil).want(t, 200)
		if reference, _ := submitted.in("return", "hmrcReference").(string); !regexp.MustCompile(`^\d{12}$`).MatchString(reference) || submitted.in("note") == "" {
			t.Errorf("submitted: %s", submitted.text)
		}
		c.call("POST", "/api/tax/returns", ask).refused(t, 400, "invalid_state")
		c.call("DELETE", one, nil).refused(t, 400, "invalid_state")
		if a := c.call("GET", "/api/deadlines?windowDays=365", nil).want(t, 200); strings.Contains(a.text, "Submit the VAT return of "+submitted.in("return", "periodKey").(string)) {
			t.Errorf("deadlines: %s", a.text)
		}
		xml := c.call("GET", one+"/export.xml", nil).want(t, 200)
		if !strings.Contains(xml.text, "VATDeclarationRequest") || xml.header.Get("Content-Type") != "application/xml" {
			t.Errorf("exported: %s", xml.text)
		}
		if a := c.call("POST", one+"/mark-accepted", nil).want(t, 200); a.in("return", "status") != "ACCEPTED" {
			t.Errorf("accepted: %s", a.text)
		}
		if a := c.call("GET", "/api/tax/periods", nil).want(t, 200); a.in("periods").([]any)[0].(map[string]any)["status"] != "FULFILLED" {
			t.Errorf("the period: %s", a.text)
		}
		var types []string
		for _, e := range c.events("hub=tax&limit=50") {
			types = append(types, e["eventType"].(string))
		}
		slices.Sort(types)
		want := []string{"tax.period.fulfilled", "tax.period.opened", "tax.return.accepted", "tax.return.created", "tax.return.mark-accepted.refused", "tax.return.refreshed", "tax.return.reviewed", "tax.return.submitted"}
		if types = slices.DeleteFunc(types, func(e string) bool { return !strings.HasPrefix(e, "tax.") }); !slices.Equal(types, want) {
			t.Errorf("events: %v", types)
		}
	})
}

// A draft can be deleted and drawn up again; unknown records and invalid input are refused with every field named.
func TestVATReturnRefusals(t *testing.T) {
	anyDatabase(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		c.call("POST", "/api/hubs/tax", nil).want(t, 200)
		for body, fields := range map[string][]string{
			`{}`: {"periodId"}, `{"periodId":"` + unknownID + `"}`: {"periodId"}, `{"periodId":"2026-Q4"}`: {"periodId"}, `{"periodId":7,"box1VatDueSales":"1"}`: {"box1VatDueSales", "periodId"},
			`{"periodId":"` + c.period() + `","box1VatDueSales":1.234,"box9TotalAcquisitionsEu":1000000000000000}`: {"box1VatDueSales", "box9TotalAcquisitionsEu"},
			`{"periodId":"` + c.period() + `","box5NetVat":1}`:                                                     {"box5NetVat"},
		} {
			a := c.call("POST", "/api/tax/returns", body).refused(t, 400, "invalid_request")
			if got := slices.Sorted(slices.Values(a.fields())); !slices.Equal(got, fields) {
				t.Errorf("%s: %v, not %v", body, got, fields)
			}
		}
		ask := map[string]any{"periodId": c.period()}
		one := "/api/tax/returns/" + c.call("POST", "/api/tax/returns", ask).want(t, 200).id()
		c.as("VIEWER").call("DELETE", one, nil).refused(t, 403, "read_only_key")
		if a := c.call("DELETE", one, nil).want(t, 200); a.in("success") != true {
			t.Errorf("deleted: %s", a.text)
		}
		c.call("GET", one, nil).refused(t, 404, "not_found")
		c.call("DELETE", one, nil).refused(t, 404, "not_found")
		if e := c.events("eventType=tax.return.deleted"); len(e) != 1 || e[0]["fromStatus"] != "DRAFT" {
			t.Errorf("events: %v", e)
		}
		c.call("POST", "/api/tax/returns", ask, "Idempotency-Key", "k").want(t, 200)
		if a := c.call("POST", "/api/tax/returns", ask, "Idempotency-Key", "k").want(t, 200); a.header.Get("Idempotent-Replayed") != "true" {
			t.Errorf("not replayed: %v", a.header)
		}
	})
}
