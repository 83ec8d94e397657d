package conformance

import (
	"fmt"
	"strings"
	"testing"
)

// An endpoint gets the events that its patterns cover and its filter accepts; the others make no delivery.
func TestEndpointFilters(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c, r := p.organisation("A"), receive(t)
		a := c.call("POST", endpoints, map[string]any{"url": r.URL, "events": []string{"declaration.*"}, "filter": map[string]any{
			"hub": []string{"customs"}, "status": []string{"DRAFT", "CANCELLED"},
			"where": []any{map[string]any{"path": "data.object.documents.0.reference", "op": "prefix", "value": "INV-"}},
		}}).want(t, 200)
		if a.body["warnings"] != nil {
			t.Errorf("warnings: %s", a.text)
		}
		id := a.in("endpoint", "id").(string)
		wanted := c.declaration("INV-1")
		c.declaration("OTHER-1")
		c.submit(wanted).want(t, 200)
		c.waitForStatus(wanted, "CLEARED")
		cancelled := c.declaration("INV-2")
		c.call("DELETE", "/api/declarations/"+cancelled, nil).want(t, 200)
		var got []string
		for _, d := range r.arrive(t, 3) {
			got = append(got, fmt.Sprint(d.body["type"]))
		}
		if strings.Join(got, " ") != "declaration.created declaration.created declaration.cancelled" {
			t.Errorf("got %v", got)
		}
		if n := len(c.call("GET", endpoints+"/"+id+"/deliveries", nil).want(t, 200).body["deliveries"].([]any)); n != 3 {
			t.Errorf("%d deliveries", n)
		}
		shown := c.call("GET", endpoints+"/"+id, nil).want(t, 200)
		if !strings.Contains(shown.text, `"op":"prefix"`) || !strings.Contains(shown.text, `"declaration.*"`) {
			t.Errorf("the endpoint is %s", shown.text)
		}
		a = c.call("PATCH", endpoints+"/"+id, map[string]any{"filter": map[string]any{}, "events": []string{"client.*"}}).want(t, 200)
		if a.in("endpoint", "filter") != nil {
			t.Errorf("without a filter: %s", a.text)
		}
		c.client()
		if d := r.arrive(t, 4)[3]; d.body["type"] != "client.created" {
			t.Errorf("got %v", d.body["type"])
		}
	}, allowPrivate)
}

// Patterns and filters that can match nothing are refused or, for a path, warned about.
func TestEndpointFilterErrors(t *testing.T) {
	c := shared(t).organisation("A")
	create := func(events []string, filter any) answer {
		body := map[string]any{"url": "https://example.com/hook", "events": events}
		if filter != nil {
			body["filter"] = filter
		}
		return c.call("POST", endpoints, body)
	}
	for _, events := range [][]string{{"declaration*"}, {"*.cleared"}, {"vanished.*"}, {"declaration.*.x"}, {"**"}, {"*.*"}} {
		create(events, nil).refused(t, 400, "invalid_request")
	}
	where := func(path, op string, value any) map[string]any {
		return map[string]any{"where": []any{map[string]any{"path": path, "op": op, "value": value}}}
	}
	for field, filter := range map[string]any{
		"filter.hub[0]":         map[string]any{"hub": []string{"nope"}},
		"filter.status[1]":      map[string]any{"status": []string{"CLEARED", "GONE"}},
		"filter.where[0].op":    where("type", "like", "x"),
		"filter.where[0].path":  where("data..object", "eq", "x"),
		"filter.where[0].value": where("type", "in", "x"),
		"filter.else":           map[string]any{"else": 1},
	} {
		if a := create([]string{}, filter).refused(t, 400, "invalid_request"); !strings.Contains(a.text, `"field":"`+field) {
			t.Errorf("%s: %s", field, a.text)
		}
	}
	for _, path := range []string{"data.object.nowhere", "data.object.items.0.nothing", "else"} {
		a := create([]string{"declaration.*"}, where(path, "eq", "x")).want(t, 200)
		if !strings.Contains(a.text, `"warnings":[{"field":"filter.where[0].path"`) {
			t.Errorf("%s: %s", path, a.text)
		}
	}
	if a := create([]string{"*"}, where("data.object.items.0.commodityCode", "prefix", "6109")).want(t, 200); a.body["warnings"] != nil {
		t.Errorf("warnings: %s", a.text)
	}
}
