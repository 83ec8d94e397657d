// Package once makes a call with an Idempotency-Key happen once: its first answer
// is kept in the transaction of what it acknowledges, and given again to repeats.
package once

import (
	"sync"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/fault"
)

// Kept is how long an answer is given again.
const Kept = 7 * 24 * time.Hour

// Answer is what a call was answered.
type Answer struct {
	Digest string // of the call: method, path and body
	Status int
	Body   string
}

// Tx keeps answers inside one organisation.
type Tx interface {
	Answer(key string) (a Answer, found bool, err error)
	KeepAnswer(key string, a Answer) error
}

// Recall gives the first answer to a key, if there is one. The same key with
// another call is refused.
func Recall(tx Tx, key, digest string) (Answer, bool, error) {
	a, found, err := tx.Answer(key)
	if err == nil && found && a.Digest != digest {
		err = fault.New(fault.IdempotencyMismatch, "This Idempotency-Key was used for another request.")
	}
	return a, found, err
}

// Running knows the keys whose first call is still under way in this process.
type Running struct{ keys sync.Map }

// Begin claims a key until end is called; a second caller is refused meanwhile.
func (r *Running) Begin(key string) (end func(), err error) {
	if _, busy := r.keys.LoadOrStore(key, true); busy {
		return nil, fault.New(fault.IdempotencyInProgress, "The first request with this Idempotency-Key is still running.")
	}
	return func() { r.keys.Delete(key) }, nil
}
