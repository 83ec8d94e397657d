package mtd

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"golang.org/x/oauth2"
)

// scopes are what a person consents to.
const scopes = "read:vat write:vat"

const (
	tokenDeadline   = 10 * time.Second // of one call to the token endpoint
	refreshDeadline = 30 * time.Second // of the wait for the lock, the call and the saving
	tokenMargin     = time.Minute      // before its end a token counts as spent
)

// Token is what HMRC gave for a consent. An access token lasts four hours, a refresh
// token serves once, and 18 months after the consent it has to be given anew. Both
// are secrets: whoever keeps them seals them.
type Token struct {
	Access  string
	Refresh string
	Expiry  time.Time // of the access token; zero when HMRC did not say
}

// Tokens keep the token of one organisation. Instances that serve the same
// organisation share what is behind them.
//
// HMRC takes a refresh token once. If two refreshes run side by side, or a new token
// is lost before it is saved, a person has to give consent again; so both are the
// promise of whoever implements this.
type Tokens interface {
	// Load reads the token; the zero Token when there is none.
	Load(ctx context.Context) (Token, error)
	// Refresh takes the organisation's lock across all instances, reads the token,
	// calls renew with it, saves what that returns, and only then lets go of the lock
	// and returns it. When renew fails, nothing is saved.
	Refresh(ctx context.Context, renew func(current Token) (Token, error)) (Token, error)
}

// Consent returns the address at which a person gives consent. HMRC sends the person back to the
// redirect address with the state and a code for [Client.Exchange]. The verifier is the secret of
// PKCE (RFC 7636, S256): the code is worthless without it. An empty verifier means no PKCE.
func (c *Client) Consent(state, verifier string) string {
	if verifier == "" {
		return c.oauth.AuthCodeURL(state)
	}
	return c.oauth.AuthCodeURL(state, oauth2.S256ChallengeOption(verifier))
}

// Exchange turns the code that a person came back with into the first token, with the verifier
// that [Client.Consent] was given. A code works once and for ten minutes. The error is Refused or
// Unreachable; after either the person starts again.
func (c *Client) Exchange(ctx context.Context, code, verifier string) (Token, error) {
	var options []oauth2.AuthCodeOption
	if verifier != "" {
		options = append(options, oauth2.VerifierOption(verifier))
	}
	return c.fetch(ctx, func(ctx context.Context) (*oauth2.Token, error) { return c.oauth.Exchange(ctx, code, options...) })
}

// usable tells whether a token may be shown: not the one that was just refused.
func (t Token) usable(now time.Time, refused string) bool {
	return t.Access != "" && t.Access != refused && (t.Expiry.IsZero() || now.Before(t.Expiry.Add(-tokenMargin)))
}

// access is an access token that should be good, and not the one that was refused.
func (c *Client) access(ctx context.Context, tokens Tokens, refused string) (string, error) {
	if refused == "" {
		token, err := tokens.Load(ctx)
		if err != nil {
			return "", Unreachable{Cause: fmt.Errorf("loading the token: %w", err)}
		}
		if token.usable(c.now(), refused) {
			return token.Access, nil
		}
	}
	return c.renew(ctx, tokens, refused)
}

// renew refreshes the token unless somebody else has done so since. A caller that
// leaves does not end it: the new refresh token is on its way by then, and would be
// lost.
func (c *Client) renew(ctx context.Context, tokens Tokens, refused string) (string, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), refreshDeadline)
	defer cancel()
	token, err := tokens.Refresh(ctx, func(current Token) (Token, error) {
		switch {
		case current.usable(c.now(), refused):
			return current, nil
		case current.Refresh == "":
			return Token{}, Refused{Status: http.StatusUnauthorized, Code: CodeNoConsent, Message: "Nobody has given consent yet."}
		}
		return c.fetch(ctx, func(ctx context.Context) (*oauth2.Token, error) {
			return c.oauth.TokenSource(ctx, &oauth2.Token{RefreshToken: current.Refresh}).Token()
		})
	})
	if refusal := (Refused{}); errors.As(err, &refusal) {
		return "", refusal
	}
	if err != nil {
		return "", Unreachable{Cause: fmt.Errorf("refreshing the token: %w", err)}
	}
	return token.Access, nil
}

// fetch calls the token endpoint through the client's connections, which the library
// takes from a context only. The end of a token is counted from when it was asked
// for, so it errs on the safe side.
func (c *Client) fetch(ctx context.Context, call func(context.Context) (*oauth2.Token, error)) (Token, error) {
	ctx, cancel := context.WithTimeout(context.WithValue(ctx, oauth2.HTTPClient, c.http), tokenDeadline)
	defer cancel()
	asked := c.now()
	got, err := call(ctx)
	if err != nil {
		return Token{}, tokenError(err)
	}
	token := Token{Access: got.AccessToken, Refresh: got.RefreshToken}
	if got.ExpiresIn > 0 {
		token.Expiry = asked.Add(time.Duration(got.ExpiresIn) * time.Second)
	}
	return token, nil
}

// tokenError keeps what matters of a failed call to the token endpoint. The
// library's own error would carry the whole body into the log.
func tokenError(err error) error {
	var r *oauth2.RetrieveError
	if !errors.As(err, &r) {
		return Unreachable{Cause: fmt.Errorf("fetching a token: %w", err)}
	}
	status := r.Response.StatusCode
	if r.ErrorCode == "" || status >= http.StatusInternalServerError || status == http.StatusTooManyRequests {
		return Unreachable{Cause: fmt.Errorf("fetching a token: HMRC answered %d", status)}
	}
	return Refused{Status: status, Code: clip(r.ErrorCode), Message: clip(r.ErrorDescription)}
}
