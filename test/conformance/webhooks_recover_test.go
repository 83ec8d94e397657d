package conformance

import (
	"testing"
)

// A failed delivery is shown with its request and every answer, can be found by its status, and is sent again at
// once by a recovery. A VIEWER sees no signature and cannot recover; recovering a paused endpoint is refused.
func TestWebhookRecovery(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c, r := p.organisation("A"), receive(t)
		r.answers(503)
		id, _ := c.endpoint(r.URL, "client.created")
		path := endpoints + "/" + id
		c.client()
		r.arrive(t, 1)
		failing := func() map[string]any {
			for {
				all := c.call("GET", path+"/deliveries?status=PENDING&eventType=client.created&startDate=2020-01-01T00:00:00Z", nil).want(t, 200).body["deliveries"].([]any)
				if d := all[0].(map[string]any); d["attempts"] == 1.0 {
					return d
				}
			}
		}()
		for query, want := range map[string]int{
			"q=ANSWERED+503": 1, "q=noted": 1, "q=other": 0, "createdAfter=2020-01-01T00:00:00Z&createdBefore=2100-01-01T00:00:00Z": 1,
			"createdAfter=" + failing["createdAt"].(string): 1, "createdBefore=" + failing["createdAt"].(string): 0, "resourceId=" + unknownID: 0,
		} {
			if a := c.call("GET", path+"/deliveries?"+query, nil).want(t, 200); len(a.body["deliveries"].([]any)) != want {
				t.Errorf("%s: %s", query, a.text)
			}
		}
		one := path + "/deliveries/" + failing["id"].(string)
		shown := c.call("GET", one, nil).want(t, 200)
		attempts := shown.body["attempts"].([]any)
		sent := shown.in("request", "headers").(map[string]any)
		arrived := r.arrivals()[0]
		if a := attempts[0].(map[string]any); len(attempts) != 1 || a["httpStatus"] != 503.0 || a["responseBody"] != "noted" || a["number"] != 1.0 || a["error"] == nil || a["headers"] == nil {
			t.Errorf("attempts: %s", shown.text)
		}
		if sent["X-Service-Signature"] != arrived.header.Get("X-Service-Signature") || shown.in("request", "body") != string(arrived.text) {
			t.Errorf("request: %s", shown.text)
		}
		viewer := c.as("VIEWER")
		if a := viewer.call("GET", one, nil).want(t, 200); a.in("request", "headers") != nil || a.in("request", "body") == nil {
			t.Errorf("to a viewer: %s", a.text)
		}
		viewer.call("POST", path+"/recover", `{}`).refused(t, 403, "read_only_key")
		c.call("GET", path+"/deliveries/"+unknownID, nil).refused(t, 404, "not_found")
		c.call("GET", path+"/deliveries?status=LOST", nil).refused(t, 400, "invalid_request")
		c.call("POST", path+"/recover", `{"since":"yesterday"}`).refused(t, 400, "invalid_request")
		r.answers(200)
		if n := c.call("POST", path+"/recover", `{"since":"2100-01-01T00:00:00Z"}`).want(t, 200).body["recovered"]; n != 0.0 {
			t.Errorf("of the future: %v", n)
		}
		if n := c.call("POST", path+"/recover", `{}`).want(t, 200).body["recovered"]; n != 1.0 {
			t.Errorf("recovered %v", n)
		}
		again := r.arrive(t, 2)[1]
		if string(again.text) != string(arrived.text) || again.header.Get("Webhook-Id") != arrived.header.Get("Webhook-Id") {
			t.Errorf("again: %s", again.text)
		}
		c.call("PATCH", path, `{"active":false}`).want(t, 200)
		c.call("POST", path+"/recover", `{}`).refused(t, 400, "endpoint_paused")
	}, allowPrivate)
}
