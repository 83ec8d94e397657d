package conformance

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/app"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
	"github.com/tidewaiter/tidewaiter/test/program"
)

const unknownID = "01900000-0000-7000-8000-000000000000"

// Invalid input is a 400 that names every wrong field at once, and stores nothing.
func TestAllErrorsAreReportedTogether(t *testing.T) {
	anyDatabase(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		for _, bad := range []struct {
			name, path, body string
			fields           []string
		}{
			{"many", "/api/clients", `{"name":"","eori":5,"zzz":1,"country":"UK","city":null}`, []string{"name", "eori", "zzz", "country", "city"}},
			{"twice", "/api/clients", `{"name":"A","name":"B"}`, []string{"name"}},
			{"missing", "/api/shipments", `{}`, []string{"clientId", "portOfEntry", "transportMode"}},
			{"no uuid", "/api/shipments", `{"clientId":"5","portOfEntry":"GBFXT","transportMode":"BUS"}`, []string{"clientId", "transportMode"}},
			{"unknown client", "/api/shipments", `{"clientId":"` + unknownID + `","portOfEntry":"GBFXT","transportMode":"SEA"}`, []string{"clientId"}},
			{"numbers", "/api/declarations", `{"shipmentId":"` + unknownID + `","declarationType":"IMPORT","items":[{"commodityCode":"12345","description":" ","netMassKg":-1,"customsValueGbp":1.005,"quantity":1.5}]}`,
				[]string{"items[0].commodityCode", "items[0].description", "items[0].netMassKg", "items[0].customsValueGbp", "items[0].quantity"}},
			{"no items", "/api/declarations", `{"shipmentId":"` + unknownID + `","declarationType":"IMPORT","items":[]}`, []string{"items"}},
			{"trailing", "/api/clients", `{"name":"A"}{}`, []string{"body"}},
			{"not JSON", "/api/clients", `{"name":`, []string{"body"}},
			{"null", "/api/clients", `null`, []string{"body"}},
			{"a list", "/api/clients", `[]`, []string{"body"}},
			{"text for a number", "/api/tss/declarations", `{"movementType":"GB_NI","traderEori":"X","consignorName":"A","consigneeName":"B","commodityCode":"1","goodsDescription":"C","netMassKg":"1"}`, []string{"netMassKg"}},
		} {
			if strings.HasPrefix(bad.path, "/api/tss") {
				c.call("POST", "/api/hubs/tss", nil).want(t, 200)
			}
			a := c.call("POST", bad.path, bad.body).refused(t, 400, "invalid_request")
			if got := a.fields(); !reflect.DeepEqual(sorted(got), sorted(bad.fields)) {
				t.Errorf("%s: %v, not %v", bad.name, got, bad.fields)
			}
		}
		for _, list := range []string{"clients", "shipments", "declarations"} {
			if a := c.call("GET", "/api/"+list, nil).want(t, 200); len(a.body[list].([]any)) != 0 {
				t.Errorf("stored: %s", a.text)
			}
		}
		c.call("POST", "/api/clients", `{"name":"`+strings.Repeat("a", 17<<20)+`"}`).refused(t, 413, "payload_too_large")
		c.call("POST", "/api/clients", `{"name":"A"}`, "Content-Type", "text/plain").refused(t, 415, "unsupported_media_type")
	})
}

