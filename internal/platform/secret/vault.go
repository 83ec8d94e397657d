package secret

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Sealer encrypts secrets before they are stored. A tink AEAD is one.
type Sealer interface {
	Encrypt(plaintext, associatedData []byte) ([]byte, error)
	Decrypt(ciphertext, associatedData []byte) ([]byte, error)
}

// Store reads the sealed secrets of a record; empty if it has none.
type Store interface {
	Secrets(recordID string) (sealed string, err error)
}

// errNoKey is the error of a program that has no key for secrets.
var errNoKey = errors.New("secret: there is no key to encrypt secrets")

// Vault seals and opens the secrets of an organisation's records.
type Vault struct {
	Sealer Sealer
	Org    tenant.ID
}

// Update returns the sealed secrets of a record with a new body, and the error that names masked ones that are not stored.
// They are kept from one record, usually the same. The result is empty if the body has no secrets.
func (v Vault) Update(tx Store, recordID, from string, m Member, given []Given) (sealed string, err error) {
	if len(given) == 0 {
		return "", nil
	}
	var stored []Given
	if from != "" {
		if stored, err = v.Load(tx, from); err != nil {
			return "", err
		}
	}
	kept, details := Keep(m.Path, given, stored)
	if details != nil {
		return "", apierr.Invalid(details...)
	}
	return v.Seal(recordID, kept)
}

// kept is the stored form of a secret, whose Text is not masked.
type kept struct {
	Index int
	Same  string
	Text  string
}

// Seal encrypts the secrets of a record.
func (v Vault) Seal(recordID string, secrets []Given) (string, error) {
	all := make([]kept, len(secrets))
	for n, s := range secrets {
		all[n] = kept{s.Index, s.Same, string(s.Text)}
	}
	text, err := json.Marshal(all)
	if err != nil {
		return "", err
	}
	return v.SealText(recordID, text)
}

// Load reads and decrypts the secrets of a record.
func (v Vault) Load(tx Store, recordID string) ([]Given, error) {
	sealed, err := tx.Secrets(recordID)
	if err != nil {
		return nil, err
	}
	return v.Open(recordID, sealed)
}

// Open decrypts the secrets of a record.
func (v Vault) Open(recordID, sealed string) ([]Given, error) {
	if sealed == "" {
		return nil, nil
	}
	text, err := v.OpenText(recordID, sealed)
	if err != nil {
		return nil, err
	}
	var all []kept
	if err := json.Unmarshal(text, &all); err != nil {
		return nil, fmt.Errorf("secret: stored form: %w", err)
	}
	secrets := make([]Given, len(all))
	for n, k := range all {
		secrets[n] = Given{k.Index, k.Same, Text(k.Text)}
	}
	return secrets, nil
}

// SealText encrypts a text that belongs to a record.
func (v Vault) SealText(recordID string, text []byte) (string, error) {
	if v.Sealer == nil {
		return "", errNoKey
	}
	closed, err := v.Sealer.Encrypt(text, v.owner(recordID))
	if err != nil {
		return "", fmt.Errorf("secret: encrypt: %w", err)
	}
	return base64.StdEncoding.EncodeToString(closed), nil
}

// OpenText is the reverse of SealText.
func (v Vault) OpenText(recordID, sealed string) ([]byte, error) {
	if v.Sealer == nil {
		return nil, errNoKey
	}
	closed, err := base64.StdEncoding.DecodeString(sealed)
	if err != nil {
		return nil, fmt.Errorf("secret: sealed form: %w", err)
	}
	text, err := v.Sealer.Decrypt(closed, v.owner(recordID))
	if err != nil {
		return nil, fmt.Errorf("secret: decrypt: %w", err)
	}
	return text, nil
}

// owner returns the associated data that binds secrets to their record.
func (v Vault) owner(recordID string) []byte {
	return []byte("tidewaiter record secret\n" + string(v.Org) + "\n" + recordID)
}
