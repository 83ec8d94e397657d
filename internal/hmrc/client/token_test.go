package client_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/client"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/hmrctest"
)

// authServer is HMRC's token endpoint and API in one. A refresh token works once; only the
// newest access token is accepted.
type authServer struct {
	mu     sync.Mutex
	issued int
	forms  []url.Values
	auths  []string
}

func (o *authServer) token(w http.ResponseWriter, r *http.Request) {
	o.mu.Lock()
	defer o.mu.Unlock()
	_ = r.ParseForm()
	o.forms = append(o.forms, r.PostForm)
	w.Header().Set("Content-Type", "application/json")
	if r.PostForm.Get("grant_type") == "refresh_token" && r.PostForm.Get("refresh_token") != fmt.Sprintf("refresh-%d", o.issued) {
		w.WriteHeader(http.StatusBadRequest)
		_, _ = io.WriteString(w, `{"error":"invalid_grant","error_description":"the refresh token is spent"}`)
		return
	}
	o.issued++
	_, _ = fmt.Fprintf(w, `{"access_token":"access-%d","refresh_token":"refresh-%d","token_type":"bearer","expires_in":14400}`, o.issued, o.issued)
}

func (o *authServer) call(w http.ResponseWriter, r *http.Request) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.auths = append(o.auths, r.Header.Get("Authorization"))
	if r.Header.Get("Authorization") != fmt.Sprintf("Bearer access-%d", o.issued) {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	accept(w)
}

func (o *authServer) start(t *testing.T) (base string, endpoint *client.TokenEndpoint, c *hmrctest.Clock) {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("POST /oauth/token", o.token)
	mux.HandleFunc("POST /things", o.call)
	base, c = hmrctest.Serve(t, mux.ServeHTTP), newClock()
	return base, client.NewTokenEndpoint(client.OAuth{TokenURL: base + "/oauth/token", ClientID: "app", ClientSecret: "s&cret", Scope: "write:things"}, c.Now), c
}

// Of many senders that find the token expired, or refused, exactly one refreshes it, and
// all send with the new one.
func TestRefreshIsSerialised(t *testing.T) {
	start := newClock().Now()
	for name, spent := range map[string]client.Token{
		"expired":   {Access: "access-7", Refresh: "refresh-7", Expiry: start.Add(-time.Hour), Granted: start},
		"withdrawn": {Access: "withdrawn", Refresh: "refresh-7", Expiry: start.Add(time.Hour), Granted: start},
	} {
		office := &authServer{issued: 7}
		base, endpoint, _ := office.start(t)
		c, store := newClient(t, client.Settings{BaseURL: base}), &hmrctest.TokenStore{Token: spent}
		var accepted atomic.Int32
		var senders sync.WaitGroup
		for range 20 {
			senders.Go(func() {
				if _, failure := c.Do(t.Context(), endpoint.User(store), post); failure == nil {
					accepted.Add(1)
				}
			})
		}
		senders.Wait()
		if accepted.Load() != 20 || len(office.forms) != 1 {
			t.Errorf("%s: %d accepted after %d refreshes", name, accepted.Load(), len(office.forms))
		}
		want := client.Token{Access: "access-8", Refresh: "refresh-8", Expiry: start.Add(4 * time.Hour), Granted: start}
		if store.Token != want {
			t.Errorf("%s: stored is %v, want %v", name, store.Token, want)
		}
	}
}

