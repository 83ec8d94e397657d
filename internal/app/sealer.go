package app

import (
	"context"
	"sync"

	"github.com/tidewaiter/tidewaiter/internal/ops/masterkey"
	"github.com/tidewaiter/tidewaiter/internal/platform/config"
	"github.com/tidewaiter/tidewaiter/internal/platform/secret"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
)

// lazySealer opens the key at its first use: most commands need none, and would make the key's file.
type lazySealer struct {
	open func() (webhook.Sealer, error)
}

func newLazySealer(c config.Config) secret.Sealer {
	return lazySealer{sync.OnceValues(func() (webhook.Sealer, error) { return masterkey.Open(c) })}
}

// Encrypt encrypts with the key.
func (s lazySealer) Encrypt(plaintext, associatedData []byte) ([]byte, error) {
	key, err := s.open()
	if err != nil {
		return nil, err
	}
	return key.Encrypt(plaintext, associatedData)
}

// Decrypt decrypts with the key.
func (s lazySealer) Decrypt(ciphertext, associatedData []byte) ([]byte, error) {
	key, err := s.open()
	if err != nil {
		return nil, err
	}
	return key.Decrypt(ciphertext, associatedData)
}

// sealedValue is the value of the installation that says that stored access codes have been sealed.
const sealedValue = "access-codes-sealed"

// sealStored seals the access codes that earlier versions of the program stored in the clear, once for an installation.
func (a *App) sealStored(ctx context.Context) error {
	_, done, err := a.Store.InstallationValue(ctx, sealedValue)
	if err != nil || done {
		return err
	}
	orgs, err := a.Store.Organisations(ctx)
	if err != nil {
		return err
	}
	for _, org := range orgs {
		if err := a.Customs.SealStored(ctx, org); err != nil {
			return err
		}
	}
	_, err = a.Store.InitInstallationValue(ctx, sealedValue, "yes")
	return err
}
