package oidc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	goidc "github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

const (
	discoveryLife = time.Hour // cache time of a provider's configuration
	maxCached     = 500       // providers
)

// limitedTransport truncates responses after maxAnswer bytes.
type limitedTransport struct{ http.RoundTripper }

func (l limitedTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := l.RoundTripper.RoundTrip(r)
	if err == nil {
		response.Body = struct {
			io.Reader
			io.Closer
		}{io.LimitReader(response.Body, maxAnswer), response.Body}
	}
	return response, err
}

// cache holds the configurations of providers.
type cache struct {
	mu    sync.Mutex
	found map[string]discovered // by issuer
}

type discovered struct {
	provider *goidc.Provider
	at       time.Time
}

// discover returns the provider's configuration, which is read at most once an hour.
func (s *Service) discover(ctx context.Context, p Provider) (*goidc.Provider, error) {
	s.cache.mu.Lock()
	known, ok := s.cache.found[p.Issuer]
	s.cache.mu.Unlock()
	if ok && s.Now().Sub(known.at) < discoveryLife {
		return known.provider, nil
	}
	found, err := goidc.NewProvider(goidc.ClientContext(context.WithoutCancel(ctx), s.http), p.Issuer)
	if err != nil {
		return nil, unreachable(p, err)
	}
	for _, address := range []string{found.Endpoint().AuthURL, found.Endpoint().TokenURL} {
		if err := s.checkEndpoint(p, address); err != nil {
			return nil, unreachable(p, err)
		}
	}
	s.cache.mu.Lock()
	defer s.cache.mu.Unlock()
	if s.cache.found == nil || len(s.cache.found) >= maxCached {
		s.cache.found = map[string]discovered{}
	}
	s.cache.found[p.Issuer] = discovered{found, s.Now()}
	return found, nil
}

// checkEndpoint rejects endpoints without https, unless the issuer uses http too.
func (s *Service) checkEndpoint(p Provider, address string) error {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "https" && (u.Scheme != "http" || !strings.HasPrefix(p.Issuer, "http://")) {
		return fmt.Errorf("oidc: endpoint %q is not https", address)
	}
	return nil
}

func unreachable(p Provider, err error) error {
	return apierr.New(apierr.StoreUnavailable, "%s did not respond as expected. Try again, or ask an OWNER to check the provider's settings.", p.Name).WithCause(err)
}

func (s *Service) config(p Provider, found *goidc.Provider) (*oauth2.Config, error) {
	secret, err := s.open(p.Secret, secretOwner(p))
	if err != nil {
		return nil, err
	}
	return &oauth2.Config{
		ClientID: p.ClientID, ClientSecret: secret, Endpoint: found.Endpoint(), RedirectURL: s.CallbackURL(),
		Scopes: []string{goidc.ScopeOpenID, "email", "profile", goidc.ScopeOfflineAccess},
	}, nil
}

// Proofs tie a sign-in to the browser that started it.
type Proofs struct {
	State, Nonce, Verifier string
}

// googleIssuer is the issuer of every Google account.
const googleIssuer = "https://accounts.google.com"

// SignInURL returns the URL at which a person signs in at the provider.
func (s *Service) SignInURL(ctx context.Context, p Provider, proofs Proofs, email string) (string, error) {
	return s.signInURL(ctx, p, proofs, email)
}

// PromptSignIn returns the options that make an issuer ask for a new sign-in although it may have a session: prompt
// and max_age of OpenID Connect Core, section 3.1.2.1. Google does not document the prompt "login".
func PromptSignIn(issuer string) []oauth2.AuthCodeOption {
	prompt := "login"
	if strings.TrimRight(issuer, "/") == googleIssuer {
		prompt = "select_account"
	}
	return []oauth2.AuthCodeOption{oauth2.SetAuthURLParam("prompt", prompt), oauth2.SetAuthURLParam("max_age", "0")}
}

func (s *Service) signInURL(ctx context.Context, p Provider, proofs Proofs, email string, options ...oauth2.AuthCodeOption) (string, error) {
	found, err := s.discover(ctx, p)
	if err != nil {
		return "", err
	}
	config, err := s.config(p, found)
	if err != nil {
		return "", err
	}
	options = append(options, goidc.Nonce(proofs.Nonce), oauth2.S256ChallengeOption(proofs.Verifier))
	if email != "" {
		options = append(options, oauth2.SetAuthURLParam("login_hint", email))
	}
	return config.AuthCodeURL(proofs.State+"."+p.ID, options...), nil
}

// Identity is a person as identified by a provider, after all checks of the ID token.
type Identity struct {
	Subject      string
	Email        string // trusted only in a verified domain
	Name         string
	HostedDomain string    // Google's hosted domain; empty elsewhere
	Groups       []string  // from the groups claim
	HasGroups    bool      // whether the token had the groups claim
	Refresh      string    // refresh token; empty for none
	ProvedAt     time.Time // auth_time: when the person last authenticated at the provider; zero if not known
	provider     Provider
}

