package cds

import (
	"context"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rsa"
	"errors"
	"fmt"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/json"
)

const (
	maxKeys   = 32        // of a set that are used
	maxKeySet = 256 << 10 // bytes of a set's JSON
	minRSA    = 2048      // bits of an RSA key
)

// Keys are the public keys of an issuer: [FixedKeys] or [RemoteKeys].
type Keys interface {
	// find returns the keys with an ID, or all keys if a token has none.
	find(ctx context.Context, id string) ([]key, error)
}

// key is a public key with the single algorithm that it is accepted for. A token cannot choose another one, such as an
// RSA key as an HMAC secret.
type key struct {
	id        string
	algorithm jose.SignatureAlgorithm
	public    any
}

// FixedKeys are the keys of a given JWKS, from a file or from the simulator in the same process.
type FixedKeys struct {
	keys []key
}

// NewFixedKeys reads a JWKS (RFC 7517) or a single JWK. Keys other than RSA from 2048 bits, P-256 and Ed25519, or for
// other uses than signing, are left out; it is an error if no key is left.
func NewFixedKeys(jwks []byte) (*FixedKeys, error) {
	keys, err := parseKeys(jwks)
	if err != nil {
		return nil, err
	}
	return &FixedKeys{keys: keys}, nil
}

func (f *FixedKeys) find(_ context.Context, id string) ([]key, error) {
	return withID(f.keys, id), nil
}

func withID(keys []key, id string) []key {
	if id == "" {
		return keys
	}
	var found []key
	for _, k := range keys {
		if k.id == id {
			found = append(found, k)
		}
	}
	return found
}

func parseKeys(jwks []byte) ([]key, error) {
	if len(jwks) > maxKeySet {
		return nil, fmt.Errorf("cds: the key set has %d bytes", len(jwks))
	}
	var set struct {
		Keys []json.RawMessage `json:"keys"`
	}
	if err := json.Unmarshal(jwks, &set); err != nil {
		return nil, fmt.Errorf("cds: reading the key set: %w", err)
	}
	if set.Keys == nil {
		set.Keys = []json.RawMessage{jwks}
	}
	var keys []key
	for _, entry := range set.Keys[:min(len(set.Keys), maxKeys)] {
		if k, ok := signingKey(entry); ok {
			keys = append(keys, k)
		}
	}
	if len(keys) == 0 {
		return nil, errors.New("cds: the key set has no key for RS256, ES256 or EdDSA")
	}
	return keys, nil
}

// signingKey returns a key of the set if its type, use and algorithm are consistent.
func signingKey(entry []byte) (key, bool) {
	var k jose.JSONWebKey
	if err := k.UnmarshalJSON(entry); err != nil {
		return key{}, false
	}
	if k.Use != "" && k.Use != "sig" {
		return key{}, false
	}
	public := k.Public().Key
	algorithm, ok := algorithmOf(public)
	if !ok || k.Algorithm != "" && k.Algorithm != string(algorithm) {
		return key{}, false
	}
	return key{id: k.KeyID, algorithm: algorithm, public: public}, true
}

func algorithmOf(public any) (jose.SignatureAlgorithm, bool) {
	switch k := public.(type) {
	case *rsa.PublicKey:
		return jose.RS256, k.N.BitLen() >= minRSA
	case *ecdsa.PublicKey:
		return jose.ES256, k.Curve == elliptic.P256()
	case ed25519.PublicKey:
		return jose.EdDSA, true
	}
	return "", false
}

// algorithms are the accepted signature algorithms.
var algorithms = []jose.SignatureAlgorithm{jose.RS256, jose.ES256, jose.EdDSA}

// verifyBy checks the single signature of a message with the keys for its key ID and algorithm, and returns the payload
// and the protected header.
func verifyBy(ctx context.Context, keys Keys, message *jose.JSONWebSignature) ([]byte, jose.Header, error) {
	header := message.Signatures[0].Protected
	found, err := keys.find(ctx, header.KeyID)
	if err != nil {
		return nil, header, err
	}
	err = errors.New("no key of the issuer has this key id and algorithm")
	for _, k := range found {
		if string(k.algorithm) != header.Algorithm {
			continue
		}
		var payload []byte
		if payload, err = message.Verify(k.public); err == nil {
			return payload, header, nil
		}
	}
	return nil, header, err
}
