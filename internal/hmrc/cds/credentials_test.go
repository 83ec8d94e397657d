package cds_test

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

	"github.com/tidewaiter/tidewaiter/internal/hmrc/cds"
)

// office is customs' token endpoint and declarations endpoint in one. A refresh
// token is good once; only the newest access token opens the door.
type office struct {
	mu     sync.Mutex
	issued int
	forms  []url.Values
	auths  []string
}

func (o *office) token(w http.ResponseWriter, r *http.Request) {
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

func (o *office) declare(w http.ResponseWriter, r *http.Request) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.auths = append(o.auths, r.Header.Get("Authorization"))
	if r.Header.Get("Authorization") != fmt.Sprintf("Bearer access-%d", o.issued) {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	accept(w)
}

func (o *office) open(t *testing.T) (base string, endpoint *cds.TokenEndpoint, c *clock) {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("POST /oauth/token", o.token)
	mux.HandleFunc("POST /customs/declarations/", o.declare)
	base, c = serve(t, mux.ServeHTTP), newClock()
	return base, cds.NewTokenEndpoint(cds.OAuth{TokenURL: base + "/oauth/token", ClientID: "app", ClientSecret: "s&cret"}, c.now), c
}

// drawer is a TokenStore in memory.
type drawer struct {
	mu     sync.Mutex
	token  cds.Token
	broken error // of saving
}

func (d *drawer) Load(context.Context) (cds.Token, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.token, nil
}

func (d *drawer) Refresh(ctx context.Context, renew func(cds.Token) (cds.Token, error)) (cds.Token, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	token, err := renew(d.token)
	if err = errors.Join(err, d.broken, ctx.Err()); err != nil {
		return cds.Token{}, err
	}
	d.token = token
	return token, nil
}

// Of many senders that find the token spent, exactly one refreshes it, and all
// are heard with the new one.
func TestRefreshIsSerialised(t *testing.T) {
	office := &office{issued: 1}
	base, endpoint, clock := office.open(t)
	store := &drawer{token: cds.Token{Access: "access-1", Refresh: "refresh-1", Expiry: clock.now().Add(-time.Hour)}}
	client := newClient(t, cds.Settings{BaseURL: base})
	var accepted atomic.Int32
	var senders sync.WaitGroup
	for range 20 {
		senders.Go(func() {
			if kind(client.Submit(t.Context(), endpoint.User(store), document)) == "accepted" {
				accepted.Add(1)
			}
		})
	}
	senders.Wait()
	if accepted.Load() != 20 || len(office.forms) != 1 {
		t.Fatalf("%d accepted after %d refreshes", accepted.Load(), len(office.forms))
	}
	want := cds.Token{Access: "access-2", Refresh: "refresh-2", Expiry: clock.now().Add(4 * time.Hour)}
	if store.token != want {
		t.Fatalf("stored is %v, want %v", store.token, want)
	}
}

// So it is when the token looks good and customs has withdrawn it.
func TestRefreshAfterRefusalIsSerialised(t *testing.T) {
	office := &office{issued: 7}
	base, endpoint, clock := office.open(t)
	store := &drawer{token: cds.Token{Access: "withdrawn", Refresh: "refresh-7", Expiry: clock.now().Add(time.Hour)}}
	client := newClient(t, cds.Settings{BaseURL: base})
	var accepted atomic.Int32
	var senders sync.WaitGroup
	for range 20 {
		senders.Go(func() {
			if kind(client.Submit(t.Context(), endpoint.User(store), document)) == "accepted" {
				accepted.Add(1)
			}
		})
	}
	senders.Wait()
	if accepted.Load() != 20 || len(office.forms) != 1 {
		t.Fatalf("%d accepted after %d refreshes", accepted.Load(), len(office.forms))
	}
}

// The application shows its secret in the form, in one try: a second try would
// find the refresh token spent.
func TestTokenRequests(t *testing.T) {
	office := &office{issued: 1}
	_, endpoint, _ := office.open(t)
	if _, err := endpoint.User(&drawer{token: cds.Token{Refresh: "refresh-1"}}).Token(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := endpoint.Application().Token(t.Context()); err != nil {
		t.Fatal(err)
	}
	want := []url.Values{
		{"grant_type": {"refresh_token"}, "refresh_token": {"refresh-1"}, "client_id": {"app"}, "client_secret": {"s&cret"}},
		{"grant_type": {"client_credentials"}, "scope": {"write:customs-declaration"}, "client_id": {"app"}, "client_secret": {"s&cret"}},
	}
	for i, form := range office.forms {
		if form.Encode() != want[i].Encode() {
			t.Errorf("form is %v, want %v", form, want[i])
		}
	}
}

// A token is used until a minute before its end, then fetched anew; one that
// customs refuses is fetched anew once.
func TestApplicationToken(t *testing.T) {
	office := &office{}
	base, endpoint, clock := office.open(t)
	client, application := newClient(t, cds.Settings{BaseURL: base}), endpoint.Application()
	send := func(wantIssued int) {
		t.Helper()
		expect(t, client.Submit(t.Context(), application, document), "accepted")
		if len(office.forms) != wantIssued {
			t.Fatalf("%d tokens fetched, want %d", len(office.forms), wantIssued)
		}
	}
	send(1)
	clock.advance(4*time.Hour - time.Minute - time.Second)
	send(1)
	clock.advance(time.Second)
	send(2)
	office.issued = 100 // as if customs had withdrawn all it gave
	send(3)
	if want := []string{"Bearer access-1", "Bearer access-1", "Bearer access-2", "Bearer access-2", "Bearer access-101"}; !slices.Equal(office.auths, want) {
		t.Fatalf("tokens used are %v, want %v", office.auths, want)
	}
}

// After the one new token, a 401 is customs' last word.
func TestUnauthorisedTwice(t *testing.T) {
	var tokens []string
	base := serve(t, func(w http.ResponseWriter, r *http.Request) {
		tokens = append(tokens, r.Header.Get("Authorization"))
		w.WriteHeader(http.StatusUnauthorized)
		_, _ = io.WriteString(w, problem("UNAUTHORIZED", "Unauthorised request", ""))
	})
	refused := newClient(t, cds.Settings{BaseURL: base}).Submit(t.Context(), bearer("a"), document).(cds.Refused)
	if refused.Status != 401 || refused.Code != "UNAUTHORIZED" || !slices.Equal(tokens, []string{"Bearer a", "Bearer a+"}) {
		t.Fatalf("%v with %v", refused, tokens)
	}
}

// Without a token nothing is sent, and the outcome tells who has to act.
func TestNoToken(t *testing.T) {
	var sent atomic.Int32
	customs := serve(t, func(w http.ResponseWriter, _ *http.Request) { sent.Add(1); accept(w) })
	answer := func(status int, body string) *cds.TokenEndpoint {
		url := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(status)
			_, _ = io.WriteString(w, body)
		})
		return cds.NewTokenEndpoint(cds.OAuth{TokenURL: url}, newClock().now)
	}
	spent := &drawer{token: cds.Token{Access: "a", Refresh: "r", Expiry: newClock().now()}}
	for _, test := range []struct {
		name string
		as   cds.Credentials
		want string
		code string
	}{
		{"consent has ended", answer(400, `{"error":"invalid_grant"}`).User(spent), "refused", "invalid_grant"},
		{"wrong secret", answer(401, `{"error":"invalid_client"}`).Application(), "refused", "invalid_client"},
		{"never had consent", answer(200, `{}`).User(&drawer{}), "refused", "MISSING_CREDENTIALS"},
		{"token endpoint down", answer(503, `{"error":"server_error"}`).Application(), "unreachable", ""},
		{"token endpoint busy", answer(429, `{"error":"slow_down"}`).User(spent), "unreachable", ""},
		{"rubbish", answer(200, `<html>`).User(spent), "unreachable", ""},
		{"rubbish error", answer(400, strings.Repeat("<secret>", 1000)).User(spent), "unreachable", ""},
		{"no access token", answer(200, `{"refresh_token":"x"}`).Application(), "unreachable", ""},
		{"redirected", answer(302, ``).Application(), "unreachable", ""},
		{"nobody there", cds.NewTokenEndpoint(cds.OAuth{TokenURL: "http://" + listenAndClose(t)}, newClock().now).User(spent), "unreachable", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			outcome := newClient(t, cds.Settings{BaseURL: customs}).Submit(t.Context(), test.as, document)
			expect(t, outcome, test.want)
			if refused, ok := outcome.(cds.Refused); ok && refused.Code != test.code {
				t.Errorf("code is %q, want %q", refused.Code, test.code)
			}
			if text := outcome.(error).Error(); strings.Contains(text, "secret") || len(text) > 300 {
				t.Errorf("the body of the token endpoint is in the log: %.300s", text)
			}
		})
	}
	if sent.Load() != 0 || spent.token.Refresh != "r" {
		t.Fatalf("%d sent, stored is %v", sent.Load(), spent.token)
	}
}

