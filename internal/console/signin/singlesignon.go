package signin

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"github.com/tidewaiter/tidewaiter/internal/access"
	identity "github.com/tidewaiter/tidewaiter/internal/access/oidc"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// SingleSignOn is a service that vouches for people by OpenID Connect.
type SingleSignOn struct {
	Issuer, ClientID, ClientSecret string
	Name                           string // on the button
}

// Paths of signing in by OpenID Connect. The callback is registered at the service.
const (
	startPath    = "/sign-in/single"
	callbackPath = "/sign-in/single/callback"
)

// Limits of a sign-in by way of another service.
const (
	singlePatience = 15 * time.Second // for each request to the service
	singleLife     = 10 * time.Minute // from leaving to coming back
	singleCookie   = "tidewaiter_single"
)

func (s *SignIn) singleRoutes() []page.Route {
	return []page.Route{
		page.Get(startPath, page.ForEveryone, s.startSingle),
		page.Get(callbackPath, page.ForEveryone, s.finishSingle),
	}
}

// provider is the service, discovered when it is first needed: it need not be there
// when this program starts.
type provider struct {
	settings SingleSignOn
	callback string
	client   *http.Client
	mu       sync.Mutex
	found    *oidc.Provider
}

func newProvider(s SingleSignOn, callback string) *provider {
	if s.Issuer == "" {
		return nil
	}
	return &provider{settings: s, callback: callback, client: &http.Client{Timeout: singlePatience}}
}

func (p *provider) name() string { return p.settings.Name }

func (p *provider) discover(ctx context.Context) (*oidc.Provider, *oauth2.Config, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.found == nil {
		found, err := oidc.NewProvider(oidc.ClientContext(context.WithoutCancel(ctx), p.client), p.settings.Issuer)
		if err != nil {
			return nil, nil, p.unreachable(err)
		}
		p.found = found
	}
	return p.found, &oauth2.Config{
		ClientID: p.settings.ClientID, ClientSecret: p.settings.ClientSecret, Endpoint: p.found.Endpoint(), RedirectURL: p.callback,
		Scopes: []string{oidc.ScopeOpenID, "email", "profile"},
	}, nil
}

func (p *provider) unreachable(err error) error {
	return apierr.New(apierr.StoreUnavailable, "%s does not answer as it should; try again, or sign in with your password.", p.settings.Name).Because(err)
}

// errand is what the browser remembers between leaving and coming back.
type errand struct {
	State, Nonce, Verifier, Next, Invitation string
}

func (s *SignIn) startSingle(c *page.Context) error {
	if s.provider == nil {
		return apierr.New(apierr.NotFound, "There is no such page.")
	}
	_, config, err := s.provider.discover(c.R.Context())
	if err != nil {
		return err
	}
	query := c.R.URL.Query()
	e := errand{
		State: newSecret(s), Nonce: newSecret(s), Verifier: newSecret(s), Next: page.Local(query.Get("next")), Invitation: query.Get("invitation"),
	}
	text, err := json.Marshal(e)
	if err != nil {
		return err
	}
	c.SetCookie(singleCookieName(c), url.QueryEscape(string(text)), singleLife)
	options := []oauth2.AuthCodeOption{oidc.Nonce(e.Nonce), oauth2.S256ChallengeOption(e.Verifier)}
	if query.Get("again") != "" { // who is signed in already proves once more who is at the browser
		options = append(options, identity.Again(s.provider.settings.Issuer)...)
	}
	http.Redirect(c.W, c.R, config.AuthCodeURL(e.State, options...), http.StatusSeeOther)
	return nil
}

const hexDigits = "0123456789abcdef"

// newSecret is 256 random bits, in characters that a PKCE verifier may have.
func newSecret(s *SignIn) string { return s.IDs.Text(hexDigits, 64) }

func singleCookieName(c *page.Context) string {
	if c.Secure() {
		return "__Host-" + singleCookie
	}
	return singleCookie
}

// takeErrand takes back what the browser remembered. It is good once.
func takeErrand(c *page.Context) (e errand, err error) {
	spent := apierr.New(apierr.InvalidRequest, "This sign-in was not begun in this browser, or took too long. Begin again.")
	cookie, err := c.R.Cookie(singleCookieName(c))
	if err != nil {
		return e, spent
	}
	c.SetCookie(singleCookieName(c), "", 0)
	text, err := url.QueryUnescape(cookie.Value)
	if err != nil || json.Unmarshal([]byte(text), &e) != nil || e.State == "" || c.R.URL.Query().Get("state") != e.State {
		return e, spent
	}
	return e, nil
}

func (s *SignIn) finishSingle(c *page.Context) error {
	if s.provider == nil {
		return apierr.New(apierr.NotFound, "There is no such page.")
	}
	e, err := takeErrand(c)
	if err != nil {
		return err
	}
	query := c.R.URL.Query()
	if query.Get("error") != "" {
		return c.Redisplay(apierr.New(apierr.Unauthorized, "%s has not signed you in.", s.provider.name()), func() error { return s.Show(c, e.Next, nil) })
	}
	who, err := s.provider.identity(c.R.Context(), query.Get("code"), e)
	if err != nil {
		return err
	}
	session, err := s.Accounts.SignInAs(c.R.Context(), c.Visitor, who, e.Invitation)
	if err != nil {
		return c.Redisplay(err, func() error { return s.Show(c, e.Next, nil) })
	}
	if err := c.StartSession(session); err != nil {
		return err
	}
	return c.Redirect(page.Local(e.Next))
}

// identity exchanges the code for what the service says of the visitor, and checks
// that it says so of this errand.
func (p *provider) identity(ctx context.Context, code string, e errand) (who access.Identity, err error) {
	found, config, err := p.discover(ctx)
	if err != nil {
		return who, err
	}
	ctx = oidc.ClientContext(ctx, p.client)
	token, err := config.Exchange(ctx, code, oauth2.VerifierOption(e.Verifier))
	if err != nil {
		return who, p.unreachable(err)
	}
	raw, _ := token.Extra("id_token").(string)
	verified, err := found.Verifier(&oidc.Config{ClientID: p.settings.ClientID}).Verify(ctx, raw)
	if err != nil {
		return who, p.unreachable(err)
	}
	if verified.Nonce != e.Nonce {
		return who, apierr.New(apierr.Unauthorized, "The answer of %s belongs to another sign-in. Begin again.", p.settings.Name)
	}
	var claims struct {
		Email    string `json:"email"`
		Verified bool   `json:"email_verified"`
		Name     string `json:"name"`
		AuthTime int64  `json:"auth_time"`
	}
	if err := verified.Claims(&claims); err != nil {
		return who, p.unreachable(err)
	}
	who = access.Identity{
		Subject: strings.TrimRight(verified.Issuer, "/") + "#" + verified.Subject, Email: claims.Email, Verified: claims.Verified, Name: claims.Name,
	}
	if claims.AuthTime > 0 {
		who.ProvedAt = time.Unix(claims.AuthTime, 0).UTC()
	}
	return who, nil
}
