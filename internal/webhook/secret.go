package webhook

import (
	"encoding/base64"
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Sealer encrypts secrets before they are stored. A tink AEAD is one, with a key in a file or in
// a cloud's key management.
type Sealer interface {
	Encrypt(plaintext, associatedData []byte) ([]byte, error)
	Decrypt(ciphertext, associatedData []byte) ([]byte, error)
}

// Sealed is a secret that only the Sealer can read, in base64.
type Sealed string

const (
	secretPrefix = "whsec_"
	secretBytes  = 32
	hintLength   = 4
)

// newSecret returns a signing secret in the form of Standard Webhooks: a prefix and the key in
// base64.
func newSecret(ids *ident.Source) string {
	return secretPrefix + base64.StdEncoding.EncodeToString(ids.Bytes(secretBytes))
}

// ListenSecret returns the secret that signs events for a developer's machine: always the same for an API key, so that a
// receiver needs to learn it once. It does not reveal the key.
func ListenSecret(apiKey string) string {
	return secretPrefix + base64.StdEncoding.EncodeToString(newHashes([]byte(apiKey)).mac(nil, "tidewaiter listen", nil))
}

// hint identifies a secret without revealing it: whsec_…a1b2.
func hint(secret string) string {
	return secretPrefix + "…" + secret[len(secret)-hintLength:]
}

// seal encrypts a secret for the one endpoint that it belongs to.
func seal(s Sealer, org tenant.ID, endpointID, secret string) (Sealed, error) {
	closed, err := s.Encrypt([]byte(secret), owner(org, endpointID))
	if err != nil {
		return "", fmt.Errorf("webhook: seal secret: %w", err)
	}
	return Sealed(base64.StdEncoding.EncodeToString(closed)), nil
}

func open(s Sealer, org tenant.ID, endpointID string, sealed Sealed) (string, error) {
	closed, err := base64.StdEncoding.DecodeString(string(sealed))
	if err != nil {
		return "", fmt.Errorf("webhook: sealed secret: %w", err)
	}
	secret, err := s.Decrypt(closed, owner(org, endpointID))
	if err != nil {
		return "", fmt.Errorf("webhook: open secret: %w", err)
	}
	return string(secret), nil
}

// owner returns the associated data that binds a sealed secret to its endpoint, so that it
// cannot be used for another.
func owner(org tenant.ID, endpointID string) []byte {
	return []byte("tidewaiter webhook secret\n" + string(org) + "\n" + endpointID)
}
