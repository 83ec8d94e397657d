package conformance

import "testing"

// The numbers of deliveries are those of the organisation's own, and another one's endpoint is not found.
func TestWebhookMetrics(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		c, r := p.organisation("A"), receive(t)
		id, _ := c.endpoint(r.URL, "client.created")
		c.client()
		c.client()
		r.arrive(t, 2)
		const path = "/api/webhooks/metrics"
		for {
			a := c.call("GET", path+"?bucket=day&endpointId="+id, nil).want(t, 200)
			buckets := a.body["buckets"].([]any)
			b := buckets[len(buckets)-1].(map[string]any)
			if before := buckets[len(buckets)-2].(map[string]any); before["events"] == 2.0 {
				b = before // the day has ended since
			}
			if a.body["waiting"] != 0.0 {
				continue // the results of the attempts are not stored yet
			}
			if len(buckets) != 14 || b["events"] != 2.0 || b["attempts"] != 2.0 || b["delivered"] != 2.0 || b["failed"] != 0.0 || b["byStatus"].(map[string]any)["200"] != 2.0 ||
				b["p50Ms"] == nil || b["p99Ms"] == nil || a.body["oldestWaitingAt"] != nil {
				t.Errorf("numbers: %s", a.text)
			}
			break
		}
		if a := c.call("GET", path+"?eventType=client.deleted", nil).want(t, 200); a.body["buckets"].([]any)[23].(map[string]any)["events"] != 0.0 {
			t.Errorf("of another type: %s", a.text)
		}
		other := p.organisation("B")
		other.call("GET", path+"?endpointId="+id, nil).refused(t, 404, "not_found")
		c.call("GET", path+"?endpointId="+unknownID, nil).refused(t, 404, "not_found")
		if a := other.call("GET", path, nil).want(t, 200); a.body["buckets"].([]any)[23].(map[string]any)["events"] != 0.0 {
			t.Errorf("of another organisation: %s", a.text)
		}
		for _, query := range []string{"bucket=week", "from=yesterday", "from=2026-11-22T00:00:00Z&to=2026-11-21T00:00:00Z", "bucket=minute&from=2020-01-01T00:00:00Z"} {
			c.call("GET", path+"?"+query, nil).refused(t, 400, "invalid_request")
		}
	}, allowPrivate)
}
