package console_test

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"maps"
	"math/big"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/config"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// issuer is an OpenID provider of the test, on a real socket. It issues the claims that the test
// sets, and checks PKCE.
type issuer struct {
	*testing.T
	server    *httptest.Server
	key       *rsa.PrivateKey
	claims    map[string]any // of the next token, over the usual ones
	challenge string
	nonce     string
	verifiers int    // that did not match
	refresh   string // refresh token that is given; none if empty
	refreshes int
	revoked   bool // whether refresh tokens are refused
	down      bool // whether the issuer answers with errors
}

func newIssuer(t *testing.T) *issuer {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	i := &issuer{T: t, key: key}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /.well-known/openid-configuration", func(w http.ResponseWriter, _ *http.Request) {
		answerJSON(w, map[string]any{
			"issuer": i.server.URL, "authorization_endpoint": i.server.URL + "/authorize", "token_endpoint": i.server.URL + "/token",
			"jwks_uri": i.server.URL + "/keys", "id_token_signing_alg_values_supported": []string{"RS256"},
		})
	})
	mux.HandleFunc("GET /keys", func(w http.ResponseWriter, _ *http.Request) {
		answerJSON(w, map[string]any{"keys": []any{map[string]any{
			"kty": "RSA", "alg": "RS256", "use": "sig", "kid": "k", "n": base64.RawURLEncoding.EncodeToString(key.N.Bytes()),
			"e": base64.RawURLEncoding.EncodeToString(big.NewInt(int64(key.E)).Bytes()),
		}}})
	})
	mux.HandleFunc("POST /token", i.token)
	i.server = httptest.NewServer(mux)
	t.Cleanup(i.server.Close)
	return i
}

func answerJSON(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v)
}

func (i *issuer) token(w http.ResponseWriter, r *http.Request) {
	if i.down {
		http.Error(w, "down", http.StatusBadGateway)
		return
	}
	if r.FormValue("grant_type") == "refresh_token" {
		i.renew(w, r)
		return
	}
	sum := sha256.Sum256([]byte(r.FormValue("code_verifier")))
	id, secret, _ := r.BasicAuth()
	if base64.RawURLEncoding.EncodeToString(sum[:]) != i.challenge || r.FormValue("code") != "the-code" || id != "console" || secret != "hush" {
		i.verifiers++
		http.Error(w, `{"error":"invalid_grant"}`, http.StatusBadRequest)
		return
	}
	claims := map[string]any{
		"iss": i.server.URL, "aud": "console", "sub": "olive", "nonce": i.nonce, "email": "olive@example.com", "email_verified": true,
		"name": "Olive of the issuer", "iat": time.Now().Unix(), "exp": time.Now().Add(time.Minute).Unix(),
	}
	maps.Copy(claims, i.claims)
	given := map[string]any{"access_token": "a", "token_type": "Bearer", "id_token": i.sign(claims)}
	if i.refresh != "" {
		given["refresh_token"] = i.refresh
	}
	answerJSON(w, given)
}

// renew accepts a refresh token once and returns the next.
func (i *issuer) renew(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	if i.revoked || r.FormValue("refresh_token") != i.refresh {
		w.WriteHeader(http.StatusBadRequest)
		_, _ = w.Write([]byte(`{"error":"invalid_grant"}`))
		return
	}
	i.refreshes++
	i.refresh += "+"
	answerJSON(w, map[string]any{"access_token": "b", "token_type": "Bearer", "refresh_token": i.refresh})
}

