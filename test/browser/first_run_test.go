package browser

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// password is strong enough for a test.
const password = "a tide table for tests"

// found creates the first organisation with the link that the program printed.
func (w *window) found(p *server) {
	w.Helper()
	w.visit(p.setUp)
	w.fill("organisation", "Quay Customs Ltd", "eori", "GB123456789000", "name", "Olive Owner", "email", "olive@example.com", "password", password)
	w.press("Create and sign in")
}

// signIn signs a user in.
func (w *window) signIn(email, password string) {
	w.Helper()
	w.visit("/sign-in")
	w.fill("email", email, "password", password)
	w.press("Sign in")
}

// From the printed link a new user creates an organisation, signs out and in again, and creates a key, with which
// a program lists declarations. The link works once, and the key is shown once.
func TestFirstRun(t *testing.T) {
	t.Parallel()
	p := start(t)
	w := openWindow(t, p, 1280, 900)
	w.visit("/")
	w.sees("There are no users yet")
	w.found(p)
	w.sees("Your organisation is ready", "Quay Customs Ltd", "First steps")
	w.do(chromedp.Click("header .right summary"))
	w.follow(chromedp.Click(`form[action="/sign-out"] button`))
	w.sees("You are signed out")
	w.visit(p.setUp)
	w.sees("This link is not valid")
	w.signIn("olive@example.com", "a wrong password")
	w.sees("There is a problem", "address or the password is wrong")
	if kept := eval[string](w, `document.getElementById("email").value`); kept != "olive@example.com" {
		t.Errorf("the address that was typed has become %q", kept)
	}
	w.fill("password", password)
	w.press("Sign in")
	w.visit("/settings/keys")
	w.sees("No keys yet")
	w.fill("name", "Warehouse system")
	w.press("Create key")
	w.sees("was created", "will not be shown again")
	key := eval[string](w, `document.getElementById("shown-once").textContent`)
	if status := get(t, p.base+"/api/declarations", key); status != http.StatusOK {
		t.Errorf("the API answers %d to the key", status)
	}
	w.visit("/settings/keys")
	if text := w.text(); strings.Contains(text, key) || !strings.Contains(text, "svc_…"+key[len(key)-4:]) {
		t.Errorf("after the key was shown once, the page contains: %s", text)
	}
	w.press("Revoke")
	w.sees("Revoke the key “Warehouse system”?", "cannot be undone")
	w.press("Revoke key")
	w.sees("The key is revoked")
	if status := get(t, p.base+"/api/declarations", key); status != http.StatusUnauthorized {
		t.Errorf("the API answers %d to the revoked key", status)
	}
}

func get(t *testing.T, address, key string) int {
	t.Helper()
	request, err := http.NewRequest(http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+key)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	return response.StatusCode
}

// Signing out everywhere also signs the other browser out, and a form that is being filled in there is not lost:
// it can be sent after signing in again.
func TestSignOutEverywhere(t *testing.T) {
	t.Parallel()
	p := start(t)
	one, two := openWindow(t, p, 1280, 900), openWindow(t, p, 1280, 900)
	one.found(p)
	two.signIn("olive@example.com", password)
	two.visit("/settings")
	two.fill("city", "Felixstowe")
	one.visit("/account")
	one.press("Sign out everywhere")
	one.sees("Sign out everywhere?")
	one.press("Sign out everywhere")
	one.sees("You are signed out everywhere")
	two.press("Save")
	two.sees("Your session has ended", "The form that you filled in is saved")
	two.fill("email", "olive@example.com", "password", password)
	two.press("Sign in")
	two.sees("Continue with your form")
	two.press("Send form")
	two.sees("The organisation's settings are saved")
	if city := eval[string](two, `document.getElementById("city").value`); city != "Felixstowe" {
		t.Errorf("what was typed has become %q", city)
	}
}

// An invited user joins with the link, sees only what the role allows, and is signed out when removed; an
// operator's link sets a forgotten password.
func TestInvitation(t *testing.T) {
	t.Parallel()
	p := start(t)
	owner, guest := openWindow(t, p, 1280, 900), openWindow(t, p, 1280, 900)
	owner.found(p)
	owner.visit("/settings/users")
	owner.fill("email", "vera@example.com", "role", "VIEWER")
	owner.press("Create invitation")
	link := eval[string](owner, `document.getElementById("shown-once").textContent`)
	guest.visit(link)
	guest.sees("Join Quay Customs Ltd", "Viewer", "vera@example.com")
	guest.fill("name", "Vera Viewer", "password", password)
	guest.press("Create account and join")
	guest.sees("You have joined the organisation")
	guest.visit("/settings")
	if text := guest.text(); strings.Contains(text, "API keys") || strings.Contains(text, "Save") {
		t.Errorf("a VIEWER sees actions of an OWNER:\n%s", text)
	}
	guest.visit("/settings/keys")
	guest.sees("You do not have permission", "OWNER role")
	reset := strings.Fields(p.run(t, "user", "reset-link", "vera@example.com"))[0]
	guest.visit(reset)
	guest.fill("password", "another long password")
	guest.press("Set password")
	guest.signIn("vera@example.com", "another long password")
	guest.sees("Quay Customs Ltd")
	owner.visit("/settings/users")
	owner.follow(chromedp.Click(`//tr[contains(., "Vera Viewer")]//a`))
	owner.press("Remove user")
	owner.sees("The user is removed")
	guest.visit("/settings")
	guest.sees("You are not a member of an organisation")
}

