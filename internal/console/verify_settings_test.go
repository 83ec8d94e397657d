package console_test

import (
	"net/http"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/store"
)

// After the service has changed members, keys, endpoints and other settings, audit verify compares all of
// them with the audit log and finds no difference.
func TestVerifyAfterChangesOfSettings(t *testing.T) {
	withSignOn(t, func(s *signOn) {
		owner := s.owner
		post := func(path string, pairs ...string) pageResponse {
			t.Helper()
			a := owner.post(path, pairs...)
			if a.status != http.StatusOK && a.status != http.StatusSeeOther {
				t.Fatalf("%s: %d %s", path, a.status, main(a.body))
			}
			return a
		}
		verified := func(after string) {
			t.Helper()
			all, err := s.app.VerifyAudit(t.Context(), owner.org, nil)
			s.must(err)
			if r := all[0].Records; !all[0].OK() || r.SettingsNotCovered != 0 {
				t.Errorf("after %s: %s %v, %d settings not covered", after, all[0].Problem, r.Differences, r.SettingsNotCovered)
			}
		}
		verified("founding")
		owner.enable("tss", "trade")
		post("/settings/hubs/trade/disable")
		post("/settings", "name", "Quay & Sons Ltd", "eori", "GB123456789000")
		post("/settings/webhooks", "membersMayManageWebhooks", "yes")
		post("/settings/approval", "approvalRequired", "yes")
		post("/settings/approval")
		post("/settings/data/provider", "provider", "off")
		verified("changes of the organisation")

		post("/settings/keys", "name", "Robot", "role", "MEMBER", "scope", "customs:read", "addresses", "203.0.113.0/24")
		key := found(t, owner.get("/settings/keys"), `/settings/keys/([0-9a-f-]{36})/rotate`)
		post("/settings/keys/" + key + "/rotate")
		verified("a rotated key")
		post("/settings/keys/" + key + "/revoke")
		verified("a revoked key")

		link := pathOf(t, shownOnce(t, post("/settings/users/invite", "email", "nia@example.com", "role", "MEMBER", "days", "3")))
		nia := s.visitor()
		nia.post(link+"/join", "name", "Nia", "password", "lantern ocean kettle").expect(t, http.StatusSeeOther)
		verified("an invitation")
		members, err := s.app.Store.Members(t.Context(), owner.org)
		s.must(err)
		id := members[len(members)-1].ID
		post("/settings/users/"+id+"/role", "role", "VIEWER")
		verified("another role")
		post("/settings/users/" + id + "/remove")
		verified("the removal of a member")
		s.must(s.app.Store.Update(t.Context(), owner.org, func(tx *store.Tx) error {
			return s.app.Access.JoinByProvider(tx, owner.call(), id, "MEMBER", "SCIM")
		}))
		verified("a member who came back")

		post("/webhooks/new", "url", "https://receiver.invalid/", "which", "all")
		hook := found(t, owner.get("/webhooks"), `/webhooks/endpoints/([0-9a-f-]{36})`)
		for _, step := range []string{"edit", "pause", "resume", "rotate"} {
			post("/webhooks/endpoints/"+hook+"/"+step, "url", "https://receiver.invalid/b", "which", "all")
			verified("the endpoint's " + step)
		}
		post("/webhooks/endpoints/" + hook + "/delete")
		verified("a deleted endpoint")

		s.signInThrough(s.visitor(), "nina@quay.example", map[string]any{"groups": []string{"bosses"}}).expect(t, http.StatusSeeOther)
		verified("single sign-on")
		post("/settings/sign-on/domains", "domain", "pier.example")
		post("/settings/sign-on/domains/remove", "domain", "pier.example")
		post("/settings/sign-on/providers/"+s.provider, "name", "Other ID", "issuer", s.issuer.server.URL, "clientId", "console")
		post("/settings/scim")
		post("/settings/scim/roles", "roles", "filers = MEMBER", "defaultRole", "VIEWER")
		post("/settings/sign-on/passwords", "passwordSignInOff", "yes", "emergencyOwnerId", owner.id)
		verified("other settings of sign-in")
		post("/settings/sign-on/providers/" + s.provider + "/remove")
		post("/audit/holds", "reason", "inquiry")
		verified("a hold")
		if types := s.events(owner.org); count(types, access.HubEnabled) == 0 || count(types, access.UserAdded) < 4 {
			t.Errorf("the events: %v", types)
		}
	})
}
