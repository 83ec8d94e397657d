package webhooks

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
)

// crashingStore is a store whose dispatcher can die: then nothing reaches it any more.
type crashingStore struct {
	storeAdapter
	dead atomic.Bool
}

func (m *crashingStore) DueEndpoints(ctx context.Context, holder string, limit int) ([]webhook.Ref, error) {
	if m.dead.Load() {
		return nil, nil
	}
	return m.storeAdapter.DueEndpoints(ctx, holder, limit)
}

func (m *crashingStore) LeaseEndpoint(ctx context.Context, r webhook.Ref, holder string, hold time.Duration) (webhook.Endpoint, bool, error) {
	if m.dead.Load() {
		return webhook.Endpoint{}, false, nil
	}
	return m.storeAdapter.LeaseEndpoint(ctx, r, holder, hold)
}

func (m *crashingStore) CompleteDeliveries(ctx context.Context, all []webhook.Completed) error {
	if m.dead.Load() {
		return nil
	}
	return m.storeAdapter.CompleteDeliveries(ctx, all)
}

func (m *crashingStore) UpdateWebhooks(ctx context.Context, org tenant.ID, fn func(webhook.Tx) error) error {
	if m.dead.Load() {
		return nil
	}
	return m.storeAdapter.UpdateWebhooks(ctx, org, fn)
}

func (m *crashingStore) Heartbeat(ctx context.Context, holder string, alive time.Duration) error {
	if m.dead.Load() {
		return nil
	}
	return m.storeAdapter.Heartbeat(ctx, holder, alive)
}

func (m *crashingStore) ReleaseEndpoints(ctx context.Context, holder string) error {
	if m.dead.Load() {
		return nil
	}
	return m.storeAdapter.ReleaseEndpoints(ctx, holder)
}

// isFree reports whether another instance could take an endpoint with a due delivery.
func (h *harness) isFree() bool {
	h.t.Helper()
	refs, err := h.store.DueEndpoints(context.Background(), h.ids.UUID(), 10)
	if err != nil {
		h.t.Fatal(err)
	}
	return len(refs) > 0
}

// blockedStore is a store that does not store results of deliveries until the test allows it.
type blockedStore struct {
	storeAdapter
	released chan struct{}
}

func (f *blockedStore) CompleteDeliveries(ctx context.Context, all []webhook.Completed) error {
	<-f.released
	return f.storeAdapter.CompleteDeliveries(ctx, all)
}

// Deliveries that were sent but not stored when a process dies are sent again: few, however fast an endpoint
// answers and however slow the store is.
func TestCrashRepeatsFewDeliveries(t *testing.T) {
	const waiting, most = 300, 64
	each(t, func(t *testing.T, h *harness) {
		f := &blockedStore{storeAdapter: storeAdapter{h.store}, released: make(chan struct{})}
		release := sync.OnceFunc(func() { close(f.released) })
		r := receive(t, nil)
		h.endpoint(r.URL)
		h.records(waiting)
		h.dispatchWith(f, longTimeout)
		t.Cleanup(release) // before the dispatcher is stopped
		h.waitFor("some", func() bool { return r.count() >= most })
		time.Sleep(100 * time.Millisecond)
		if n := r.count(); n != most {
			t.Errorf("%d deliveries would be repeated", n)
		}
		release()
		h.waitFor("all", func() bool { return r.count() >= waiting })
	})
}

// Two live dispatchers together send every delivery once.
func TestTwoDispatchersSendOnce(t *testing.T) {
	each(t, func(t *testing.T, h *harness) {
		r := receive(t, nil)
		for range 5 {
			h.endpoint(r.URL)
		}
		h.dispatch(longTimeout)
		h.dispatch(longTimeout)
		for range 40 {
			h.record().steps(2)
		}
		h.waitFor("all", func() bool { return r.count() >= 400 })
		time.Sleep(50 * time.Millisecond)
		seen := map[string]bool{}
		for _, a := range r.arrivals() {
			delivery := a.Header.Get("X-Service-Delivery")
			if seen[delivery] {
				t.Errorf("%s was delivered twice", delivery)
			}
			seen[delivery] = true
		}
	})
}

// The endpoints of a dispatcher that dies during an attempt can be taken by another when its last heartbeat counts no
// more, and no sooner; the attempt is repeated with the same id.
func TestTakeover(t *testing.T) {
	each(t, func(t *testing.T, h *harness) {
		release := make(chan struct{})
		r := receive(t, func(_ http.ResponseWriter, a arrival, nth int) {
			if nth == 1 {
				a.wait(release)
			}
		})
		h.endpoint(r.URL)
		m := &crashingStore{storeAdapter: storeAdapter{h.store}}
		h.dispatchWith(m, longTimeout)
		one := h.record()
		one.steps(3)
		h.waitFor("under way", func() bool { return r.count() == 1 })
		m.dead.Store(true)
		defer close(release)
		h.dispatch(longTimeout)
		if h.isFree() || r.count() != 1 {
			t.Error("taken over while the other may live")
		}
		h.advance(webhook.AliveTTL + time.Millisecond)
		h.waitFor("all", func() bool { return r.count() == 4 })
		if got := fmt.Sprint(r.steps(one.id)); got != "[1 1 2 3]" {
			t.Errorf("arrived: %s", got)
		}
		if a := r.arrivals(); a[0].ID != a[1].ID || string(a[0].Body) != string(a[1].Body) {
			t.Error("the repeat has another event or other bytes")
		}
	})
}