// A user of two organisations switches between them in the menu, and a form that was opened before in another tab
// has no effect on the other organisation.
func TestTwoOrganisations(t *testing.T) {
	t.Parallel()
	p := start(t)
	w := openWindow(t, p, 360, 740)
	w.found(p)
	var second struct{ OrganisationID string }
	if err := json.Unmarshal([]byte(p.run(t, "org", "create", "--name", "Second Harbour and Warehousing Company Ltd", "--json")), &second); err != nil {
		t.Fatal(err)
	}
	w.visit(strings.Fields(p.run(t, "user", "invite", "olive@example.com", "--org", second.OrganisationID))[0])
	w.press("Join Second Harbour")
	w.sees("You have joined the organisation", "First steps")
	w.do(chromedp.Click("header .pop summary"))
	w.accessible("switch")
	w.shot("phone-switch")
	w.follow(chromedp.Click(`//header//button[contains(., "Quay Customs Ltd")]`))
	w.visit("/settings")
	if name := eval[string](w, `document.getElementById("name").value`); name != "Quay Customs Ltd" {
		t.Errorf("the settings are those of %q", name)
	}
	eval[int](w, fmt.Sprintf(`fetch("/switch", {method: "POST", body: new URLSearchParams({organisation: %q})}).then(r => r.status)`, second.OrganisationID))
	w.fill("name", "Renamed by mistake")
	w.press("Save")
	w.sees("This form belongs to another organisation")
	w.visit("/settings")
	if name := eval[string](w, `document.getElementById("name").value`); !strings.HasPrefix(name, "Second Harbour") {
		t.Errorf("the name has become %q", name)
	}
}

// Every page can be read on a phone: nothing is wider than the window, and controls are large enough to be
// pressed.
func TestPhone(t *testing.T) {
	t.Parallel()
	p := start(t)
	w := openWindow(t, p, 360, 740)
	w.found(p)
	w.fillPages()
	for _, path := range pages {
		w.visit(path)
		w.shot("phone" + strings.ReplaceAll(path, "/", "-"))
		if wide := eval[int](w, `document.documentElement.scrollWidth`); wide > 360 {
			t.Errorf("%s is %d pixels wide", path, wide)
		}
		small := eval[[]string](w, `[...document.querySelectorAll("button, input:not([type=hidden]):not(.hidden), select, summary, .button")]
			.filter(e => e.offsetParent && (e.getBoundingClientRect().height < 24 || e.getBoundingClientRect().width < 20)).map(e => e.outerHTML)`)
		// The target of a checkbox includes its label.
		for _, html := range small {
			if !strings.Contains(html, `type="checkbox"`) {
				t.Errorf("%s: too small to press: %s", path, html)
			}
		}
	}
}

// pages are those that need nothing but an organisation.
var pages = []string{"/", "/settings", "/settings/users", "/settings/keys", "/settings/hubs", "/settings/hubs/tss/disable", "/settings/usage", "/settings/data", "/account", "/account/sign-out-everywhere", "/nothing"}

// signOutElsewhere ends all sessions of the user, outside of the window.
func (w *window) signOutElsewhere(p *server) {
	w.Helper()
	link := strings.Fields(p.run(w.T, "user", "reset-link", "max@example.com"))[0]
	response, err := http.PostForm(link, url.Values{"password": {"another long password"}})
	if err != nil {
		w.Fatal(err)
	}
	response.Body.Close()
}

// fillPages adds data to the pages that are empty at first.
func (w *window) fillPages() {
	w.Helper()
	w.visit("/settings/keys")
	w.fill("name", "Warehouse system", "days", "90")
	w.press("Create key")
	w.visit("/settings/users")
	w.fill("email", "max@example.com")
	w.press("Create invitation")
}

// axe-core finds nothing on any page, in light or dark, including the pages with errors in their forms.
func TestAccessibility(t *testing.T) {
	t.Parallel()
	p := start(t)
	w := openWindow(t, p, 1280, 900)
	w.visit("/sign-in")
	w.everyLook("sign-in")
	w.visit(p.setUp)
	w.everyLook("set-up")
	w.fill("email", "olive", "password", "short")
	w.press("Create and sign in")
	w.everyLook("set-up-errors")
	w.found(p)
	w.everyLook("welcome")
	w.visit("/settings/keys")
	w.fill("name", "Warehouse system")
	w.press("Create key")
	w.everyLook("key-made")
	w.visit("/settings/users")
	w.fill("email", "max@example.com")
	w.press("Create invitation")
	w.everyLook("invitation-made")
	link := eval[string](w, `document.getElementById("shown-once").textContent`)
	for _, path := range pages {
		w.visit(path)
		w.everyLook("page" + strings.ReplaceAll(path, "/", "-"))
	}
	w.do(chromedp.Click("header .right summary"))
	w.everyLook("menu")
	w.visit("/settings")
	w.fill("eori", "GB12", "country", "FR")
	w.press("Save")
	w.everyLook("organisation-errors")
	w.press("Check the connection")
	w.sees("The connection works.")
	w.visit(link)
	w.everyLook("invitation-other")
	w.follow(chromedp.Click(`main form[action="/sign-out"] button`))
	w.visit(link)
	w.everyLook("invitation")
	w.visit(strings.Fields(p.run(t, "user", "reset-link", "olive@example.com"))[0])
	w.everyLook("reset")
	w.visit("/sign-in")
	w.press("Sign in")
	w.everyLook("sign-in-errors")
	w.visit(link)
	w.fill("name", "Max Member", "password", password)
	w.press("Create account and join")
	w.visit("/settings")
	w.everyLook("member-organisation")
	w.visit("/settings/keys")
	w.everyLook("forbidden")
	w.visit("/settings/hubs")
	w.signOutElsewhere(p)
	w.press("Enable")
	w.sees("Your session has ended")
	w.everyLook("expired")
	w.fill("email", "max@example.com", "password", "another long password")
	w.press("Sign in")
	w.everyLook("resume")
	w.press("Send form")
	w.sees("The Hub is enabled")
}
