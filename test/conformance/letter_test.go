package conformance

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
)

// Every operation of a disabled Hub is 402, except for reading what was filed: one record, its exports, its evidence.
func TestDisabledHub(t *testing.T) {
	c := shared(t).organisation("Letter Ltd")
	for _, hub := range []string{"cbam", "tax", "trade", "tss"} {
		c.call("POST", "/api/hubs/"+hub, nil).want(t, 200)
	}
	licence := c.call("POST", "/api/trade/licences", exportLicence()).want(t, 200).id()
	report := c.call("POST", "/api/cbam/reports", nil).want(t, 200).id()
	period := c.call("GET", "/api/tax/periods", nil).want(t, 200).body["periods"].([]any)[0].(map[string]any)["id"]
	ret := c.call("POST", "/api/tax/returns", map[string]any{"periodId": period}).want(t, 200).id()
	for _, hub := range []string{"cbam", "tax", "trade", "tss"} {
		c.call("DELETE", "/api/hubs/"+hub, nil).want(t, 200)
	}
	for _, read := range []string{
		"/api/trade/licences/" + licence, "/api/trade/licences/" + licence + "/evidence.zip", "/api/cbam/reports/" + report, "/api/cbam/reports/" + report + "/export.xml",
		"/api/tax/returns/" + ret, "/api/tax/returns/" + ret + "/export.xml", fmt.Sprintf("/api/tax/periods/%s", period),
	} {
		c.call("GET", read, nil).want(t, 200)
	}
	for _, refused := range [][2]string{
		{"GET", "/api/trade/licences"}, {"POST", "/api/trade/licences"}, {"POST", "/api/trade/classify"}, {"PATCH", "/api/trade/licences/" + licence},
		{"POST", "/api/trade/licences/" + licence + "/submit"}, {"POST", "/api/trade/licences/" + licence + "/classify"}, {"DELETE", "/api/trade/licences/" + licence},
		{"POST", "/api/trade/licences/" + licence + "/review"}, {"GET", "/api/cbam/reports"}, {"POST", "/api/cbam/reports"}, {"GET", "/api/tax/periods"},
		{"GET", "/api/tax/returns"}, {"POST", "/api/tax/returns"}, {"POST", "/api/tax/returns/" + ret + "/submit"}, {"DELETE", "/api/tax/returns/" + ret},
	} {
		c.call(refused[0], refused[1], nil).refused(t, 402, "hub_not_enabled")
	}
}

// A list without a query is whole up to 1,000 records; those of declarations, audit and deliveries have pages of 50.
func TestListsAreWhole(t *testing.T) {
	c := shared(t).organisation("Letter Ltd")
	shipment := c.shipment()
	for n := range 55 {
		c.call("POST", "/api/clients", map[string]any{"name": fmt.Sprint("Client ", n)}).want(t, 201)
		c.call("POST", "/api/declarations", goods(shipment, "")).want(t, 201)
	}
	for path, want := range map[string]int{"clients": 56, "declarations": 50} {
		if list := c.call("GET", "/api/"+path, nil).want(t, 200); len(list.body[path].([]any)) != want || list.body["hasMore"] != (want == 50) {
			t.Errorf("%s: %d records", path, len(list.body[path].([]any)))
		}
	}
	c.call("GET", "/api/clients?limit=1000", nil).want(t, 200)
	c.call("GET", "/api/clients?limit=1001", nil).refused(t, 400, "invalid_request")
	c.call("GET", "/api/declarations?limit=201", nil).refused(t, 400, "invalid_request")
}

// The document gives the maximum size of each body; a larger one is 413, and docs/errors.md names every limit.
func TestBodyLimits(t *testing.T) {
	p := shared(t)
	c := p.organisation("Limits Ltd")
	page, err := os.ReadFile("../../docs/errors.md")
	if err != nil {
		t.Fatal(err)
	}
	tried := map[float64]bool{}
	for path, item := range p.document.Paths.Map() {
		for method, op := range item.Operations() {
			if op.RequestBody == nil {
				continue
			}
			limit, ok := op.Extensions["x-max-body-bytes"].(float64)
			if !ok {
				limit = 1 << 20
			}
			named := fmt.Sprintf(" %d MB", int(limit)>>20)
			if limit < 1<<20 {
				named = fmt.Sprintf(" %d kB", int(limit)>>10)
			}
			if !strings.Contains(string(page), named) {
				t.Errorf("%s %s: docs/errors.md does not name%s", method, path, named)
			}
			if op.RequestBody.Value.Content.Get("application/json") == nil || op.Security != nil {
				continue
			}
			tried[limit] = true
			for size, tooLarge := range map[int]bool{int(limit): false, int(limit) + 1: true} {
				r, err := http.NewRequest(method, p.base+strings.NewReplacer("{id}", c.org, "{deliveryId}", c.org).Replace(path), strings.NewReader(strings.Repeat(" ", size)))
				if err != nil {
					t.Fatal(err)
				}
				r.Header.Set("Authorization", "Bearer "+c.key)
				r.Header.Set("Content-Type", "application/json")
				answer, err := callers.Do(r)
				if err != nil {
					t.Fatal(err)
				}
				_, _ = io.Copy(io.Discard, answer.Body)
				_ = answer.Body.Close()
				if got := answer.StatusCode == http.StatusRequestEntityTooLarge; got != tooLarge && answer.StatusCode != http.StatusPaymentRequired {
					t.Errorf("%s %s with %d bytes of %.0f: %d", method, path, size, limit, answer.StatusCode)
				}
			}
		}
	}
	if len(tried) < 2 {
		t.Errorf("tried %v", tried)
	}
}
