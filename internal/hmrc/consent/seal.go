package consent

import (
	"encoding/base64"
	"encoding/json"
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/client"
)

// Sealed is an encrypted secret, in base64.
type Sealed string

// Sealer encrypts secrets for the database.
type Sealer interface {
	Encrypt(plaintext, associatedData []byte) ([]byte, error)
	Decrypt(ciphertext, associatedData []byte) ([]byte, error)
}

// Seal encrypts a secret. The owner binds it to the record that it belongs to: for another owner it cannot be decrypted.
func Seal(s Sealer, secret string, owner []byte) (Sealed, error) {
	closed, err := s.Encrypt([]byte(secret), owner)
	if err != nil {
		return "", fmt.Errorf("consent: seal: %w", err)
	}
	return Sealed(base64.StdEncoding.EncodeToString(closed)), nil
}

// Open decrypts a secret of an owner.
func Open(s Sealer, sealed Sealed, owner []byte) (string, error) {
	closed, err := base64.StdEncoding.DecodeString(string(sealed))
	if err == nil {
		closed, err = s.Decrypt(closed, owner)
	}
	if err != nil {
		return "", fmt.Errorf("consent: open: %w", err)
	}
	return string(closed), nil
}

// SealToken encrypts a token.
func SealToken(s Sealer, token client.Token, owner []byte) (Sealed, error) {
	text, err := json.Marshal(token)
	if err != nil {
		return "", err
	}
	return Seal(s, string(text), owner)
}

// OpenToken decrypts a token.
func OpenToken(s Sealer, sealed Sealed, owner []byte) (token client.Token, err error) {
	text, err := Open(s, sealed, owner)
	if err != nil {
		return token, err
	}
	return token, json.Unmarshal([]byte(text), &token)
}
