package faults_test

import (
	"testing"
	"time"
)

// busier is how many times as long everything may take in the short run, where builds and browsers take the processors:
// that run shows what comes in the end. The long run has the machine to itself, and shows when.
const busier = 6

// within is how long something may take.
func within(limit time.Duration) time.Duration {
	if long() {
		return limit
	}
	return busier * limit
}

// eventually waits until a condition holds and tells how long that took.
func eventually(t *testing.T, limit time.Duration, what string, holds func() bool) time.Duration {
	t.Helper()
	began := time.Now()
	limit = within(limit)
	for !holds() {
		if time.Since(began) > limit {
			t.Fatalf("after %s it is not true that %s", limit, what)
		}
		time.Sleep(100 * time.Millisecond)
	}
	return time.Since(began)
}
