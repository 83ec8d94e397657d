package cds

import (
	"context"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"
)

// Application are the credentials of the application itself, by the OAuth grant
// client_credentials. The simulator takes them; customs' own declarations API
// wants a [User].
type Application struct {
	endpoint *TokenEndpoint
	config   clientcredentials.Config
	turn     chan struct{} // held by whoever looks at token
	token    Token
}

// Application makes the application's own credentials.
func (e *TokenEndpoint) Application() *Application {
	return &Application{
		endpoint: e,
		config: clientcredentials.Config{
			ClientID: e.oauth.ClientID, ClientSecret: e.oauth.ClientSecret, TokenURL: e.oauth.TokenURL,
			Scopes: []string{Scope}, AuthStyle: oauth2.AuthStyleInParams,
		},
		turn: make(chan struct{}, 1),
	}
}

// Token gives the token at hand, or fetches one when that is spent.
func (a *Application) Token(ctx context.Context) (string, error) { return a.Renew(ctx, "") }

// Renew fetches a token unless somebody else has done so since.
func (a *Application) Renew(ctx context.Context, refused string) (string, error) {
	select {
	case a.turn <- struct{}{}:
		defer func() { <-a.turn }()
	case <-ctx.Done():
		return "", ctx.Err()
	}
	if a.token.usable(a.endpoint.now(), refused) {
		return a.token.Access, nil
	}
	token, err := a.fetch(ctx)
	if err != nil {
		return "", err
	}
	a.token = token
	return token.Access, nil
}

func (a *Application) fetch(ctx context.Context) (Token, error) {
	ctx, cancel := a.endpoint.context(ctx)
	defer cancel()
	asked := a.endpoint.now()
	got, err := a.config.Token(ctx)
	if err != nil {
		return Token{}, tokenError(err)
	}
	seconds, _ := got.Extra("expires_in").(float64)
	return Token{Access: got.AccessToken, Expiry: expiry(asked, int64(seconds))}, nil
}
