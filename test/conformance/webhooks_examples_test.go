package conformance

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// A test can deliver an example of every event type: the same record as in the list of types, with the schema of the
// event, signed and counted like any delivery, whatever the endpoint subscribes to.
func TestEveryEventCanBeTested(t *testing.T) {
	t.Parallel()
	p := serve(t, storetest.SQLite(t), allowPrivate)
	schemas := p.eventSchemas(t)
	c, r := p.organisation("A"), receive(t)
	id, _ := c.endpoint(r.URL, "client.created")
	path := endpoints + "/" + id + "/test"
	all := c.call("GET", "/api/webhooks/event-types", nil).want(t, 200).body["eventTypes"].([]any)
	for n, e := range all {
		event := e.(map[string]any)
		name := event["type"].(string)
		a := c.call("POST", path, map[string]any{"eventType": name}).want(t, 200)
		if a.in("delivery", "status") != "DELIVERED" || a.in("delivery", "eventType") != name {
			t.Fatalf("%s: %s", name, a.text)
		}
		d := r.arrive(t, n+1)[n]
		if err := schemas[name].VisitJSON(map[string]any(d.body), openapi3.MultiErrors()); err != nil {
			t.Errorf("%s: %v\n%s", name, err, d.text)
		}
		if d.header.Get("X-Service-Event") != name || d.body["type"] != name {
			t.Errorf("%s arrives as %v, %s", name, d.header, d.text)
		}
		example := event["example"].(map[string]any)["data"].(map[string]any)
		got := d.body["data"].(map[string]any)
		if name != "webhook.ping" && (object(got["object"]) != object(example["object"]) || got["previousStatus"] != example["previousStatus"]) {
			t.Errorf("%s: %v is not the example %v", name, got, example)
		}
	}
	c.call("POST", path, map[string]any{"eventType": "declaration.vanished"}).refused(t, 400, "invalid_request")
	c.call("POST", path, map[string]any{"event": "declaration.cleared"}).refused(t, 400, "invalid_request")
	if a := c.call("POST", path, map[string]any{}).want(t, 200); a.in("delivery", "eventType") != "webhook.ping" {
		t.Errorf("without a type: %s", a.text)
	}
}

func object(v any) string {
	text, err := json.Marshal(v)
	return fmt.Sprint(string(text), err)
}
