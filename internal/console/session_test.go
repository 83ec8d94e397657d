package console_test

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/platform/config"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// signedIn reports whether the session is valid.
func (p *user) signedIn() bool { return p.get("/account").status == http.StatusOK }

// A session ends eight hours after the last request and at most a week after it began. Scripts cannot
// read its cookie.
func TestSessionExpiry(t *testing.T) {
	each(t, func(h *harness) {
		p := h.owner("Quay Ltd", "olive@example.com")
		h.advance(access.SessionIdle - time.Second)
		if !p.signedIn() {
			h.Error("the session ended before its idle timeout")
		}
		h.advance(access.SessionIdle)
		if p.signedIn() {
			h.Error("the session is valid after its idle timeout")
		}
		p.signIn()
		for range 23 {
			h.advance(7 * time.Hour)
			if !p.signedIn() {
				h.Fatal("the session ended while it was in use")
			}
		}
		if h.advance(7 * time.Hour); p.signedIn() {
			h.Error("the session is valid after a week")
		}
		a := p.post("/sign-in", "email", p.email, "password", password)
		cookie := a.header.Get("Set-Cookie")
		for _, want := range []string{"HttpOnly", "SameSite=Lax", "Path=/", "Max-Age=604800"} {
			if !strings.Contains(cookie, want) {
				h.Errorf("cookie %q without %s", cookie, want)
			}
		}
	})
}

// With HTTPS the cookie is sent over HTTPS only and is bound to this host, and HSTS is set.
func TestSecureCookies(t *testing.T) {
	h := open(t, storetest.SQLite(t), func(c *config.Config) { c.PublicURL = "https://console.example.com" })
	f, err := h.app.CreateOrganisation(h.Context(), "Quay Ltd", "")
	h.must(err)
	h.enableSignIn(f.UserID, "Olive", "olive@example.com")
	a := h.visitor().post("/sign-in", "email", "olive@example.com", "password", password)
	if c := a.header.Get("Set-Cookie"); !strings.HasPrefix(c, "__Host-tidewaiter_session=") || !strings.Contains(c, "Secure") || strings.Contains(c, "Domain") {
		t.Errorf("cookie %q", c)
	}
	if a.header.Get("Strict-Transport-Security") == "" {
		t.Error("HSTS is not set")
	}
}

// Signing in creates a new session and ends the previous one. Signing out ends the session at the
// service, not only in the browser. The token itself is not stored.
func TestRotationAndSignOut(t *testing.T) {
	each(t, func(h *harness) {
		p := h.owner("Quay Ltd", "olive@example.com")
		first := p.cookie()
		p.signIn()
		second := p.cookie()
		good := func(token string) bool {
			_, found, err := h.app.Accounts.Session(h.Context(), token, "")
			h.must(err)
			return found
		}
		if first == second || good(first) || !good(second) || len(second) != 43 {
			h.Errorf("first %t, second %t, of %d characters", good(first), good(second), len(second))
		}
		h.must(h.app.Store.View(h.Context(), tenant.Operator, func(tx *store.Tx) error {
			sessions, err := tx.Sessions(p.id)
			if len(sessions) != 1 || sessions[0].Hash != access.Hash(second) {
				h.Errorf("sessions %+v", sessions)
			}
			return err
		}))
		left := p.post("/sign-out")
		left.expect(h, http.StatusSeeOther)
		if got := left.header.Get("Clear-Site-Data"); got != `"storage"` {
			h.Errorf("Clear-Site-Data %q", got)
		}
		if good(second) || p.signedIn() {
			h.Error("still signed in")
		}
		if got := strings.Join(h.events(p.org), " "); !strings.HasSuffix(got, "user.signed_in user.signed_in user.signed_out user.signed_out") &&
			!strings.HasSuffix(got, "user.signed_in user.signed_out user.signed_in user.signed_out") {
			h.Errorf("events %s", got)
		}
	})
}

// Signing out everywhere and changing the password end the user's other sessions. A user can end
// single sessions, but only their own.
func TestSessionsOfOneUser(t *testing.T) {
	each(t, func(h *harness) {
		one := h.owner("Quay Ltd", "olive@example.com")
		two, three, other := h.visitor(), h.visitor(), h.member(one.org, tenant.Member, "mia@example.com")
		for _, p := range []*user{two, three} {
			p.email, p.org = one.email, one.org
			p.signIn()
		}
		one.post("/account/password", "current", "wrong", "password", "a new long password").expect(h, http.StatusBadRequest, "is not your current password")
		one.post("/account/password", "current", password, "password", "short").expect(h, http.StatusBadRequest, "at least 12")
		if !two.signedIn() {
			h.Error("a rejected change ended sessions")
		}
		one.post("/account/password", "current", password, "password", "a new long password").expect(h, http.StatusSeeOther)
		if !one.signedIn() || two.signedIn() || three.signedIn() || !other.signedIn() {
			h.Errorf("after a new password: %t %t %t %t", one.signedIn(), two.signedIn(), three.signedIn(), other.signedIn())
		}
		h.visitor().post("/sign-in", "email", one.email, "password", password).expect(h, http.StatusUnauthorized)
		two.post("/sign-in", "email", one.email, "password", "a new long password").expect(h, http.StatusSeeOther)
		one.get("/account").expect(h, http.StatusOK, "This session")
		one.post("/account/sign-out-everywhere").expect(h, http.StatusSeeOther)
		if one.signedIn() || two.signedIn() || !other.signedIn() {
			h.Error("signing out everywhere did not end the other sessions")
		}
	})
}

