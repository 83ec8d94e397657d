package console_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

func pathOf(t testing.TB, address string) string {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return u.Path
}

// An invitation works once, for its address only: for a new user or an existing one.
func TestInvitations(t *testing.T) {
	anyDatabase(t, func(h *harness) {
		owner, bea := h.owner("Quay Ltd", "olive@example.com"), h.owner("Beta Ltd", "bea@example.com")
		invite := func(email, role string) string {
			return pathOf(h, shownOnce(h, owner.post("/settings/users/invite", "email", email, "role", role, "days", "3")))
		}
		fresh := invite("New@Example.com", "MEMBER")
		p := h.visitor()
		p.get(fresh).expect(h, http.StatusOK, "Join Quay Ltd", "new@example.com", "Create account")
		p.post(fresh+"/join", "name", "", "password", "short").expect(h, http.StatusBadRequest, "The name must have", "at least 12")
		p.post(fresh+"/join", "name", "Nina New", "password", password).expect(h, http.StatusSeeOther)
		p.get("/").expect(h, http.StatusOK, "Quay Ltd")
		p.get("/settings/keys").expect(h, http.StatusForbidden)
		h.visitor().get(fresh).expect(h, http.StatusNotFound)
		h.visitor().post(fresh+"/join", "name", "Eve", "password", password).expect(h, http.StatusNotFound)

		known := invite("bea@example.com", "VIEWER")
		h.visitor().post(known+"/join", "name", "Eve", "password", password).expect(h, http.StatusBadRequest, "An account with this address already exists")
		p.post(known+"/accept").expect(h, http.StatusNotFound, "This invitation is for a different")
		bea.get(known).expect(h, http.StatusOK, "Join Quay Ltd")
		bea.post(known+"/accept").expect(h, http.StatusSeeOther)
		bea.get("/").expect(h, http.StatusOK, "Quay Ltd</h1>", "Beta Ltd")
		bea.post(known+"/accept").expect(h, http.StatusNotFound)

		late, withdrawn := invite("late@example.com", "OWNER"), invite("gone@example.com", "OWNER")
		page := owner.get("/settings/users")
		page.expect(h, http.StatusOK, "late@example.com", "gone@example.com")
		if strings.Contains(page.body, late) {
			h.Error("a link is shown again")
		}
		row := page.body[strings.Index(page.body, "gone@example.com"):]
		from := strings.Index(row, "/settings/invitations/")
		owner.post(row[from:from+strings.Index(row[from:], `"`)]).expect(h, http.StatusSeeOther)
		h.visitor().get(withdrawn).expect(h, http.StatusNotFound)
		h.advance(72 * time.Hour)
		h.visitor().get(late).expect(h, http.StatusNotFound)
		for _, want := range []string{access.InvitationCreated, access.InvitationWithdrawn, access.UserAdded} {
			if got := h.events(owner.org); !slices.Contains(got, want) {
				h.Errorf("no %s in %v", want, got)
			}
		}
	})
}

// The last OWNER can neither leave nor change role. A removed member loses access at once, with every
// key, and comes back only by invitation.
func TestMembers(t *testing.T) {
	anyDatabase(t, func(h *harness) {
		owner := h.owner("Quay Ltd", "olive@example.com")
		for _, a := range []pageResponse{owner.post("/settings/users/" + owner.id + "/remove"), owner.post("/settings/users/"+owner.id+"/role", "role", "MEMBER")} {
			a.expect(h, http.StatusBadRequest, "last OWNER")
		}
		mia := h.member(owner.org, tenant.Member, "mia@example.com")
		owner.post("/settings/users/"+mia.id+"/role", "role", "KING").expect(h, http.StatusBadRequest)
		owner.post("/settings/users/"+mia.id+"/role", "role", "OWNER").expect(h, http.StatusSeeOther)
		key := shownOnce(h, mia.post("/settings/keys", "name", "Mia's", "role", "OWNER"))
		if status := h.api(key); status != http.StatusOK {
			h.Fatalf("the key: %d", status)
		}
		owner.get("/settings/users/"+mia.id+"/remove").expect(h, http.StatusOK, "Remove MEMBER person?")
		owner.post("/settings/users/"+mia.id+"/remove").expect(h, http.StatusSeeOther)
		mia.get("/settings").expect(h, http.StatusOK, "You are not a member of an organisation")
		mia.post("/settings", "name", "Mine").expect(h, http.StatusOK, "You are not a member of an organisation")
		if status := h.api(key); status != http.StatusUnauthorized {
			h.Errorf("the key of the removed member: %d", status)
		}
		link := pathOf(h, shownOnce(h, owner.post("/settings/users/invite", "email", mia.email, "role", "VIEWER", "days", "1")))
		mia.post(link+"/accept").expect(h, http.StatusSeeOther)
		mia.get("/settings").expect(h, http.StatusOK, "Quay Ltd")
		if status := h.api(key); status != http.StatusUnauthorized {
			h.Errorf("the old key of the returned member: %d", status)
		}
		if got := strings.Join(h.events(owner.org), " "); !strings.Contains(got, "user.role_changed key.created key.revoked user.removed invitation.created user.added") {
			h.Errorf("events %s", got)
		}
	})
}

func (h *harness) api(key string) int {
	h.Helper()
	return h.visitor().send(http.MethodGet, "/api/declarations", nil, http.Header{"Authorization": {"Bearer " + key}}).status
}

