package cds

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/go-jose/go-jose/v4"
)

const (
	signatureHeader = "X-Jws-Signature"
	maxCredential   = 8 << 10         // bytes of a token or a signature
	leeway          = time.Minute     // allowed difference of the clocks
	maxSignatureAge = 5 * time.Minute // time in which a captured call can be replayed
)

// Signed is the [Inbound] of the full scheme. A call carries two proofs, each
// by a key of the issuer:
//
//   - a bearer JWT, which authorises CDS to call (iss, aud, exp, nbf);
//   - x-jws-signature, a detached JWS over the unchanged body (RFC 7515
//     appendix F, RFC 7797 with "b64": false), made at most five minutes ago
//     (iat in its protected header).
//
// Only RS256, ES256 and EdDSA are accepted, and only keys of the issuer: keys in the token itself (jwk, jku, x5u) are ignored.
// The signature does not cover the headers, such as the conversation ID.
type Signed struct {
	keys             Keys
	issuer, audience string
	now              func() time.Time
}

// NewSigned accepts tokens of the issuer for the audience.
func NewSigned(keys Keys, issuer, audience string, now func() time.Time) (*Signed, error) {
	if issuer == "" || audience == "" {
		return nil, errors.New("cds: the inbound issuer or audience is empty")
	}
	return &Signed{keys: keys, issuer: issuer, audience: audience, now: now}, nil
}

// Authenticate checks the token, and that there is a signature to check.
func (s *Signed) Authenticate(ctx context.Context, header http.Header) error {
	token, err := bearer(header)
	if err != nil {
		return Untrusted{Reason: "bearer token", Cause: err}
	}
	if _, err := detached(header); err != nil {
		return Untrusted{Reason: "signature", Cause: err}
	}
	if err := s.verifyToken(ctx, token); err != nil {
		return Untrusted{Reason: "bearer token", Cause: err}
	}
	return nil
}

// Verify checks the token, then the signature.
func (s *Signed) Verify(ctx context.Context, header http.Header, body []byte) error {
	token, err := bearer(header)
	if err != nil {
		return Untrusted{Reason: "bearer token", Cause: err}
	}
	signature, err := detached(header)
	if err != nil {
		return Untrusted{Reason: "signature", Cause: err}
	}
	if len(body) == 0 {
		return Untrusted{Reason: "the body is empty"}
	}
	if err := s.verifyToken(ctx, token); err != nil {
		return Untrusted{Reason: "bearer token", Cause: err}
	}
	if err := s.verifySignature(ctx, signature, body); err != nil {
		return Untrusted{Reason: "signature", Cause: err}
	}
	return nil
}

func (s *Signed) verifyToken(ctx context.Context, token string) error {
	message, err := jose.ParseSignedCompact(token, algorithms)
	if err != nil {
		return err
	}
	payload, header, err := verifyBy(ctx, s.keys, message)
	if err != nil {
		return err
	}
	for _, name := range []jose.HeaderKey{"crit", "b64"} {
		if _, has := header.ExtraHeaders[name]; has {
			return fmt.Errorf("the header has %s", name)
		}
	}
	return s.checkClaims(payload)
}

// verifySignature checks a detached signature. RFC 7797 asks that "b64" be named in "crit",
// which the library does not check.
func (s *Signed) verifySignature(ctx context.Context, signature string, body []byte) error {
	message, err := jose.ParseDetached(signature, body, algorithms)
	if err != nil {
		return err
	}
	_, header, err := verifyBy(ctx, s.keys, message)
	if err != nil {
		return err
	}
	if header.ExtraHeaders["b64"] != false {
		return errors.New("b64 is not false")
	}
	if critical, ok := header.ExtraHeaders["crit"].([]any); !ok || !slices.Equal(critical, []any{"b64"}) {
		return errors.New("crit does not name b64 alone")
	}
	seconds, ok := header.ExtraHeaders["iat"].(float64)
	if !ok {
		return errors.New("iat is no number")
	}
	return s.checkAge(seconds)
}

// checkAge uses seconds, because a hostile iat may not fit into a Duration.
func (s *Signed) checkAge(iat float64) error {
	age := float64(s.now().UnixMilli())/1000 - iat
	if age > maxSignatureAge.Seconds() || age < -leeway.Seconds() {
		return fmt.Errorf("iat is %.0f seconds ago", age)
	}
	return nil
}

// bearer returns the compact JWT of the single Authorization header.
func bearer(header http.Header) (string, error) {
	value, err := single(header, "Authorization")
	if err != nil {
		return "", err
	}
	scheme, token, _ := strings.Cut(value, " ")
	if !strings.EqualFold(scheme, "Bearer") || strings.Count(token, ".") != 2 {
		return "", errors.New("no bearer JWT")
	}
	return token, nil
}

// detached returns the JWS with an empty payload of the single signature header.
func detached(header http.Header) (string, error) {
	value, err := single(header, signatureHeader)
	if err != nil {
		return "", err
	}
	if strings.Count(value, ".") != 2 || !strings.Contains(value, "..") {
		return "", errors.New("no detached JWS")
	}
	return value, nil
}

func single(header http.Header, name string) (string, error) {
	values := header.Values(name)
	if len(values) != 1 {
		return "", fmt.Errorf("%d headers %s", len(values), name)
	}
	if len(values[0]) > maxCredential {
		return "", fmt.Errorf("%s has %d bytes", name, len(values[0]))
	}
	return values[0], nil
}
