package app

import (
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/store/adapter"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
)

// signingKey is the name of the sealed seed of the installation's signing key, and what
// it is sealed for.
const signingKey = "audit-signing-key"

// newNotary signs with the key of the installation, which the first of its instances
// makes. It lies in the database, sealed with the master key.
func (a *App) newNotary(ctx context.Context, s webhook.Sealer) (*audit.Notary, error) {
	closed, err := s.Encrypt(a.IDs.Bytes(ed25519.SeedSize), []byte(signingKey))
	if err != nil {
		return nil, fmt.Errorf("app: signing key: %w", err)
	}
	settled, err := a.Store.Settle(ctx, signingKey, base64.StdEncoding.EncodeToString(closed))
	if err != nil {
		return nil, err
	}
	closed, err = base64.StdEncoding.DecodeString(settled)
	if err != nil {
		return nil, fmt.Errorf("app: signing key: %w", err)
	}
	seed, err := s.Decrypt(closed, []byte(signingKey))
	if err != nil {
		return nil, fmt.Errorf("app: signing key: %w", err)
	}
	if len(seed) != ed25519.SeedSize {
		return nil, errors.New("app: signing key: it is none")
	}
	return audit.NewNotary(adapter.Of(a.Store), a.tiler(), seed), nil
}

func (a *App) tiler() *audit.Tiler { return &audit.Tiler{Store: adapter.Of(a.Store), Log: a.deps.Log} }
