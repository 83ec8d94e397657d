package conformance

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// events lists the trail's events for a query.
func (c *caller) events(query string) (found []map[string]any) {
	c.t.Helper()
	for _, e := range c.call("GET", "/api/audit?"+query, nil).want(c.t, 200).body["events"].([]any) {
		found = append(found, e.(map[string]any))
	}
	return found
}

// The trail can be filtered by Hub, type, actor and time, and by all of them at once.
func TestAuditFilters(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		for range 3 {
			c.client()
		}
		c.call("POST", "/api/hubs/tss", nil).want(t, 200)
		c.call("POST", "/api/tss/declarations", movement()).want(t, 200)
		all := c.events("limit=200")
		fourth := all[3]
		if got := c.events("eventType=client.created"); len(got) != 3 {
			t.Errorf("by type: %v", got)
		}
		if got := c.events("hub=tss"); len(got) != 1 || got[0]["eventType"] != "tss.declaration.created" {
			t.Errorf("by Hub: %v", got)
		}
		user := all[0]["actorUserId"].(string)
		for query, want := range map[string]int{
			"actorUserId=" + user: len(all), "actorUserId=system": 0, "hub=customs&actorUserId=" + user: len(all) - 1, "hub=tss&eventType=client.created": 0,
			"hub=customs&eventType=client.created&actorUserId=" + user: 3, "startDate=" + all[len(all)-1]["occurredAt"].(string): len(all),
			"endDate=2020-01-01T00:00:00Z": 0, "startDate=0000-01-01T00:00:00Z": len(all), "endDate=9999-12-31T23:59:59-23:59": len(all),
		} {
			if got := c.events("limit=200&" + query); len(got) != want {
				t.Errorf("%s: %d events, want %d", query, len(got), want)
			}
		}
		for _, e := range c.events("limit=200&startDate=" + fourth["occurredAt"].(string) + "&endDate=" + fourth["occurredAt"].(string)) {
			if e["occurredAt"] != fourth["occurredAt"] {
				t.Errorf("%v is not at %v", e, fourth["occurredAt"])
			}
		}
	})
}

// An invalid filter is a 400 that names the parameter.
func TestAuditBadInput(t *testing.T) {
	p := shared(t)
	mine, theirs := p.organisation("A"), p.organisation("B")
	for _, c := range []*caller{mine, theirs} {
		c.client()
		c.client()
	}
	foreign := theirs.call("GET", "/api/audit?limit=1", nil).body["nextCursor"].(string)
	clients := mine.call("GET", "/api/clients?limit=1", nil).body["nextCursor"].(string)
	trail := mine.call("GET", "/api/audit?limit=1", nil).body["nextCursor"].(string)
	for query, field := range map[string]string{
		"startDate=yesterday": "startDate", "endDate=2026-13-01T00:00:00Z": "endDate", "startDate=2026-11-21": "startDate",
		"startDate=2026-11-22T00:00:00Z&endDate=2026-11-21T00:00:00Z": "startDate", "limit=0": "limit", "limit=201": "limit", "limit=x": "limit",
		"cursor=" + foreign: "cursor", "cursor=" + clients: "cursor", "cursor=zz": "cursor", "cursor=" + trail + "A": "cursor", "cursor=%00": "cursor",
		"eventtype=x": "eventtype", "hub=" + strings.Repeat("x", 65): "hub", "hub=nope": "hub",
	} {
		a := mine.call("GET", "/api/audit?"+query, nil).refused(t, 400, "invalid_request")
		if got := a.fields(); len(got) != 1 || got[0] != field {
			t.Errorf("%s: names %v", query, got)
		}
	}
	for _, path := range []string{"/api/clients?cursor=" + trail, "/api/shipments?cursor=" + clients, "/api/audit/export.csv?cursor=" + trail, "/api/audit/export.csv?limit=5"} {
		mine.call("GET", path, nil).refused(t, 400, "invalid_request")
	}
	theirs.call("GET", "/api/clients?cursor="+clients, nil).refused(t, 400, "invalid_request")
}

