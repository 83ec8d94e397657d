package console_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store"
)

// testKey creates a key of the user's test organisation with a key of the live one, and returns it with its
// organisation.
func (p *user) testKey(owner string) (key string, org tenant.ID) {
	p.Helper()
	made := p.withKey(owner, "POST", "/api/sandbox/keys", `{"name":"Tests","role":"OWNER"}`)
	made.expect(p, http.StatusCreated)
	var answer struct{ Secret string }
	p.must(json.Unmarshal([]byte(made.body), &answer))
	var own struct{ Organisation struct{ ID tenant.ID } }
	got := p.withKey(answer.Secret, "GET", "/api/organisation", "")
	got.expect(p, http.StatusOK)
	p.must(json.Unmarshal([]byte(got.body), &own))
	return answer.Secret, own.Organisation.ID
}

// Every page names the mode. A member switches between the live and the test organisation, which have different
// records, and keeps the role.
func TestModeOfPages(t *testing.T) {
	anyDatabase(t, func(h *harness) {
		h.visitor().get("/sign-in").expect(h, http.StatusOK, "Simulator")
		owner := h.owner("Quay Ltd", "olive@example.com")
		viewer := h.member(owner.org, tenant.Viewer, "vera@example.com")
		live := owner.org
		owner.get("/clients").expect(h, http.StatusOK, "Simulator", "Open test mode")
		owner.post("/mode", "mode", "live").expect(h, http.StatusNotFound)
		for _, p := range []*user{owner, viewer} {
			p.post("/mode", "mode", "test").expect(h, http.StatusSeeOther)
			page := p.get("/clients")
			page.expect(h, http.StatusOK, "Nothing reaches an authority", "Return to live")
			if mode := page.header.Get("X-Tidewaiter-Mode"); mode != "test" {
				h.Errorf("the header says %q", mode)
			}
		}
		test, found, err := h.app.Store.TestOf(h.Context(), live)
		if err != nil || !found {
			h.Fatal(err)
		}
		owner.post("/settings/connection").expect(h, http.StatusBadRequest, "another organisation than the one")
		owner.org, viewer.org = test, test
		owner.get("/settings/keys").expect(h, http.StatusOK)
		viewer.get("/settings/keys").expect(h, http.StatusForbidden)
		secret := owner.key(tenant.Member)
		if !strings.HasPrefix(secret, "svc_test") {
			h.Errorf("a key of the test organisation begins with %.8s", secret)
		}
		owner.post("/settings/data/close", "name", "Quay Ltd").expect(h, http.StatusBadRequest, "closed with its live organisation")
		h.withKey(secret, "POST", "/api/test/clock", `{"advance":"P400D"}`).expect(h, http.StatusOK)
		owner.get("/clients").expect(h, http.StatusOK, "The test clock stands at "+h.clock().AddDate(0, 0, 400).Format("2 January 2006"))
		owner.post("/mode", "mode", "live").expect(h, http.StatusSeeOther)
		owner.org = live
		owner.get("/clients").expect(h, http.StatusOK, "Simulator", "Open test mode")
	})
}

// The pages of a test organisation use its clock: CBAM shows the quarter of the test clock.
func TestPagesFollowTheTestClock(t *testing.T) {
	anyDatabase(t, func(h *harness) {
		owner := h.owner("Quay Ltd", "olive@example.com")
		key, test := owner.testKey(owner.key(tenant.Owner))
		h.withKey(key, "POST", "/api/hubs/cbam", "").expect(h, http.StatusOK)
		h.withKey(key, "POST", "/api/test/clock", `{"now":"2031-05-05T09:00:00Z"}`).expect(h, http.StatusOK)
		owner.post("/mode", "mode", "test").expect(h, http.StatusSeeOther)
		owner.org = test
		owner.get("/cbam").expect(h, http.StatusOK, "/cbam/quarters/2031-Q2")
	})
}

// Closing an organisation closes its test organisation. Its keys stop at once and stay ended when the organisation is
// restored; its data is deleted with that of the live one.
func TestTestOrganisationIsClosedWithTheLiveOne(t *testing.T) {
	each(t, func(h *harness) {
		owner := h.owner("Quay Ltd", "olive@example.com")
		secret, test := owner.testKey(owner.key(tenant.Owner))
		h.withKey(secret, "POST", "/api/clients", `{"name":"Canary Ltd"}`).expect(h, http.StatusCreated)
		h.withKey(secret, "POST", "/api/test/clock", `{"advance":"P1Y"}`).expect(h, http.StatusOK)

		owner.post("/settings/data/close", "name", "Quay Ltd").expect(h, http.StatusSeeOther)
		h.withKey(secret, "GET", "/api/me", "").expectError(h, http.StatusUnauthorized, "unauthorized")
		owner.post("/settings/data/restore").expect(h, http.StatusSeeOther)
		h.withKey(secret, "GET", "/api/me", "").expectError(h, http.StatusUnauthorized, "unauthorized")
		again, same := owner.testKey(owner.key(tenant.Owner))
		if same != test {
			h.Errorf("after restoring, the test organisation is %s, not %s", same, test)
		}
		h.withKey(again, "GET", "/api/clients", "").expect(h, http.StatusOK, "Canary Ltd")

		owner.post("/settings/data/close", "name", "Quay Ltd").expect(h, http.StatusSeeOther)
		h.advance(31 * 24 * time.Hour)
		h.deleteDue()
		h.must(h.app.Store.View(h.Context(), test, func(tx *store.Tx) error {
			for _, table := range []string{"filings", "api_keys", "memberships"} {
				if n, err := tx.CountRows(table); err != nil || n != 0 {
					h.Errorf("%d %s of the test organisation are left, %v", n, table, err)
				}
			}
			return nil
		}))
		if _, found, err := h.app.Store.TestOf(h.Context(), owner.org); err != nil || found {
			h.Errorf("the deleted test organisation still belongs to the live one: %v", err)
		}
	})
}

// A member who leaves the live organisation and joins again gets no access by a former test key.
func TestTestKeysOfFormerMembersStayEnded(t *testing.T) {
	each(t, func(h *harness) {
		owner := h.owner("Quay Ltd", "olive@example.com")
		mia := h.member(owner.org, tenant.Owner, "mia@example.com")
		secret, _ := mia.testKey(mia.key(tenant.Owner))
		h.withKey(secret, "GET", "/api/me", "").expect(h, http.StatusOK)
		owner.post("/settings/users/"+mia.id+"/remove").expect(h, http.StatusSeeOther)
		h.withKey(secret, "GET", "/api/me", "").expectError(h, http.StatusUnauthorized, "unauthorized")
		h.advance(time.Minute)
		h.join(owner.org, mia.id, tenant.Owner)
		h.withKey(secret, "GET", "/api/me", "").expectError(h, http.StatusUnauthorized, "unauthorized")
	})
}
