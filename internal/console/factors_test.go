package console_test

import (
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/access/totp"
	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/console"
	"github.com/tidewaiter/tidewaiter/internal/platform/config"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// found returns what the first group of a pattern matches in a page.
func found(t testing.TB, a pageResponse, pattern string) string {
	t.Helper()
	match := regexp.MustCompile(pattern).FindStringSubmatch(a.body)
	if match == nil {
		t.Fatalf("%s is not in %d %s", pattern, a.status, main(a.body))
	}
	return match[1]
}

const stepField = `name="step" value="([^"]+)"`

// addApp adds an authenticator app, and returns its secret and the recovery codes.
func (p *user) addApp() (secret string, codes []string) {
	p.Helper()
	a := p.post("/account/security/app/new")
	secret, step := found(p, a, `id="totp-secret">([A-Z2-7]+)<`), found(p, a, stepField)
	picture := p.get("/account/security/app/code.png?step=" + url.QueryEscape(step))
	if picture.header.Get("Content-Type") != "image/png" || !strings.HasPrefix(picture.body, "\x89PNG") {
		p.Errorf("the QR code is %d %s", picture.status, picture.header.Get("Content-Type"))
	}
	p.post("/account/security/app", "step", step, "name", "Phone", "code", "000000").expect(p, http.StatusBadRequest, "does not match. Check that the device")
	a = p.post("/account/security/app", "step", step, "name", "Phone", "code", p.code(secret))
	a.expect(p, http.StatusOK, "Your recovery codes")
	return secret, strings.Fields(found(p, a, `(?s)id="recovery-codes"[^>]*>(.*?)</pre>`))
}

func (h *harness) code(secret string) string {
	h.Helper()
	code, err := totp.Code(secret, h.clock())
	h.must(err)
	return code
}

// halfway signs in with the password only, and returns the address of the step that asks for the code.
func (p *user) halfway() string {
	p.Helper()
	a := p.post("/sign-in", "email", p.email, "password", password)
	a.expect(p, http.StatusOK, "Second factor")
	return found(p, a, stepField)
}

// If the user has an authenticator app, the password alone does not sign in. Each code and each
// recovery code works once.
func TestAuthenticatorApp(t *testing.T) {
	anyDatabase(t, func(h *harness) {
		p := h.owner("Quay Ltd", "olive@example.com")
		secret, codes := p.addApp()
		if len(codes) != 10 {
			h.Fatalf("recovery codes %v", codes)
		}
		p.post("/sign-out").expect(h, http.StatusSeeOther)
		step := p.halfway()
		if p.signedIn() {
			h.Error("the password alone signs in")
		}
		p.post("/sign-in/second", "step", step, "code", p.code(secret)).expect(h, http.StatusUnauthorized, "already used")
		h.advance(30 * time.Second)
		p.post("/sign-in/second", "step", step, "code", p.code(secret), "next", "/settings").expect(h, http.StatusSeeOther)
		if !p.signedIn() {
			h.Error("password and code do not sign in")
		}
		p.post("/sign-in/second", "step", step, "code", p.code(secret)).expect(h, http.StatusBadRequest)
		other := h.visitor()
		other.org, other.email = p.org, p.email
		other.post("/sign-in/second", "step", other.halfway(), "code", strings.ToUpper(codes[3])).expect(h, http.StatusSeeOther)
		other.post("/sign-in/second", "step", other.halfway(), "code", codes[3]).expect(h, http.StatusUnauthorized)
		p.get("/account/security").expect(h, http.StatusOK, "Phone", "9 recovery codes left")
		h.must(h.app.Store.View(h.Context(), tenant.Operator, func(tx *store.Tx) error {
			apps, err := tx.Authenticators(p.id)
			if len(apps) != 1 || strings.Contains(apps[0].Secret, secret) {
				h.Errorf("stored apps %+v", apps)
			}
			return err
		}))
		for _, want := range []string{access.FactorAdded, access.RecoveryCodeUsed, access.SignInRefused} {
			if !slices.Contains(h.events(p.org), want) {
				h.Errorf("the audit log has no %s", want)
			}
		}
	})
}

// Renaming a factor records an event. The name is a personal value and is stored beside the event;
// the sealed event contains its hash.
func TestRenamedFactor(t *testing.T) {
	anyDatabase(t, func(h *harness) {
		p, other := h.owner("Quay Ltd", "olive@example.com"), h.owner("Pier Ltd", "paul@example.com")
		p.addApp()
		rename := "/account/security/factors/" + found(h, p.get("/account/security"), `/factors/([0-9a-f-]{36})/rename`) + "/rename"
		other.post(rename, "name", "Mine").expect(h, http.StatusNotFound)
		p.post(rename, "name", "Old work phone").expect(h, http.StatusSeeOther)
		p.get("/audit").says(h, "renamed a second factor to Old work phone")
		var sealed []string
		for _, org := range []tenant.ID{p.org, other.org} {
			h.must(h.app.Store.View(h.Context(), org, func(tx *store.Tx) error {
				return tx.EachEvent(func(e audit.Event) error {
					if e.Type == access.FactorRenamed {
						sealed = append(sealed, string(org)+" "+string(e.Data))
					}
					return nil
				})
			}))
		}
		if len(sealed) != 1 || !strings.HasPrefix(sealed[0], string(p.org)) || strings.Contains(sealed[0], "phone") || !strings.Contains(sealed[0], "personal:") {
			h.Errorf("the events: %q", sealed)
		}
	})
}

// Wrong codes count as failed sign-ins do.
func TestCodesAreThrottled(t *testing.T) {
	h := open(t, storetest.SQLite(t))
	p := h.owner("Quay Ltd", "olive@example.com")
	secret, _ := p.addApp()
	step := p.halfway()
	for range 10 {
		p.post("/sign-in/second", "step", step, "code", "000000").expect(h, http.StatusUnauthorized)
	}
	h.advance(time.Minute)
	p.post("/sign-in/second", "step", step, "code", p.code(secret)).expect(h, http.StatusTooManyRequests)
}

// The operator removes the second factors of a user, who then signs in with the password.
func TestResetFactors(t *testing.T) {
	anyDatabase(t, func(h *harness) {
		p := h.owner("Quay Ltd", "olive@example.com")
		p.addApp()
		removed, err := h.app.ResetFactors(h.Context(), " OLIVE@example.com")
		if err != nil || removed != 1 || p.signedIn() {
			h.Errorf("removed %d, %v; still signed in: %t", removed, err, p.signedIn())
		}
		p.signIn()
		if !slices.Contains(h.events(p.org), access.FactorsReset) {
			h.Error("the audit log has no event for the removed factors")
		}
	})
}

// If the organisation requires second factors, a member without one cannot open any of its pages
// until they add one.
func TestSecondFactorRequired(t *testing.T) {
	anyDatabase(t, func(h *harness) {
		p := h.owner("Quay Ltd", "olive@example.com")
		h.must(h.app.Store.Update(h.Context(), p.org, func(tx *store.Tx) error {
			_, err := h.app.Access.UpdatePolicy(tx, p.call(), access.Policy{SecondFactorRequired: true})
			return err
		}))
		for _, path := range []string{"/", "/declarations", "/settings/keys"} {
			p.get(path).expect(h, http.StatusForbidden, "Set up a second factor")
		}
		p.post("/settings", "name", "Other Ltd").expect(h, http.StatusForbidden)
		secret, _ := p.addApp()
		p.get("/settings").expect(h, http.StatusOK, "Quay Ltd")
		h.advance(time.Minute)
		p.post("/sign-in/second", "step", p.halfway(), "code", p.code(secret)).expect(h, http.StatusSeeOther)
		p.get("/declarations").expect(h, http.StatusOK)
	})
}

func freshly(c *config.Config) { c.FreshSignIn = 10 * time.Minute }

// A sensitive action requires a sign-in or confirmation at most ten minutes old. After confirming,
// it continues with the submitted form.
func TestFreshSignIn(t *testing.T) {
	anyDatabase(t, func(h *harness) {
		p := h.owner("Quay Ltd", "olive@example.com")
		h.advance(10*time.Minute - time.Second)
		p.post("/settings/keys", "name", "In time", "role", "VIEWER").expect(h, http.StatusOK, "shown-once")
		h.advance(time.Second)
		a := p.post("/settings/keys", "name", "Too late", "role", "VIEWER")
		a.expect(h, http.StatusForbidden, "Confirm that it is you", `name="kept.name" value="Too late"`)
		kept := []string{"next", "/settings/keys", "kept.name", "Too late", "kept.role", "VIEWER", "kept.organisation-id", string(p.org)}
		p.post("/confirm", append(kept, "password", "wrong")...).expect(h, http.StatusUnauthorized, `name="kept.name" value="Too late"`)
		if strings.Contains(p.get("/settings/keys").body, "Too late") {
			h.Error("a key was created without a confirmation")
		}
		p.post("/confirm", append(kept, "password", password)...).expect(h, http.StatusOK, "shown-once", "Too late")
		p.post("/settings/keys", "name", "Again in time", "role", "VIEWER").expect(h, http.StatusOK, "shown-once")
		if !slices.Contains(h.events(p.org), access.Reauthenticated) {
			h.Error("the audit log has no event for the confirmation")
		}
		h.advance(10 * time.Minute)
		if to := p.get("/account/security/passkey").header.Get("Location"); to != "/confirm?next=%2Faccount%2Fsecurity%2Fpasskey" {
			h.Errorf("a page redirects to %q", to)
		}
		p.post("/confirm", "next", "//evil.example", "password", password).expect(h, http.StatusSeeOther)
	}, freshly)
}

// No route of the table that is marked as sensitive works without a recent confirmation.
func TestEveryFreshRouteAsks(t *testing.T) {
	h := open(t, storetest.SQLite(t), freshly)
	p := h.owner("Quay Ltd", "olive@example.com")
	n := 0
	for _, r := range console.Table() {
		if !r.NeedsRecentProof {
			continue
		}
		n++
		probe, id := routeCases[name(r)], ""
		if probe.record != nil {
			p.post("/confirm", "password", password).expect(h, http.StatusSeeOther)
			id = probe.record(p)
		}
		h.advance(10 * time.Minute)
		before := len(h.events(p.org))
		a := p.try(r, probe, id)
		if r.Method == http.MethodGet && !strings.HasPrefix(a.header.Get("Location"), "/confirm") || r.Method != http.MethodGet && a.status != http.StatusForbidden ||
			len(h.events(p.org)) != before {
			h.Errorf("%s: %d %s", name(r), a.status, main(a.body))
		}
		if !p.signedIn() {
			_, err := h.app.ResetFactors(h.Context(), p.email)
			h.must(err)
			p.signIn()
		}
	}
	if n < 15 {
		h.Errorf("only %d routes ask for a recent confirmation", n)
	}
}
