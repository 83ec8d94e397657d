package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"golang.org/x/oauth2"
)

// CodeNoConsent is the code of [NoConsent].
const CodeNoConsent = "MISSING_CREDENTIALS"

// NoConsent is the outcome without a consent to act for the organisation. Nothing is sent.
func NoConsent() Refused {
	return Refused{Status: http.StatusUnauthorized, Code: CodeNoConsent, Message: "There is no consent to act for the organisation."}
}

const (
	tokenDeadline    = 10 * time.Second // of one call to the token endpoint
	refreshDeadline  = 30 * time.Second // of a refresh: the wait for the lock, the call, the saving
	tokenMargin      = time.Minute      // a token is renewed this long before it expires
	tokenConnections = 4                // at once to the token endpoint
)

// Credentials give the access tokens of the party in whose name something is sent.
type Credentials interface {
	// Token returns an access token that should be valid.
	Token(ctx context.Context) (string, error)
	// Renew returns another access token than the one that HMRC has just refused.
	Renew(ctx context.Context, refused string) (string, error)
}

// OAuth is the application as it is registered with HMRC. The last three settings are
// needed only where people give consent.
type OAuth struct {
	TokenURL     string // the base address followed by /oauth/token
	ClientID     string
	ClientSecret string
	Middleware   Middleware // of every call of the endpoint; nil for none
	Scope        string     // what tokens are for, such as "read:vat write:vat"
	ConsentURL   string     // where people give consent
	RedirectURL  string     // where HMRC sends them back to
}

// TokenEndpoint gets tokens from HMRC. A process has one per application; all credentials
// that it makes share its connections.
type TokenEndpoint struct {
	oauth oauth2.Config
	http  *http.Client
	now   func() time.Time
}

// NewTokenEndpoint makes a TokenEndpoint; it does not connect yet.
func NewTokenEndpoint(o OAuth, now func() time.Time) *TokenEndpoint {
	return &TokenEndpoint{http: NewHTTP(tokenConnections, o.Middleware), now: now, oauth: oauth2.Config{
		ClientID: o.ClientID, ClientSecret: o.ClientSecret, RedirectURL: o.RedirectURL, Scopes: strings.Fields(o.Scope),
		// The style is fixed because the library would otherwise find it by trying, and spend
		// a code or refresh token on the first try.
		Endpoint: oauth2.Endpoint{AuthURL: o.ConsentURL, TokenURL: o.TokenURL, AuthStyle: oauth2.AuthStyleInParams},
	}}
}

// Token is an answer of the token endpoint. The refresh token works once; both tokens are
// secrets.
type Token struct {
	Access  string
	Refresh string
	Expiry  time.Time // of the access token; zero if HMRC did not say
	Granted time.Time `json:",omitzero"` // when the user gave consent, which refreshing does not prolong; zero if not recorded
}

func (t Token) usable(now time.Time, refused string) bool {
	return t.Access != "" && t.Access != refused && (t.Expiry.IsZero() || now.Before(t.Expiry.Add(-tokenMargin)))
}

// fetch calls the token endpoint through the endpoint's own connections, which the oauth2
// library takes from a context only. The token's lifetime counts from before the call, so
// that the error is on the safe side.
func (e *TokenEndpoint) fetch(ctx context.Context, call func(context.Context) (*oauth2.Token, error)) (Token, error) {
	ctx, cancel := context.WithTimeout(context.WithValue(ctx, oauth2.HTTPClient, e.http), tokenDeadline)
	defer cancel()
	asked := e.now()
	var head requestBody
	got, err := call(head.watch(ctx))
	if err != nil {
		return Token{}, tokenError(err, head.started.Load())
	}
	token := Token{Access: got.AccessToken, Refresh: got.RefreshToken}
	seconds, _ := got.Extra("expires_in").(float64) // clientcredentials leaves ExpiresIn empty
	if lifetime := max(got.ExpiresIn, int64(seconds)); lifetime > 0 {
		token.Expiry = asked.Add(time.Duration(lifetime) * time.Second)
	}
	return token, nil
}

// tokenError is a Refused if the token endpoint refuses to give a token: the secret is
// wrong, or the consent has expired or was withdrawn. The library's own error would carry
// the whole body into the log. Without a readable answer to a request that was sent, it is an
// AnswerLost.
func tokenError(err error, sent bool) error {
	var r *oauth2.RetrieveError
	if !errors.As(err, &r) {
		err = fmt.Errorf("hmrc: fetching a token: %w", err)
		if sent {
			return AnswerLost{Cause: err}
		}
		return err
	}
	status := r.Response.StatusCode
	if r.ErrorCode == "" || status >= http.StatusInternalServerError || status == http.StatusTooManyRequests {
		return fmt.Errorf("hmrc: fetching a token: the token endpoint answered %d", status)
	}
	return Refused{Status: status, Code: Clip(r.ErrorCode), Message: Clip(r.ErrorDescription)}
}

// AnswerLost means that the token endpoint may have used up a code or a refresh token, but its
// answer did not arrive. An answer that says that the endpoint is closed is not lost.
type AnswerLost struct{ Cause error }

func (l AnswerLost) Error() string { return l.Cause.Error() }

// Unwrap returns the cause.
func (l AnswerLost) Unwrap() error { return l.Cause }

// noToken is the outcome if there is no token: nothing was sent.
func noToken(err error) Failure {
	var refused Refused
	if errors.As(err, &refused) {
		return refused
	}
	return Unreachable{Cause: err}
}
