package conformance

import (
	"encoding/json"
	"reflect"
	"slices"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
)

// required are the event types that must exist.
var required = []string{
	"webhook.ping", "declaration.created", "declaration.submitted", "declaration.accepted", "declaration.cleared", "declaration.rejected",
	"tss.declaration.submitted", "tss.declaration.accepted", "client.created",
}

// The document has a webhook with a schema for every event type, whose example is valid, and the list of types has
// the same.
func TestEveryEventIsDescribed(t *testing.T) {
	p := shared(t)
	schemas := p.eventSchemas(t)
	var listed []string
	for _, e := range p.organisation("A").call("GET", "/api/webhooks/event-types", nil).want(t, 200).body["eventTypes"].([]any) {
		event := e.(map[string]any)
		name := event["type"].(string)
		listed = append(listed, name)
		schema := schemas[name]
		if schema == nil {
			t.Errorf("%s has no webhook in the document", name)
		} else if err := schema.VisitJSON(event["example"], openapi3.MultiErrors()); err != nil {
			t.Errorf("the example of %s: %v", name, err)
		}
	}
	if len(schemas) != len(listed) {
		t.Errorf("%d webhooks in the document, %d types", len(schemas), len(listed))
	}
	for _, name := range required {
		if !slices.Contains(listed, name) {
			t.Errorf("no type %s", name)
		}
	}
}

// Real deliveries match the schema of their event, and contain the record as the API shows it, with the previous
// status.
func TestDeliveriesFitTheirSchemas(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		schemas := p.eventSchemas(t)
		c, r := p.organisation("A"), receive(t)
		id, _ := c.endpoint(r.URL)
		c.call("POST", endpoints+"/"+id+"/test", nil).want(t, 200)
		c.call("POST", "/api/hubs/tss", nil).want(t, 200)
		declaration := c.declaration("INV-1")
		c.submit(declaration).want(t, 200)
		cleared := c.waitForStatus(declaration, "CLEARED")
		tss := c.call("POST", "/api/tss/declarations", movement()).want(t, 200).id()
		c.call("POST", "/api/tss/declarations/"+tss+"/submit", nil).want(t, 200)
		c.call("POST", "/api/tss/declarations/"+tss+"/mark-rejected", `{"reason":"x"}`).want(t, 200)
		c.call("DELETE", "/api/declarations/"+c.declaration(""), nil).want(t, 200)
		var events []map[string]any
		for _, e := range c.call("GET", "/api/audit?limit=200", nil).want(t, 200).body["events"].([]any) {
			if event := e.(map[string]any); schemas[event["eventType"].(string)] != nil {
				events = append(events, event)
			}
		}
		before := map[string]any{}
		for _, e := range events {
			before["evt_"+e["id"].(string)] = e["fromStatus"]
		}
		kinds := map[string]bool{}
		for _, d := range r.arrive(t, len(events)+1) {
			name := d.body["type"].(string)
			kinds[name] = true
			if schemas[name] == nil {
				t.Errorf("the document does not have %s", name)
				continue
			}
			if err := schemas[name].VisitJSON(map[string]any(d.body), openapi3.MultiErrors()); err != nil {
				t.Errorf("%s: %v\n%s", name, err, d.text)
			}
			data := d.body["data"].(map[string]any)
			eventID := d.body["id"].(string)
			if d.header.Get("X-Service-Event") != name || d.header.Get("Webhook-Id") != eventID || d.header.Get("Content-Type") != "application/json" {
				t.Errorf("%s: %v", name, d.header)
			}
			if from, known := before[eventID]; known && data["previousStatus"] != from && !(from == nil || from == "") {
				t.Errorf("%s: previous status %v, want %v", name, data["previousStatus"], from)
			} else if !known && name != "webhook.ping" {
				t.Errorf("%s is not in the trail", eventID)
			}
			if object := data["object"].(map[string]any); name == "declaration.cleared" {
				shown := cleared.in("declaration").(map[string]any)
				for _, field := range []string{"id", "status", "createdAt", "items", "mrn", "lrn", "shipmentId"} {
					if !reflect.DeepEqual(object[field], shown[field]) {
						t.Errorf("%s: %v, the API shows %v", field, object[field], shown[field])
					}
				}
				// CDS may send further messages about a cleared declaration.
				if at, last := object["updatedAt"].(string), shown["updatedAt"].(string); at == "" || at > last {
					t.Errorf("updated at %s, the API shows %s", at, last)
				}
			}
		}
		for _, name := range []string{"webhook.ping", "client.created", "shipment.created", "declaration.created", "declaration.submitted", "declaration.accepted",
			"declaration.cleared", "declaration.cancelled", "tss.declaration.created", "tss.declaration.submitted", "tss.declaration.rejected"} {
			if !kinds[name] {
				t.Errorf("no %s arrived: %v", name, kinds)
			}
		}
	}, allowPrivate)
}

// eventSchemas are the schemas of the outgoing events, by type. The OpenAPI loader ignores webhooks, so they are
// put among the paths, where it resolves references.
func (p *server) eventSchemas(t *testing.T) map[string]*openapi3.Schema {
	t.Helper()
	var document map[string]any
	if err := json.Unmarshal(p.read(t, "/api/openapi.json"), &document); err != nil {
		t.Fatal(err)
	}
	paths := map[string]any{}
	for name, item := range document["webhooks"].(map[string]any) {
		paths["/"+name] = item
	}
	document["paths"] = paths
	text, err := json.Marshal(document)
	if err != nil {
		t.Fatal(err)
	}
	loaded, err := openapi3.NewLoader().LoadFromData(text)
	if err != nil {
		t.Fatal(err)
	}
	schemas := map[string]*openapi3.Schema{}
	for path, item := range loaded.Paths.Map() {
		schemas[path[1:]] = item.Post.RequestBody.Value.Content["application/json"].Schema.Value
	}
	return schemas
}
