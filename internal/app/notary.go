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

// signingKey is the name of the installation's encrypted signing key, and the associated data of its encryption.
const signingKey = "audit-signing-key"

// newNotary signs with the key of the installation. The first instance creates it; it is stored in the database,
// encrypted with the master key.
func (a *App) newNotary(ctx context.Context, s webhook.Sealer) (*audit.Notary, error) {
	closed, err := s.Encrypt(a.IDs.Bytes(ed25519.SeedSize), []byte(signingKey))
	if err != nil {
		return nil, fmt.Errorf("app: signing key: %w", err)
	}
	settled, err := a.Store.InitInstallationValue(ctx, signingKey, base64.StdEncoding.EncodeToString(closed))
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
		return nil, errors.New("app: signing key: it has a wrong length")
	}
	return audit.NewNotary(adapter.Of(a.Store), a.tiler(), seed), nil
}

func (a *App) tiler() *audit.Tiler { return &audit.Tiler{Store: adapter.Of(a.Store), Log: a.deps.Log} }