// All wrong parameters are named at once, whether the schema or only the operation can detect them.
func TestAllWrongParametersAreReportedTogether(t *testing.T) {
	anyDatabase(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		c.call("POST", "/api/hubs/cbam", nil).want(t, 200)
		endpoint := c.call("POST", "/api/webhooks/endpoints", `{"url":"https://example.com/hook","events":["*"]}`).want(t, 200).id()
		const backwards = "startDate=2026-11-22T00:00:00Z&endDate=2026-11-21T00:00:00Z"
		for path, want := range map[string][]string{
			"/api/declarations?limit=0&cursor=x&status=LOST&odd=1":                                          {"limit", "cursor", "status", "odd"},
			"/api/cbam/imports?limit=1001&cursor=x&status=LOST&quarter=2026-5":                              {"limit", "cursor", "status", "quarter"},
			"/api/audit?limit=many&cursor=x&" + backwards:                                                   {"limit", "cursor", "startDate"},
			"/api/audit/export.csv?odd=1&" + backwards:                                                      {"odd", "startDate"},
			"/api/deadlines?windowDays=0&cursor=x":                                                          {"windowDays", "cursor"},
			"/api/holds?limit=0&cursor=x":                                                                   {"limit", "cursor"},
			"/api/webhooks/endpoints/" + endpoint + "/deliveries?limit=0&cursor=x&status=LOST&" + backwards: {"limit", "cursor", "status", "startDate"},
			"/api/webhooks/endpoints/" + endpoint + "/deliveries?createdAfter=2026-11-22T00:00:00Z&createdBefore=2026-11-21T00:00:00Z&cursor=x": {"cursor", "createdAfter"},
			"/api/exchange-rates?on=today&currency=usd&series=SPOT":                                                                             {"on", "currency", "series"},
			"/api/tariff/editions?limit=201&cursor=x":                                                                                           {"limit", "cursor"},
			"/api/tariff/editions/diff?from=-1&commodityCode=6x&date=today&cursor=x":                                                            {"from", "to", "commodityCode", "date", "cursor"},
			"/api/tariff/commodities/61x?on=today":                                                                                              {"code", "on"},
			"/api/declarations?cursor=" + url.QueryEscape(c.anothersCursor(p)) + "&limit=-1":                                                    {"limit", "cursor"},
		} {
			if got := c.call("GET", path, nil).refused(t, 400, "invalid_request").fields(); !reflect.DeepEqual(sorted(got), sorted(want)) {
				t.Errorf("%s: %v, not %v", path, got, want)
			}
		}
		for _, call := range []struct {
			path string
			body any
			want []string
		}{
			{"/api/clients?odd=1", `{"name":""}`, []string{"Idempotency-Key", "name", "odd"}},
			{"/api/cbam/reports?odd=1", `{"name":""}`, []string{"Idempotency-Key", "name", "odd"}},
			{"/api/cbam/reports?odd=1", nil, []string{"Idempotency-Key", "odd"}},
			{"/api/hubs/tss?odd=1", nil, []string{"Idempotency-Key", "odd"}},
		} {
			got := c.call("POST", call.path, call.body, "Idempotency-Key", strings.Repeat("k", 256)).refused(t, 400, "invalid_request").fields()
			if !reflect.DeepEqual(sorted(got), call.want) {
				t.Errorf("%s: %v, not %v", call.path, got, call.want)
			}
		}
	})
}

// anothersCursor is a cursor of another organisation's list of declarations.
func (c *caller) anothersCursor(p *server) string {
	c.t.Helper()
	other := p.organisation("B")
	for _, reference := range []string{"INV-1", "INV-2"} {
		other.declaration(reference)
	}
	return other.call("GET", "/api/declarations?limit=1", nil).want(c.t, 200).body["nextCursor"].(string)
}

func sorted(names []string) []string {
	names = slices.Clone(names)
	slices.Sort(names)
	return names
}

// Values are returned as they were sent, and sums are exact.
func TestValuesAreKeptExactly(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		item := `{"commodityCode":"6109100010","description":"Tee ü","netMassKg":0.000001,"customsValueGbp":%s,"countryOfOrigin":"BD"}`
		body := fmt.Sprintf(`{"shipmentId":"`+c.shipment()+`","declarationType":"IMPORT","items":[`+item+`,`+item+`]}`, "0.10", "12.20")
		a := c.call("POST", "/api/declarations", body).want(t, 201)
		for _, want := range []string{`"netMassKg":0.000001`, `"customsValueGbp":0.10`, `"customsValueGbp":12.20`, `Tee ü`} {
			if !strings.Contains(a.text, want) {
				t.Errorf("%s is not in %s", want, a.text)
			}
		}
		// 12 % of 0.10 is cut to 0.01, of 12.20 to 1.46; 20 % of 0.11 to 0.02, of 13.66 to 2.73.
		if a.body["totalDutyGbp"] != 1.47 || a.body["totalVatGbp"] != 2.75 {
			t.Errorf("totals: %s", a.text)
		}
	})
}

