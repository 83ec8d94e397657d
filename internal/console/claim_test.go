package console_test

import (
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/config"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store"
)

func withSandboxes(c *config.Config) { c.AllowSandboxes = true }

// sandbox creates a sandbox without an account, and returns its organisation, its key and the path of its claim page.
func (h *harness) sandbox() (org tenant.ID, key, claim string) {
	h.Helper()
	a := h.withKey("", "POST", "/api/sandboxes", "")
	a.expect(h, http.StatusCreated)
	var made struct {
		OrganisationID   tenant.ID
		Secret, ClaimURL string
	}
	h.must(json.Unmarshal([]byte(a.body), &made))
	return made.OrganisationID, made.Secret, pathOf(h, made.ClaimURL)
}

// An OWNER claims a sandbox for an organisation without a test organisation: it becomes that, with its records, and its
// keys act for the OWNER from then on, also if they are older than the OWNER's membership. It can be claimed once, and
// does not end any more.
func TestClaimSandbox(t *testing.T) {
	each(t, func(h *harness) {
		org, key, claim := h.sandbox()
		h.withKey(key, "POST", "/api/clients", `{"name":"Canary Ltd"}`).expect(h, http.StatusCreated)
		h.visitor().get(claim).expect(h, http.StatusSeeOther)
		h.advance(time.Hour)
		owner, other := h.owner("Quay Ltd", "olive@example.com"), h.owner("Harbour Ltd", "harry@example.com")
		live := owner.org
		h.member(live, tenant.Member, "mia@example.com").get(claim).expect(h, http.StatusForbidden)
		other.testKey(other.key(tenant.Owner))
		other.get(claim).expect(h, http.StatusOK, "already has a test organisation")
		other.post(claim).expect(h, http.StatusBadRequest, "already has a test organisation")

		owner.get(claim).expect(h, http.StatusOK, "Claim for Quay Ltd")
		owner.post(claim).expect(h, http.StatusSeeOther)
		owner.org = org
		owner.get("/clients").expect(h, http.StatusOK, "Canary Ltd", "Nothing reaches an authority")
		if test, found, err := h.app.Store.TestOf(h.Context(), live); err != nil || !found || test != org {
			h.Errorf("the test organisation is %s, not %s: %v", test, org, err)
		}
		var me struct {
			User struct{ ID string }
			Role tenant.Role
		}
		a := h.withKey(key, "GET", "/api/me", "")
		a.expect(h, http.StatusOK)
		h.must(json.Unmarshal([]byte(a.body), &me))
		if me.User.ID != owner.id || me.Role != tenant.Owner {
			h.Errorf("the key acts for %+v, not %s", me, owner.id)
		}
		owner.get(claim).expect(h, http.StatusNotFound, "claimed already")
		h.advance(8 * 24 * time.Hour)
		h.deleteDue()
		h.withKey(key, "GET", "/api/clients", "").expect(h, http.StatusOK, "Canary Ltd")
		h.verifyAllTrails()
		h.must(h.app.Store.Update(h.Context(), live, func(tx *store.Tx) error { _, err := tx.RemoveMember(owner.id); return err }))
		h.withKey(key, "GET", "/api/me", "").expectError(h, http.StatusUnauthorized, "unauthorized")
	}, withSandboxes)
}

// A sandbox that is not claimed stops after 7 days, and its data is deleted.
func TestUnclaimedSandboxEnds(t *testing.T) {
	each(t, func(h *harness) {
		org, key, claim := h.sandbox()
		owner := h.owner("Quay Ltd", "olive@example.com")
		h.withKey(key, "POST", "/api/clients", `{"name":"Canary Ltd"}`).expect(h, http.StatusCreated)
		h.advance(7*24*time.Hour - time.Minute)
		h.deleteDue()
		h.withKey(key, "GET", "/api/clients", "").expect(h, http.StatusOK, "Canary Ltd")
		h.advance(time.Minute)
		h.withKey(key, "GET", "/api/clients", "").expectError(h, http.StatusUnauthorized, "unauthorized")
		owner.signIn()
		owner.get(claim).expect(h, http.StatusNotFound, "7 days are over")
		h.deleteDue()
		h.deleteDue()
		h.must(h.app.Store.View(h.Context(), org, func(tx *store.Tx) error {
			for _, table := range []string{"filings", "api_keys", "memberships"} {
				if n, err := tx.CountRows(table); err != nil || n != 0 {
					h.Errorf("%d %s of the sandbox are left, %v", n, table, err)
				}
			}
			return nil
		}))
		h.verifyAllTrails()
	}, withSandboxes)
}
