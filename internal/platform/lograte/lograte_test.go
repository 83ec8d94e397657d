package lograte_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/lograte"
)

// One line per key and second is allowed, with the number of lines that were suppressed.
func TestLimiter(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	l := &lograte.Limiter{Now: func() time.Time { return now }, Every: time.Second}
	allow := func(key string, suppressed int, ok bool) {
		t.Helper()
		if n, passed := l.Allow(key); n != suppressed || passed != ok {
			t.Errorf("%s: %d, %t", key, n, passed)
		}
	}
	allow("a", 0, true)
	allow("a", 0, false)
	allow("a", 0, false)
	allow("b", 0, true)
	now = now.Add(time.Second)
	allow("a", 2, true)
	now = now.Add(time.Second)
	allow("a", 0, true)
}

// Many keys use limited memory, and old ones are dropped for new ones.
func TestKeysAreLimited(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	l := &lograte.Limiter{Now: func() time.Time { return now }, Every: time.Second}
	passed := 0
	for n := range 10_010 {
		if _, ok := l.Allow(fmt.Sprint(n)); ok {
			passed++
		}
	}
	if passed != 10_000 {
		t.Errorf("%d keys passed", passed)
	}
	now = now.Add(time.Second)
	if _, ok := l.Allow("new"); !ok {
		t.Error("a new key does not pass once the old ones are over")
	}
}
