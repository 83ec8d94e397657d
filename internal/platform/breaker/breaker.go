// Package breaker is a circuit breaker: after several failures in a row, it stops calls to a service for a while.
package breaker

import (
	"sync"
	"time"
)

// Breaker counts the failures of calls to a service. It is closed at first: every call is allowed. When it opens, none
// is allowed until the cooldown has passed. Then one trial call is allowed: if it succeeds the breaker closes, otherwise
// another cooldown begins. A Breaker is safe for concurrent use.
type Breaker struct {
	threshold int
	cooldown  time.Duration
	now       func() time.Time

	mu       sync.Mutex
	failures int // in a row
	open     bool
	trial    bool      // a trial call is running
	until    time.Time // end of the cooldown
}

// New makes a closed Breaker that opens after threshold failures in a row.
func New(threshold int, cooldown time.Duration, now func() time.Time) *Breaker {
	return &Breaker{threshold: threshold, cooldown: cooldown, now: now}
}

// IsOpen reports whether the breaker is open; during a trial call it still is.
func (b *Breaker) IsOpen() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.open
}

// CoolingDown reports whether Allow would refuse a call because of the cooldown.
func (b *Breaker) CoolingDown() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.open && b.now().Before(b.until)
}

// Allow reports whether a call may be made. After every call that was allowed, the caller must call Succeed or Fail.
func (b *Breaker) Allow() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.open {
		return true
	}
	if b.trial || b.now().Before(b.until) {
		return false
	}
	b.trial = true
	return true
}

// Succeed records a call that succeeded. The late success of a call that began before the breaker opened is ignored.
func (b *Breaker) Succeed() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.open && !b.trial {
		return
	}
	b.open, b.trial, b.failures = false, false, 0
}

// Fail records a call that failed. The late failure of a call that began before the breaker opened does not prolong
// the cooldown.
func (b *Breaker) Fail() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.failures++
	if b.trial || !b.open && b.failures >= b.threshold {
		b.open, b.trial, b.until = true, false, b.now().Add(b.cooldown)
	}
}
