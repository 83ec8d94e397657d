package console_test

import (
	"html"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/access/oidc"
	"github.com/tidewaiter/tidewaiter/internal/platform/config"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// signOn is an organisation with a provider on a real socket and a verified domain.
type signOn struct {
	*harness
	owner    *user
	issuer   *issuer
	provider string
}

func withSignOn(t *testing.T, run func(s *signOn), settings ...func(*config.Config)) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		h := open(t, b, append(settings, func(c *config.Config) { c.AllowPrivateIdentity = true })...)
		s := &signOn{harness: h, owner: h.owner("Quay Ltd", "olive@quay.example"), issuer: newIssuer(t)}
		s.provider = s.addProvider(s.owner, true)
		_, err := h.app.VerifyDomain(t.Context(), s.owner.org, "quay.example")
		s.must(err)
		run(s)
	})
}

func (s *signOn) addProvider(owner *user, justInTime bool) (id string) {
	s.Helper()
	owner.post("/settings/sign-on/providers", "name", "Quay ID", "issuer", s.issuer.server.URL, "clientId", "console", "secret", "hush",
		"groupsClaim", "groups", "roles", "filers = MEMBER\nbosses = OWNER", "justInTime", map[bool]string{true: "yes"}[justInTime], "defaultRole", "VIEWER").
		expect(s.T, http.StatusSeeOther)
	s.must(s.app.Identity.Store.ViewIdentity(s.Context(), owner.org, func(tx oidc.Tx) error {
		all, err := tx.Providers()
		id = all[len(all)-1].ID
		return err
	}))
	return id
}

var wayOut = regexp.MustCompile(`href="(http://127[^"]+)"`)

// signInThrough signs in through the organisation of an email address; the issuer answers with the given claims.
func (s *signOn) signInThrough(p *user, email string, claims map[string]any) pageResponse {
	s.Helper()
	a := p.post("/sign-in/organisation", "email", email, "next", "/settings")
	found := wayOut.FindStringSubmatch(a.body)
	if a.status != http.StatusOK || found == nil {
		s.Fatalf("no redirect to the provider: %d %s", a.status, a.body)
	}
	return s.signInAtIssuer(p, html.UnescapeString(found[1]), email, claims)
}

// signInAtIssuer follows the redirect to the issuer and returns with the given claims.
func (s *signOn) signInAtIssuer(p *user, address, email string, claims map[string]any) pageResponse {
	s.Helper()
	to, err := url.Parse(address)
	s.must(err)
	query := to.Query()
	if query.Get("code_challenge_method") != "S256" || query.Get("redirect_uri") != s.app.Config.PublicURL+"/sign-in/organisation/callback" {
		s.Errorf("redirected to %s", to)
	}
	all := map[string]any{"sub": "nina", "email": email, "email_verified": nil, "name": "Nina", "exp": s.clock().Add(time.Minute).Unix()}
	for name, value := range claims {
		all[name] = value
	}
	s.issuer.challenge, s.issuer.nonce, s.issuer.claims = query.Get("code_challenge"), query.Get("nonce"), all
	return p.get("/sign-in/organisation/callback?code=the-code&state=" + url.QueryEscape(query.Get("state")))
}

func (s *signOn) role(p *user) tenant.Role {
	s.Helper()
	session, _, err := s.app.Accounts.Session(s.Context(), p.cookie(), "")
	s.must(err)
	return session.Role
}