// A list can be read to its end, newest first, without gaps or repeats.
func TestListPages(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		var made []string
		for n := range 7 {
			made = append(made, c.call("POST", "/api/clients", map[string]any{"name": fmt.Sprint(n)}).want(t, 201).id())
		}
		slices.Reverse(made)
		var seen []string
		path := "/api/clients?limit=3"
		for path != "" {
			a := c.call("GET", path, nil).want(t, 200)
			for _, r := range a.body["clients"].([]any) {
				seen = append(seen, r.(map[string]any)["id"].(string))
			}
			next, more := a.body["nextCursor"].(string)
			if more != a.body["hasMore"].(bool) {
				t.Errorf("hasMore: %s", a.text)
			}
			path = ""
			if more {
				path = "/api/clients?limit=3&cursor=" + next
			}
		}
		if !reflect.DeepEqual(seen, made) {
			t.Errorf("walked %v, not %v", seen, made)
		}
		for _, query := range []string{"limit=0", "limit=201", "limit=x", "cursor=zz", "cursor=%00", "statsu=DRAFT", "status=NONE"} {
			c.call("GET", "/api/declarations?"+query, nil).refused(t, 400, "invalid_request")
		}
		draft := c.declaration("")
		if a := c.call("GET", "/api/declarations?status=DRAFT", nil).want(t, 200); !strings.Contains(a.text, draft) || strings.Contains(a.text, "items") {
			t.Errorf("drafts: %s", a.text)
		}
		if a := c.call("GET", "/api/declarations?status=CLEARED", nil).want(t, 200); strings.Contains(a.text, draft) {
			t.Errorf("cleared: %s", a.text)
		}
	})
}

// A path that differs from the document's spelling is a 404 in the usual form; there is no redirect.
func TestPathsMatchExactly(t *testing.T) {
	anyDatabase(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		for _, path := range []string{"/api/", "/api//clients", "/api/./clients", "/api/clients/", "/api/clients/../clients", "/api/../healthz", "/api/%2e%2e/healthz", "/api//tax/connection/callback"} {
			c.call("GET", path, nil).refused(t, 404, "not_found")
			c.call("POST", path, `{}`).refused(t, 404, "not_found")
		}
	})
}

// Checks run in this order: key, path, role, Hub, input, record, state.
func TestOrderOfChecks(t *testing.T) {
	anyDatabase(t, func(t *testing.T, p *server) {
		owner := p.organisation("A")
		viewer, member := owner.as("VIEWER"), owner.as("MEMBER")
		p.call("", "GET", "/api/nothing", nil).refused(t, 401, "unauthorized")
		p.call("svc_"+strings.Repeat("a", 32), "GET", "/api/clients", nil).refused(t, 401, "unauthorized")
		p.call("", "GET", "/nothing", nil).refused(t, 404, "not_found")
		owner.call("GET", "/api/nothing", nil).refused(t, 404, "not_found")
		if a := owner.call("PUT", "/api/clients", nil).refused(t, 405, "method_not_allowed"); a.header.Get("Allow") != "GET, POST" {
			t.Errorf("Allow: %q", a.header.Get("Allow"))
		}
		viewer.call("POST", "/api/tss/declarations", `{`).refused(t, 403, "read_only_key")
		member.call("POST", "/api/tss/declarations", `{`).refused(t, 402, "hub_not_enabled")
		member.call("GET", "/api/tss/declarations?limit=0", nil).refused(t, 402, "hub_not_enabled")
		member.call("POST", "/api/tss/declarations/"+unknownID+"/mark-rejected", `{`).refused(t, 403, "owner_role_required")
		owner.call("POST", "/api/tss/declarations/"+unknownID+"/mark-rejected", `{`).refused(t, 402, "hub_not_enabled")
		owner.call("POST", "/api/hubs/tss", nil).want(t, 200)
		owner.call("POST", "/api/tss/declarations/"+unknownID+"/mark-rejected", `{`).refused(t, 400, "invalid_request")
		owner.call("POST", "/api/tss/declarations/"+unknownID+"/mark-rejected", `{"reason":"x"}`).refused(t, 404, "not_found")
		owner.call("POST", "/api/tss/declarations/"+unknownID+"/submit", nil).refused(t, 404, "not_found")
		owner.call("GET", "/api/declarations/5", nil).refused(t, 404, "not_found")
		owner.call("POST", "/api/cds/submit", `{"declarationId":"5"}`).refused(t, 400, "invalid_request")
		owner.call("POST", "/api/cds/submit", `{"declarationId":"`+unknownID+`"}`).refused(t, 404, "not_found")
		viewer.call("GET", "/api/clients", nil).want(t, 200)
		member.call("PATCH", "/api/organisation", `{"city":"Hull"}`).refused(t, 403, "owner_role_required")
	})
}

