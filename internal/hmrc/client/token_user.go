package client

import (
	"context"
	"fmt"

	"golang.org/x/oauth2"
)

// TokenStore keeps the token of one organisation. Instances that serve the same
// organisation share its data.
//
// A refresh token works once. If two refreshes run at the same time, or a new refresh
// token is lost before it is saved, a person has to give consent again; the store has to
// prevent both.
type TokenStore interface {
	// Load reads the token; the zero Token if there is none.
	Load(ctx context.Context) (Token, error)
	// Refresh takes the organisation's lock across all instances, reads the token, calls
	// renew with it, saves the result, and only then releases the lock and returns the
	// result. If renew fails, nothing is saved.
	Refresh(ctx context.Context, renew func(current Token) (Token, error)) (Token, error)
}

// Consent returns the address at which a person gives consent. HMRC sends the person back
// to the redirect address with the state and a code for [TokenEndpoint.Exchange]. The
// verifier is the secret of PKCE (RFC 7636, S256): the code is worthless without it. An
// empty verifier means no PKCE.
func (e *TokenEndpoint) Consent(state, verifier string) string {
	if verifier == "" {
		return e.oauth.AuthCodeURL(state)
	}
	return e.oauth.AuthCodeURL(state, oauth2.S256ChallengeOption(verifier))
}

// Exchange turns the code that a person came back with into the first token, with the
// verifier that [TokenEndpoint.Consent] was given. A code works once and for ten minutes.
// The error is Refused or Unreachable; after either the person starts again.
func (e *TokenEndpoint) Exchange(ctx context.Context, code, verifier string) (Token, error) {
	var options []oauth2.AuthCodeOption
	if verifier != "" {
		options = append(options, oauth2.VerifierOption(verifier))
	}
	token, err := e.fetch(ctx, func(ctx context.Context) (*oauth2.Token, error) { return e.oauth.Exchange(ctx, code, options...) })
	if err != nil {
		return Token{}, noToken(err)
	}
	return token, nil
}

// User are the credentials of a user who has allowed the application to act for an
// organisation.
type User struct {
	endpoint *TokenEndpoint
	store    TokenStore
}

// User makes the credentials of the organisation whose token is in the store.
func (e *TokenEndpoint) User(store TokenStore) *User { return &User{e, store} }

// Token returns the stored access token, refreshed if it has expired.
func (u *User) Token(ctx context.Context) (string, error) {
	token, err := u.store.Load(ctx)
	if err != nil {
		return "", fmt.Errorf("hmrc: loading the token: %w", err)
	}
	if token.usable(u.endpoint.now(), "") {
		return token.Access, nil
	}
	return u.Renew(ctx, token.Access)
}

// Renew refreshes the token unless another caller has done so since. It does not end when
// the caller gives up: by then HMRC may have sent the new refresh token, which would be
// lost.
func (u *User) Renew(ctx context.Context, refused string) (string, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), refreshDeadline)
	defer cancel()
	token, err := u.store.Refresh(ctx, func(current Token) (Token, error) {
		if current.usable(u.endpoint.now(), refused) {
			return current, nil
		}
		return u.refresh(ctx, current)
	})
	if err != nil {
		return "", fmt.Errorf("hmrc: refreshing the token: %w", err)
	}
	return token.Access, nil
}

func (u *User) refresh(ctx context.Context, spent Token) (Token, error) {
	if spent.Refresh == "" {
		return Token{}, NoConsent()
	}
	token, err := u.endpoint.fetch(ctx, func(ctx context.Context) (*oauth2.Token, error) {
		return u.endpoint.oauth.TokenSource(ctx, &oauth2.Token{RefreshToken: spent.Refresh}).Token()
	})
	token.Granted = spent.Granted
	return token, err
}
