package console_test

import (
	"html"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/platform/config"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
	"github.com/tidewaiter/tidewaiter/test/provider"
)

var signInID = regexp.MustCompile(`name="id" value="([^"]+)"`)

// A person signs in at a real OpenID provider, which returns the email address from its userinfo endpoint
// without confirming it. After the provider has removed the person, the next refresh ends the session.
func TestOrganisationSignOnAtRealProvider(t *testing.T) {
	h := open(t, storetest.SQLite(t), func(c *config.Config) { c.AllowPrivateIdentity = true })
	owner := h.owner("Quay Ltd", "olive@quay.example")
	idp := provider.Start(t, h.app.Identity.CallbackURL())
	owner.post("/settings/sign-on/providers", "name", "Quay ID", "issuer", idp.Issuer, "clientId", provider.Client, "secret", provider.Secret,
		"justInTime", "yes", "defaultRole", "MEMBER").expect(t, http.StatusSeeOther)
	_, err := h.app.VerifyDomain(t.Context(), owner.org, "quay.example")
	h.must(err)
	p := h.visitor()
	found := regexp.MustCompile(`href="(http://localhost[^"]+)"`).FindStringSubmatch(p.post("/sign-in/organisation", "email", provider.Email).body)
	if found == nil {
		t.Fatal("no redirect to the provider")
	}
	back := atProvider(t, html.UnescapeString(found[1]))
	p.get(back.RequestURI()).expect(t, http.StatusSeeOther)
	p.get("/").expect(t, http.StatusOK, "Quay Ltd")
	again := p.get("/confirm/organisation?next=/settings").header.Get("Location")
	back = atProvider(t, again)
	if a := p.get(back.RequestURI()); a.status != http.StatusSeeOther || a.header.Get("Location") != "/settings" || !slices.Contains(h.events(owner.org), access.Reauthenticated) {
		t.Errorf("after signing in again: %d %q %s", a.status, a.header.Get("Location"), main(a.body))
	}
	h.advance(10 * time.Minute)
	h.must(h.app.Identity.RefreshSessions(t.Context()))
	p.get("/").expect(t, http.StatusOK, "Quay Ltd")
	idp.Revoke(t)
	h.advance(10 * time.Minute)
	h.must(h.app.Identity.RefreshSessions(t.Context()))
	p.get("/").expect(t, http.StatusSeeOther)
}

// atProvider signs in at the provider's form and returns the address that leads back.
func atProvider(t *testing.T, address string) *url.URL {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	var back *url.URL
	browser := &http.Client{Jar: jar, CheckRedirect: func(r *http.Request, _ []*http.Request) error {
		if r.URL.Query().Get("code") != "" {
			back = r.URL
			return http.ErrUseLastResponse
		}
		return nil
	}}
	response, err := browser.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	page, err := io.ReadAll(response.Body)
	_ = response.Body.Close()
	found := signInID.FindSubmatch(page)
	if err != nil || found == nil {
		t.Fatalf("no form at the provider: %v %s", err, page)
	}
	response, err = browser.PostForm(response.Request.URL.String(), url.Values{
		"id": {string(found[1])}, "username": {provider.Username}, "password": {provider.Password},
	})
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	if back == nil {
		t.Fatalf("the provider did not send the person back: %d", response.StatusCode)
	}
	return back
}