// A revoked or expired key is refused at once.
func TestEndedKeysAreRefused(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		made := p.command("key", "create", "--org", c.org, "--role", "MEMBER", "--name", "k")
		key := made["apiKey"].(string)
		p.call(key, "GET", "/api/clients", nil).want(t, 200)
		p.command("key", "revoke", "--org", c.org, made["keyId"].(string))
		p.call(key, "GET", "/api/clients", nil).refused(t, 401, "unauthorized")
		short := p.command("key", "create", "--org", c.org, "--role", "MEMBER", "--name", "k", "--expires", "1ms")["apiKey"].(string)
		c.eventually("expiry of the key", func() bool { return p.call(short, "GET", "/api/clients", nil).status == 401 })
		p.call(short, "GET", "/api/clients", nil).refused(t, 401, "unauthorized")
		keys := p.command("key", "list", "--org", c.org)["keys"].([]any)
		if text, _ := json.Marshal(keys); len(keys) != 3 || strings.Contains(string(text), key) {
			t.Errorf("keys: %s", text)
		}
	})
}

// A valid request id is kept, an invalid one is replaced.
func TestRequestIDs(t *testing.T) {
	p := shared(t)
	c := p.organisation("A")
	if a := c.call("GET", "/api/hubs", nil, "X-Request-Id", "my-id_1.2"); a.header.Get("X-Request-Id") != "my-id_1.2" {
		t.Errorf("kept as %q", a.header.Get("X-Request-Id"))
	}
	for _, bad := range []string{"a b", strings.Repeat("a", 129), "ü"} {
		if a := c.call("GET", "/api/hubs", nil, "X-Request-Id", bad); a.header.Get("X-Request-Id") == bad {
			t.Errorf("%q was kept", bad)
		}
	}
	id := "trace-42"
	c.call("POST", "/api/clients", `{"name":"A"}`, "X-Request-Id", id).want(t, 201)
	if a := c.call("GET", "/api/audit?eventType=client.created", nil).want(t, 200); !strings.Contains(a.text, id) {
		t.Errorf("not in the trail: %s", a.text)
	}
}

