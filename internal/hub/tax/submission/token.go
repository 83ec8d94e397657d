package submission

import (
	"context"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/client"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/consent"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// lockTTL is how long the refresh lock of a crashed process stays; a refresh takes at most 10 s.
const lockTTL = 15 * time.Second

// Sealed is an encrypted token, in base64.
type Sealed = consent.Sealed

// Sealer encrypts secrets for the database.
type Sealer = consent.Sealer

// owner returns the associated data that binds an encrypted token to its connection.
func owner(org tenant.ID, connectionID string) []byte {
	return []byte("tidewaiter mtd token\n" + string(org) + "\n" + connectionID)
}

// tokensOf returns the tokens of a connection.
func (s *Service) tokensOf(org tenant.ID, connection string) client.TokenStore {
	return &consent.Tokens{Row: row{s, org, connection}, Sealer: s.Sealer, Owner: owner(org, connection), IDs: s.IDs, Log: s.Log}
}

// row is the stored token of one connection.
type row struct {
	service    *Service
	org        tenant.ID
	connection string
}

// current returns the connection; zero if it was removed or replaced.
func (r row) current(ctx context.Context) (c Connection, err error) {
	err = r.service.Store.ViewVAT(ctx, r.org, func(tx Tx) error {
		present, found, err := tx.Connection()
		if found && present.ID == r.connection {
			c = present
		}
		return err
	})
	return c, err
}

// Sealed returns the token; empty if the connection has been removed or has lapsed.
func (r row) Sealed(ctx context.Context) (Sealed, error) {
	c, err := r.current(ctx)
	if err != nil || c.Status != Connected {
		return "", err
	}
	return c.Token, nil
}

// Acquire takes the refresh lock. It also returns true if the connection no longer exists.
func (r row) Acquire(ctx context.Context, holder string) (ours bool, err error) {
	err = r.service.Store.UpdateVAT(ctx, r.org, func(tx Tx) error {
		c, found, err := tx.Connection()
		if ours = !found || c.ID != r.connection; ours || err != nil {
			return err
		}
		ours, err = tx.AcquireRefreshLease(r.connection, holder, tx.Now().Add(lockTTL))
		return err
	})
	return ours, err
}

// Release gives the refresh lock back.
func (r row) Release(ctx context.Context, holder string) error {
	return r.service.Store.UpdateVAT(ctx, r.org, func(tx Tx) error { return tx.ReleaseRefreshLease(r.connection, holder) })
}

// Swap replaces the token.
func (r row) Swap(ctx context.Context, old, fresh Sealed, _ client.Token) (swapped bool, err error) {
	err = r.service.Store.UpdateVAT(ctx, r.org, func(tx Tx) (err error) { swapped, err = tx.SwapToken(r.connection, old, fresh); return err })
	return swapped, err
}

// Refused stores that HMRC no longer accepts the consent.
func (r row) Refused(ctx context.Context, old Sealed, _ client.Refused) error {
	return r.service.lapse(ctx, r.org, Connection{ID: r.connection, Token: old})
}

// Lost stores nothing: the next refresh shows whether the token still works.
func (r row) Lost(context.Context, Sealed, error) error { return nil }
