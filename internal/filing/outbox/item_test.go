package outbox_test

import (
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing/outbox"
	"github.com/tidewaiter/tidewaiter/internal/platform/idempotency"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// A repeat has caller, key and body of the first call, and comes while keys are kept.
func TestIsOf(t *testing.T) {
	made := time.Date(2026, time.November, 27, 9, 0, 0, 0, time.UTC)
	request := func(caller, key, digest string) outbox.Request {
		return outbox.Request{Call: tenant.Call{Principal: tenant.Principal{KeyID: caller}}, Key: key, Digest: digest}
	}
	for _, c := range []struct {
		about       string
		first, next outbox.Request
		after       time.Duration
		want        bool
	}{
		{"the same call", request("a", "k", "d"), request("a", "k", "d"), time.Hour, true},
		{"another caller", request("a", "k", "d"), request("b", "k", "d"), time.Hour, false},
		{"another key", request("a", "k", "d"), request("a", "l", "d"), time.Hour, false},
		{"another body", request("a", "k", "d"), request("a", "k", "e"), time.Hour, false},
		{"no key", request("a", "", "d"), request("a", "", "d"), time.Hour, false},
		{"a key that is not kept any more", request("a", "k", "d"), request("a", "k", "d"), idempotency.TTL, false},
	} {
		i := outbox.Item{Request: c.first, CreatedAt: made}
		if got := i.IsOf(c.next, made.Add(c.after)); got != c.want {
			t.Errorf("%s: %t", c.about, got)
		}
	}
}
