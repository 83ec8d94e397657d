package browser

import (
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/tidewaiter/tidewaiter/test/provider"
)

// An OWNER sets up single sign-on and signs out. A person signs in at the provider's own page and has the role of
// their group. With password sign-in off, a password no longer opens the organisation, and after the provider has
// removed the person, their session ends.
func TestSingleSignOn(t *testing.T) {
	t.Parallel()
	p := startJumping(t, "TIDEWAITER_ALLOW_PRIVATE_IDENTITY=true")
	idp := provider.Start(t, p.base+"/sign-in/organisation/callback")
	w := openWindow(t, p, desktop, 900)
	w.found(p)
	w.setUpSignOn(p, idp)
	w.signOut()
	w.signInAtProvider()
	w.do(chromedp.Click("header .right summary"))
	w.sees("Quay Customs Ltd", provider.Email, "Member")
	w.visit("/declarations/new")
	w.sees("New declaration")
	w.visit("/settings/keys")
	w.sees("You do not have permission", "OWNER role")

	owner, guest := openWindow(t, p, desktop, 900), openWindow(t, p, desktop, 900)
	owner.signIn("olive@example.com", password)
	guest.visit(owner.invites("mel@quay.example"))
	guest.fill("name", "Mel Member", "password", password)
	guest.press("Create account and join")
	guest.sees("You have joined the organisation")
	guest.signOut()
	owner.switchPasswordsOff()
	guest.signIn("mel@quay.example", password)
	guest.sees("You cannot open this organisation after signing in with a password", "Sign in with your organisation")
	guest.step("after a password")
	guest.visit("/declarations")
	guest.sees("You cannot open this organisation after signing in with a password")
	owner.visit("/settings")
	owner.sees("Quay Customs Ltd", "API keys")

	w.visit("/settings")
	w.sees("Quay Customs Ltd")
	idp.Revoke(t)
	p.SetClockOffset(t, 11*time.Minute) // the refresh token is used after 10 minutes, and a session ends after 60
	w.isSignedOut()
	w.toProvider()
	w.do(chromedp.SetValue("#username", provider.Username), chromedp.SetValue("#password", provider.Password), chromedp.Click("form button"),
		chromedp.WaitReady(`//p[contains(., "username or password wrong")]`))
}

// setUpSignOn adds a provider and a mail domain, which the operator verifies instead of a DNS record.
func (w *window) setUpSignOn(p *server, idp *provider.Provider) {
	w.Helper()
	w.visit("/settings/sign-on")
	w.sees("There is no provider yet", p.base+"/sign-in/organisation/callback")
	w.fill("name", "Quay ID", "issuer", idp.Issuer, "clientId", provider.Client, "secret", provider.Secret,
		"groupsClaim", "groups", "roles", provider.Group+" = MEMBER", "defaultRole", "VIEWER")
	w.do(chromedp.Click("#justInTime"))
	w.press("Add provider")
	w.sees("Quay ID", idp.Issuer, "Become members when they first sign in")
	w.fill("domain", "quay.example")
	w.press("Add domain")
	w.sees("_tidewaiter.quay.example", "Not verified")
	p.run(w.T, "org", "verify-domain", "--org", eval[string](w, `document.querySelector("[name=organisation-id]").value`), "quay.example")
	w.visit("/settings/sign-on")
	if state := eval[string](w, `document.querySelector("td[data-label=Status]").innerText`); state == "Not verified" {
		w.Errorf("the domain is %q after the operator has verified it", state)
	}
	w.step("single sign-on with a provider")
}

// toProvider goes from the sign-in page to that of the provider.
func (w *window) toProvider() {
	w.Helper()
	w.visit("/sign-in")
	w.press("Sign in with your organisation")
	w.fill("email", provider.Email)
	w.press("Continue")
	w.step("the way to the provider")
	// The provider's page is not one of the console's, so press cannot wait for it.
	w.do(chromedp.Click(`//main//a[contains(., "Continue to Quay ID")]`), chromedp.WaitVisible("#username"))
}

// signInAtProvider signs in as the provider's person, as they would: with a mouse and by keys.
func (w *window) signInAtProvider() {
	w.Helper()
	w.toProvider()
	w.do(chromedp.SendKeys("#username", provider.Username), chromedp.SendKeys("#password", provider.Password))
	w.follow(chromedp.Click("form button"))
}

// invites creates an invitation for an address and returns its link.
func (w *window) invites(email string) (link string) {
	w.Helper()
	w.visit("/settings/users")
	w.fill("email", email)
	w.press("Create invitation")
	return eval[string](w, `document.getElementById("shown-once").textContent`)
}

// switchPasswordsOff lets only the OWNER open the organisation with a password.
func (w *window) switchPasswordsOff() {
	w.Helper()
	w.visit("/settings/sign-on")
	w.fill("emergencyOwnerId", eval[string](w, `[...document.querySelectorAll("#emergencyOwnerId option")].find(o => o.text === "Olive Owner").value`))
	w.do(chromedp.Click("#passwordSignInOff"))
	w.follow(chromedp.Click(`form[action="/settings/sign-on/passwords"] button`))
	if !eval[bool](w, `document.getElementById("passwordSignInOff").checked`) {
		w.Error("password sign-in is still on")
	}
}

// isSignedOut waits until a page asks to sign in. Sessions are checked every 30 seconds.
func (w *window) isSignedOut() {
	w.Helper()
	for until := time.Now().Add(stepLimit); ; time.Sleep(2 * time.Second) {
		w.visit("/settings")
		if eval[string](w, `location.pathname`) == "/sign-in" {
			return
		}
		if time.Now().After(until) {
			w.Fatalf("still signed in after %s:\n%s", stepLimit, w.text())
		}
	}
}
