package submission

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/client"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Limits of refreshing a token.
const (
	lockTTL          = 15 * time.Second       // after a crash; a refresh takes at most 10 s
	lockPollInterval = 100 * time.Millisecond // while another instance has the lock
)

// Sealed is an encrypted token, in base64.
type Sealed string

// seal encrypts a token for its connection.
func (s *Service) seal(org tenant.ID, connectionID string, token client.Token) (Sealed, error) {
	open, err := json.Marshal(token)
	if err != nil {
		return "", err
	}
	return s.sealText(string(open), owner(org, connectionID))
}

func (s *Service) sealText(text string, owner []byte) (Sealed, error) {
	closed, err := s.Sealer.Encrypt([]byte(text), owner)
	if err != nil {
		return "", fmt.Errorf("vat: seal: %w", err)
	}
	return Sealed(base64.StdEncoding.EncodeToString(closed)), nil
}

func (s *Service) openText(sealed Sealed, owner []byte) (string, error) {
	closed, err := base64.StdEncoding.DecodeString(string(sealed))
	if err == nil {
		closed, err = s.Sealer.Decrypt(closed, owner)
	}
	if err != nil {
		return "", fmt.Errorf("vat: open: %w", err)
	}
	return string(closed), nil
}

func (s *Service) open(org tenant.ID, c Connection) (token client.Token, err error) {
	text, err := s.openText(c.Token, owner(org, c.ID))
	if err != nil {
		return token, err
	}
	return token, json.Unmarshal([]byte(text), &token)
}

// owner returns the associated data that binds an encrypted token to its connection.
func owner(org tenant.ID, connectionID string) []byte {
	return []byte("tidewaiter mtd token\n" + string(org) + "\n" + connectionID)
}

// tokens is the client.TokenStore of one connection.
type tokens struct {
	service    *Service
	org        tenant.ID
	connection string
}

// Load returns the token; zero if the connection has been removed or has lapsed.
func (t tokens) Load(ctx context.Context) (client.Token, error) {
	c, err := t.current(ctx)
	if err != nil || c.Status != Connected {
		return client.Token{}, err
	}
	return t.service.open(t.org, c)
}

// current returns the connection; zero if it was removed or replaced.
func (t tokens) current(ctx context.Context) (c Connection, err error) {
	err = t.service.Store.ViewVAT(ctx, t.org, func(tx Tx) error {
		present, found, err := tx.Connection()
		if found && present.ID == t.connection {
			c = present
		}
		return err
	})
	return c, err
}

// Refresh renews the token under a lock across all instances. No transaction is open during the call to HMRC; the lock of a
// crashed instance expires.
func (t tokens) Refresh(ctx context.Context, renew func(client.Token) (client.Token, error)) (client.Token, error) {
	turn := t.service.IDs.UUID()
	if err := t.lock(ctx, turn); err != nil {
		return client.Token{}, err
	}
	defer t.unlock(context.WithoutCancel(ctx), turn)
	c, err := t.current(ctx)
	if err != nil {
		return client.Token{}, err
	}
	if c.Status != Connected {
		return renew(client.Token{})
	}
	spent, err := t.service.open(t.org, c)
	if err != nil {
		return client.Token{}, err
	}
	fresh, err := renew(spent)
	if refused := (client.Refused{}); errors.As(err, &refused) && refused.Code == noGrant {
		return fresh, errors.Join(err, t.service.lapse(ctx, t.org, c))
	}
	if err != nil || fresh == spent {
		return fresh, err
	}
	return fresh, t.save(ctx, c, fresh)
}

// noGrant is HMRC's code for a refresh token that was used, was revoked or has expired
// (RFC 6749, section 5.2).
const noGrant = "invalid_grant"

// lock takes the refresh lock. It also returns if the connection no longer exists.
func (t tokens) lock(ctx context.Context, turn string) error {
	for {
		ours, err := false, error(nil)
		err = t.service.Store.UpdateVAT(ctx, t.org, func(tx Tx) error {
			c, found, err := tx.Connection()
			if ours = !found || c.ID != t.connection; ours || err != nil {
				return err
			}
			ours, err = tx.AcquireRefreshLease(t.connection, turn, tx.Now().Add(lockTTL))
			return err
		})
		if err != nil || ours {
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("vat: waiting for another refresh: %w", ctx.Err())
		case <-time.After(lockPollInterval):
		}
	}
}

func (t tokens) unlock(ctx context.Context, turn string) {
	if err := t.service.Store.UpdateVAT(ctx, t.org, func(tx Tx) error { return tx.ReleaseRefreshLease(t.connection, turn) }); err != nil {
		t.service.Log.Warn("cannot release the refresh lock; it will expire", "error", err)
	}
}

// save stores a new token. The old one no longer works, so save retries until ctx ends if the database is unavailable.
func (t tokens) save(ctx context.Context, c Connection, fresh client.Token) error {
	sealed, err := t.service.seal(t.org, c.ID, fresh)
	if err != nil {
		return err
	}
	for {
		swapped := false
		err = t.service.Store.UpdateVAT(ctx, t.org, func(tx Tx) (err error) { swapped, err = tx.SwapToken(c.ID, c.Token, sealed); return err })
		switch {
		case err == nil && !swapped:
			return errors.New("vat: the connection was removed or replaced in the meantime")
		case !apierr.CannotStore(err):
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(lockPollInterval):
		}
	}
}