// A person with a valid ID token, even without email_verified, becomes a member with the role of their
// groups. The session opens that organisation only, and not the account pages.
func TestOrganisationSignOn(t *testing.T) {
	withSignOn(t, func(s *signOn) {
		p := s.visitor()
		a := s.signInThrough(p, "nina@quay.example", map[string]any{"groups": []string{"filers", "others"}})
		if a.expect(t, http.StatusSeeOther); a.header.Get("Location") != "/settings" {
			t.Errorf("redirected to %q", a.header.Get("Location"))
		}
		p.get("/").expect(t, http.StatusOK, "Quay Ltd")
		if role := s.role(p); role != tenant.Member {
			t.Errorf("role %q", role)
		}
		for _, path := range []string{"/account"} {
			p.get(path).expect(t, http.StatusForbidden, "in that organisation only")
		}
		p.post("/account/password", "current", "", "password", "harbour-violet-tin-93").expect(t, http.StatusForbidden)
		again := s.visitor()
		s.signInThrough(again, "nina@quay.example", map[string]any{"groups": []string{"bosses"}}).expect(t, http.StatusSeeOther)
		if role := s.role(again); role != tenant.Owner {
			t.Errorf("role with other groups %q", role)
		}
		p.post("/sign-out").expect(t, http.StatusSeeOther)
	})
}

// A provider cannot sign in addresses in domains that the organisation has not verified. It cannot sign
// in accounts that also belong to another organisation until the person has signed in to the account.
func TestOrganisationSignOnKeepsToItsPeople(t *testing.T) {
	withSignOn(t, func(s *signOn) {
		p := s.visitor()
		s.signInThrough(p, "nina@quay.example", map[string]any{"email": "nina@other.example"}).expect(t, http.StatusUnauthorized, "verified")
		other := s.harness.owner("Other Ltd", "nina@quay.example")
		s.signInThrough(p, "nina@quay.example", nil).expect(t, http.StatusUnauthorized, "also belongs to another organisation")
		s.signInThrough(other, "nina@quay.example", nil).expect(t, http.StatusSeeOther)
		other.get("/").expect(t, http.StatusOK, "Quay Ltd")
		other.post("/switch", "organisation", string(other.org)).expect(t, http.StatusNotFound)
		s.signInThrough(p, "nina@quay.example", nil).expect(t, http.StatusSeeOther)
		p.get("/").expect(t, http.StatusOK, "Quay Ltd")
	})
}

// State, nonce and signature are checked in the same way as for the installation's provider.
func TestOrganisationSignOnIsProved(t *testing.T) {
	withSignOn(t, func(s *signOn) {
		for name, claims := range map[string]map[string]any{
			"nonce": {"nonce": "another"}, "audience": {"aud": "another"}, "issuer": {"iss": "https://evil.example"},
			"expired": {"exp": s.clock().Add(-time.Hour).Unix()}, "no subject": {"sub": ""},
		} {
			p := s.visitor()
			if a := s.signInThrough(p, "nina@quay.example", claims); a.status == http.StatusSeeOther || p.cookie() != "" {
				t.Errorf("%s: %d", name, a.status)
			}
		}
		s.visitor().get("/sign-in/organisation/callback?code=the-code&state=x."+s.provider).expect(t, http.StatusBadRequest)
	})
}

// The refresh token is used every 10 minutes. If the provider has removed the person, the session ends at
// the next use. If the provider is unreachable, it ends after an hour; without a refresh token it lasts
// 15 minutes.
func TestOrganisationSessionsEnd(t *testing.T) {
	withSignOn(t, func(s *signOn) {
		p, bare := s.visitor(), s.visitor()
		s.signInThrough(bare, "nina@quay.example", nil).expect(t, http.StatusSeeOther)
		s.issuer.refresh = "first"
		s.signInThrough(p, "nina@quay.example", nil).expect(t, http.StatusSeeOther)
		look := func(after time.Duration, who *user, open bool) {
			t.Helper()
			s.advance(after)
			s.must(s.app.Identity.RefreshSessions(t.Context()))
			if a := who.get("/settings"); (a.status == http.StatusOK) != open {
				t.Errorf("%s on: %d", after, a.status)
			}
		}
		look(14*time.Minute, bare, true)
		look(time.Minute, bare, false)
		look(time.Minute, p, true)
		if s.issuer.refreshes == 0 {
			t.Error("the refresh token was not used")
		}
		for range 12 {
			look(10*time.Minute, p, true)
		}
		s.issuer.down = true
		look(49*time.Minute, p, true)
		look(12*time.Minute, p, false)
		s.issuer.down, s.issuer.refresh = false, "again"
		s.signInThrough(p, "nina@quay.example", nil).expect(t, http.StatusSeeOther)
		s.issuer.revoked = true
		look(10*time.Minute, p, false)
	})
}

