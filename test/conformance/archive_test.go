package conformance

import (
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// An archived client or shipment shows when it was archived, is left out of lists and comes back unchanged. Each action
// raises the version, makes one event and webhook, is replayed for its key, and is invalid a second time.
func TestArchive(t *testing.T) {
	backends(t, func(t *testing.T, b storetest.Backend) {
		c := serve(t, b, allowPrivate).organisation("A")
		r := receive(t)
		c.call("POST", endpoints, map[string]any{"url": r.URL, "events": []any{"client.archived", "shipment.unarchived"}}).want(t, 200)
		shipment := c.shipment()
		client := c.call("GET", "/api/shipments/"+shipment, nil).want(t, 200).in("shipment", "clientId").(string)
		for _, k := range []struct{ kind, id string }{{"client", client}, {"shipment", shipment}} {
			list, one := "/api/"+k.kind+"s", "/api/"+k.kind+"s/"+k.id
			before := c.call("GET", one, nil).want(t, 200)
			if at, shown := before.in(k.kind).(map[string]any)["archivedAt"]; !shown || at != nil {
				t.Errorf("%s: archivedAt is %v, shown %t", k.kind, at, shown)
			}
			c.call("POST", one+"/unarchive", nil).refused(t, 400, "invalid_state")
			archived := c.call("POST", one+"/archive", nil, "Idempotency-Key", k.kind, "If-Match", `"1"`).want(t, 200)
			if archived.in(k.kind, "archivedAt") != archived.in(k.kind, "updatedAt") || archived.in(k.kind, "status") != "ARCHIVED" || archived.version(t) != 2 {
				t.Errorf("%s: %s", archived.header.Get("ETag"), archived.text)
			}
			if a := c.call("POST", one+"/archive", nil, "Idempotency-Key", k.kind, "If-Match", `"1"`).want(t, 200); a.text != archived.text {
				t.Errorf("the repeat: %s", a.text)
			}
			c.call("POST", one+"/archive", nil).refused(t, 400, "invalid_state")
			for query, want := range map[string]int{"": 0, "?archived=false": 0, "?status=ACTIVE": 0, "?archived=true": 1, "?status=ARCHIVED": 1, "?archived=true&status=ARCHIVED": 1} {
				if got := c.call("GET", list+query, nil).want(t, 200).in(k.kind + "s").([]any); len(got) != want {
					t.Errorf("%s%s has %d records", list, query, len(got))
				}
			}
			c.call("GET", list+"?archived=true&status=ACTIVE", nil).refused(t, 400, "invalid_request")
			if a := c.call("GET", "/api/export/"+k.kind+"s", nil).want(t, 200); !strings.Contains(a.text, "archivedAt") || !strings.Contains(a.text, archived.in(k.kind, "archivedAt").(string)) {
				t.Errorf("the export: %s", a.text)
			}
		}
		for path, body := range map[string]any{
			"/api/shipments":    map[string]any{"clientId": client, "portOfEntry": "GBFXT", "transportMode": "SEA"},
			"/api/declarations": goods(shipment, ""),
		} {
			if fields := c.call("POST", path, body).refused(t, 400, "invalid_request").fields(); len(fields) != 1 || !strings.HasSuffix(fields[0], "Id") {
				t.Errorf("%s: %v", path, fields)
			}
		}
		c.call("PATCH", "/api/shipments/"+shipment, map[string]any{"vesselName": "Ever Tide", "clientId": client}).want(t, 200)
		other := c.shipment()
		if fields := c.call("PATCH", "/api/shipments/"+other, map[string]any{"clientId": client}).refused(t, 400, "invalid_request").fields(); len(fields) != 1 || fields[0] != "clientId" {
			t.Errorf("a correction: %v", fields)
		}
		back := c.call("POST", "/api/shipments/"+shipment+"/unarchive", nil).want(t, 200)
		if at, shown := back.in("shipment").(map[string]any)["archivedAt"]; !shown || at != nil || back.in("shipment", "status") != "ACTIVE" {
			t.Errorf("unarchived: %s", back.text)
		}
		c.call("POST", "/api/declarations", goods(shipment, "")).want(t, 201)
		types := map[any]int{}
		for _, e := range c.events("limit=200") {
			types[e["eventType"]]++
		}
		if types["client.archived"] != 1 || types["shipment.archived"] != 1 || types["shipment.unarchived"] != 1 || types["client.unarchived"] != 0 {
			t.Errorf("events %v", types)
		}
		r.arrive(t, 2)
	})
}