// An access token whose refresh token could not be saved is not used.
func TestSavedBeforeUsed(t *testing.T) {
	office := &office{issued: 1}
	base, endpoint, _ := office.open(t)
	store := &drawer{token: cds.Token{Refresh: "refresh-1"}, broken: errors.New("disk full")}
	outcome := newClient(t, cds.Settings{BaseURL: base}).Submit(t.Context(), endpoint.User(store), document)
	expect(t, outcome, "unreachable")
	if !errors.Is(outcome.(cds.Unreachable), store.broken) || len(office.auths) != 0 {
		t.Fatalf("%v, sent with %v", outcome, office.auths)
	}
}

// A caller that leaves during a refresh does not lose the new refresh token.
func TestLeavingDoesNotLoseTheRefreshToken(t *testing.T) {
	ctx, leave := context.WithCancel(t.Context())
	url := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		leave()
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"access_token":"a2","refresh_token":"r2"}`)
	})
	store := &drawer{token: cds.Token{Refresh: "r1"}}
	user := cds.NewTokenEndpoint(cds.OAuth{TokenURL: url}, newClock().now).User(store)
	expect(t, newClient(t, cds.Settings{BaseURL: url}).Submit(ctx, user, document), "unreachable")
	if store.token != (cds.Token{Access: "a2", Refresh: "r2"}) {
		t.Fatalf("stored is %v", store.token)
	}
}