// exchange exchanges the code for an identity. It checks signature, issuer, audience, times and nonce.
func (s *Service) exchange(ctx context.Context, p Provider, code string, proofs Proofs) (identity Identity, err error) {
	found, err := s.discover(ctx, p)
	if err != nil {
		return identity, err
	}
	config, err := s.config(p, found)
	if err != nil {
		return identity, err
	}
	ctx = goidc.ClientContext(ctx, s.http)
	token, err := config.Exchange(ctx, code, oauth2.VerifierOption(proofs.Verifier))
	if err != nil {
		return identity, unreachable(p, err)
	}
	raw, _ := token.Extra("id_token").(string)
	checked, err := found.Verifier(&goidc.Config{ClientID: p.ClientID, Now: s.Now}).Verify(ctx, raw)
	if err != nil {
		return identity, unreachable(p, err)
	}
	if checked.Nonce != proofs.Nonce || checked.Subject == "" || len(checked.Subject) > maxText {
		return identity, apierr.New(apierr.Unauthorized, "The response of %s belongs to another sign-in. Start again.", p.Name)
	}
	claims := map[string]any{}
	if err := checked.Claims(&claims); err != nil {
		return identity, unreachable(p, err)
	}
	provedAt := authTime(claims)
	if err := addUserInfo(ctx, p, found, token, checked.Subject, claims); err != nil {
		return identity, err
	}
	identity = identityOf(p, claims)
	identity.Subject, identity.Refresh, identity.ProvedAt = checked.Subject, token.RefreshToken, provedAt
	return identity, nil
}

// authTime returns the auth_time of an ID token; zero if absent.
func authTime(claims map[string]any) time.Time {
	seconds, exists := claims["auth_time"].(float64)
	if !exists {
		return time.Time{}
	}
	return time.Unix(int64(max(0, seconds)), 0).UTC()
}

// addUserInfo adds the claims of the userinfo endpoint that are not in the ID token. Many providers
// send address and groups only there.
func addUserInfo(ctx context.Context, p Provider, found *goidc.Provider, token *oauth2.Token, subject string, claims map[string]any) error {
	_, grouped := claims[p.GroupsClaim]
	if identityOf(p, claims).Email != "" && (p.GroupsClaim == "" || grouped) || found.UserInfoEndpoint() == "" {
		return nil
	}
	info, err := found.UserInfo(ctx, oauth2.StaticTokenSource(token))
	if err != nil {
		return unreachable(p, err)
	}
	more := map[string]any{}
	if err := info.Claims(&more); err != nil || info.Subject != subject {
		return unreachable(p, fmt.Errorf("oidc: userinfo of another subject: %w", err))
	}
	for name, value := range more {
		if _, exists := claims[name]; !exists {
			claims[name] = value
		}
	}
	return nil
}

// identityOf reads the claims. Entra ID sends the address as preferred_username or upn unless it is
// configured to send email.
func identityOf(p Provider, claims map[string]any) Identity {
	identity := Identity{provider: p}
	for _, name := range []string{"email", "preferred_username", "upn"} {
		if text, _ := claims[name].(string); strings.Contains(text, "@") && identity.Email == "" {
			identity.Email = text
		}
	}
	identity.Name, _ = claims["name"].(string)
	identity.HostedDomain, _ = claims["hd"].(string)
	if p.GroupsClaim == "" {
		return identity
	}
	switch groups := claims[p.GroupsClaim].(type) {
	case string:
		identity.Groups, identity.HasGroups = []string{groups}, true
	case []any:
		identity.HasGroups = true
		for _, group := range groups {
			if text, ok := group.(string); ok {
				identity.Groups = append(identity.Groups, text)
			}
		}
	}
	return identity
}

// errRevoked means that the provider no longer accepts the refresh token.
var errRevoked = errors.New("oidc: the provider ended the sign-in")

// refresh uses a refresh token and returns the next one.
func (s *Service) refresh(ctx context.Context, p Provider, token string) (string, error) {
	found, err := s.discover(ctx, p)
	if err != nil {
		return "", err
	}
	config, err := s.config(p, found)
	if err != nil {
		return "", err
	}
	fresh, err := config.TokenSource(goidc.ClientContext(ctx, s.http), &oauth2.Token{RefreshToken: token}).Token()
	if refused := (*oauth2.RetrieveError)(nil); errors.As(err, &refused) && refused.ErrorCode == "invalid_grant" {
		return "", errRevoked
	}
	if err != nil {
		return "", err
	}
	if fresh.RefreshToken == "" {
		return token, nil
	}
	return fresh.RefreshToken, nil
}
