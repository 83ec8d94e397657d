package conformance

import (
	"strings"
	"testing"
	"time"
)

const templates = "/api/templates"

// shirtTemplate is a template of a client.
func shirtTemplate(client string) map[string]any {
	return map[string]any{"clientId": client, "name": "Shirts", "body": map[string]any{
		"declarationType": "IMPORT", "dataSet": "H1", "deliveryTerms": map[string]any{"incoterm": "FOB"},
		"items": []any{map[string]any{"commodityCode": "6109100010", "description": "T-shirts", "countryOfOrigin": "BD"}},
	}}
}

// A template is stored, corrected, archived and found like any other record. Declarations are made from it with a merge patch,
// once for each idempotency key.
func TestTemplates(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		shipment := c.shipment()
		client := c.call("GET", "/api/shipments/"+shipment, nil).want(t, 200).in("shipment", "clientId").(string)
		made := c.call("POST", templates, shirtTemplate(client)).want(t, 201)
		one := templates + "/" + made.id()
		if got := made.in("body", "dataSet"); got != "H1" {
			t.Errorf("created: %s", made.text)
		}
		if listed := c.call("GET", templates+"?clientId="+client, nil).want(t, 200); len(listed.in("templates").([]any)) != 1 || strings.Contains(listed.text, `"body"`) {
			t.Errorf("listed: %s", listed.text)
		}
		if found := c.call("GET", "/api/search?q=Shirts", nil).want(t, 200); !strings.Contains(found.text, `"kind":"template"`) {
			t.Errorf("search: %s", found.text)
		}
		c.call("PATCH", one, map[string]any{"name": "Shirts of Dhaka"}).want(t, 200)

		patch := map[string]any{"shipmentId": shipment, "deliveryTerms": map[string]any{"place": "Chattogram"}, "reference": "PO-1"}
		first := c.call("POST", one+"/declarations", patch, "Idempotency-Key", "k-1").want(t, 201)
		again := c.call("POST", one+"/declarations", patch, "Idempotency-Key", "k-1").want(t, 201)
		if first.id() != again.id() || first.in("deliveryTerms", "incoterm") != "FOB" || first.in("deliveryTerms", "place") != "Chattogram" || first.in("status") != "DRAFT" || first.in("reference") != "PO-1" {
			t.Errorf("made from the template: %s\n%s", first.text, again.text)
		}
		if dry := c.call("POST", one+"/declarations?dryRun=true", patch, "Content-Type", "application/merge-patch+json").want(t, 200); dry.in("id") != nil {
			t.Errorf("dry run: %s", dry.text)
		}
		if got := c.call("POST", one+"/declarations", map[string]any{}).refused(t, 400, "invalid_request").fields(); len(got) != 1 || got[0] != "shipmentId" {
			t.Errorf("without a shipment: %v", got)
		}
		c.call("POST", one+"/declarations", map[string]any{"shipmentId": shipment, "colour": "red"}).refused(t, 400, "invalid_request")
		c.call("POST", one+"/declarations", map[string]any{"shipmentId": c.shipment()}).refused(t, 400, "invalid_request")
		c.call("POST", one+"/declarations", `{}`, "Content-Type", "text/plain").refused(t, 415, "unsupported_media_type")
		c.as("VIEWER").call("POST", one+"/declarations", patch).want(t, 403)
		c.call("POST", one+"/archive", nil).want(t, 200)
		c.call("POST", one+"/declarations", patch).refused(t, 400, "invalid_state")
		if got := c.call("GET", "/api/declarations", nil).want(t, 200).in("declarations").([]any); len(got) != 1 {
			t.Errorf("%d declarations are stored", len(got))
		}
	})
}

