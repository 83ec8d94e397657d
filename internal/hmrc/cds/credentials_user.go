package cds

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"golang.org/x/oauth2"
)

// refreshDeadline bounds a refresh: the wait for the lock, the call, the saving.
const refreshDeadline = 30 * time.Second

// TokenStore keeps the token of one organisation. Instances that serve the same
// organisation share what is behind it.
//
// Customs takes a refresh token once. If two refreshes run side by side, or a
// new refresh token is lost before it is saved, the chain is broken and a person
// has to give consent again; so both are the store's promise.
type TokenStore interface {
	// Load reads the token.
	Load(ctx context.Context) (Token, error)
	// Refresh takes the organisation's lock across all instances, reads the
	// token, calls renew with it, saves what that returns, and only then lets go
	// of the lock and returns it. When renew fails, nothing is saved.
	Refresh(ctx context.Context, renew func(current Token) (Token, error)) (Token, error)
}

// User are the credentials of a user who has given the application leave to act
// for an organisation.
type User struct {
	endpoint *TokenEndpoint
	config   oauth2.Config
	store    TokenStore
}

// User makes the credentials of the organisation whose token is in the store.
func (e *TokenEndpoint) User(store TokenStore) *User {
	return &User{
		endpoint: e,
		config: oauth2.Config{
			ClientID: e.oauth.ClientID, ClientSecret: e.oauth.ClientSecret,
			// The style is fixed because the library would otherwise find it out
			// by trying, and spend the refresh token on the first try.
			Endpoint: oauth2.Endpoint{TokenURL: e.oauth.TokenURL, AuthStyle: oauth2.AuthStyleInParams},
		},
		store: store,
	}
}

// Token gives the stored access token, refreshed when it is spent.
func (u *User) Token(ctx context.Context) (string, error) {
	token, err := u.store.Load(ctx)
	if err != nil {
		return "", fmt.Errorf("cds: loading the token: %w", err)
	}
	if token.usable(u.endpoint.now(), "") {
		return token.Access, nil
	}
	return u.Renew(ctx, token.Access)
}

// Renew refreshes the token unless somebody else has done so since. A caller
// that leaves does not end it: the new refresh token is on its way by then, and
// would be lost.
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
		return "", fmt.Errorf("cds: refreshing the token: %w", err)
	}
	return token.Access, nil
}

func (u *User) refresh(ctx context.Context, spent Token) (Token, error) {
	if spent.Refresh == "" {
		return Token{}, denied{status: http.StatusUnauthorized, code: "MISSING_CREDENTIALS", message: "There is no consent to act."}
	}
	ctx, cancel := u.endpoint.context(ctx)
	defer cancel()
	asked := u.endpoint.now()
	got, err := u.config.TokenSource(ctx, &oauth2.Token{RefreshToken: spent.Refresh}).Token()
	if err != nil {
		return Token{}, tokenError(err)
	}
	return Token{Access: got.AccessToken, Refresh: got.RefreshToken, Expiry: expiry(asked, got.ExpiresIn), Granted: spent.Granted}, nil
}