func (i *issuer) sign(claims map[string]any) string {
	body, err := json.Marshal(claims)
	if err != nil {
		i.Fatal(err)
	}
	text := base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"RS256","kid":"k"}`)) + "." + base64.RawURLEncoding.EncodeToString(body)
	sum := sha256.Sum256([]byte(text))
	signature, err := rsa.SignPKCS1v15(rand.Reader, i.key, crypto.SHA256, sum[:])
	if err != nil {
		i.Fatal(err)
	}
	return text + "." + base64.RawURLEncoding.EncodeToString(signature)
}

// signInAt signs in at the issuer and follows the redirect back.
func (p *user) signInAt(i *issuer, start string, claims map[string]any) pageResponse {
	p.Helper()
	return p.get("/sign-in/single/callback?code=the-code&state=" + p.leaveFor(i, start, claims))
}

// leaveFor follows the redirect to the issuer and returns the state for the way back.
func (p *user) leaveFor(i *issuer, start string, claims map[string]any) string {
	p.Helper()
	a := p.get(start)
	to, err := url.Parse(a.header.Get("Location"))
	p.must(err)
	query := to.Query()
	if a.status != http.StatusSeeOther || to.Host != i.server.Listener.Addr().String() || query.Get("code_challenge_method") != "S256" ||
		query.Get("redirect_uri") != p.app.Config.PublicURL+"/sign-in/single/callback" || len(query.Get("state")) < 40 || len(query.Get("nonce")) < 40 {
		p.Fatalf("redirected to %s with %d", to, a.status)
	}
	i.challenge, i.nonce, i.claims = query.Get("code_challenge"), query.Get("nonce"), claims
	return query.Get("state")
}

func single(t *testing.T) (*harness, *issuer) {
	t.Helper()
	i := newIssuer(t)
	h := open(t, storetest.SQLite(t), func(c *config.Config) {
		c.OIDC = config.OIDC{Issuer: i.server.URL, ClientID: "console", ClientSecret: "hush", Name: "Quay ID"}
	})
	return h, i
}

const start = "/sign-in/single"

// A person with a valid ID token signs in as the user with that email address, and later as the same
// identity even if the address changes. An unknown person cannot sign in.
func TestSingleSignOn(t *testing.T) {
	h, i := single(t)
	h.owner("Quay Ltd", "olive@example.com")
	h.visitor().get("/sign-in").expect(t, http.StatusOK, "Sign in with Quay ID")
	p := h.visitor()
	a := p.signInAt(i, start+"?next=/settings", nil)
	if a.expect(t, http.StatusSeeOther); a.header.Get("Location") != "/settings" {
		t.Errorf("redirected to %q", a.header.Get("Location"))
	}
	p.get("/").expect(t, http.StatusOK, "Quay Ltd")
	h.visitor().signInAt(i, start, map[string]any{"email": "new@example.com"}).expect(t, http.StatusSeeOther)
	h.visitor().signInAt(i, start, map[string]any{"sub": "other", "email": "unknown@example.com"}).expect(t, http.StatusUnauthorized, "Ask an OWNER")
	h.visitor().signInAt(i, start, map[string]any{"sub": "other"}).expect(t, http.StatusUnauthorized, "belongs to another identity")
	h.visitor().signInAt(i, start+"?next=//evil.example", nil).expect(t, http.StatusSeeOther)
}

// Sign-in is rejected if the email address is not verified; if state or nonce belong to another sign-in;
// if the token is for another client, from another issuer, expired or signed with another key; and if
// a callback is repeated.
func TestSingleSignOnIsProved(t *testing.T) {
	h, i := single(t)
	h.owner("Quay Ltd", "olive@example.com")
	for name, claims := range map[string]map[string]any{
		"unconfirmed": {"email_verified": false}, "nonce": {"nonce": "another"}, "audience": {"aud": "another"},
		"issuer": {"iss": "https://evil.example"}, "expired": {"exp": time.Now().Add(-time.Hour).Unix()},
	} {
		p := h.visitor()
		if a := p.signInAt(i, start, claims); a.status == http.StatusSeeOther || p.cookie() != "" {
			t.Errorf("%s: %d", name, a.status)
		}
	}
	p := h.visitor()
	p.leaveFor(i, start, nil)
	p.get("/sign-in/single/callback?code=the-code&state=another").expect(t, http.StatusBadRequest, "was started in another browser")
	state := p.leaveFor(i, start, nil)
	h.visitor().get("/sign-in/single/callback?code=the-code&state="+state).expect(t, http.StatusBadRequest)
	p.get("/sign-in/single/callback?code=the-code&state="+state).expect(t, http.StatusSeeOther)
	p.get("/sign-in/single/callback?code=the-code&state="+state).expect(t, http.StatusBadRequest)
	state = p.leaveFor(i, start, nil)
	i.challenge = "of another"
	if a := p.get("/sign-in/single/callback?code=the-code&state=" + state); a.status != http.StatusServiceUnavailable || i.verifiers == 0 {
		t.Errorf("without the verifier: %d", a.status)
	}
	honest := i.key
	i.key, _ = rsa.GenerateKey(rand.Reader, 2048)
	if a := h.visitor().signInAt(i, start, nil); a.status != http.StatusServiceUnavailable {
		t.Errorf("signed with another key: %d", a.status)
	}
	i.key = honest
	p = h.visitor()
	state = p.leaveFor(i, start, nil)
	p.get("/sign-in/single/callback?error=access_denied&state="+state).expect(t, http.StatusUnauthorized, "Quay ID did not sign you in")
}

// With an invitation, a person signs in through the issuer without a password, only under the invited
// address.
func TestSingleSignOnByInvitation(t *testing.T) {
	h, i := single(t)
	owner := h.owner("Quay Ltd", "olive@example.com")
	token := pathOf(h, shownOnce(h, owner.post("/settings/users/invite", "email", "nina@example.com", "role", "MEMBER", "days", "3")))[len("/invitations/"):]
	h.visitor().get("/invitations/"+token).expect(t, http.StatusOK, "Join with Quay ID")
	h.visitor().signInAt(i, start+"?invitation="+token, map[string]any{"sub": "eve", "email": "eve@example.com"}).expect(t, http.StatusUnauthorized)
	p := h.visitor()
	p.signInAt(i, start+"?invitation="+token, map[string]any{"sub": "nina", "email": "Nina@example.com", "name": "Nina"}).expect(t, http.StatusSeeOther)
	p.get("/").expect(t, http.StatusOK, "Quay Ltd")
	p.get("/account").expect(t, http.StatusOK, "have no password here", "nina@example.com")
	h.visitor().signInAt(i, start+"?invitation="+token, map[string]any{"sub": "nina"}).expect(t, http.StatusNotFound)
}

// A user who signed in through the issuer confirms their identity there. An old authentication time is
// not accepted.
func TestSingleSignOnProvesAgain(t *testing.T) {
	i := newIssuer(t)
	h := open(t, storetest.SQLite(t), freshly, func(c *config.Config) {
		c.OIDC = config.OIDC{Issuer: i.server.URL, ClientID: "console", ClientSecret: "hush", Name: "Quay ID"}
	})
	owner := h.owner("Quay Ltd", "olive@example.com")
	p := h.visitor()
	p.org = owner.org
	claims := func(asked time.Time) map[string]any {
		return map[string]any{"auth_time": asked.Unix(), "exp": h.clock().Add(time.Hour).Unix()}
	}
	p.signInAt(i, start, claims(h.clock().Add(-time.Hour))).expect(t, http.StatusSeeOther)
	p.post("/settings/keys", "name", "Unproved", "role", "VIEWER").expect(t, http.StatusForbidden, "Sign in again with Quay ID", "/sign-in/single?again=yes&amp;next=")
	to, err := url.Parse(p.get(start + "?again=yes&next=/settings").header.Get("Location"))
	h.must(err)
	if q := to.Query(); q.Get("prompt") != "login" || q.Get("max_age") != "0" {
		t.Errorf("redirected to %s", to)
	}
	p.signInAt(i, start+"?again=yes&next=/settings", claims(h.clock())).expect(t, http.StatusSeeOther)
	p.post("/settings/keys", "name", "Proved", "role", "VIEWER").expect(t, http.StatusOK, "shown-once")
}
