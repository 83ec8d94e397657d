package consent

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/client"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// NoGrant is HMRC's code for a refresh token that was used, was revoked or has expired (RFC 6749, section 5.2).
const NoGrant = "invalid_grant"

// pollInterval is the time between two attempts to take the lease, or to save a token while the database is away.
const pollInterval = 100 * time.Millisecond

// Row is the stored token of one consent. Each method is a transaction of its own.
type Row interface {
	// Sealed returns the token; empty if the consent has ended or was replaced.
	Sealed(ctx context.Context) (Sealed, error)
	// Acquire takes the lease to refresh the token, unless another process holds it. It also returns true if there is
	// no token any more. The lease of a crashed process expires.
	Acquire(ctx context.Context, holder string) (bool, error)
	Release(ctx context.Context, holder string) error
	// Swap replaces the token; false if it is not the old one any more.
	Swap(ctx context.Context, old, fresh Sealed, token client.Token) (bool, error)
	// Refused stores that the authority does not refresh the token, unless there is a newer one.
	Refused(ctx context.Context, old Sealed, why client.Refused) error
	// Lost stores that the authority may have refreshed the token in an answer that was lost, unless there is a newer one.
	Lost(ctx context.Context, old Sealed, why error) error
}

// Tokens is the [client.TokenStore] of one consent.
type Tokens struct {
	Row    Row
	Sealer Sealer
	Owner  []byte // binds the token to its consent
	IDs    *ident.Source
	Log    *slog.Logger
}

// Load returns the token; zero if the consent has ended.
func (t *Tokens) Load(ctx context.Context) (client.Token, error) {
	sealed, err := t.Row.Sealed(ctx)
	if err != nil || sealed == "" {
		return client.Token{}, err
	}
	return OpenToken(t.Sealer, sealed, t.Owner)
}

// Refresh renews the token under a lease across all instances. No transaction is open during the call to the authority.
func (t *Tokens) Refresh(ctx context.Context, renew func(client.Token) (client.Token, error)) (client.Token, error) {
	holder := t.IDs.UUID()
	if err := t.acquire(ctx, holder); err != nil {
		return client.Token{}, err
	}
	defer t.release(context.WithoutCancel(ctx), holder)
	sealed, err := t.Row.Sealed(ctx)
	if err != nil {
		return client.Token{}, err
	}
	if sealed == "" {
		return renew(client.Token{})
	}
	spent, err := OpenToken(t.Sealer, sealed, t.Owner)
	if err != nil {
		return client.Token{}, err
	}
	fresh, err := renew(spent)
	if err != nil {
		return fresh, errors.Join(err, t.storeFailure(context.WithoutCancel(ctx), sealed, err))
	}
	if fresh == spent {
		return fresh, nil
	}
	return fresh, t.save(ctx, sealed, fresh)
}

// storeFailure stores a failure after which the refresh token must not be tried again.
func (t *Tokens) storeFailure(ctx context.Context, sealed Sealed, err error) error {
	if refused := (client.Refused{}); errors.As(err, &refused) && refused.Code == NoGrant {
		return t.Row.Refused(ctx, sealed, refused)
	}
	if lost := (client.AnswerLost{}); errors.As(err, &lost) {
		return t.Row.Lost(ctx, sealed, lost)
	}
	return nil
}

func (t *Tokens) acquire(ctx context.Context, holder string) error {
	for {
		if acquired, err := t.Row.Acquire(ctx, holder); err != nil || acquired {
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("consent: waiting for another refresh: %w", ctx.Err())
		case <-time.After(pollInterval):
		}
	}
}

func (t *Tokens) release(ctx context.Context, holder string) {
	if err := t.Row.Release(ctx, holder); err != nil {
		t.Log.Warn("cannot release the refresh lock; it will expire", "error", err)
	}
}

// save stores a new token before it is used. The old one no longer works, so save retries until ctx ends if the database
// is unavailable.
func (t *Tokens) save(ctx context.Context, old Sealed, token client.Token) error {
	fresh, err := SealToken(t.Sealer, token, t.Owner)
	if err != nil {
		return err
	}
	for {
		swapped, err := t.Row.Swap(ctx, old, fresh, token)
		switch {
		case err == nil && !swapped:
			return errors.New("consent: the consent was removed or replaced in the meantime")
		case !apierr.CannotStore(err):
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(pollInterval):
		}
	}
}