// A repeat with the same Idempotency-Key gets the first answer and does nothing.
func TestIdempotency(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c, other := p.organisation("A"), p.organisation("B")
		first := c.call("POST", "/api/clients", `{"name":"A"}`, "Idempotency-Key", "k").want(t, 201)
		again := c.call("POST", "/api/clients", `{"name":"A"}`, "Idempotency-Key", "k").want(t, 201)
		if again.text != first.text || again.header.Get("Idempotent-Replayed") != "true" || first.header.Get("Idempotent-Replayed") != "" {
			t.Errorf("again: %s, not %s", again.text, first.text)
		}
		c.call("POST", "/api/clients", `{"name":"B"}`, "Idempotency-Key", "k").refused(t, 422, "idempotency_mismatch")
		if a := other.call("POST", "/api/clients", `{"name":"A"}`, "Idempotency-Key", "k").want(t, 201); a.text == first.text {
			t.Error("another organisation got the answer")
		}
		c.call("POST", "/api/clients", `{"name":"A"}`, "Idempotency-Key", strings.Repeat("k", 256)).refused(t, 400, "invalid_request")
		c.call("POST", "/api/clients", `{}`, "Idempotency-Key", "later").refused(t, 400, "invalid_request")
		c.call("POST", "/api/clients", `{"name":"A"}`, "Idempotency-Key", "later").want(t, 201)

		var all sync.WaitGroup
		var mu sync.Mutex
		ids := map[string]bool{}
		for range 8 {
			all.Go(func() {
				a := c.call("POST", "/api/clients", `{"name":"Race"}`, "Idempotency-Key", "race")
				if a.status == 409 && a.body["error"] == "idempotency_in_progress" {
					return
				}
				mu.Lock()
				defer mu.Unlock()
				ids[a.id()] = true
			})
		}
		all.Wait()
		if len(ids) != 1 {
			t.Errorf("one key created %d records", len(ids))
		}
		id := c.declaration("INV-1")
		submitted := c.call("POST", "/api/cds/submit", `{"declarationId":"`+id+`"}`, "Idempotency-Key", "s").want(t, 200)
		c.waitForStatus(id, "CLEARED")
		if a := c.call("POST", "/api/cds/submit", `{"declarationId":"`+id+`"}`, "Idempotency-Key", "s").want(t, 200); a.text != submitted.text || a.header.Get("Idempotent-Replayed") != "true" {
			t.Errorf("the submission again: %s", a.text)
		}
	})
}

// Each budget allows exactly its number of requests, reports what is left, and then when to retry.
func TestBudgets(t *testing.T) {
	t.Parallel()
	p := serve(t, storetest.SQLite(t), "TIDEWAITER_LIMIT_STANDARD=5", "TIDEWAITER_LIMIT_PUBLIC=4")
	c, other := p.organisation("A"), p.organisation("B")
	for n := range 5 {
		a := c.call("GET", "/api/hubs", nil).want(t, 200)
		reset, _ := strconv.ParseInt(a.header.Get("X-RateLimit-Reset"), 10, 64)
		if a.header.Get("X-RateLimit-Limit") != "5" || a.header.Get("X-RateLimit-Remaining") != strconv.Itoa(4-n) || reset < time.Now().Unix() {
			t.Errorf("request %d: %v", n+1, a.header)
		}
	}
	a := c.call("GET", "/api/hubs", nil).refused(t, 429, "rate_limited")
	if wait, _ := strconv.Atoi(a.header.Get("Retry-After")); wait < 1 || wait > 60 {
		t.Errorf("Retry-After %q", a.header.Get("Retry-After"))
	}
	c.call("GET", "/api/nothing", nil).refused(t, 429, "rate_limited")
	other.call("GET", "/api/hubs", nil).want(t, 200)
	// The harness reads the document of one program only, which may be this one.
	public := p.call("", "GET", "/api/openapi.json", nil).want(t, 200)
	left, err := strconv.Atoi(public.header.Get("X-RateLimit-Remaining"))
	if err != nil || left != 3 && left != 2 {
		t.Errorf("after one or two requests: %v", public.header)
	}
	for range left {
		p.call("", "GET", "/api/openapi.json", nil).want(t, 200)
	}
	p.call("", "GET", "/api/openapi.json", nil).refused(t, 429, "rate_limited")
	other.call("GET", "/api/openapi.json", nil).want(t, 200)
	for range 60 {
		p.call("svc_bad", "GET", "/api/hubs", nil).refused(t, 401, "unauthorized")
	}
	p.call("svc_bad", "GET", "/api/hubs", nil).refused(t, 429, "rate_limited")
	for _, path := range []string{"/healthz", "/readyz"} {
		if text, status := program.Get(t, p.base+path); status != http.StatusOK {
			t.Errorf("%s: %d %s", path, status, text)
		}
	}
}

