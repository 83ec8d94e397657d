package webhooks

import (
	"context"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/webhook"
)

// upTo are the numbers from 1 to n.
func upTo(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i + 1
	}
	return all
}

// A record's events arrive in the order of its transitions, and none before its predecessor was accepted, although
// one in four attempts fails once while more are written.
func TestRecordsKeepTheirOrder(t *testing.T) {
	const records, steps = 12, 12
	each(t, func(t *testing.T, h *harness) {
		var mu sync.Mutex
		taken, failed := map[string]int{}, map[string]bool{}
		r := receive(t, func(w http.ResponseWriter, a arrival, nth int) {
			mu.Lock()
			defer mu.Unlock()
			if a.Step != taken[a.Record]+1 {
				t.Errorf("step %d came after step %d", a.Step, taken[a.Record])
			}
			if nth%4 == 0 && !failed[a.ID] {
				failed[a.ID] = true
				w.WriteHeader(500)
				return
			}
			taken[a.Record] = a.Step
		})
		id, _ := h.endpoint(r.URL)
		h.dispatch(longTimeout)
		all := make([]*record, records)
		for i := range all {
			all[i] = h.record()
		}
		for range steps {
			for _, one := range all {
				one.step()
			}
		}
		h.waitFor("all delivered", func() bool {
			if h.waits(id) {
				h.advance(7 * time.Second)
				h.wake(id)
			}
			mu.Lock()
			defer mu.Unlock()
			for _, one := range all {
				if taken[one.id] != steps {
					return false
				}
			}
			return true
		})
		if len(failed) == 0 {
			t.Error("no attempt failed")
		}
	})
}

// An event that its receiver cannot accept delays the later ones of its record for its first attempts, and no
// longer; other records do not wait.
func TestFailingEventIsOvertaken(t *testing.T) {
	each(t, func(t *testing.T, h *harness) {
		r := receive(t, func(w http.ResponseWriter, a arrival, _ int) {
			if a.Step == 2 {
				w.WriteHeader(500)
			}
		})
		id, _ := h.endpoint(r.URL)
		h.dispatch(longTimeout)
		poisoned := h.record()
		poisoned.steps(4)
		attempts := func() int { return h.deliveries(id)[1].Attempts }
		for n, wait := range []time.Duration{7 * time.Second, 7 * time.Minute} {
			h.waitFor("poison tried", func() bool { return attempts() == n+1 })
			other := h.record()
			other.step()
			h.waitFor("the other record's", func() bool { return len(r.steps(other.id)) == 1 })
			if got := r.steps(poisoned.id); !slices.Equal(got, append([]int{1}, slices.Repeat([]int{2}, n+1)...)) {
				t.Errorf("after %d failures: %v", n+1, got)
			}
			h.advance(wait)
			h.wake(id)
		}
		h.waitFor("overtaken", func() bool { return len(r.steps(poisoned.id)) == 6 })
		if got := r.steps(poisoned.id); !slices.Equal(got, []int{1, 2, 2, 2, 3, 4}) {
			t.Errorf("in the end: %v", got)
		}
		if webhook.MaxBlockingAttempts != 2 {
			t.Errorf("webhook.MaxBlockingAttempts is %d: update this test and docs/webhooks.md", webhook.MaxBlockingAttempts)
		}
	})
}

// Events wait while an endpoint is paused, and arrive in order once it is resumed.
func TestPausedKeepsItsOrder(t *testing.T) {
	each(t, func(t *testing.T, h *harness) {
		r := receive(t, nil)
		id, _ := h.endpoint(r.URL)
		h.dispatch(longTimeout)
		one, two := h.record(), h.record()
		one.step()
		h.waitFor("first", func() bool { return r.count() == 1 })
		h.set(id, `{"active":false}`)
		two.steps(300)
		one.steps(20)
		h.advance(time.Hour)
		h.wake(id)
		if r.count() != 1 {
			t.Error("a delivery was sent to a paused endpoint")
		}
		if d := h.deliveries(id); len(d) != 321 || d[320].Status != webhook.Pending {
			t.Errorf("%d deliveries", len(d))
		}
		h.set(id, `{"active":true}`)
		h.waitFor("all", func() bool { return r.count() == 321 })
		if !slices.Equal(r.steps(one.id), upTo(21)) || !slices.Equal(r.steps(two.id), upTo(300)) {
			t.Errorf("out of order: %v", r.steps(one.id))
		}
	})
}

// countingStore counts requested holds, those that were refused, and heartbeats.
type countingStore struct {
	storeAdapter
	asked, refused, beats atomic.Int64
}

func (w *countingStore) Heartbeat(ctx context.Context, holder string, alive time.Duration) error {
	defer w.beats.Add(1)
	return w.storeAdapter.Heartbeat(ctx, holder, alive)
}

func (w *countingStore) LeaseEndpoint(ctx context.Context, r webhook.Ref, holder string, hold time.Duration) (webhook.Endpoint, bool, error) {
	e, held, err := w.storeAdapter.LeaseEndpoint(ctx, r, holder, hold)
	w.asked.Add(1)
	if err == nil && !held {
		w.refused.Add(1)
	}
	return e, held, err
}

// An endpoint that is paused and resumed during an attempt continues where it was.
func TestPausedDuringAnAttempt(t *testing.T) {
	each(t, func(t *testing.T, h *harness) {
		release := make(chan struct{})
		r := receive(t, func(_ http.ResponseWriter, a arrival, _ int) {
			if a.Step == 1 {
				a.wait(release)
			}
		})
		id, _ := h.endpoint(r.URL)
		one := h.record()
		one.steps(400)
		w := &countingStore{storeAdapter: storeAdapter{h.store}}
		h.dispatchWith(w, longTimeout)
		h.waitFor("under way", func() bool { return r.count() == 1 })
		h.set(id, `{"active":false}`)
		h.waitFor("given up", func() bool { return w.refused.Load() > 0 })
		asked := w.asked.Load()
		h.set(id, `{"active":true}`)
		h.waitFor("taken on", func() bool { return w.asked.Load() > asked })
		close(release)
		h.waitFor("all", func() bool { return r.count() == 400 })
		if got := r.steps(one.id); !slices.Equal(got, upTo(400)) {
			t.Errorf("out of order: %v", got)
		}
	})
}
