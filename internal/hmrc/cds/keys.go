package cds

import (
	"context"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rsa"
	"errors"
	"fmt"

	"github.com/lestrrat-go/jwx/v3/jwa"
	"github.com/lestrrat-go/jwx/v3/jwk"
	"github.com/lestrrat-go/jwx/v3/jws"
)

const (
	maxKeys   = 32        // of a set are looked at
	maxKeySet = 256 << 10 // bytes of a set's JSON
)

// Keys are the public keys of an issuer: [FixedKeys] or [RemoteKeys].
type Keys interface {
	// find gives the keys with an id, or all of them when a token names none.
	find(ctx context.Context, id string) ([]key, error)
}

// key is a public key with the one algorithm that it is trusted for. A token
// does not get to choose: an RSA key never is an HMAC secret.
type key struct {
	id        string
	algorithm jwa.SignatureAlgorithm
	public    any
}

// FixedKeys are the keys of a JWKS that was given, from a file or by the
// simulator in the same process.
type FixedKeys struct {
	keys []key
}

// NewFixedKeys reads a JWKS (RFC 7517). Keys of other kinds than RSA from 2048
// bits (jwk refuses shorter ones), P-256 and Ed25519, or for other uses than
// signing, are left out; a set of which nothing is left is an error.
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
	set, err := jwk.Parse(jwks, jwk.WithIgnoreParseError(true))
	if err != nil {
		return nil, fmt.Errorf("cds: reading the key set: %w", err)
	}
	var keys []key
	for i := range min(set.Len(), maxKeys) {
		entry, _ := set.Key(i)
		if k, ok := signingKey(entry); ok {
			keys = append(keys, k)
		}
	}
	if len(keys) == 0 {
		return nil, errors.New("cds: the key set has no key for RS256, ES256 or EdDSA")
	}
	return keys, nil
}

// signingKey takes a key of the set when its kind, use and algorithm agree.
func signingKey(entry jwk.Key) (key, bool) {
	entry, err := entry.PublicKey()
	if err != nil {
		return key{}, false
	}
	if use, ok := entry.KeyUsage(); ok && use != jwk.ForSignature.String() {
		return key{}, false
	}
	var public any
	if err := jwk.Export(entry, &public); err != nil {
		return key{}, false
	}
	algorithm, ok := algorithmOf(public)
	if declared, has := entry.Algorithm(); !ok || has && declared.String() != algorithm.String() {
		return key{}, false
	}
	id, _ := entry.KeyID()
	return key{id: id, algorithm: algorithm, public: public}, true
}

func algorithmOf(public any) (jwa.SignatureAlgorithm, bool) {
	switch k := public.(type) {
	case *rsa.PublicKey:
		return jwa.RS256(), true
	case *ecdsa.PublicKey:
		return jwa.ES256(), k.Curve == elliptic.P256()
	case ed25519.PublicKey:
		return jwa.EdDSA(), true
	}
	return jwa.EmptySignatureAlgorithm(), false
}

// provider hands the library the keys that a signature may be checked with.
type provider struct {
	keys Keys
}

// FetchKeys is called by the library before it checks a signature.
func (p provider) FetchKeys(ctx context.Context, sink jws.KeySink, signature *jws.Signature, _ *jws.Message) error {
	protected := signature.ProtectedHeaders()
	algorithm, ok := protected.Algorithm()
	if !ok {
		return errors.New("no algorithm")
	}
	id, _ := protected.KeyID()
	keys, err := p.keys.find(ctx, id)
	if err != nil {
		return err
	}
	for _, k := range keys {
		if k.algorithm == algorithm {
			sink.Key(k.algorithm, k.public)
		}
	}
	return nil
}
