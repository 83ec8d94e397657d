package cds

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"golang.org/x/oauth2"
)

// Scope is what a user token needs for sending declarations.
const Scope = "write:customs-declaration"

const (
	tokenDeadline    = 10 * time.Second // of one call to the token endpoint
	tokenMargin      = time.Minute      // before its end a token counts as spent
	tokenConnections = 4                // at once to the token endpoint
)

// Credentials stand for the party in whose name something is sent.
type Credentials interface {
	// Token is an access token that should be good.
	Token(ctx context.Context) (string, error)
	// Renew is another access token than the one that customs has just refused.
	Renew(ctx context.Context, refused string) (string, error)
}

// OAuth is the application as customs knows it.
type OAuth struct {
	TokenURL     string // the base address followed by /oauth/token
	ClientID     string
	ClientSecret string
	Around       Around // every call of the endpoint; nil for nothing
}

// TokenEndpoint is where customs gives out tokens. A process has one; the
// credentials that it makes share its connections.
type TokenEndpoint struct {
	oauth  OAuth
	client *http.Client
	now    func() time.Time
}

// NewTokenEndpoint makes a TokenEndpoint; it does not yet connect.
func NewTokenEndpoint(o OAuth, now func() time.Time) *TokenEndpoint {
	return &TokenEndpoint{oauth: o, client: newHTTP(tokenConnections, o.Around), now: now}
}

// expiry counts from when the token was asked for, so it errs on the safe side.
func expiry(asked time.Time, seconds int64) time.Time {
	if seconds <= 0 {
		return time.Time{}
	}
	return asked.Add(time.Duration(seconds) * time.Second)
}

// context makes the oauth2 library use the endpoint's client, which it takes
// from a context only, and ends with the call's deadline.
func (e *TokenEndpoint) context(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithValue(ctx, oauth2.HTTPClient, e.client), tokenDeadline)
}

// Token is what the token endpoint gave. The refresh token is good for one use;
// both are secrets.
type Token struct {
	Access  string
	Refresh string
	Expiry  time.Time // of the access token; zero when customs did not say
	Granted time.Time `json:",omitzero"` // when the user gave consent, which refreshing does not prolong; zero when nobody wrote it down
}

func (t Token) usable(now time.Time, refused string) bool {
	return t.Access != "" && t.Access != refused && (t.Expiry.IsZero() || now.Before(t.Expiry.Add(-tokenMargin)))
}

// denied is the token endpoint's word that it will give no token: the secret is
// wrong, or the user's consent has run out or was withdrawn.
type denied struct {
	status        int
	code, message string
}

func (d denied) Error() string {
	return fmt.Sprintf("cds: no token: %d %s %s", d.status, d.code, d.message)
}

// barred is the outcome when there is no token: nothing was sent.
func barred(err error) Outcome {
	var d denied
	if errors.As(err, &d) {
		return Refused{Status: d.status, Code: d.code, Message: d.message}
	}
	return Unreachable{Cause: err}
}

// tokenError keeps what matters of a failed call to the token endpoint. The
// library's own error would carry the whole body into the log.
func tokenError(err error) error {
	var r *oauth2.RetrieveError
	if !errors.As(err, &r) {
		return fmt.Errorf("cds: fetching a token: %w", err)
	}
	status := r.Response.StatusCode
	if r.ErrorCode == "" || status >= 500 || status == http.StatusTooManyRequests {
		return fmt.Errorf("cds: fetching a token: the token endpoint answered %d", status)
	}
	return denied{status: status, code: clip(r.ErrorCode), message: clip(r.ErrorDescription)}
}