// If passwords are switched off, a session by password does not open the organisation, except for the
// emergency user, who must be an OWNER.
func TestPasswordsOff(t *testing.T) {
	withSignOn(t, func(s *signOn) {
		s.owner.post("/settings/sign-on/passwords", "passwordSignInOff", "yes", "emergencyOwnerId", "").expect(t, http.StatusBadRequest)
		id := s.app.IDs.UUID()
		s.must(s.app.Store.AddUser(t.Context(), access.User{ID: id, Name: "Mel", Email: "mel@quay.example", Password: cheapHash}))
		s.must(s.app.Store.Update(t.Context(), s.owner.org, func(tx *store.Tx) error { return tx.AddMember(id, tenant.Owner) }))
		mel := s.visitor()
		mel.email = "mel@quay.example"
		mel.signIn()
		mel.get("/settings").expect(t, http.StatusOK)
		s.owner.post("/settings/sign-on/passwords", "passwordSignInOff", "yes", "emergencyOwnerId", s.owner.id).expect(t, http.StatusSeeOther)
		mel.get("/settings").expect(t, http.StatusOK, "You cannot open this organisation after signing in with a password")
		s.owner.get("/settings").expect(t, http.StatusOK, "Quay Ltd")
		s.signInThrough(mel, "mel@quay.example", map[string]any{"sub": "mel", "groups": []string{"bosses"}}).expect(t, http.StatusSeeOther)
		mel.get("/").expect(t, http.StatusOK, "Quay Ltd")
	})
}

// Multi-tenant issuers, private addresses and a domain of another organisation are rejected. An
// organisation cannot see the providers of another.
func TestOrganisationProviderIsItsOwn(t *testing.T) {
	withSignOn(t, func(s *signOn) {
		for _, issuer := range []string{
			"https://login.microsoftonline.com/common/v2.0", "https://login.microsoftonline.com/organizations/v2.0", "https://login.microsoftonline.com/{tenantid}/v2.0",
			"https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0", "ftp://id.example", "https://u:p@id.example",
		} {
			s.owner.post("/settings/sign-on/providers", "name", "N", "issuer", issuer, "clientId", "c", "secret", "s").expect(t, http.StatusBadRequest, "The issuer must")
		}
		other := s.harness.owner("Other Ltd", "nina@other.example")
		other.get("/settings/sign-on/providers/"+s.provider).expect(t, http.StatusNotFound)
		other.post("/settings/sign-on/providers/"+s.provider+"/remove").expect(t, http.StatusNotFound)
		if _, err := s.app.VerifyDomain(t.Context(), other.org, "quay.example"); err == nil {
			t.Error("two organisations have verified the same domain")
		}
	})
	h := open(t, storetest.SQLite(t))
	owner := h.owner("Quay Ltd", "olive@quay.example")
	inside := httptest.NewServer(http.NotFoundHandler())
	defer inside.Close()
	owner.post("/settings/sign-on/providers", "name", "N", "issuer", inside.URL, "clientId", "c", "secret", "s").expect(t, http.StatusBadRequest, "must start with https")
}

var confirmLink = regexp.MustCompile(`href="(/confirm/organisation\?[^"]+)"`)

// again follows the confirmation page's button to the issuer and returns with the given claims.
func (s *signOn) again(p *user, asked pageResponse, claims map[string]any) pageResponse {
	s.Helper()
	asked.expect(s.T, http.StatusForbidden, "Confirm that it is you", "Sign in again with your organisation")
	found := confirmLink.FindStringSubmatch(asked.body)
	if found == nil {
		s.Fatalf("no button: %s", main(asked.body))
	}
	a := p.get(html.UnescapeString(found[1]))
	to, err := url.Parse(a.header.Get("Location"))
	s.must(err)
	if q := to.Query(); a.status != http.StatusSeeOther || q.Get("prompt") != "login" || q.Get("max_age") != "0" || q.Get("login_hint") != "nina@quay.example" {
		s.Errorf("redirected with %d to %s", a.status, to)
	}
	return s.signInAtIssuer(p, to.String(), "nina@quay.example", claims)
}