// A key is shown once and works until it is revoked or expires. Errors in its form are shown with
// the input.
func TestKeys(t *testing.T) {
	anyDatabase(t, func(h *harness) {
		owner := h.owner("Quay Ltd", "olive@example.com")
		owner.post("/settings/keys", "name", "", "role", "MEMBER", "days", "0").expect(h, http.StatusBadRequest, "The number of days must be", `value="0"`)
		owner.post("/settings/keys", "name", "x", "role", "KING").expect(h, http.StatusBadRequest, "The role must be")
		made := owner.post("/settings/keys", "name", `<b>"Ware" & house</b>`, "role", "MEMBER", "days", "2")
		made.expect(h, http.StatusOK, "&lt;b&gt;&#34;Ware&#34; &amp; house&lt;/b&gt;")
		if n := strings.Count(made.body, "Quay Ltd&#39;s owner"); n != 3 {
			h.Errorf("the creator of two keys is named %d times, including the header", n)
		}
		key := shownOnce(h, made)
		if owner.post("/settings", "name", "Quay Ltd"); strings.Contains(owner.get("/settings/keys").body, key) {
			h.Error("the key is shown again")
		}
		if status := h.api(key); status != http.StatusOK {
			h.Errorf("the key: %d", status)
		}
		// The last use is stored beside the answer.
		for deadline := time.Now().Add(3 * time.Minute); !strings.Contains(owner.get("/settings/keys").body, "127.0.0.1"); time.Sleep(20 * time.Millisecond) {
			if time.Now().After(deadline) {
				h.Fatal("the key's last use is not shown")
			}
		}
		h.advance(48 * time.Hour)
		owner.signIn()
		owner.get("/settings/keys").expect(h, http.StatusOK, "Expired")
		if status := h.api(key); status != http.StatusUnauthorized {
			h.Errorf("the expired key: %d", status)
		}
	})
}

// The organisation's settings are saved together; if any is invalid, each error is listed.
func TestOrganisationSettings(t *testing.T) {
	anyDatabase(t, func(h *harness) {
		owner := h.owner("Quay Ltd", "olive@example.com")
		owner.post("/settings", "name", "", "eori", "GB1", "vatNumber", "1", "country", "ZZ", "postcode", "0123456789", "representation", "x", "defermentAccount", "12").expect(h,
			http.StatusBadRequest, "The name must have", "The EORI number", "The VAT registration number", "The country", "The postcode must have at most 9",
			"The representation", "The deferment account number must have 7 digits", `value="0123456789"`)
		owner.post("/settings", "name", "Pier Ltd", "eori", "GB123456789000", "country", "gb", "defermentAccount", "1234567", "postponedVat", "yes", "representation", "direct").expect(h, http.StatusSeeOther)
		owner.get("/settings").expect(h, http.StatusOK, "Pier Ltd", `<option value="GB" selected>United Kingdom (GB)</option>`, `value="1234567"`, `<option value="direct" selected>`)
		owner.post("/settings/connection").expect(h, http.StatusOK, "The connection works.")
	})
}

// Hubs can be enabled and disabled, except the foundational Hub and Hubs that the operator does not
// offer.
func TestHubs(t *testing.T) {
	h := open(t, storetest.SQLite(t))
	owner := h.owner("Quay Ltd", "olive@example.com")
	owner.post("/settings/hubs/tss/enable").expect(h, http.StatusSeeOther)
	owner.get("/settings/hubs/tss/disable").expect(h, http.StatusOK, "Disable “Northern Ireland (TSS)”?")
	owner.post("/settings/hubs/tss/disable").expect(h, http.StatusSeeOther)
	owner.post("/settings/hubs/customs/disable").expect(h, http.StatusConflict)
	owner.post("/settings/hubs/gvms/enable").expect(h, http.StatusConflict, "does not offer")
	owner.post("/settings/hubs/moon/enable").expect(h, http.StatusNotFound)
	owner.get("/settings/hubs").expect(h, http.StatusOK, "Not offered here", "Always enabled")
}

// The usage page shows the rate limits without using them up.
func TestUsage(t *testing.T) {
	h := open(t, storetest.SQLite(t))
	owner := h.owner("Quay Ltd", "olive@example.com")
	key := shownOnce(h, owner.post("/settings/keys", "name", "k", "role", "VIEWER"))
	for range 3 {
		h.api(key)
	}
	for range 2 {
		owner.get("/settings/usage").expect(h, http.StatusOK, "<strong>3</strong> of 1,000", "There is no limit")
	}
}

// For an unknown path, programs get an API error and browsers get a page.
func TestUnknownPaths(t *testing.T) {
	h := open(t, storetest.SQLite(t))
	p := h.visitor()
	a := p.send(http.MethodGet, "/nothing", nil, http.Header{"Accept": {"*/*"}})
	if a.status != http.StatusNotFound || !strings.Contains(a.header.Get("Content-Type"), "json") {
		t.Errorf("response to a program: %d %s", a.status, a.body)
	}
	p.get("/nothing").expect(t, http.StatusNotFound, "Page not found")
	p.send(http.MethodGet, "/healthz", nil, nil).expect(t, http.StatusOK)
}

// A request body that is too large is rejected.
func TestLargeForm(t *testing.T) {
	h := open(t, storetest.SQLite(t))
	h.owner("Quay Ltd", "olive@example.com").post("/settings", "name", strings.Repeat("x", 2<<20)).expect(t, http.StatusRequestEntityTooLarge)
}

// The browser stores the choice of light or dark, and no other preference.
func TestTheme(t *testing.T) {
	h := open(t, storetest.SQLite(t))
	p := h.visitor()
	p.post("/theme", "theme", "dark", "next", "/sign-in").expect(t, http.StatusSeeOther)
	p.get("/sign-in").expect(t, http.StatusOK, `data-theme="dark"`)
	p.post("/theme", "theme", `x" onload="`).expect(t, http.StatusSeeOther)
	if strings.Contains(p.get("/sign-in").body, "data-theme") {
		t.Error("the theme is still set")
	}
}
