package client

import (
	"context"

	"golang.org/x/oauth2/clientcredentials"
)

// Application are the credentials of the application itself, by the OAuth grant
// client_credentials. An API that acts for a user needs a [User].
type Application struct {
	endpoint *TokenEndpoint
	config   clientcredentials.Config
	lock     chan struct{} // held while token is read or replaced
	token    Token
}

// Application makes the application's own credentials.
func (e *TokenEndpoint) Application() *Application {
	return &Application{
		endpoint: e,
		config: clientcredentials.Config{
			ClientID: e.oauth.ClientID, ClientSecret: e.oauth.ClientSecret, TokenURL: e.oauth.Endpoint.TokenURL,
			Scopes: e.oauth.Scopes, AuthStyle: e.oauth.Endpoint.AuthStyle,
		},
		lock: make(chan struct{}, 1),
	}
}

// Token returns the present token, or fetches one if it has expired.
func (a *Application) Token(ctx context.Context) (string, error) { return a.Renew(ctx, "") }

// Renew fetches a token unless another caller has done so since.
func (a *Application) Renew(ctx context.Context, refused string) (string, error) {
	select {
	case a.lock <- struct{}{}:
		defer func() { <-a.lock }()
	case <-ctx.Done():
		return "", ctx.Err()
	}
	if a.token.usable(a.endpoint.now(), refused) {
		return a.token.Access, nil
	}
	token, err := a.endpoint.fetch(ctx, a.config.Token)
	if err != nil {
		return "", err
	}
	a.token = token
	return token.Access, nil
}
