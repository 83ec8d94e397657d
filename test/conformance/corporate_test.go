package conformance

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// corporateFiling is a correct confirmation statement, due in three weeks.
func corporateFiling() map[string]any {
	return map[string]any{
		"filingType": "CONFIRMATION_STATEMENT", "companyNumber": "09876543", "companyName": "Harbour Kitchens Ltd", "subject": "Confirmation statement",
		"dueDate": inDays(14), "formData": map[string]any{
			"reviewPeriodEnd": time.Now().Format(time.DateOnly), "lawfulPurposeStatement": true, "registeredEmailAddress": "registry@harbourkitchens.example",
			"sicCodes": []string{"47599"}, "whim": map[string]any{"a": []any{nil, 0.1}},
		},
	}
}

// A corporate filing has the lifecycle of the specification.
func TestCorporate(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		c.call("GET", "/api/corporate/filings", nil).refused(t, 402, "hub_not_enabled")
		c.call("POST", "/api/corporate/filings", corporateFiling()).refused(t, 402, "hub_not_enabled")
		c.call("POST", "/api/hubs/corporate", nil).want(t, 200)
		made := c.call("POST", "/api/corporate/filings", corporateFiling()).want(t, 200)
		if made.in("filing", "status") != "DRAFT" || fmt.Sprint(made.in("filing", "formData", "whim", "a")) != "[<nil> 0.1]" {
			t.Errorf("made: %s", made.text)
		}
		one := "/api/corporate/filings/" + made.id()
		if r := c.call("POST", one+"/review", nil).want(t, 200); len(r.in("review", "findings").([]any)) != 0 {
			t.Errorf("reviewed: %s", r.text)
		}
		if a := c.call("PATCH", one, `{"companyNumber":"987","formData":{"sicCodes":[1]}}`).want(t, 200); fmt.Sprint(a.in("filing", "formData")) != "map[sicCodes:[1]]" {
			t.Errorf("patched: %s", a.text)
		}
		if r := c.call("POST", one+"/review", nil).want(t, 200); r.in("review", "hasBlockers") != true || !strings.Contains(r.text, "COR-001") {
			t.Errorf("reviewed: %s", r.text)
		}
		c.call("POST", one+"/fall-overdue", nil).want(t, 404)
		submitted := c.call("POST", one+"/submit", nil).want(t, 200)
		if reference, _ := submitted.in("filing", "reference").(string); !regexp.MustCompile(`^\d{6}-\d{6}-\d{6}$`).MatchString(reference) || submitted.in("note") == "" {
			t.Errorf("submitted: %s", submitted.text)
		}
		c.call("POST", one+"/submit", nil).refused(t, 400, "invalid_state")
		c.call("PATCH", one, `{"subject":"X"}`).refused(t, 400, "invalid_state")
		c.as("MEMBER").call("POST", one+"/mark-accepted", nil).refused(t, 403, "owner_role_required")
		if a := c.call("POST", one+"/mark-rejected", map[string]any{"reason": "The code is wrong."}).want(t, 200); a.in("filing", "status") != "REJECTED" || a.in("filing", "reason") != "The code is wrong." {
			t.Errorf("rejected: %s", a.text)
		}
		c.call("DELETE", one, nil).refused(t, 400, "invalid_state")
	})
}

