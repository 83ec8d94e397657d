package cds

import (
	"context"
	"net/http"
	"time"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"
)

// Application are the credentials of the application itself, by the OAuth grant
// client_credentials. The simulator takes them; customs' own declarations API
// wants a [User].
type Application struct {
	config clientcredentials.Config
	client *http.Client
	now    func() time.Time
	turn   chan struct{} // held by whoever looks at token
	token  Token
}

// NewApplication fetches no token yet.
func NewApplication(o OAuth, now func() time.Time) *Application {
	return &Application{
		config: clientcredentials.Config{
			ClientID: o.ClientID, ClientSecret: o.ClientSecret, TokenURL: o.TokenURL,
			Scopes: []string{Scope}, AuthStyle: oauth2.AuthStyleInParams,
		},
		client: newHTTP(tokenConnections), now: now, turn: make(chan struct{}, 1),
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
	if a.token.usable(a.now(), refused) {
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
	ctx, cancel := context.WithTimeout(ctx, tokenDeadline)
	defer cancel()
	asked := a.now()
	got, err := a.config.Token(through(ctx, a.client))
	if err != nil {
		return Token{}, tokenError(err)
	}
	token := Token{Access: got.AccessToken}
	if seconds, ok := got.Extra("expires_in").(float64); ok && seconds > 0 {
		token.Expiry = asked.Add(time.Duration(seconds) * time.Second)
	}
	return token, nil
}
