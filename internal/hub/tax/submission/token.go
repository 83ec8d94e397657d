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

// The limits of refreshing a token.
const (
	lockTTL          = 15 * time.Second       // of an instance that has died with its turn; a refresh takes ten at most
	lockPollInterval = 100 * time.Millisecond // between two looks at the turn
)

// Sealed is a token that only the Sealer can read, in base64.
type Sealed string

// seal encrypts a token for the one connection that it belongs to.
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

// owner binds a sealed token to its connection, so that it is no use in another's place.
func owner(org tenant.ID, connectionID string) []byte {
	return []byte("tidewaiter mtd token\n" + string(org) + "\n" + connectionID)
}

// tokens are those of one connection, as package mtd wants them kept.
type tokens struct {
	service    *Service
	org        tenant.ID
	connection string
}

// Load reads the token; none where the connection is gone or has lapsed.
func (t tokens) Load(ctx context.Context) (client.Token, error) {
	c, err := t.current(ctx)
	if err != nil || c.Status != Connected {
		return client.Token{}, err
	}
	return t.service.open(t.org, c)
}

// current is the connection as it stands; another one since is none.
func (t tokens) current(ctx context.Context) (c Connection, err error) {
	err = t.service.Store.ViewVAT(ctx, t.org, func(tx Tx) error {
		there, found, err := tx.Connection()
		if found && there.ID == t.connection {
			c = there
		}
		return err
	})
	return c, err
}

// Refresh renews the token in a turn that one instance has at a time. No transaction
// is open while HMRC is asked; the turn of a dead instance ends by itself.
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

// lock returns when it is our turn, or when there is no connection to wait for.
func (t tokens) lock(ctx context.Context, turn string) error {
	for {
		ours, err := false, error(nil)
		err = t.service.Store.UpdateVAT(ctx, t.org, func(tx Tx) error {
			c, found, err := tx.Connection()
			if ours = !found || c.ID != t.connection; ours || err != nil {
				return err
			}
			ours, err = tx.TakeTurn(t.connection, turn, tx.Now().Add(lockTTL))
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
	if err := t.service.Store.UpdateVAT(ctx, t.org, func(tx Tx) error { return tx.GiveTurn(t.connection, turn) }); err != nil {
		t.service.Log.Warn("cannot give up the turn to refresh; it will end", "error", err)
	}
}

// save stores a new token. HMRC has spent the old one, so a database that does not
// answer is tried again for as long as there is time.
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
			return errors.New("vat: the connection was ended or replaced meanwhile")
		case !apierr.Unstored(err):
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(lockPollInterval):
		}
	}
}