// A user whose session was opened by the organisation's provider confirms their identity there and
// continues with the submitted form. An old authentication time, or another person's sign-in, is not
// accepted.
func TestConfirmAtOrganisation(t *testing.T) {
	withSignOn(t, func(s *signOn) {
		s.issuer.refresh = "first"
		p := s.visitor()
		p.org = s.owner.org
		s.signInThrough(p, "nina@quay.example", map[string]any{"groups": []string{"bosses"}}).expect(t, http.StatusSeeOther)
		session := p.cookie()
		key := func(name string) pageResponse { return p.post("/settings/keys", "name", name, "role", "VIEWER") }
		key("In time").expect(t, http.StatusOK, "shown-once")

		s.advance(10 * time.Minute)
		s.issuer.refresh = "second"
		a := s.again(p, key("By proof"), map[string]any{"auth_time": s.clock().Unix()})
		a.expect(t, http.StatusSeeOther)
		p.get(a.header.Get("Location")).expect(t, http.StatusOK, "Continue with your form", `value="By proof"`)
		key("Fresh again").expect(t, http.StatusOK, "shown-once")
		if p.cookie() != session {
			t.Error("the session was replaced")
		}
		types := s.events(s.owner.org)
		if n := count(types, access.Reauthenticated); n != 1 {
			t.Errorf("%d confirmation events", n)
		}

		s.advance(10 * time.Minute)
		for name, claims := range map[string]map[string]any{
			"did not ask you to sign in again": {"auth_time": s.clock().Add(-10 * time.Minute).Unix()},
			"as a different person":            {"sub": "mel", "auth_time": s.clock().Unix()},
		} {
			s.again(p, key("Not proved"), claims).expect(t, http.StatusUnauthorized, name, "Confirm that it is you")
			key("Not proved").expect(t, http.StatusForbidden)
		}
		refused := p.get(html.UnescapeString(confirmLink.FindStringSubmatch(key("Not proved").body)[1]))
		to, err := url.Parse(refused.header.Get("Location"))
		s.must(err)
		p.get("/sign-in/organisation/callback?error=login_required&state="+url.QueryEscape(to.Query().Get("state"))).
			expect(t, http.StatusUnauthorized, "did not sign you in", "Confirm that it is you")
		key("Not proved").expect(t, http.StatusForbidden)
		s.again(p, key("Without auth_time"), nil).expect(t, http.StatusSeeOther)
		key("Fresh once more").expect(t, http.StatusOK, "shown-once")

		s.must(s.app.Identity.RefreshSessions(t.Context()))
		p.get("/settings").expect(t, http.StatusOK)
		s.owner.get("/confirm/organisation").expect(t, http.StatusNotFound)
	}, freshly)
}

func count(all []string, wanted string) (n int) {
	for _, one := range all {
		if one == wanted {
			n++
		}
	}
	return n
}

// If the provider signs a user in without a prompt, because they authenticated an hour ago, the session
// does not count as fresh.
func TestSilentSignOnIsNotFresh(t *testing.T) {
	withSignOn(t, func(s *signOn) {
		p := s.visitor()
		p.org = s.owner.org
		s.signInThrough(p, "nina@quay.example", map[string]any{"groups": []string{"bosses"}, "auth_time": s.clock().Add(-time.Hour).Unix()}).expect(t, http.StatusSeeOther)
		p.post("/settings/keys", "name", "Unproved", "role", "VIEWER").expect(t, http.StatusForbidden, "Confirm that it is you")
		p.get("/settings").expect(t, http.StatusOK)
	}, freshly)
}
