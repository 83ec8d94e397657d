package browser

import (
	"context"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/webauthn"
	"github.com/chromedp/chromedp"

	"github.com/tidewaiter/tidewaiter/internal/access/totp"
)

// authenticator gives the window a virtual device that creates passkeys and verifies its user.
func (w *window) authenticator() {
	w.Helper()
	w.do(func(ctx context.Context, t *chromedp.Target) (nothing chromedp.Void, err error) {
		if _, err = cdp.Call(ctx, t, webauthn.Enable, webauthn.EnableParams{}); err != nil {
			return nothing, err
		}
		_, err = cdp.Call(ctx, t, webauthn.AddVirtualAuthenticator, webauthn.AddVirtualAuthenticatorParams{Options: &webauthn.VirtualAuthenticatorOptions{
			Protocol: webauthn.AuthenticatorProtocolCtap2, Transport: webauthn.AuthenticatorTransportInternal,
			HasResidentKey: true, HasUserVerification: true, IsUserVerified: true, AutomaticPresenceSimulation: true,
		}})
		return nothing, err
	})
}

func (w *window) signOut() {
	w.Helper()
	w.do(chromedp.Click("header .right summary"))
	w.follow(chromedp.Click(`form[action="/sign-out"] button`))
}

// A user creates a passkey, signs out, and signs in with the passkey alone.
func TestPasskey(t *testing.T) {
	t.Parallel()
	p := start(t)
	w := openWindow(t, p, 1280, 900)
	w.authenticator()
	w.found(p)
	w.visit("/account/security")
	w.sees("No second factor yet")
	w.press("Add a passkey")
	w.everyLook("add a passkey")
	w.fill("name", "Olive's laptop")
	w.press("Create passkey")
	w.sees("Your recovery codes", "Olive's laptop", "You have 10 recovery codes left")
	w.everyLook("second factors")
	w.shot("second-factors")
	w.signOut()
	w.visit("/sign-in?next=/account/security")
	w.press("Sign in with a passkey")
	w.sees("Second factors", "Olive's laptop")
	w.signOut()
	w.signIn("olive@example.com", password)
	w.sees("Second factor", "recovery codes")
	w.everyLook("the second factor")
	w.press("Use a passkey")
	w.sees("First steps")
	w.visit("/confirm?next=/account")
	w.everyLook("the proof of who is at the browser")
	w.shot("confirm")
	w.press("Confirm with a passkey")
	w.sees("Your account")
}

// A user adds an authenticator app by its QR code, and signs in with password and code.
func TestAuthenticatorApp(t *testing.T) {
	t.Parallel()
	p := start(t)
	w := openWindow(t, p, 1280, 900)
	w.found(p)
	w.visit("/account/security")
	w.press("Add an authenticator app")
	if width := eval[int](w, `document.querySelector("main img").decode().then(() => document.querySelector("main img").naturalWidth)`); width != 240 {
		t.Errorf("the QR code is %d pixels wide", width)
	}
	w.everyLook("add an authenticator app")
	w.shot("authenticator-app")
	secret := eval[string](w, `document.getElementById("totp-secret").textContent`)
	w.fill("name", "Phone", "code", w.code(secret, 0))
	w.press("Add app")
	w.sees("Your recovery codes", "Phone")
	codes := regexp.MustCompile(`[0-9a-z]{5}-[0-9a-z]{5}`).FindAllString(w.text(), -1)
	if len(codes) != 10 {
		t.Fatalf("recovery codes %v", codes)
	}
	w.signOut()
	w.signIn("olive@example.com", password)
	w.fill("code", "000000")
	w.press("Continue")
	w.sees("There is a problem", "This code is wrong or was already used")
	w.fill("code", w.code(secret, 30*time.Second)) // the next one, because the current one is used up
	w.press("Continue")
	w.sees("First steps")
	w.signOut()
	w.signIn("olive@example.com", password)
	w.fill("code", strings.ToUpper(codes[0]))
	w.press("Continue")
	w.sees("First steps")
}

func (w *window) code(secret string, later time.Duration) string {
	w.Helper()
	code, err := totp.Code(secret, time.Now().Add(later))
	if err != nil {
		w.Fatal(err)
	}
	return code
}
