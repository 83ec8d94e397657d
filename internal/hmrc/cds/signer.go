package cds

import (
	"crypto/ed25519"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/lestrrat-go/jwx/v3/jwa"
	"github.com/lestrrat-go/jwx/v3/jwk"
	"github.com/lestrrat-go/jwx/v3/jws"
	"github.com/lestrrat-go/jwx/v3/jwt"
)

// tokenLife is how long a Signer's bearer token is good.
const tokenLife = 5 * time.Minute

// Signer is the other side of [Signed]: it proves calls as customs would. With
// the same key and clock it writes the same bytes.
type Signer struct {
	key              jwk.Key
	issuer, audience string
	now              func() time.Time
}

// NewSigner signs with an Ed25519 key, whose id is its thumbprint (RFC 7638).
func NewSigner(private ed25519.PrivateKey, issuer, audience string, now func() time.Time) (*Signer, error) {
	key, err := jwk.Import(private)
	if err != nil {
		return nil, fmt.Errorf("cds: importing the signing key: %w", err)
	}
	if err := jwk.AssignKeyID(key); err != nil {
		return nil, fmt.Errorf("cds: naming the signing key: %w", err)
	}
	return &Signer{key: key, issuer: issuer, audience: audience, now: now}, nil
}

// Sign sets the two headers that prove a call with this body.
func (s *Signer) Sign(header http.Header, body []byte) error {
	token, err := s.token()
	if err != nil {
		return fmt.Errorf("cds: minting a token: %w", err)
	}
	signature, err := s.signature(body)
	if err != nil {
		return fmt.Errorf("cds: signing a body: %w", err)
	}
	header.Set("Authorization", "Bearer "+token)
	header.Set(signatureHeader, signature)
	return nil
}

// JWKS is the public half of the key, for [NewFixedKeys] or an address.
func (s *Signer) JWKS() ([]byte, error) {
	public, err := s.key.PublicKey()
	if err != nil {
		return nil, fmt.Errorf("cds: taking the public key: %w", err)
	}
	if err := public.Set(jwk.AlgorithmKey, jwa.EdDSA()); err != nil {
		return nil, fmt.Errorf("cds: describing the public key: %w", err)
	}
	if err := public.Set(jwk.KeyUsageKey, jwk.ForSignature); err != nil {
		return nil, fmt.Errorf("cds: describing the public key: %w", err)
	}
	set := jwk.NewSet()
	if err := set.AddKey(public); err != nil {
		return nil, fmt.Errorf("cds: making the key set: %w", err)
	}
	return json.Marshal(set)
}

func (s *Signer) token() (string, error) {
	now := s.now()
	claims, err := jwt.NewBuilder().Issuer(s.issuer).Audience([]string{s.audience}).
		IssuedAt(now).NotBefore(now).Expiration(now.Add(tokenLife)).Build()
	if err != nil {
		return "", err
	}
	token, err := jwt.Sign(claims, jwt.WithKey(jwa.EdDSA(), s.key))
	return string(token), err
}

func (s *Signer) signature(body []byte) (string, error) {
	protected := jws.NewHeaders()
	for name, value := range map[string]any{"b64": false, jws.CriticalKey: []string{"b64"}, "iat": s.now().Unix()} {
		if err := protected.Set(name, value); err != nil {
			return "", err
		}
	}
	signature, err := jws.Sign(nil, jws.WithKey(jwa.EdDSA(), s.key, jws.WithProtectedHeaders(protected)), jws.WithDetachedPayload(body))
	return string(signature), err
}