// A form that arrives after the session has ended is not executed, but kept, except for its passwords:
// after signing in, the user can send the same form again.
func TestExpiredForm(t *testing.T) {
	h := open(t, storetest.SQLite(t))
	p := h.owner("Quay Ltd", "olive@example.com")
	h.advance(access.SessionIdle)
	a := p.post("/settings", "name", `Quay & "Sons" Ltd`, "password", "my secret")
	a.expect(h, http.StatusUnauthorized, "Your session has ended", `name="kept.name" value="Quay &amp; &#34;Sons&#34; Ltd"`)
	if strings.Contains(a.body, "my secret") {
		h.Error("the password was kept in the form")
	}
	a = p.post("/sign-in", "email", p.email, "password", "wrong", "next", "/settings", "kept.name", "Quay & Sons")
	a.expect(h, http.StatusUnauthorized, `name="kept.name"`)
	a = p.post("/sign-in", "email", p.email, "password", password, "next", "/settings", "kept.name", "Quay & Sons", "kept.organisation-id", string(p.org))
	a.expect(h, http.StatusOK, `action="/settings"`, `name="name" value="Quay &amp; Sons"`, `value="`+string(p.org)+`"`)
	if slices.Contains(h.events(p.org), access.OrganisationUpdated) {
		h.Error("the form was executed without a confirmation")
	}
	for _, next := range []string{"https://evil.example/", "//evil.example", "///evil.example", `/\evil.example`, "javascript:alert(1)", "settings"} {
		a := p.post("/sign-in", "email", p.email, "password", password, "next", next)
		if to := a.header.Get("Location"); to != "/" {
			h.Errorf("%q redirects to %q", next, to)
		}
	}
}

// A user of two organisations can switch between them, with their role in each, and not to a third. A
// form made for one has no effect in the other.
func TestTwoOrganisations(t *testing.T) {
	each(t, func(h *harness) {
		p, second, third := h.owner("Alpha Ltd", "olive@example.com"), h.owner("Beta Ltd", "bea@example.com"), h.owner("Gamma Ltd", "gus@example.com")
		h.must(h.app.Store.Update(h.Context(), second.org, func(tx *store.Tx) error { return tx.AddMember(p.id, tenant.Viewer) }))
		p.get("/").expect(h, http.StatusOK, "Alpha Ltd</h1>", "Beta Ltd")
		p.post("/switch", "organisation", string(third.org)).expect(h, http.StatusNotFound)
		p.post("/switch", "organisation", string(second.org)).expect(h, http.StatusSeeOther)
		p.get("/").expect(h, http.StatusOK, "Beta Ltd</h1>")
		p.get("/settings/keys").expect(h, http.StatusForbidden)
		p.post("/settings", "name", "Alpha renamed").expect(h, http.StatusForbidden)
		p.post("/settings/connection").expect(h, http.StatusBadRequest, "another organisation than the one")
		second.post("/settings/users/"+p.id+"/remove").expect(h, http.StatusSeeOther)
		p.get("/settings").expect(h, http.StatusOK, "You are no longer a member", "Alpha Ltd")
		p.post("/switch", "organisation", string(p.org)).expect(h, http.StatusSeeOther)
		p.get("/settings/keys").expect(h, http.StatusOK)
	})
}

// If a user of two organisations sends a form after the session has ended, it still goes to the
// organisation that it was made for.
func TestExpiredFormOfTwo(t *testing.T) {
	h := open(t, storetest.SQLite(t))
	p, second := h.owner("Alpha Ltd", "olive@example.com"), h.owner("Beta Ltd", "bea@example.com")
	h.must(h.app.Store.Update(h.Context(), second.org, func(tx *store.Tx) error { return tx.AddMember(p.id, tenant.Owner) }))
	h.advance(access.SessionIdle)
	p.post("/sign-in", "email", p.email, "password", password, "next", "/settings", "kept.name", "Beta Limited", "kept.organisation-id", string(second.org)).expect(h, http.StatusOK)
	p.org = second.org
	p.post("/settings", "name", "Beta Limited").expect(h, http.StatusSeeOther)
	p.get("/").expect(h, http.StatusOK, "Beta Limited</h1>")
}

