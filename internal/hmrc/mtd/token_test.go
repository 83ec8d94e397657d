package mtd_test

import (
	"net/url"
	"testing"
	"time"
)

// A person is asked to allow reading and writing, and comes back with a code that works once.
func TestConsent(t *testing.T) {
	w := newFixture(t)
	link, err := url.Parse(w.client.Consent("a&b", verifier))
	if err != nil {
		t.Fatal(err)
	}
	want := url.Values{"response_type": {"code"}, "client_id": {"app"}, "scope": {"read:vat write:vat"}, "redirect_uri": {redirect}, "state": {"a&b"},
		"code_challenge": {"E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"}, "code_challenge_method": {"S256"}}
	if got := link.Query(); got.Encode() != want.Encode() {
		t.Errorf("%v", got)
	}
	code := w.consent(t, "x")
	token, err := w.client.Exchange(t.Context(), code, verifier)
	if err != nil || token.Access == "" || token.Refresh == "" || !token.Expiry.Equal(w.clock.Now().Add(4*time.Hour)) {
		t.Errorf("%+v, %v", token, err)
	}
	if _, err := w.client.Exchange(t.Context(), code, verifier); outcomeName(err) != "refused invalid_grant" {
		t.Errorf("the second time: %v", err)
	}
}

// verifier is the example of RFC 7636, appendix B; its challenge stands in TestConsent.
const verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"

// A code without its verifier, or with another one, gives no token.
func TestConsentNeedsItsVerifier(t *testing.T) {
	w := newFixture(t)
	for _, other := range []string{"", "another"} {
		if _, err := w.client.Exchange(t.Context(), w.consent(t, "x"), other); outcomeName(err) != "refused invalid_grant" {
			t.Errorf("with verifier %q: %v", other, err)
		}
	}
}

// A token is used until a minute before its end, then refreshed; one that HMRC no longer
// accepts is refreshed once, and the call is made again.
func TestTokenIsRefreshed(t *testing.T) {
	w := newFixture(t)
	view := func(wantTokens int) {
		t.Helper()
		if _, err := w.client.View(t.Context(), w.caller, "26C1"); outcomeName(err) != "refused NOT_FOUND" || w.hmrc.Calls("token") != wantTokens {
			t.Fatalf("%v after %d tokens", err, w.hmrc.Calls("token"))
		}
	}
	view(1)
	w.clock.Advance(4*time.Hour - time.Minute - time.Second)
	view(1)
	w.clock.Advance(time.Second)
	view(2)
	w.hmrc.Withdraw()
	view(3)
	if w.hmrc.Calls("view") != 5 {
		t.Errorf("%d calls", w.hmrc.Calls("view"))
	}
}

// A return whose token has expired at HMRC is sent again with the new one, and accepted once.
func TestExpiredTokenWhileSending(t *testing.T) {
	w := newFixture(t)
	w.hmrc.Withdraw()
	if outcome := w.client.Submit(t.Context(), w.caller, submission()); outcomeName(outcome) != "accepted" || w.hmrc.Returns() != 1 || w.hmrc.Calls("submit") != 2 {
		t.Errorf("%v after %d calls", outcome, w.hmrc.Calls("submit"))
	}
}