// A dispatcher that is stopped starts no attempts, completes those under way while it keeps its lease, stores
// their results, and releases its endpoints at once.
func TestStopFinishesAttempts(t *testing.T) {
	each(t, func(t *testing.T, h *harness) {
		release := make(chan struct{})
		r := receive(t, func(_ http.ResponseWriter, a arrival, nth int) {
			if nth == 1 {
				a.wait(release)
			}
		})
		id, _ := h.endpoint(r.URL)
		w := &countingStore{storeAdapter: storeAdapter{h.store}}
		stop := h.dispatchWith(w, longTimeout)
		one := h.record()
		one.steps(3)
		h.waitFor("under way", func() bool { return r.count() == 1 })
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			stop()
		}()
		for range 3 { // longer than a lease, in shorter steps
			asked, beats := w.asked.Load(), w.beats.Load()
			h.advance(webhook.LeaseTTL / 2)
			h.waitFor("hold renewed", func() bool { return w.asked.Load() > asked && w.beats.Load() > beats+1 })
		}
		if h.isFree() {
			t.Error("released while an attempt is under way")
		}
		close(release)
		<-ended
		if d := h.deliveries(id); d[0].Status != webhook.Delivered || r.count() != 1 {
			t.Errorf("after the stop: %s, %d arrivals", d[0].Status, r.count())
		}
		if !h.isFree() {
			t.Error("the endpoint was not released")
		}
		h.dispatch(longTimeout)
		h.waitFor("the rest", func() bool { return r.count() == 3 })
	})
}

// A test or resend whose process died is sent by the dispatcher after a minute, once.
func TestInlineAttemptIsTakenOver(t *testing.T) {
	each(t, func(t *testing.T, h *harness) {
		r := receive(t, always(500))
		id, _ := h.endpoint(r.URL)
		h.dispatch(longTimeout)
		err := storeAdapter{h.store}.UpdateWebhooks(context.Background(), h.org, func(tx webhook.Tx) error {
			_, err := h.service.Test(tx, h.call(), id, webhook.PingExample())
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		h.wake(id)
		h.advance(time.Minute + time.Second)
		if r.count() != 0 {
			t.Error("sent while its own process may still be sending it")
		}
		h.wake(id)
		h.waitFor("given up", func() bool { return h.deliveries(id)[0].Status == webhook.Failed })
		if d := h.deliveries(id)[0]; d.Attempts != 1 || d.EventType != webhook.Ping || r.count() != 1 {
			t.Errorf("%+v, %d arrivals", d, r.count())
		}
	})
}

// losingStore is a store that gives an endpoint to another instance when the test wants it.
type losingStore struct {
	countingStore
	lost atomic.Bool
}

func (r *losingStore) LeaseEndpoint(ctx context.Context, ref webhook.Ref, holder string, hold time.Duration) (webhook.Endpoint, bool, error) {
	if r.lost.Load() {
		r.refused.Add(1)
		return webhook.Endpoint{}, false, nil
	}
	return r.countingStore.LeaseEndpoint(ctx, ref, holder, hold)
}

// An attempt that ends after another instance has taken its endpoint does not restart the endpoint's failing
// period.
func TestLostEndpointKeepsItsFailingPeriod(t *testing.T) {
	each(t, func(t *testing.T, h *harness) {
		release := make(chan struct{})
		r := receive(t, func(w http.ResponseWriter, a arrival, nth int) {
			if nth == 2 {
				a.wait(release)
			}
			w.WriteHeader(500)
		})
		id, _ := h.endpoint(r.URL)
		s := &losingStore{countingStore: countingStore{storeAdapter: storeAdapter{h.store}}}
		h.dispatchWith(s, longTimeout)
		h.record().step()
		h.waitFor("failed once", func() bool { return h.deliveries(id)[0].Attempts == 1 })
		since := h.find(id).FailingSince
		h.advance(7 * time.Second)
		h.wake(id)
		h.waitFor("under way", func() bool { return r.count() == 2 })
		s.lost.Store(true)
		h.wake(id)
		h.waitFor("lost", func() bool { return s.refused.Load() > 0 })
		close(release)
		h.waitFor("failed twice", func() bool { return h.deliveries(id)[0].Attempts == 2 })
		if got := h.find(id).FailingSince; since.IsZero() || !got.Equal(since) {
			t.Errorf("failing since %s, want %s", got, since)
		}
	})
}