// A Hub is enabled once, an unknown one not at all, and customs cannot be disabled.
func TestHubs(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		if a := c.call("POST", "/api/hubs/gvms", nil).want(t, 200); a.in("hub", "id") != "gvms" || a.in("hub", "enabled") != true || a.in("hub", "enabledAt") == nil {
			t.Errorf("enabled: %s", a.text)
		}
		c.call("POST", "/api/hubs/gvms", nil).refused(t, 409, "hub_already_enabled")
		c.call("POST", "/api/hubs/customs", nil).refused(t, 409, "hub_already_enabled")
		c.call("POST", "/api/hubs/moon", nil).refused(t, 409, "hub_not_bookable")
		c.call("POST", "/api/hubs/emcs", nil).refused(t, 409, "hub_not_bookable")
		c.call("DELETE", "/api/hubs/customs", nil).refused(t, 409, "hub_foundational")
		c.call("DELETE", "/api/hubs/moon", nil).refused(t, 404, "not_found")
		c.call("DELETE", "/api/hubs/tss", nil).want(t, 200)
		if a := c.call("DELETE", "/api/hubs/gvms", nil).want(t, 200); a.in("hub", "enabled") != false || a.in("hub", "enabledAt") != nil {
			t.Errorf("disabled: %s", a.text)
		}
		hubs := map[string]bool{"tax": true} // VAT has no kind of its own in app.Kinds
		for _, k := range app.Kinds() {
			hubs[k.Hub] = true
		}
		if a := c.call("GET", "/api/hubs", nil).want(t, 200); len(a.body["hubs"].([]any)) != len(hubs) {
			t.Errorf("want %d Hubs: %s", len(hubs), a.text)
		}
	}, "TIDEWAITER_HUBS_OFF=emcs")
}

// The trail has the events of each filter, and the command finds it intact.
func TestAudit(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		id := c.declaration("INV-1")
		c.submit(id).want(t, 200)
		c.waitForStatus(id, "CLEARED")
		all := c.call("GET", "/api/audit?limit=200", nil).want(t, 200).body["events"].([]any)
		var walked []any
		for path := "/api/audit?limit=2"; path != ""; {
			a := c.call("GET", path, nil).want(t, 200)
			walked = append(walked, a.body["events"].([]any)...)
			path = ""
			if next, ok := a.body["nextCursor"].(string); ok {
				path = "/api/audit?limit=2&cursor=" + next
			}
		}
		if !reflect.DeepEqual(walked, all) || len(all) < 10 {
			t.Errorf("walked %d of %d events", len(walked), len(all))
		}
		system := c.call("GET", "/api/audit?actorUserId=system&hub=customs&eventType=declaration.cleared", nil).want(t, 200).body["events"].([]any)
		if len(system) != 1 || system[0].(map[string]any)["resourceId"] != id || system[0].(map[string]any)["fromStatus"] != "ACCEPTED" {
			t.Errorf("cleared: %v", system)
		}
		if a := c.call("GET", "/api/audit?startDate=2100-01-01T00:00:00Z", nil).want(t, 200); len(a.body["events"].([]any)) != 0 {
			t.Errorf("the future: %s", a.text)
		}
		c.call("GET", "/api/audit?startDate=yesterday", nil).refused(t, 400, "invalid_request")
		c.call("GET", "/api/audit?cursor=zz", nil).refused(t, 400, "invalid_request")
		c.call("GET", "/api/audit?actorUserId=%00%ff&eventType=%c3", nil).want(t, 200)
		if v := p.command("audit", "verify"); v["ok"] != true {
			t.Errorf("verify: %v", v)
		}
	})
}
