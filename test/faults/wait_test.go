package faults_test

import (
	"testing"
	"time"
)

// In the short run, browsers and builds use the processors: it shows that something happens at all, so a limit is
// six times as long, up to three minutes. The long run has the machine to itself, and shows that it happens in
// time.
const (
	busier     = 6
	busierMost = 3 * time.Minute
)

// within is how long something may take.
func within(limit time.Duration) time.Duration {
	if long() {
		return limit
	}
	return max(limit, min(busier*limit, busierMost))
}

// eventually waits until a condition holds and returns how long that took.
func eventually(t *testing.T, limit time.Duration, what string, holds func() bool) time.Duration {
	t.Helper()
	began := time.Now()
	limit = within(limit)
	for !holds() {
		if time.Since(began) > limit {
			t.Fatalf("after %s this is still not true: %s", limit, what)
		}
		time.Sleep(100 * time.Millisecond)
	}
	return time.Since(began)
}
