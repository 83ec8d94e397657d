// Package idempotency makes a call with an Idempotency-Key take effect once. The first answer is stored in the
// transaction of the call, and repeated calls of the same caller get it.
package idempotency

import (
	"sync"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// How long an answer is replayed.
const (
	TTL       = 7 * 24 * time.Hour
	SecretTTL = 24 * time.Hour // an answer that contains a secret
)

// Answer is the answer to a call.
type Answer struct {
	Digest  string // of the call's method, path and body
	Status  int
	Body    string
	Version int64 // of the record in the body; 0 for none
}

// Tx stores answers inside one organisation. A caller is the id of an API key, or of a user without one.
type Tx interface {
	Answer(caller, key string) (a Answer, found bool, err error)
	SaveAnswer(caller, key string, a Answer, ttl time.Duration) error
}

// Recall returns the first answer to a caller's key, if there is one. The same key with another call is an error.
func Recall(tx Tx, caller, key, digest string) (Answer, bool, error) {
	a, found, err := tx.Answer(caller, key)
	if err == nil && found && a.Digest != digest {
		err = apierr.New(apierr.IdempotencyMismatch, "This Idempotency-Key was used for another request.")
	}
	return a, found, err
}

// Running holds the keys whose first call is still running in this process.
type Running struct{ keys sync.Map }

// Begin claims a key until end is called. Until then another claim fails.
func (r *Running) Begin(key string) (end func(), err error) {
	if _, busy := r.keys.LoadOrStore(key, true); busy {
		return nil, apierr.New(apierr.IdempotencyInProgress, "The first request with this Idempotency-Key is still running.")
	}
	return func() { r.keys.Delete(key) }, nil
}
