package conformance

import "testing"

// MEMBERs manage webhook endpoints, and see their secrets, only if an OWNER allows it.
func TestMembersManageWebhooksIfAllowed(t *testing.T) {
	each(t, func(t *testing.T, p *server) {
		owner := p.organisation("A")
		member, r := owner.as("MEMBER"), receive(t)
		id, _ := owner.endpoint(r.URL, "client.created")
		one := endpoints + "/" + id
		steps := []struct {
			method, path string
			body         any
		}{
			{"POST", endpoints, map[string]any{"url": r.URL, "events": []string{"webhook.ping"}}},
			{"PATCH", one, `{"description":"x"}`},
			{"POST", one + "/rotate-secret", nil},
			{"DELETE", one, nil},
		}
		for _, s := range steps {
			member.call(s.method, s.path, s.body).refused(t, 403, "owner_role_required")
		}
		member.call("POST", one+"/test", nil).want(t, 200)
		if a := owner.call("GET", "/api/audit?eventType=webhook.endpoint.manage.refused", nil).want(t, 200); len(a.in("events").([]any)) != len(steps) {
			t.Errorf("the trail: %s", a.text)
		}
		owner.call("PATCH", "/api/organisation", `{"membersMayManageWebhooks":true}`).want(t, 200)
		for _, s := range steps {
			member.call(s.method, s.path, s.body).want(t, 200)
		}
		owner.call("PATCH", "/api/organisation", `{"membersMayManageWebhooks":false}`).want(t, 200)
		member.call("POST", endpoints, map[string]any{"url": r.URL}).refused(t, 403, "owner_role_required")
		owner.as("VIEWER").call("POST", endpoints, map[string]any{"url": r.URL}).refused(t, 403, "read_only_key")
	}, allowPrivate)
}
