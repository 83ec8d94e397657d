package cds

import (
	"crypto"
	"crypto/ed25519"
	"encoding/base64"
	"fmt"
	"net/http"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/json"
)

// tokenLife is the lifetime of a Signer's bearer token.
const tokenLife = 5 * time.Minute

// Signer is the counterpart of [Signed]: it signs calls as CDS does. The same key and clock give the same bytes.
type Signer struct {
	key              jose.JSONWebKey
	issuer, audience string
	now              func() time.Time
}

// NewSigner makes a Signer with an Ed25519 key, whose ID is its thumbprint (RFC 7638).
func NewSigner(private ed25519.PrivateKey, issuer, audience string, now func() time.Time) (*Signer, error) {
	key := jose.JSONWebKey{Key: private}
	thumbprint, err := key.Thumbprint(crypto.SHA256)
	if err != nil {
		return nil, fmt.Errorf("cds: naming the signing key: %w", err)
	}
	key.KeyID = base64.RawURLEncoding.EncodeToString(thumbprint)
	return &Signer{key: key, issuer: issuer, audience: audience, now: now}, nil
}

// Sign sets the two headers that authenticate a call with this body.
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

// JWKS returns the public key, for [NewFixedKeys] or a JWKS address.
func (s *Signer) JWKS() ([]byte, error) {
	public := s.key.Public()
	public.Algorithm, public.Use = string(jose.EdDSA), "sig"
	return json.Marshal(jose.JSONWebKeySet{Keys: []jose.JSONWebKey{public}})
}

func (s *Signer) token() (string, error) {
	now := s.now()
	from, until := float64(now.Unix()), float64(now.Add(tokenLife).Unix())
	payload, err := json.Marshal(claims{Issuer: s.issuer, Audience: audience{s.audience}, IssuedAt: &from, NotBefore: &from, Expiry: &until})
	if err != nil {
		return "", err
	}
	message, err := s.sign(payload, new(jose.SignerOptions).WithType("JWT"))
	if err != nil {
		return "", err
	}
	return message.CompactSerialize()
}

func (s *Signer) signature(body []byte) (string, error) {
	message, err := s.sign(body, new(jose.SignerOptions).WithBase64(false).WithHeader("iat", s.now().Unix()))
	if err != nil {
		return "", err
	}
	return message.DetachedCompactSerialize()
}

func (s *Signer) sign(payload []byte, options *jose.SignerOptions) (*jose.JSONWebSignature, error) {
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.EdDSA, Key: s.key}, options)
	if err != nil {
		return nil, err
	}
	return signer.Sign(payload)
}
