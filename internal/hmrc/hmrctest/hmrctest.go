// Package hmrctest holds what the tests of HMRC's APIs share.
package hmrctest

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/client"
)

// Clock is a clock that a test moves by whole seconds.
type Clock struct{ seconds atomic.Int64 }

// NewClock makes a Clock that shows the time at.
func NewClock(at time.Time) *Clock {
	c := &Clock{}
	c.seconds.Store(at.Unix())
	return c
}

// Now returns the time, in UTC.
func (c *Clock) Now() time.Time { return time.Unix(c.seconds.Load(), 0).UTC() }

// Advance puts the clock forward.
func (c *Clock) Advance(d time.Duration) { c.seconds.Add(int64(d / time.Second)) }

// NoLimit is a rate limit that allows every request.
type NoLimit struct{}

// Wait returns at once.
func (NoLimit) Wait(context.Context) error { return nil }

// Bearer are credentials with a fixed token. Renewing adds a plus sign to it.
type Bearer string

// Token returns the token.
func (b Bearer) Token(context.Context) (string, error) { return string(b), nil }

// Renew returns another token.
func (b Bearer) Renew(_ context.Context, refused string) (string, error) { return refused + "+", nil }

// Serve starts a server for the time of a test and returns its address.
func Serve(t testing.TB, handler http.HandlerFunc) string {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server.URL
}

// TokenStore is a client.TokenStore in memory.
type TokenStore struct {
	mu     sync.Mutex
	Token  client.Token
	Broken error // of saving
}

func (d *TokenStore) Load(context.Context) (client.Token, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.Token, nil
}

func (d *TokenStore) Refresh(ctx context.Context, renew func(client.Token) (client.Token, error)) (client.Token, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	token, err := renew(d.Token)
	if err = errors.Join(err, d.Broken, ctx.Err()); err != nil {
		return client.Token{}, err
	}
	d.Token = token
	return token, nil
}
