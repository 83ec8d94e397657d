package app

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/tink-crypto/tink-go/v2/aead"
	"github.com/tink-crypto/tink-go/v2/insecurecleartextkeyset"
	"github.com/tink-crypto/tink-go/v2/keyset"

	"github.com/tidewaiter/tidewaiter/internal/webhook"
)

// masterFile holds the key that encrypts secrets at rest, in the data folder.
const masterFile = "master.key"

// masterKey is the key that encrypts secrets at rest: the one in the settings, or
// else the one in the data folder, which is made on first use. It is a Tink keyset,
// so that keys can be rotated, and a key management service can take its place.
// Instances that share a database must be given the same one.
func masterKey(setting, folder string) (webhook.Sealer, error) {
	if setting != "" {
		return sealerOf([]byte(setting))
	}
	path := filepath.Join(folder, masterFile)
	text, err := os.ReadFile(path) // #nosec G304 -- in the data folder
	if errors.Is(err, fs.ErrNotExist) {
		if err = makeMasterKey(path); err == nil {
			text, err = os.ReadFile(path) // #nosec G304 -- in the data folder
		}
	}
	if err != nil {
		return nil, fmt.Errorf("app: master key: %w", err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm()&0o077 != 0 {
		return nil, fmt.Errorf("app: master key: %s can be read by others; chmod 600 it", path)
	}
	return sealerOf(text)
}

// proof is sealed by the first master key of a database, for later ones to open.
const proof = "tidewaiter master key"

// proofName is the name of the proof among the values of the installation.
const proofName = "master-key-proof"

// proveMasterKey refuses a master key that cannot read what is sealed in the database.
func (a *App) proveMasterKey(ctx context.Context, s webhook.Sealer) error {
	closed, err := s.Encrypt([]byte(proof), []byte(proof))
	if err != nil {
		return fmt.Errorf("app: master key: %w", err)
	}
	settled, err := a.Store.Settle(ctx, proofName, base64.StdEncoding.EncodeToString(closed))
	if err != nil {
		return err
	}
	if closed, err = base64.StdEncoding.DecodeString(settled); err != nil || !proves(s, closed) {
		return errors.New("app: master key: it is not the one that the secrets in this database are encrypted with; give every instance the same TIDEWAITER_MASTER_KEY, or put master.key back into the data folder")
	}
	return nil
}

// proves tells whether a key is one of those that have sealed the proof.
func proves(s webhook.Sealer, closed []byte) bool {
	_, err := s.Decrypt(closed, []byte(proof))
	return err == nil
}

func sealerOf(text []byte) (webhook.Sealer, error) {
	handle, err := insecurecleartextkeyset.Read(keyset.NewJSONReader(bytes.NewReader(text)))
	if err != nil {
		return nil, fmt.Errorf("app: master key: not a Tink keyset in JSON: %w", err)
	}
	sealer, err := aead.New(handle)
	if err != nil {
		return nil, fmt.Errorf("app: master key: %w", err)
	}
	return sealer, nil
}

// NewMasterKey is a key that nobody has yet, as instances that share a database are
// given it.
func NewMasterKey() ([]byte, error) {
	handle, err := keyset.NewHandle(aead.AES256GCMKeyTemplate())
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	err = insecurecleartextkeyset.Write(handle, keyset.NewJSONWriter(&text))
	return text.Bytes(), err
}

// makeMasterKey writes a new key, unless another process has done so meanwhile: the
// file appears whole, and once.
func makeMasterKey(path string) error {
	text, err := NewMasterKey()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	draft, err := os.CreateTemp(filepath.Dir(path), masterFile+".*") // of mode 0600
	if err != nil {
		return err
	}
	defer os.Remove(draft.Name())
	_, err = draft.Write(text)
	if err := errors.Join(err, draft.Sync(), draft.Close()); err != nil {
		return err
	}
	if err := os.Link(draft.Name(), path); !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}