// The export has the events of the list as a table without formulas, and is itself an event with its filters and
// count.
func TestAuditExport(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		c.call("POST", "/api/clients", `{"name":"=A, \"quoted\""}`, "X-Request-Id", "-trace").want(t, 201)
		c.client()
		listed := c.events("limit=200&hub=customs")
		a := c.as("VIEWER").call("GET", "/api/audit/export.csv?hub=customs&endDate=9000-01-01T00:00:00Z", nil).want(t, 200)
		if a.header.Get("Content-Type") != "text/csv; charset=utf-8" || a.header.Get("X-Export-Truncated") != "" ||
			!strings.HasPrefix(a.header.Get("Content-Disposition"), `attachment; filename="audit-20`) {
			t.Errorf("headers %v", a.header)
		}
		rows, err := csv.NewReader(strings.NewReader(a.text)).ReadAll()
		if err != nil || len(rows) != len(listed)+2 || !strings.HasSuffix(a.text, "\r\n") { // a header, and the VIEWER's key
			t.Fatalf("%d rows, %v: %s", len(rows), err, a.text)
		}
		for i, e := range listed {
			for j, name := range rows[0] {
				want := fmt.Sprint(e[name])
				switch v := e[name].(type) {
				case nil:
					want = ""
				case map[string]any:
					text, _ := json.Marshal(v)
					want = string(text)
				case float64:
					want = fmt.Sprintf("%.0f", v)
				}
				if want == "-trace" {
					want = "'-trace"
				}
				if name == "data" && sameJSON(rows[i+2][j], want) {
					continue
				}
				if name == "personal" && e[name] != nil {
					text, _ := json.Marshal(e[name])
					if sameJSON(rows[i+2][j], string(text)) {
						continue
					}
				}
				if rows[i+2][j] != want {
					t.Errorf("row %d, %s: %q, want %q", i, name, rows[i+2][j], want)
				}
			}
			if e["personal"] == nil {
				e["personal"] = "" // left out of the JSON if empty
			}
			if len(e) != len(rows[0]) {
				t.Errorf("%d columns, %d fields", len(rows[0]), len(e))
			}
		}
		exported := c.events("eventType=audit.exported")
		if len(exported) != 1 || exported[0]["resourceType"] != "audit" {
			t.Fatalf("export events: %v", exported)
		}
		data := exported[0]["data"].(map[string]any)
		if data["count"] != float64(len(listed)+1) || data["hub"] != "customs" || data["endDate"] != "9000-01-01T00:00:00.000Z" || data["truncated"] != false {
			t.Errorf("export event: %v", data)
		}
	})
}

// A transition that requires the OWNER creates an event if another key asks for it, and none without a valid key;
// the refusal itself is unchanged.
func TestRefusedTransitionsAreEvents(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		c.call("POST", "/api/hubs/tss", nil).want(t, 200)
		id := c.call("POST", "/api/tss/declarations", movement()).want(t, 200).id()
		member, viewer := c.as("MEMBER"), c.as("VIEWER")
		path := "/api/tss/declarations/" + id + "/mark-accepted"
		member.call("POST", path, nil, "X-Request-Id", "m-1").refused(t, 403, "owner_role_required")
		viewer.call("POST", path, nil).refused(t, 403, "read_only_key")
		p.call("svc_nobody", "POST", path, nil).refused(t, 401, "unauthorized")
		c.call("POST", path, nil).refused(t, 400, "invalid_state")
		member.call("POST", "/api/tss/declarations/nonsense/mark-accepted", nil).refused(t, 403, "owner_role_required")
		member.call("PATCH", "/api/organisation", `{"city":"Hull"}`).refused(t, 403, "owner_role_required")
		viewer.call("POST", "/api/clients", `{"name":"A"}`).refused(t, 403, "read_only_key")

		marks := c.events("hub=tss&eventType=tss.declaration.mark-accepted.refused")
		if len(marks) != 3 {
			t.Fatalf("refused marks: %v", marks)
		}
		first := marks[2]
		if first["resourceId"] != id || first["requestId"] != "m-1" || first["data"].(map[string]any)["error"] != "owner_role_required" ||
			first["data"].(map[string]any)["role"] != "MEMBER" || first["keyId"] == nil || first["toStatus"] != nil {
			t.Errorf("first: %v", first)
		}
		if marks[1]["data"].(map[string]any)["error"] != "read_only_key" || marks[0]["resourceId"] != "" {
			t.Errorf("others: %v", marks)
		}
		if got := c.events("eventType=organisation.update.refused"); len(got) != 1 {
			t.Errorf("organisation: %v", got)
		}
		for range 100 {
			member.call("POST", path, nil).refused(t, 403, "owner_role_required")
		}
		if got := c.events("limit=200&eventType=tss.declaration.mark-accepted.refused"); len(got) < 50 || len(got) > 62 {
			t.Errorf("%d refusals of one key recorded in a minute", len(got))
		}
	})
}

