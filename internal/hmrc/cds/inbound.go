package cds

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"net/http"
)

// Inbound tells whether a call to the notification address comes from customs.
type Inbound interface {
	// Authenticate checks what the headers alone can prove, before a byte of the body is
	// read: nil if the caller may send a message, else an [Untrusted].
	Authenticate(ctx context.Context, header http.Header) error
	// Verify is nil when the call is genuine, else an [Untrusted]. Header and
	// body are as they came; nothing of them may be stored or believed before.
	Verify(ctx context.Context, header http.Header, body []byte) error
}

// Untrusted is the one error of an [Inbound], whatever the matter is: the caller
// answers 401 and stores nothing. What it says is for the log, not for the
// caller.
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

// Unwrap gives the cause.
func (u Untrusted) Unwrap() error { return u.Cause }

// StaticToken is the [Inbound] for HMRC's live push, which sends the token of
// the subscription in every call and signs nothing: whoever learns the token can
// forge notifications.
type StaticToken struct {
	digest [sha256.Size]byte
}

// NewStaticToken takes the whole Authorization header as it was entered at
// customs, scheme and all.
func NewStaticToken(authorization string) (StaticToken, error) {
	if authorization == "" {
		return StaticToken{}, errors.New("cds: the inbound token is empty")
	}
	return StaticToken{digest: sha256.Sum256([]byte(authorization))}, nil
}

// Authenticate compares in a time that depends on neither the configured token nor how
// much of it was guessed.
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