// A set-up link works once, for half an hour, and only until the first user can sign in.
func TestSetUp(t *testing.T) {
	each(t, func(h *harness) {
		link := func() string { l, err := h.app.SetUpLink(h.Context()); h.must(err); return l }
		founder := []string{"organisation", "Quay Ltd", "eori", "gb 123456789000", "name", "Olive", "email", "Olive@Example.com", "password", password}
		late := link()
		h.advance(access.LinkLife)
		h.visitor().get(late).expect(h, http.StatusNotFound)
		h.visitor().post(late, founder...).expect(h, http.StatusNotFound)
		one, two := link(), link()
		p := h.visitor()
		p.post(one, "organisation", "", "name", "Olive", "email", "x", "password", "short", "eori", "GB1").expect(h, http.StatusBadRequest,
			"The organisation&#39;s name must have", "The EORI number", "The email address must have the form", "The password must have at least", `value="Olive"`)
		p.post(one, founder...).expect(h, http.StatusSeeOther)
		p.get("/").expect(h, http.StatusOK, "Quay Ltd")
		p.get("/settings").expect(h, http.StatusOK, "GB123456789000")
		for _, l := range []string{one, two} {
			h.visitor().get(l).expect(h, http.StatusNotFound)
			h.visitor().post(l, founder...).expect(h, http.StatusNotFound)
		}
		if link() != "" {
			h.Error("a link was created although a user can sign in")
		}
	})
}

// If many set-up links, or one link many times, are used at once, one succeeds and one organisation is
// created.
func TestSetUpAtOnce(t *testing.T) {
	each(t, func(h *harness) {
		var links []string
		for range 2 {
			link, err := h.app.SetUpLink(h.Context())
			h.must(err)
			links = append(links, link)
		}
		people := []*user{h.visitor(), h.visitor(), h.visitor(), h.visitor()}
		var in atomic.Int64
		var all sync.WaitGroup
		for n, p := range people {
			all.Go(func() {
				a := p.post(links[n%2], "organisation", "Quay Ltd", "name", "Olive", "email", fmt.Sprintf("olive%d@example.com", n), "password", password)
				if a.status == http.StatusSeeOther {
					in.Add(1)
				}
			})
		}
		all.Wait()
		orgs, err := h.app.Store.Organisations(h.Context())
		h.must(err)
		if in.Load() != 1 || len(orgs) != 1 {
			h.Errorf("%d links succeeded, %d organisations", in.Load(), len(orgs))
		}
	})
}

// An operator's link sets a new password once and ends all sessions. A user locked out by failed
// sign-ins can then sign in, only with the new password.
func TestReset(t *testing.T) {
	each(t, func(h *harness) {
		p := h.owner("Quay Ltd", "olive@example.com")
		link := func() string {
			l, err := h.app.ResetLink(h.Context(), " OLIVE@example.com ")
			h.must(err)
			u, err := url.Parse(l)
			h.must(err)
			return u.Path
		}
		old := link()
		fresh := link()
		h.visitor().get(old).expect(h, http.StatusNotFound)
		h.visitor().post(fresh, "password", "short").expect(h, http.StatusBadRequest)
		h.visitor().post(fresh, "password", "a new long password").expect(h, http.StatusSeeOther)
		h.visitor().post(fresh, "password", "another long password").expect(h, http.StatusNotFound)
		if p.signedIn() {
			h.Error("the session is still valid")
		}
		p.post("/sign-in", "email", p.email, "password", password).expect(h, http.StatusUnauthorized)
		h.advance(time.Second) // no browser is known after a reset
		p.post("/sign-in", "email", p.email, "password", "a new long password").expect(h, http.StatusSeeOther)
		if _, err := h.app.ResetLink(h.Context(), "unknown@example.com"); err == nil {
			h.Error("a link was created for an unknown address")
		}
		if got := h.events(p.org); !slices.Contains(got, access.PasswordChanged) {
			h.Errorf("events %v", got)
		}
	})
}

// A request that its client cancels while the database is busy logs no error.
func TestCancelledRequest(t *testing.T) {
	each(t, func(h *harness) {
		owner := h.owner("Quay Ltd", "olive@example.com")
		release := storetest.Busy(h.T, h.app.Store, owner.org)
		defer release()
		ctx, leave := context.WithTimeout(h.Context(), 100*time.Millisecond)
		defer leave()
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, h.base+"/declarations", nil)
		h.must(err)
		if answer, err := owner.client.Do(r); err == nil {
			answer.Body.Close()
			h.Fatalf("%d from a database that is busy", answer.StatusCode)
		}
		h.log.Await(h.T, "page given up")
		if faults := h.log.Errors(); len(faults) > 0 {
			h.Errorf("the log has %s", strings.Join(faults, ""))
		}
	})
}
