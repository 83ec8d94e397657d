package cds

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"net/http"
)

// Inbound authenticates calls to the notification address.
type Inbound interface {
	// Authenticate checks the headers, before the body is read. It returns nil if the caller may send a message, and
	// otherwise an [Untrusted].
	Authenticate(ctx context.Context, header http.Header) error
	// Verify returns nil if the call is genuine, and otherwise an [Untrusted]. Header and body must be unchanged, and
	// must not be stored or used before.
	Verify(ctx context.Context, header http.Header, body []byte) error
}

// Untrusted is the only error of an [Inbound]. The caller answers 401 and stores nothing. The text is for the log, not
// for the caller.
type Untrusted struct {
	Reason string
	Cause  error
}

func (u Untrusted) Error() string {
	if u.Cause == nil {
		return "cds: untrusted: " + u.Reason
	}
	return fmt.Sprintf("cds: untrusted: %s: %v", u.Reason, u.Cause)
}

// Unwrap returns the cause.
func (u Untrusted) Unwrap() error { return u.Cause }

// StaticToken is the [Inbound] for HMRC's live push, which sends the subscription's token in every call and signs
// nothing. Everyone who knows the token can forge notifications.
type StaticToken struct {
	digest [sha256.Size]byte
}

// NewStaticToken takes the complete Authorization header as registered with HMRC, including the scheme.
func NewStaticToken(authorization string) (StaticToken, error) {
	if authorization == "" {
		return StaticToken{}, errors.New("cds: the inbound token is empty")
	}
	return StaticToken{digest: sha256.Sum256([]byte(authorization))}, nil
}

// Authenticate compares in constant time.
func (s StaticToken) Authenticate(_ context.Context, header http.Header) error {
	values := header.Values("Authorization")
	if len(values) != 1 || len(values[0]) > maxCredential {
		return Untrusted{Reason: "no single Authorization header"}
	}
	given := sha256.Sum256([]byte(values[0]))
	if subtle.ConstantTimeCompare(given[:], s.digest[:]) != 1 {
		return Untrusted{Reason: "another token"}
	}
	return nil
}

// Verify adds nothing to Authenticate: the call is not signed.
func (s StaticToken) Verify(ctx context.Context, header http.Header, _ []byte) error {
	return s.Authenticate(ctx, header)
}
