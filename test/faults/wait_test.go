package faults_test

import (
	"testing"
	"time"
)

// eventually waits until a condition holds and tells how long that took.
func eventually(t *testing.T, limit time.Duration, what string, holds func() bool) time.Duration {
	t.Helper()
	began := time.Now()
	for !holds() {
		if time.Since(began) > limit {
			t.Fatalf("after %s it is not true that %s", limit, what)
		}
		time.Sleep(20 * time.Millisecond)
	}
	return time.Since(began)
}