// A template that repeats makes a draft on each date of its organisation's clock, gives it to its own assignee and says so in the
// inbox. It submits nothing, and makes none while it is paused.
func TestRecurrence(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A").sandbox()
		day := func(days int) string { return time.Now().UTC().AddDate(0, 0, days).Format(time.DateOnly) }
		shipment := c.shipment()
		body := shirtTemplate(c.call("GET", "/api/shipments/"+shipment, nil).want(t, 200).in("shipment", "clientId").(string))
		body["body"] = map[string]any{"declarationType": "IMPORT", "items": []any{map[string]any{
			"commodityCode": "6109100010", "description": "T-shirts", "countryOfOrigin": "BD", "netMassKg": 120.5, "customsValueGbp": 1850}}}
		weekly := map[string]any{"frequency": "WEEKLY", "weekdays": []string{"MONDAY", "TUESDAY"}, "startsOn": day(3), "shipmentId": shipment}
		body["recurrence"] = weekly
		one := templates + "/" + c.call("POST", templates, body).want(t, 201).id()
		c.call("PATCH", one, map[string]any{"assigneeId": c.me()}).want(t, 200)
		if got := c.call("GET", one, nil).want(t, 200); len(got.in("template", "nextDates").([]any)) != 5 || got.in("template", "repeated") != nil {
			t.Errorf("before the first date: %s", got.text)
		}
		c.call("POST", "/api/test/clock", map[string]any{"now": day(16) + "T12:00:00Z"}).want(t, 200)
		drafts := c.call("GET", "/api/declarations?assigneeId=me", nil).want(t, 200).in("declarations").([]any)
		if len(drafts) != 4 || drafts[0].(map[string]any)["status"] != "DRAFT" || drafts[0].(map[string]any)["shipmentId"] == shipment {
			t.Fatalf("two weeks later there are %d drafts: %v", len(drafts), drafts)
		}
		items := c.call("GET", inboxOf, nil).want(t, 200).in("items").([]any)
		if first := items[0].(map[string]any); len(items) != 5 || first["type"] != "DRAFTED" || first["recordId"] != drafts[0].(map[string]any)["id"] {
			t.Errorf("the inbox: %v", items)
		}
		if events := c.call("GET", "/api/audit?eventType=template.draft_made", nil).want(t, 200).in("events").([]any); len(events) != 4 {
			t.Errorf("%d events", len(events))
		}
		weekly["paused"] = true
		c.call("PATCH", one, map[string]any{"recurrence": weekly}).want(t, 200)
		c.call("POST", "/api/test/clock", map[string]any{"advance": "P30D"}).want(t, 200)
		if got := c.find("/api/declarations", "declarations"); len(got) != 4 {
			t.Errorf("paused, there are %d drafts", len(got))
		}
		delete(weekly, "shipmentId")
		weekly["dayOfMonth"] = 3
		got := c.call("PATCH", one, map[string]any{"recurrence": weekly}).refused(t, 400, "invalid_request").fields()
		if strings.Join(got, " ") != "recurrence.dayOfMonth recurrence.shipmentId" {
			t.Errorf("wrong: %v", got)
		}
	})
}

// Members that no declaration has are named with their paths, and nothing is stored.
func TestTemplateRefused(t *testing.T) {
	anyDatabase(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		client := c.client()
		for body, want := range map[string]string{
			`{"colour":"red"}`: "body.colour", `{"items":[{"netMassKg":"heavy"}]}`: "body.items[0].netMassKg", `{"dataSet":"H9"}`: "body.dataSet", `{"items":[]}`: "body.items",
			`{"guarantees":[{"type":"1","accessCode":"1234"}]}`: "body.guarantees[0].accessCode",
		} {
			got := c.call("POST", templates, `{"clientId":"`+client+`","name":"X","body":`+body+`}`).refused(t, 400, "invalid_request").fields()
			if len(got) != 1 || got[0] != want {
				t.Errorf("%s: %v, not %s", body, got, want)
			}
		}
		c.call("POST", templates, map[string]any{"clientId": client, "name": "X"}).refused(t, 400, "invalid_request")
		if got := c.call("GET", templates, nil).want(t, 200).in("templates").([]any); len(got) != 0 {
			t.Errorf("%d templates are stored", len(got))
		}
	})
}

// A copy is a new draft without the references of one consignment, once for each idempotency key.
func TestCopy(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c := p.organisation("A")
		body := inDollars(c.shipment())
		body["reference"], body["uniqueReference"], body["ucr"] = "PO-1", true, map[string]any{"reference": "6GB123456789000-1"}
		body["documents"] = []any{map[string]any{"type": "N935", "reference": "INV-1"}, map[string]any{"type": "C506", "reference": "GBDPO1"}}
		original := c.call("POST", "/api/declarations", body).want(t, 201)
		path := "/api/declarations/" + original.id() + "/copy"
		if dry := c.call("POST", path+"?dryRun=true", nil).want(t, 200); dry.in("id") != nil {
			t.Errorf("dry run: %s", dry.text)
		}
		first := c.call("POST", path, nil, "Idempotency-Key", "k-1").want(t, 201)
		again := c.call("POST", path, nil, "Idempotency-Key", "k-1").want(t, 201)
		documents := first.in("documents").([]any)
		if first.id() != again.id() || first.id() == original.id() || first.in("lrn") == original.in("lrn") || first.in("reference") != nil || first.in("ucr") != nil ||
			documents[0].(map[string]any)["reference"] != nil || documents[1].(map[string]any)["reference"] != "GBDPO1" || first.in("status") != "DRAFT" {
			t.Errorf("copied: %s\n%s", first.text, again.text)
		}
		c.as("VIEWER").call("POST", path, nil).want(t, 403)
		c.call("POST", "/api/declarations/"+c.client()+"/copy", nil).refused(t, 404, "not_found")
		plain := c.declaration("INV-2")
		if a := c.call("POST", "/api/declarations/"+plain+"/copy", nil).want(t, 201); a.in("documents") != nil {
			t.Errorf("a copy without a data set has the documents of the consignment: %s", a.text)
		}
		if events := c.call("GET", "/api/audit?limit=100", nil).want(t, 200).text; !strings.Contains(events, first.id()) || !strings.Contains(events, "declaration.created") {
			t.Errorf("no audit event: %s", events)
		}
	})
}