// The application sends its secret in the form, in one try: a second try would find the
// refresh token or code spent.
func TestTokenRequests(t *testing.T) {
	office := &authServer{issued: 1}
	_, endpoint, _ := office.start(t)
	if _, err := endpoint.User(&hmrctest.TokenStore{Token: client.Token{Refresh: "refresh-1"}}).Token(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := endpoint.Application().Token(t.Context()); err != nil {
		t.Fatal(err)
	}
	if token, err := endpoint.Exchange(t.Context(), "code", "secret"); err != nil || token.Refresh != "refresh-4" {
		t.Fatal(token, err)
	}
	want := []url.Values{
		{"grant_type": {"refresh_token"}, "refresh_token": {"refresh-1"}, "client_id": {"app"}, "client_secret": {"s&cret"}},
		{"grant_type": {"client_credentials"}, "scope": {"write:things"}, "client_id": {"app"}, "client_secret": {"s&cret"}},
		{"grant_type": {"authorization_code"}, "code": {"code"}, "code_verifier": {"secret"}, "client_id": {"app"}, "client_secret": {"s&cret"}},
	}
	for i, form := range want {
		if form.Encode() != office.forms[i].Encode() {
			t.Errorf("form is %v, want %v", office.forms[i], form)
		}
	}
}

// A token is used until a minute before its end, then another is fetched; one that HMRC
// refuses is replaced once.
func TestApplicationToken(t *testing.T) {
	office := &authServer{}
	base, endpoint, clock := office.start(t)
	c, application := newClient(t, client.Settings{BaseURL: base}), endpoint.Application()
	send := func(wantIssued int) {
		t.Helper()
		_, failure := c.Do(t.Context(), application, post)
		expect(t, failure, "accepted")
		if len(office.forms) != wantIssued {
			t.Fatalf("%d tokens fetched, want %d", len(office.forms), wantIssued)
		}
	}
	send(1)
	clock.Advance(4*time.Hour - time.Minute - time.Second)
	send(1)
	clock.Advance(time.Second)
	send(2)
	office.issued = 100 // as if HMRC had withdrawn all tokens
	send(3)
	if want := []string{"Bearer access-1", "Bearer access-1", "Bearer access-2", "Bearer access-2", "Bearer access-101"}; !slices.Equal(office.auths, want) {
		t.Fatalf("tokens used are %v, want %v", office.auths, want)
	}
}

// A 401 to the one new token is final.
func TestUnauthorisedTwice(t *testing.T) {
	var tokens []string
	base := hmrctest.Serve(t, func(w http.ResponseWriter, r *http.Request) {
		tokens = append(tokens, r.Header.Get("Authorization"))
		w.WriteHeader(http.StatusUnauthorized)
		_, _ = io.WriteString(w, `{"code":"UNAUTHORIZED"}`)
	})
	refused, _ := send(t, newClient(t, client.Settings{BaseURL: base})).(client.Refused)
	if refused.Status != 401 || refused.Code != "UNAUTHORIZED" || !slices.Equal(tokens, []string{"Bearer t", "Bearer t+"}) {
		t.Fatalf("%v with %v", refused, tokens)
	}
}

// Without a token nothing is sent, and the outcome shows who has to act.
func TestNoToken(t *testing.T) {
	var sent atomic.Int32
	hmrc := hmrctest.Serve(t, func(w http.ResponseWriter, _ *http.Request) { sent.Add(1); accept(w) })
	answer := func(status int, body string) *client.TokenEndpoint {
		url := hmrctest.Serve(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(status)
			_, _ = io.WriteString(w, body)
		})
		return client.NewTokenEndpoint(client.OAuth{TokenURL: url}, newClock().Now)
	}
	spent := &hmrctest.TokenStore{Token: client.Token{Access: "a", Refresh: "r", Expiry: newClock().Now()}}
	for _, test := range []struct {
		name string
		as   client.Credentials
		want string
		code string
	}{
		{"consent has ended", answer(400, `{"error":"invalid_grant"}`).User(spent), "refused", "invalid_grant"},
		{"wrong secret", answer(401, `{"error":"invalid_client"}`).Application(), "refused", "invalid_client"},
		{"never had consent", answer(200, `{}`).User(&hmrctest.TokenStore{}), "refused", "MISSING_CREDENTIALS"},
		{"token endpoint down", answer(503, `{"error":"server_error"}`).Application(), "unreachable", ""},
		{"token endpoint busy", answer(429, `{"error":"slow_down"}`).User(spent), "unreachable", ""},
		{"rubbish", answer(200, `<html>`).User(spent), "unreachable", ""},
		{"rubbish error", answer(400, strings.Repeat("<secret>", 1000)).User(spent), "unreachable", ""},
		{"no access token", answer(200, `{"refresh_token":"x"}`).Application(), "unreachable", ""},
		{"redirected", answer(302, ``).Application(), "unreachable", ""},
		{"connection refused", client.NewTokenEndpoint(client.OAuth{TokenURL: "http://" + listenAndClose(t)}, newClock().Now).User(spent), "unreachable", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, failure := newClient(t, client.Settings{BaseURL: hmrc}).Do(t.Context(), test.as, post)
			expect(t, failure, test.want)
			if refused, ok := failure.(client.Refused); ok && refused.Code != test.code {
				t.Errorf("code is %q, want %q", refused.Code, test.code)
			}
			if text := failure.Error(); strings.Contains(text, "secret") || len(text) > 300 {
				t.Errorf("the body of the token endpoint is in the log: %.300s", text)
			}
		})
	}
	if sent.Load() != 0 || spent.Token.Refresh != "r" {
		t.Fatalf("%d sent, stored is %v", sent.Load(), spent.Token)
	}
}

// An access token whose refresh token could not be saved is not used.
func TestSavedBeforeUsed(t *testing.T) {
	office := &authServer{issued: 1}
	base, endpoint, _ := office.start(t)
	store := &hmrctest.TokenStore{Token: client.Token{Refresh: "refresh-1"}, Broken: errors.New("disk full")}
	_, failure := newClient(t, client.Settings{BaseURL: base}).Do(t.Context(), endpoint.User(store), post)
	expect(t, failure, "unreachable")
	if !errors.Is(failure, store.Broken) || len(office.auths) != 0 {
		t.Fatalf("%v, sent with %v", failure, office.auths)
	}
}

// A caller that gives up during a refresh does not lose the new refresh token.
func TestGivingUpKeepsTheRefreshToken(t *testing.T) {
	ctx, leave := context.WithCancel(t.Context())
	url := hmrctest.Serve(t, func(w http.ResponseWriter, _ *http.Request) {
		leave()
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"access_token":"a2","refresh_token":"r2"}`)
	})
	store := &hmrctest.TokenStore{Token: client.Token{Refresh: "r1"}}
	user := client.NewTokenEndpoint(client.OAuth{TokenURL: url}, newClock().Now).User(store)
	_, failure := newClient(t, client.Settings{BaseURL: url}).Do(ctx, user, post)
	expect(t, failure, "unreachable")
	if store.Token != (client.Token{Access: "a2", Refresh: "r2"}) {
		t.Fatalf("stored is %v", store.Token)
	}
}
