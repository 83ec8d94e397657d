package mtd_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/mtd"
)

// A person is asked for leave to read and write, and comes back with a code that is good once.
func TestConsent(t *testing.T) {
	w := newWorld(t)
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
	if err != nil || token.Access == "" || token.Refresh == "" || !token.Expiry.Equal(w.clock.now().Add(4*time.Hour)) {
		t.Errorf("%+v, %v", token, err)
	}
	if _, err := w.client.Exchange(t.Context(), code, verifier); kind(err) != "refused invalid_grant" {
		t.Errorf("the second time: %v", err)
	}
}

// verifier is the example of RFC 7636, appendix B; its challenge stands in TestConsent.
const verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"

// A code without its verifier, or with another one, gives no token.
func TestConsentNeedsItsVerifier(t *testing.T) {
	w := newWorld(t)
	for _, other := range []string{"", "another"} {
		if _, err := w.client.Exchange(t.Context(), w.consent(t, "x"), other); kind(err) != "refused invalid_grant" {
			t.Errorf("with verifier %q: %v", other, err)
		}
	}
}

// A token is used until a minute before its end, then refreshed; one that HMRC does
// not take any more is refreshed once, and the call is made again.
func TestTokenIsRefreshed(t *testing.T) {
	w := newWorld(t)
	view := func(wantTokens int) {
		t.Helper()
		if _, err := w.client.View(t.Context(), w.caller, "26C1"); kind(err) != "refused NOT_FOUND" || w.hmrc.Calls("token") != wantTokens {
			t.Fatalf("%v after %d tokens", err, w.hmrc.Calls("token"))
		}
	}
	view(1)
	w.clock.advance(4*time.Hour - time.Minute - time.Second)
	view(1)
	w.clock.advance(time.Second)
	view(2)
	w.hmrc.Withdraw()
	view(3)
	if w.hmrc.Calls("view") != 5 {
		t.Errorf("%d calls", w.hmrc.Calls("view"))
	}
}

// A return whose token has run out at HMRC is sent again with the new one, and taken once.
func TestExpiredTokenWhileSending(t *testing.T) {
	w := newWorld(t)
	w.hmrc.Withdraw()
	if outcome := w.client.Submit(t.Context(), w.caller, submission()); kind(outcome) != "accepted" || w.hmrc.Returns() != 1 || w.hmrc.Calls("submit") != 2 {
		t.Errorf("%v after %d calls", outcome, w.hmrc.Calls("submit"))
	}
}

// Of many that find the token spent exactly one refreshes it.
func TestRefreshIsSerialised(t *testing.T) {
	for _, spend := range []func(*world){
		func(w *world) { w.clock.advance(5 * time.Hour) },
		func(w *world) { w.hmrc.Withdraw() },
	} {
		w := newWorld(t)
		spend(w)
		var answered atomic.Int32
		var all sync.WaitGroup
		for range 16 {
			all.Go(func() {
				if _, err := w.client.View(t.Context(), w.caller, "26C1"); kind(err) == "refused NOT_FOUND" {
					answered.Add(1)
				}
			})
		}
		all.Wait()
		if answered.Load() != 16 || w.hmrc.Calls("token") != 2 {
			t.Errorf("%d answered after %d tokens", answered.Load(), w.hmrc.Calls("token"))
		}
	}
}

// After the one new token a 401 is HMRC's last word.
func TestUnauthorisedTwice(t *testing.T) {
	w := newWorld(t)
	var shown []string
	var mu sync.Mutex
	base := serve(t, http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/oauth/token" {
			w.hmrc.ServeHTTP(rw, r)
			return
		}
		mu.Lock()
		defer mu.Unlock()
		shown = append(shown, r.Header.Get("Authorization"))
		rw.WriteHeader(http.StatusUnauthorized)
		_, _ = io.WriteString(rw, `{"code":"INVALID_CREDENTIALS","message":"no"}`)
	}))
	client := newClient(t, mtd.Settings{BaseURL: base, ClientID: "app", ClientSecret: "s&cret"}, w.clock.now)
	if outcome := client.Submit(t.Context(), w.caller, submission()); kind(outcome) != "refused INVALID_CREDENTIALS" || len(shown) != 2 || shown[0] == shown[1] {
		t.Errorf("%v with %v", outcome, shown)
	}
}

// Without a token nothing is sent, the outcome tells who has to act, and no body of
// the token endpoint is in it.
func TestNoToken(t *testing.T) {
	for _, c := range []struct {
		status int
		body   string
		want   string
	}{
		{400, `{"error":"invalid_grant"}`, "refused invalid_grant"},
		{401, `{"error":"invalid_client"}`, "refused invalid_client"},
		{503, `{"error":"server_error"}`, "unreachable"},
		{429, `{"error":"slow_down"}`, "unreachable"},
		{200, `<html>secret`, "unreachable"},
		{400, strings.Repeat("secret", 1000), "unreachable"},
		{200, `{"refresh_token":"x"}`, "unreachable"},
		{302, ``, "unreachable"},
	} {
		var others atomic.Int32
		base := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/oauth/token" {
				others.Add(1)
			}
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(c.status)
			_, _ = io.WriteString(w, c.body)
		}))
		tokens := &drawer{token: mtd.Token{Access: "a", Refresh: "r", Expiry: newClock().now()}}
		outcome := newClient(t, mtd.Settings{BaseURL: base}, newClock().now).Submit(t.Context(), mtd.Caller{VRN: vrn, Tokens: tokens}, submission())
		if got := kind(outcome); got != c.want || others.Load() != 0 || tokens.token.Refresh != "r" {
			t.Errorf("%d %.30s: %s, stored is %v", c.status, c.body, got, tokens.token)
		}
		if text := outcome.(error).Error(); strings.Contains(text, "secret") || len(text) > 300 {
			t.Errorf("the body of the token endpoint is in the log: %.300s", text)
		}
	}
}

// An access token whose refresh token could not be saved is not used.
func TestSavedBeforeUsed(t *testing.T) {
	w := newWorld(t)
	w.clock.advance(5 * time.Hour)
	w.tokens.broken = errors.New("disk full")
	outcome := w.client.Submit(t.Context(), w.caller, submission())
	if u, ok := outcome.(mtd.Unreachable); !ok || !errors.Is(u, w.tokens.broken) || w.hmrc.Calls("submit") != 0 {
		t.Errorf("%v", outcome)
	}
}

// A caller that leaves during a refresh does not lose the new refresh token.
func TestLeavingDoesNotLoseTheRefreshToken(t *testing.T) {
	ctx, leave := context.WithCancel(t.Context())
	base := serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		leave()
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"access_token":"a2","refresh_token":"r2","token_type":"bearer"}`)
	}))
	tokens := &drawer{token: mtd.Token{Refresh: "r1"}}
	outcome := newClient(t, mtd.Settings{BaseURL: base}, newClock().now).Submit(ctx, mtd.Caller{VRN: vrn, Tokens: tokens}, submission())
	if kind(outcome) != "unreachable" || tokens.token != (mtd.Token{Access: "a2", Refresh: "r2"}) {
		t.Errorf("%v, stored is %v", outcome, tokens.token)
	}
}
