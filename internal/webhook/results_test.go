package webhook_test

import (
	"context"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/webhook"
)

// countingStore counts transactions with results, and leases.
type countingStore struct {
	adapter
	stored, leased *atomic.Int32
	leasing        time.Duration // that each lease takes
}

func newCountingStore(f *fixture) countingStore {
	return countingStore{adapter{f.store}, &atomic.Int32{}, &atomic.Int32{}, 0}
}

func (s countingStore) CompleteDeliveries(ctx context.Context, all []webhook.Completed) error {
	s.stored.Add(1)
	return s.adapter.CompleteDeliveries(ctx, all)
}

func (s countingStore) LeaseEndpoint(ctx context.Context, r webhook.Ref, holder string, ttl time.Duration) (webhook.Endpoint, bool, error) {
	s.leased.Add(1)
	time.Sleep(s.leasing)
	return s.adapter.LeaseEndpoint(ctx, r, holder, ttl)
}

// jitter answers each attempt a moment after the one before.
type jitter struct {
	receiver *receiver
	n        atomic.Int64
	waiting  atomic.Int64 // attempts without an answer yet
}

func (j *jitter) RoundTrip(r *http.Request) (*http.Response, error) {
	j.waiting.Add(1)
	defer j.waiting.Add(-1)
	time.Sleep(time.Duration(j.n.Add(1)%64) * 100 * time.Microsecond)
	return j.receiver.RoundTrip(r)
}

// Results of attempts that end at about the same time are stored in one transaction.
func TestResultsAreStoredTogether(t *testing.T) {
	inBubble(t, func(f *fixture) {
		id := f.endpoint("https://one.example")
		f.records(1000)
		s := newCountingStore(f)
		defer f.runOver(f.ids.UUID(), s, &jitter{receiver: f.receiver})()
		time.Sleep(time.Minute)
		if n, delivered := s.stored.Load(), count(f.deliveries(id), webhook.Delivered); n > 25 || delivered != 1000 {
			t.Errorf("%d delivered, stored in %d transactions; want 1000 in 25 at most", delivered, n)
		}
	})
}

// slowStore takes a while to store results, and counts how often attempts were under way then.
type slowStore struct {
	countingStore
	attempts *jitter
	took     time.Duration
	beside   *atomic.Int32
}

func (s slowStore) CompleteDeliveries(ctx context.Context, all []webhook.Completed) error {
	if s.attempts.waiting.Load() > 0 {
		s.beside.Add(1)
	}
	time.Sleep(s.took)
	return s.countingStore.CompleteDeliveries(ctx, all)
}

// Half of the results are stored while the other half is under way, if storing takes a while.
func TestResultsAreStoredBesideAttempts(t *testing.T) {
	inBubble(t, func(f *fixture) {
		id := f.endpoint("https://one.example")
		f.records(1000)
		attempts := &jitter{receiver: f.receiver}
		s := slowStore{newCountingStore(f), attempts, 2 * time.Millisecond, &atomic.Int32{}}
		defer f.runOver(f.ids.UUID(), s, attempts)()
		time.Sleep(time.Minute)
		if stored, beside, delivered := s.stored.Load(), s.beside.Load(), count(f.deliveries(id), webhook.Delivered); stored > 40 || beside < 15 || delivered != 1000 {
			t.Errorf("%d delivered, stored in %d transactions, %d of them beside attempts; want 1000, 40 at most and 15 at least", delivered, stored, beside)
		}
	})
}

// A result waits for those of other attempts for ten milliseconds at most.
func TestResultIsStoredSoon(t *testing.T) {
	inBubble(t, func(f *fixture) {
		f.receiver.latency = time.Hour
		slow, fast := f.receiver, &receiver{}
		id := f.endpoint("https://one.example")
		f.records(2)
		first := &atomic.Bool{}
		defer f.runOver(f.ids.UUID(), adapter{f.store}, roundTrip(func(r *http.Request) (*http.Response, error) {
			if first.CompareAndSwap(false, true) {
				return slow.RoundTrip(r)
			}
			return fast.RoundTrip(r)
		}))()
		time.Sleep(11 * time.Millisecond)
		if n := count(f.deliveries(id), webhook.Delivered); n != 1 {
			t.Errorf("%d delivered, want 1", n)
		}
	})
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// An endpoint whose events follow one another is leased when its lease is old, not for each event.
func TestLeaseOutlastsEvents(t *testing.T) {
	inBubble(t, func(f *fixture) {
		id := f.endpoint("https://one.example")
		s := newCountingStore(f)
		defer f.run(s)()
		for range 100 {
			f.records(1)
			time.Sleep(100 * time.Millisecond)
		}
		if n, delivered := s.leased.Load(), count(f.deliveries(id), webhook.Delivered); n > 8 || delivered != 100 {
			t.Errorf("%d delivered in ten seconds with %d leases; want 100 with 8 at most", delivered, n)
		}
	})
}

// While a lease is renewed, deliveries go on.
func TestRenewalDelaysNothing(t *testing.T) {
	inBubble(t, func(f *fixture) {
		f.endpoint("https://one.example")
		s := newCountingStore(f)
		s.leasing = 300 * time.Millisecond
		defer f.run(s)()
		for range 100 {
			f.records(1)
			time.Sleep(100 * time.Millisecond)
		}
		seen := f.receiver.seen()
		for n := 10; n < len(seen); n++ {
			if gap := seen[n].at.Sub(seen[n-1].at); gap > 110*time.Millisecond {
				t.Errorf("no attempt for %s", gap)
			}
		}
		if len(seen) != 100 || s.leased.Load() < 4 {
			t.Errorf("%d attempts, %d leases", len(seen), s.leased.Load())
		}
	})
}

// readingStore counts the deliveries that are read.
type readingStore struct {
	adapter
	read *atomic.Int32
}

func (s readingStore) DueDeliveries(ctx context.Context, r webhook.Ref, after webhook.Cursor, limit int) ([]webhook.DueDelivery, error) {
	due, err := s.adapter.DueDeliveries(ctx, r, after, limit)
	s.read.Add(int32(len(due)))
	return due, err
}

// An event is read once, however many before it have no answer yet.
func TestEventsAreReadOnce(t *testing.T) {
	inBubble(t, func(f *fixture) {
		f.receiver.latency = time.Second
		id := f.endpoint("https://one.example")
		s := readingStore{adapter{f.store}, &atomic.Int32{}}
		defer f.run(s)()
		for range 60 {
			f.records(1)
			time.Sleep(10 * time.Millisecond)
		}
		time.Sleep(100 * time.Millisecond)
		if n := s.read.Load(); n != 60 {
			t.Errorf("60 events are read %d times", n)
		}
		time.Sleep(time.Minute)
		if n := count(f.deliveries(id), webhook.Delivered); n != 60 {
			t.Errorf("%d delivered", n)
		}
	})
}