// A saved checkpoint proves that the trail is intact; if it is not, the command's exit code says so.
func TestCheckpoint(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		p.organisation("B")
		a := c.as("VIEWER").call("GET", "/api/audit/checkpoint", nil).want(t, 200)
		newest := c.events("limit=1")[0]
		for field, want := range map[string]any{
			"organisationId": c.org, "sequence": newest["sequence"], "hash": newest["hash"], "eventId": newest["id"], "occurredAt": newest["occurredAt"],
		} {
			if a.body[field] != want {
				t.Errorf("%s: %v, want %v", field, a.body[field], want)
			}
		}
		c.client()
		file := filepath.Join(t.TempDir(), "checkpoint.json")
		if err := os.WriteFile(file, []byte(a.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if v := p.command("audit", "verify", "--checkpoint", file); v["ok"] != true {
			t.Errorf("verify: %v", v)
		}
		hash := a.body["hash"].(string)
		for args, code := range map[string]int{
			"--org " + c.org + " --checkpoint 3:" + strings.Repeat("0", 64): 3, "--org " + c.org + " --checkpoint 999:" + hash: 3,
			"--checkpoint " + file: 0, "--checkpoint 3:" + hash: 1, "--checkpoint nonsense": 1, "--org " + unknownID: 1, "--checkpoints": 2,
		} {
			if got, out := p.Code(append([]string{"audit", "verify"}, strings.Fields(args)...)...); got != code {
				t.Errorf("%s: exit code %d, not %d: %s", args, got, code, out)
			}
		}
	})
}

// An export of more than 10,000 events stops there and says so, before the first row.
func TestLongAuditExport(t *testing.T) {
	p := shared(t)
	c := p.organisation("A")
	const more = 10_000
	c.fillTrail(more)
	a := c.call("GET", "/api/audit/export.csv", nil).want(t, 200)
	if n := strings.Count(a.text, "\r\n"); n != more+1 || a.header.Get("X-Export-Truncated") != "true" {
		t.Errorf("%d lines, truncated %q", n, a.header.Get("X-Export-Truncated"))
	}
	a = c.call("GET", "/api/audit/export.csv?eventType=client.created", nil).want(t, 200)
	if n := strings.Count(a.text, "\r\n"); n != more+1 || a.header.Get("X-Export-Truncated") != "" {
		t.Errorf("exactly as many: %d lines, truncated %q", n, a.header.Get("X-Export-Truncated"))
	}
}

// fillTrail creates n clients, and with each an event.
func (c *caller) fillTrail(n int) {
	c.t.Helper()
	const atOnce = 2500
	for made := 0; made < n; made += atOnce {
		rows := make([]any, atOnce)
		for i := range rows {
			rows[i] = map[string]any{"N": fmt.Sprint("Trader ", made+i)}
		}
		a := c.call("POST", "/api/import/clients/commit", map[string]any{"mapping": map[string]any{"name": "N"}, "rows": rows}).want(c.t, 200)
		if a.body["created"] != float64(atOnce) {
			c.t.Fatalf("made %v", a.body["created"])
		}
	}
}

// sameJSON reports whether two texts are the same JSON object in any order of members, because events are exported
// as they were hashed.
func sameJSON(a, b string) bool {
	var one, other any
	return json.Unmarshal([]byte(a), &one) == nil && json.Unmarshal([]byte(b), &other) == nil && reflect.DeepEqual(one, other)
}
