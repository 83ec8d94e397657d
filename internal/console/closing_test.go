package console_test

import (
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/ops/operator"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/closure"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// json calls an API operation with the browser's session and a JSON object made from pairs.
func (p *user) json(method, path string, pairs ...string) pageResponse {
	p.Helper()
	body := map[string]string{}
	for i := 0; i+1 < len(pairs); i += 2 {
		body[pairs[i]] = pairs[i+1]
	}
	text, err := json.Marshal(body)
	p.must(err)
	return p.ask(method, path, string(text), http.Header{"Content-Type": {"application/json"}})
}

// ask sends a request with the browser's session.
func (p *user) ask(method, path, body string, header http.Header) pageResponse {
	p.Helper()
	request, err := http.NewRequestWithContext(p.Context(), method, p.base+path, strings.NewReader(body))
	p.must(err)
	request.Header = header.Clone()
	response, err := p.client.Do(request)
	p.must(err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	p.must(err)
	return pageResponse{response.StatusCode, response.Header, string(text)}
}

// withKey calls an API operation with an API key.
func (h *harness) withKey(key, method, path, body string) pageResponse {
	h.Helper()
	return h.visitor().ask(method, path, body, http.Header{"Authorization": {"Bearer " + key}, "Content-Type": {"application/json"}})
}

// key creates an API key.
func (p *user) key(role tenant.Role) string {
	p.Helper()
	return shownOnce(p, p.post("/settings/keys", "name", "K", "role", string(role)))
}

// code returns the error code of an API response.
func (a pageResponse) code() string {
	var body struct{ Error string }
	_ = json.Unmarshal([]byte(a.body), &body)
	return body.Error
}

// expectError checks the status and the code of an API error.
func (a pageResponse) expectError(t testing.TB, status int, code string) {
	t.Helper()
	if a.status != status || a.code() != code {
		t.Errorf("answered %d %s, not %d %s", a.status, a.body, status, code)
	}
}

// Closing requires an OWNER's console session, a recent sign-in and the organisation's name. A
// request without one of them changes nothing.
func TestCloseIsRefused(t *testing.T) {
	each(t, func(h *harness) {
		owner := h.owner("Quay Ltd", "olive@example.com")
		member := h.member(owner.org, tenant.Member, "mia@example.com")
		viewer := h.member(owner.org, tenant.Viewer, "vera@example.com")
		keys := map[tenant.Role]string{}
		for _, role := range []tenant.Role{tenant.Owner, tenant.Member, tenant.Viewer} {
			keys[role] = owner.key(role)
		}
		const path, right = "/api/organisation", `{"name":"Quay Ltd"}`
		asJSON := http.Header{"Content-Type": {"application/json"}}

		h.withKey(keys[tenant.Owner], "DELETE", path, right).expectError(h, 403, "sign_in_again")
		h.withKey(keys[tenant.Owner], "POST", path+"/restore", "").expectError(h, 403, "sign_in_again")
		h.withKey(keys[tenant.Member], "DELETE", path, right).expectError(h, 403, "owner_role_required")
		h.withKey(keys[tenant.Viewer], "DELETE", path, right).expectError(h, 403, "read_only_key")
		h.withKey("svc_0", "DELETE", path, right).expectError(h, 401, "unauthorized")
		h.visitor().ask("DELETE", path, right, asJSON).expectError(h, 401, "unauthorized")
		member.ask("DELETE", path, right, asJSON).expectError(h, 403, "owner_role_required")
		viewer.ask("DELETE", path, right, asJSON).expectError(h, 403, "owner_role_required")
		member.post("/settings/data/close", "name", "Quay Ltd").expect(h, 403)
		owner.ask("DELETE", path, right, http.Header{"Content-Type": {"application/json"}, "Origin": {"https://evil.example"}}).expectError(h, 403, "owner_role_required")

		for body, field := range map[string]string{
			`{"name":"Key Ltd"}`: "name", `{"name":""}`: "name", `{}`: "name", ``: "body", `{"name":5}`: "name", `{"name":"Quay Ltd","now":true}`: "now", `{"name":`: "body",
		} {
			a := owner.ask("DELETE", path, body, asJSON)
			a.expectError(h, 400, "invalid_request")
			if !strings.Contains(a.body, `"field":"`+field+`"`) || !strings.Contains(a.body, `"requestId"`) {
				h.Errorf("%q: %s", body, a.body)
			}
		}
		owner.ask("DELETE", path, right, http.Header{"Content-Type": {"text/plain"}}).expectError(h, 415, "unsupported_media_type")
		owner.ask("DELETE", path, `{"name":"`+strings.Repeat("Q", 2<<20)+`"}`, asJSON).expectError(h, 413, "payload_too_large")
		owner.post("/settings/data/close", "name", "Quay").expect(h, 400, "is not the name of this organisation")
		owner.json("POST", path+"/restore").expectError(h, 400, "invalid_state")

		h.advance(10 * time.Minute)
		owner.ask("DELETE", path, right, asJSON).expectError(h, 403, "sign_in_again")
		owner.post("/settings/data/close", "name", "Quay Ltd").expect(h, 403, "Confirm that it is you")
		if slices.Contains(h.events(owner.org), closure.Closed) {
			h.Error("the organisation was closed")
		}
		h.withKey(keys[tenant.Owner], "GET", path, "").expect(h, 200)
		owner.get("/").expect(h, 200)
	}, freshly)
}

// Only OWNERs can open a closed organisation, and only one page of it. Its API keys, feeds and
// invitations stop working at once, on every instance, and stay invalid after it is restored.
// Other organisations are not affected.
func TestCloseAndRestore(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		h := open(t, b)
		owner, theirs := h.owner("Quay Ltd", "olive@example.com"), h.owner("Harbour Ltd", "harry@example.com")
		member := h.member(owner.org, tenant.Member, "mia@example.com")
		both := h.member(owner.org, tenant.Member, "bo@example.com")
		h.join(theirs.org, both.id, tenant.Member)
		second := h.member(owner.org, tenant.Owner, "oscar@example.com")
		key, other := owner.key(tenant.Owner), theirs.key(tenant.Owner)
		var made struct{ Feed struct{ URL string } }
		h.must(json.Unmarshal([]byte(h.withKey(key, "POST", "/api/deadlines/feed", "").body), &made))
		feedPath := h.local(made.Feed.URL)
		h.visitor().ask("GET", feedPath, "", http.Header{}).expect(h, 200)
		invitation := h.local(shownOnce(h, owner.post("/settings/users/invite", "email", "new@example.com", "role", "MEMBER", "days", "7")))
		theirInvitation := h.local(shownOnce(h, theirs.post("/settings/users/invite", "email", "new@example.com", "role", "MEMBER", "days", "7")))
		h.withKey(key, "POST", "/api/webhooks/endpoints", `{"url":"https://example.com/hook"}`).expect(h, 200)
		h.withKey(key, "POST", "/api/clients", `{"name":"A"}`).expect(h, 201)
		elsewhere := h
		if b.URL != "" {
			b.Folder = h.app.Config.Data
			elsewhere = open(t, b)
		}
		elsewhere.withKey(key, "GET", "/api/me", "").expect(h, 200)
		bo := both.get("/settings").body
		if !strings.Contains(bo, "Quay Ltd") {
			t.Error("a member of two organisations does not see both")
		}

		a := owner.json("DELETE", "/api/organisation", "name", "Quay Ltd")
		a.expect(h, 200, `"name":"Quay Ltd"`, `"closedAt":"`+audit.Instant(h.clock())+`"`, `"deleteAfter":"`+audit.Instant(h.clock().Add(closure.Delay))+`"`)
		for _, where := range []*harness{h, elsewhere} {
			where.withKey(key, "GET", "/api/me", "").expectError(h, 401, "unauthorized")
			where.withKey(key, "DELETE", "/api/organisation", `{"name":"Quay Ltd"}`).expectError(h, 401, "unauthorized")
			where.withKey(other, "GET", "/api/me", "").expect(h, 200)
			where.visitor().ask("GET", feedPath, "", http.Header{}).expectError(h, 401, "unauthorized")
		}
		h.advance(time.Hour)
		if again := owner.json("DELETE", "/api/organisation", "name", "Quay Ltd"); again.status != 200 || again.body != a.body {
			t.Errorf("closed again: %d %s, not %s", again.status, again.body, a.body)
		}
		h.visitor().get(invitation).expect(h, 404)
		h.visitor().get(theirInvitation).expect(h, 200, "Harbour Ltd")

		for _, path := range []string{"/", "/declarations", "/settings/keys", "/audit"} {
			if to := owner.get(path); to.status != 303 || to.header.Get("Location") != "/settings/data" {
				t.Errorf("%s answers %d %s", path, to.status, to.header.Get("Location"))
			}
		}
		owner.post("/settings/keys", "name", "K", "role", "OWNER").expect(h, 400, "The organisation is closed")
		page := owner.get("/settings/data")
		page.expect(h, 200, "Quay Ltd is closed", "Restore Quay Ltd", "Create export", "Customs Traders (Accounts and Records) Regulations 1995", "for 6 years", h.clock().Add(closure.Delay-time.Hour).In(calendar.London()).Format("2 Jan 2006, 15:04"))
		if strings.Contains(page.body, `href="/declarations"`) || strings.Contains(page.body, "AI provider") {
			t.Error("the page links to the closed organisation")
		}
		for _, who := range []*user{member, both} {
			for _, path := range []string{"/", "/declarations", "/settings/data"} {
				a := who.get(path)
				if a.status != 200 || strings.Contains(a.body, "Quay Ltd") {
					t.Errorf("%s sees %d %s", who.email, a.status, main(a.body))
				}
			}
		}
		both.get("/").expect(h, 200, "Harbour Ltd")
		member.post("/settings/data/restore").expect(h, 200, "You are not a member of an organisation")
		member.json("POST", "/api/organisation/restore").expectError(h, 403, "owner_role_required")
		member.post("/switch", "organisation", string(owner.org)).expect(h, 404)
		second.get("/").expect(h, 403, "Your session has ended")
		second.signIn()
		second.get("/settings/data").expect(h, 200, "Quay Ltd is closed")
		owner.post("/settings/data/exports").expect(h, 303)
		if _, _, err := h.app.IssueKey(t.Context(), owner.org, operator.KeyRequest{Name: "K", Role: tenant.Owner}); err == nil {
			t.Error("a key was created for a closed organisation")
		}

		h.advance(closure.Delay - 2*time.Hour)
		second.signIn()
		second.json("POST", "/api/organisation/restore").expect(h, 200, `"closedAt":null`, `"deleteAfter":null`)
		second.json("POST", "/api/organisation/restore").expectError(h, 400, "invalid_state")
		for _, where := range []*harness{h, elsewhere} {
			where.withKey(key, "GET", "/api/me", "").expectError(h, 401, "unauthorized")
			where.visitor().ask("GET", feedPath, "", http.Header{}).expectError(h, 401, "unauthorized")
		}
		h.visitor().get(invitation).expect(h, 404)
		member.signIn()
		member.get("/settings").expect(h, 200, "Quay Ltd")
		second.get("/webhooks").expect(h, 200, "Paused", "example.com/hook")
		second.get("/clients").expect(h, 200)
		h.withKey(second.key(tenant.Owner), "GET", "/api/clients", "").expect(h, 200, `"name":"A"`)
		second.get("/audit").expect(h, 200, "closed the organisation", "restored the organisation")

		counts := map[string]int{}
		for _, e := range h.events(owner.org) {
			counts[e]++
		}
		for event, want := range map[string]int{closure.Closed: 1, closure.Restored: 1, access.KeyRevoked: 2, access.InvitationWithdrawn: 1, "webhook.endpoint.paused": 1} {
			if counts[event] != want {
				t.Errorf("%d events %s", counts[event], event)
			}
		}
		for _, e := range h.events(theirs.org) {
			if e == access.KeyRevoked || strings.HasPrefix(e, "organisation.c") && e != access.OrganisationCreated {
				t.Errorf("the other organisation has an event %s", e)
			}
		}
		all, err := h.app.VerifyAudit(t.Context(), "", nil)
		h.must(err)
		for _, v := range all {
			if !v.OK() {
				t.Errorf("%s: %s %+v", v.OrganisationID, v.Problem, v.Records)
			}
		}
	})
}

// The console's form closes and restores an organisation without scripts, and requires a recent sign-in.
func TestCloseByForm(t *testing.T) {
	h := open(t, storetest.SQLite(t), freshly)
	owner := h.owner("Quay Ltd", "olive@example.com")
	owner.get("/settings/data").expect(h, 200, "Close the organisation", "After 30 days its data is deleted")
	h.advance(10 * time.Minute)
	owner.post("/settings/data/close", "name", "Quay Ltd").expect(h, 403, "Confirm that it is you", `name="kept.name" value="Quay Ltd"`)
	kept := []string{"next", "/settings/data/close", "kept.name", "Quay Ltd", "kept.organisation-id", string(owner.org)}
	owner.post("/confirm", append(kept, "password", password)...).expect(h, 303)
	owner.get("/settings/data").expect(h, 200, "Quay Ltd is closed")
	owner.post("/settings/data/close", "name", "Quay Ltd").expect(h, 400, "The organisation is closed")
	h.advance(time.Hour)
	a := owner.post("/settings/data/restore")
	a.expect(h, 303)
	owner.get(a.header.Get("Location")).expect(h, 200, "The organisation is restored", "create new ones", "Close the organisation")
}
