package conformance

import (
	"strings"
	"testing"
)

// An OWNER's key creates the SCIM token, which gives access only to the organisation's users. A new token ends the
// former one; the trail has the event without the token.
func TestSCIMToken(t *testing.T) {
	const path = "/api/organisation/scim-token"
	each(t, func(t *testing.T, p *server) {
		owner := p.organisation("A")
		first := owner.call("POST", path, nil, "Idempotency-Key", "t").want(t, 201)
		token := first.in("token").(string)
		provider := &caller{p, owner.org, token}
		// The only user owns keys and has no e-mail address, so SCIM has no users yet.
		if a := provider.call("GET", "/api/scim/v2/Users", nil).want(t, 200); !strings.Contains(a.text, `"totalResults":0`) {
			t.Errorf("users: %s", a.text)
		}
		provider.call("GET", "/api/clients", nil).refused(t, 401, "unauthorized")
		if again := owner.call("POST", path, nil, "Idempotency-Key", "t").want(t, 201); again.text != first.text {
			t.Errorf("repeated with the same idempotency key: %s", again.text)
		}
		second := owner.call("POST", path, nil).want(t, 201).in("token").(string)
		provider.call("GET", "/api/scim/v2/Users", nil).want(t, 401)
		(&caller{p, owner.org, second}).call("GET", "/api/scim/v2/Users", nil).want(t, 200)

		owner.as("MEMBER").call("POST", path, nil).refused(t, 403, "owner_role_required")
		narrow, _ := owner.makeKey(t, map[string]any{"scopes": []string{"*:read"}})
		narrow.call("POST", path, nil).refused(t, 403, "scope_required")
		if a := owner.call("GET", "/api/audit?eventType=scim_token.created", nil).want(t, 200); strings.Count(a.text, `"eventType":"scim_token.created"`) != 2 || strings.Contains(a.text, token) || strings.Contains(a.text, second) {
			t.Errorf("the trail: %s", a.text)
		}
	})
}
