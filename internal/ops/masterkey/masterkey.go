// Package masterkey reads and makes the key that encrypts secrets at rest. It is a Tink keyset, so that keys can be
// rotated and a key management service can replace it. Instances that share a database must have the same key.
package masterkey

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

	"github.com/tidewaiter/tidewaiter/internal/platform/config"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
)

// File is the name of the key's file in the data folder.
const File = "master.key"

// Open returns the key of the settings or, without one, that of the data folder, which is made at its first use.
func Open(c config.Config) (webhook.Sealer, error) {
	if c.MasterKey != "" {
		return Parse([]byte(c.MasterKey))
	}
	path := filepath.Join(c.Data, File)
	text, err := os.ReadFile(path) // #nosec G304 -- in the data folder
	if errors.Is(err, fs.ErrNotExist) {
		if err = create(path); err == nil {
			text, err = os.ReadFile(path) // #nosec G304 -- in the data folder
		}
	}
	if err != nil {
		return nil, fmt.Errorf("master key: %w", err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm()&0o077 != 0 {
		return nil, fmt.Errorf("master key: other users can read %s; run chmod 600 on it", path)
	}
	return Parse(text)
}

// Text returns the key as it is stored in the settings or in the data folder. The error is fs.ErrNotExist if there is
// none.
func Text(c config.Config) ([]byte, error) {
	if c.MasterKey != "" {
		return []byte(c.MasterKey), nil
	}
	text, err := os.ReadFile(filepath.Join(c.Data, File))
	if err != nil {
		return nil, fmt.Errorf("master key: %w", err)
	}
	return text, nil
}

// Parse reads a key. Its errors contain no part of the key.
func Parse(text []byte) (webhook.Sealer, error) {
	handle, err := insecurecleartextkeyset.Read(keyset.NewJSONReader(bytes.NewReader(text)))
	if err != nil {
		return nil, fmt.Errorf("master key: not a Tink keyset in JSON: %w", err)
	}
	sealer, err := aead.New(handle)
	if err != nil {
		return nil, fmt.Errorf("master key: %w", err)
	}
	return sealer, nil
}

// New returns a new key, for instances that share a database.
func New() ([]byte, error) {
	handle, err := keyset.NewHandle(aead.AES256GCMKeyTemplate())
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	err = insecurecleartextkeyset.Write(handle, keyset.NewJSONWriter(&text))
	return text.Bytes(), err
}

// create writes a new key unless another process has written one. The file appears complete, and once.
func create(path string) error {
	text, err := New()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	draft, err := os.CreateTemp(filepath.Dir(path), File+".*") // of mode 0600
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

// proofText is encrypted with the first key of a database, so that later keys can be checked. It is also the
// associated data.
const proofText = "tidewaiter master key"

// proofName is the name of the encrypted proof among the values of the installation.
const proofName = "master-key-proof"

// Check returns an error if the key cannot decrypt the secrets of a database. The first key of a database is right.
func Check(ctx context.Context, s *store.Store, key webhook.Sealer) error {
	closed, err := key.Encrypt([]byte(proofText), []byte(proofText))
	if err != nil {
		return fmt.Errorf("master key: %w", err)
	}
	text, err := s.InitInstallationValue(ctx, proofName, base64.StdEncoding.EncodeToString(closed))
	if err != nil {
		return err
	}
	if closed, err = base64.StdEncoding.DecodeString(text); err != nil || !decrypts(key, closed) {
		return errors.New("master key: it is not the key that encrypted the secrets in this database. Give every instance the same TIDEWAITER_MASTER_KEY, or put master.key back into the data folder")
	}
	return nil
}

// State says whether the secrets of a database can be decrypted.
type State string

// The states. Stored secrets exist except in Unused.
const (
	Right   State = "opens"   // the key is the right one
	Missing State = "missing" // there is no key
	Unused  State = "unused"  // nothing is encrypted yet
	Wrong   State = "wrong"   // it is another key
)

// StateOf tries a key on the secrets of a database, without changing it. The key is nil if there is none.
func StateOf(ctx context.Context, s *store.Store, key webhook.Sealer) (State, error) {
	text, used, err := s.InstallationValue(ctx, proofName)
	switch {
	case err != nil:
		return "", err
	case !used:
		return Unused, nil
	case key == nil:
		return Missing, nil
	}
	if closed, err := base64.StdEncoding.DecodeString(text); err != nil || !decrypts(key, closed) {
		return Wrong, nil
	}
	return Right, nil
}

func decrypts(key webhook.Sealer, closed []byte) bool {
	_, err := key.Decrypt(closed, []byte(proofText))
	return err == nil
}