// An invalid filing is refused with every wrong field, and so is a form that is too large or too deep.
func TestCorporateRefusals(t *testing.T) {
	anyDatabase(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		c.call("POST", "/api/hubs/corporate", nil).want(t, 200)
		for name, r := range map[string]struct {
			change map[string]any
			fields []string
		}{
			"types":        {map[string]any{"filingType": "AA", "companyNumber": 9876543, "companyName": "", "subject": nil, "dueDate": "2026-02-30T00:00:00Z", "formData": "x", "utr": "1"}, []string{"companyName", "companyNumber", "dueDate", "filingType", "formData", "subject", "utr"}},
			"year 0":       {map[string]any{"dueDate": "0000-12-31T00:00:00Z"}, []string{"dueDate"}},
			"a day":        {map[string]any{"dueDate": "2026-12-31"}, []string{"dueDate"}},
			"a large form": {map[string]any{"formData": map[string]any{"a": strings.Repeat("x", 1<<20)}}, []string{"formData"}},
			"a deep form":  {map[string]any{"formData": map[string]any{"a": deep(20)}}, []string{"formData"}},
			"a bomb":       {map[string]any{"formData": map[string]any{"a": deep(1000)}}, []string{"formData"}},
		} {
			body := corporateFiling()
			for field, value := range r.change {
				body[field] = value
			}
			got := c.call("POST", "/api/corporate/filings", body)
			got.refused(t, 400, "invalid_request")
			if fields := slices.Sorted(slices.Values(got.fields())); !slices.Equal(fields, r.fields) {
				t.Errorf("%s: %v", name, fields)
			}
		}
		body := corporateFiling()
		body["formData"] = map[string]any{"a": deep(19), "b": strings.Repeat("x", 60_000)}
		c.call("POST", "/api/corporate/filings", body).want(t, 200)
		if a := c.call("GET", "/api/corporate/filings", nil).want(t, 200); len(a.in("filings").([]any)) != 1 {
			t.Errorf("%d filings", len(a.in("filings").([]any)))
		}
	})
}

// deep nests lists.
func deep(levels int) (v any) {
	v = []any{}
	for range levels - 1 {
		v = []any{v}
	}
	return v
}

// A filing that is still a draft after its due date becomes overdue when the program starts, exactly once for any
// number of processes; it can still be submitted.
func TestCorporateOverdue(t *testing.T) {
	backends(t, func(t *testing.T, b storetest.Backend) {
		first := serve(t, b)
		c := first.organisation("A")
		c.call("POST", "/api/hubs/corporate", nil).want(t, 200)
		body := corporateFiling()
		body["dueDate"] = "2026-01-31T23:59:59Z"
		late := c.call("POST", "/api/corporate/filings", body).want(t, 200).id()
		body["dueDate"] = "0001-01-01T00:00:00Z"
		ancient := c.call("POST", "/api/corporate/filings", body).want(t, 200).id()
		body["dueDate"] = "9999-12-31T23:59:59Z"
		never := c.call("POST", "/api/corporate/filings", body).want(t, 200).id()
		first.restart()
		first.restart()
		for _, id := range []string{late, ancient} {
			c.waitForField(t, "/api/corporate/filings/"+id, "filing", "OVERDUE")
			c.call("PATCH", "/api/corporate/filings/"+id, `{"subject":"X"}`).refused(t, 400, "invalid_state")
		}
		if a := c.call("GET", "/api/corporate/filings/"+never, nil); a.in("filing", "status") != "DRAFT" {
			t.Errorf("never: %s", a.text)
		}
		if a := c.call("GET", "/api/corporate/filings?status=OVERDUE", nil).want(t, 200); len(a.in("filings").([]any)) != 2 {
			t.Errorf("overdue: %s", a.text)
		}
		if a := c.call("GET", "/api/audit", nil).want(t, 200); strings.Count(a.text, `"corporate.filing.overdue"`) != 2 {
			t.Errorf("the trail: %s", a.text)
		}
		c.call("POST", "/api/corporate/filings/"+late+"/submit", nil).want(t, 200)
		if a := c.call("DELETE", "/api/corporate/filings/"+ancient, nil).want(t, 200); a.in("filing", "status") != "CANCELLED" {
			t.Errorf("cancelled: %s", a.text)
		}
	})
}

// waitForField waits until a record has a status.
func (c *caller) waitForField(t *testing.T, path, one, status string) {
	t.Helper()
	var last answer
	for until := time.Now().Add(waitLimit); time.Now().Before(until); time.Sleep(20 * time.Millisecond) {
		if last = c.call("GET", path, nil).want(t, 200); last.in(one, "status") == status {
			return
		}
	}
	t.Fatalf("not %s after %s: %s", status, waitLimit, last.text)
}
