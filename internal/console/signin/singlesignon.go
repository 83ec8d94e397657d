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

// SingleSignOn is the OpenID Connect provider of the whole service.
type SingleSignOn struct {
	Issuer, ClientID, ClientSecret string
	Name                           string // on the button
}

// Paths of single sign-on. The callback is registered at the provider.
const (
	startPath    = "/sign-in/single"
	callbackPath = "/sign-in/single/callback"
)

// Limits of single sign-on.
const (
	ssoTimeout = 15 * time.Second // of each request to the provider
	ssoMaxAge  = 10 * time.Minute // from the redirect to the callback
	ssoCookie  = "tidewaiter_single"
)

func (s *SignIn) ssoRoutes() []page.Route {
	return []page.Route{
		page.Get(startPath, page.ForEveryone, s.startSSO),
		page.Get(callbackPath, page.ForEveryone, s.finishSSO),
	}
}

// provider is the OpenID Connect provider. It is discovered at the first sign-in, so that
// the service can start while the provider is not reachable.
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
	return &provider{settings: s, callback: callback, client: &http.Client{Timeout: ssoTimeout}}
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
	return apierr.New(apierr.StoreUnavailable, "%s did not answer correctly. Try again, or sign in with your password.", p.settings.Name).WithCause(err)
}

// pendingSSO is stored in a cookie while the user is at the provider.
type pendingSSO struct {
	State, Nonce, Verifier, Next, Invitation string
}

func (s *SignIn) startSSO(c *page.Context) error {
	if s.provider == nil {
		return apierr.New(apierr.NotFound, "This page does not exist.")
	}
	_, config, err := s.provider.discover(c.R.Context())
	if err != nil {
		return err
	}
	query := c.R.URL.Query()
	e := pendingSSO{
		State: newSecret(s), Nonce: newSecret(s), Verifier: newSecret(s), Next: page.Local(query.Get("next")), Invitation: query.Get("invitation"),
	}
	text, err := json.Marshal(e)
	if err != nil {
		return err
	}
	c.SetCookie(ssoCookieName(c), url.QueryEscape(string(text)), ssoMaxAge)
	options := []oauth2.AuthCodeOption{oidc.Nonce(e.Nonce), oauth2.S256ChallengeOption(e.Verifier)}
	if query.Get("again") != "" { // the user is signed in and proves the identity again
		options = append(options, identity.PromptSignIn(s.provider.settings.Issuer)...)
	}
	http.Redirect(c.W, c.R, config.AuthCodeURL(e.State, options...), http.StatusSeeOther)
	return nil
}

const hexDigits = "0123456789abcdef"

// newSecret returns 256 random bits as hexadecimal digits, which a PKCE verifier may contain.
func newSecret(s *SignIn) string { return s.IDs.Text(hexDigits, 64) }

func ssoCookieName(c *page.Context) string {
	if c.Secure() {
		return "__Host-" + ssoCookie
	}
	return ssoCookie
}

// takePendingSSO reads and deletes the cookie, and checks the state.
func takePendingSSO(c *page.Context) (e pendingSSO, err error) {
	invalid := apierr.New(apierr.InvalidRequest, "This sign-in was started in another browser or took too long. Start again.")
	cookie, err := c.R.Cookie(ssoCookieName(c))
	if err != nil {
		return e, invalid
	}
	c.SetCookie(ssoCookieName(c), "", 0)
	text, err := url.QueryUnescape(cookie.Value)
	if err != nil || json.Unmarshal([]byte(text), &e) != nil || e.State == "" || c.R.URL.Query().Get("state") != e.State {
		return e, invalid
	}
	return e, nil
}

func (s *SignIn) finishSSO(c *page.Context) error {
	if s.provider == nil {
		return apierr.New(apierr.NotFound, "This page does not exist.")
	}
	e, err := takePendingSSO(c)
	if err != nil {
		return err
	}
	query := c.R.URL.Query()
	if query.Get("error") != "" {
		return c.Redisplay(apierr.New(apierr.Unauthorized, "%s did not sign you in.", s.provider.name()), func() error { return s.Show(c, e.Next, nil) })
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

// identity exchanges the code for the user's identity, and checks that the ID token belongs
// to this sign-in.
func (p *provider) identity(ctx context.Context, code string, e pendingSSO) (who access.Identity, err error) {
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
		return who, apierr.New(apierr.Unauthorized, "The answer of %s belongs to another sign-in. Start again.", p.settings.Name)
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
