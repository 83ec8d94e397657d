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

// mortal is a store whose dispatcher has died: nothing reaches it any more.
type mortal struct {
	wide
	dead atomic.Bool
}

func (m *mortal) DueEndpoints(ctx context.Context, holder string, limit int) ([]webhook.Ref, error) {
	if m.dead.Load() {
		return nil, nil
	}
	return m.wide.DueEndpoints(ctx, holder, limit)
}

func (m *mortal) HoldEndpoint(ctx context.Context, r webhook.Ref, holder string, hold time.Duration) (webhook.Endpoint, bool, error) {
	if m.dead.Load() {
		return webhook.Endpoint{}, false, nil
	}
	return m.wide.HoldEndpoint(ctx, r, holder, hold)
}

func (m *mortal) SettleDeliveries(ctx context.Context, all []webhook.Settled) error {
	if m.dead.Load() {
		return nil
	}
	return m.wide.SettleDeliveries(ctx, all)
}

func (m *mortal) UpdateWebhooks(ctx context.Context, org tenant.ID, fn func(webhook.Tx) error) error {
	if m.dead.Load() {
		return nil
	}
	return m.wide.UpdateWebhooks(ctx, org, fn)
}

func (m *mortal) DropEndpoints(ctx context.Context, holder string) error {
	if m.dead.Load() {
		return nil
	}
	return m.wide.DropEndpoints(ctx, holder)
}

// free tells whether another instance could take an endpoint with something due.
func (h *house) free() bool {
	h.t.Helper()
	refs, err := h.store.DueEndpoints(context.Background(), h.ids.UUID(), 10)
	if err != nil {
		h.t.Fatal(err)
	}
	return len(refs) > 0
}

// forgetful is a store that does not hear what became of deliveries until it is told to.
type forgetful struct {
	wide
	hears chan struct{}
}

func (f *forgetful) SettleDeliveries(ctx context.Context, all []webhook.Settled) error {
	<-f.hears
	return f.wide.SettleDeliveries(ctx, all)
}

// What has been sent and is not stored when a process dies is sent again: that is little,
// however fast an endpoint answers and however slow the store is.
func TestADeathRepeatsLittle(t *testing.T) {
	const waiting, most = 300, 16
	each(t, func(t *testing.T, h *house) {
		f := &forgetful{wide: wide{h.store}, hears: make(chan struct{})}
		hear := sync.OnceFunc(func() { close(f.hears) })
		r := receive(t, nil)
		h.endpoint(r.URL)
		h.records(waiting)
		h.dispatchWith(f, patient)
		t.Cleanup(hear) // before the dispatcher is stopped
		h.becomes("some", func() bool { return r.count() >= most })
		time.Sleep(100 * time.Millisecond)
		if n := r.count(); n != most {
			t.Errorf("%d deliveries would come again", n)
		}
		hear()
		h.becomes("all", func() bool { return r.count() >= waiting })
	})
}

// Two dispatchers that live send every delivery once between them.
func TestTwoDispatchersSendOnce(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		r := receive(t, nil)
		for range 5 {
			h.endpoint(r.URL)
		}
		h.dispatch(patient)
		h.dispatch(patient)
		for range 40 {
			h.record().steps(2)
		}
		h.becomes("all", func() bool { return r.count() >= 400 })
		time.Sleep(50 * time.Millisecond)
		seen := map[string]bool{}
		for _, a := range r.arrivals() {
			delivery := a.Header.Get("X-Service-Delivery")
			if seen[delivery] {
				t.Errorf("%s came twice", delivery)
			}
			seen[delivery] = true
		}
	})
}

// The endpoints of a dispatcher that dies in an attempt are another's when its hold has
// ended, and no sooner; what it was sending comes again by the same id.
func TestTakeover(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		release := make(chan struct{})
		r := receive(t, func(_ http.ResponseWriter, a arrival, nth int) {
			if nth == 1 {
				a.wait(release)
			}
		})
		h.endpoint(r.URL)
		m := &mortal{wide: wide{h.store}}
		h.dispatchWith(m, patient)
		one := h.record()
		one.steps(3)
		h.becomes("under way", func() bool { return r.count() == 1 })
		m.dead.Store(true)
		defer close(release)
		h.dispatch(patient)
		if h.free() || r.count() != 1 {
			t.Error("taken over while the hold lasts")
		}
		h.pass(webhook.Hold + time.Millisecond)
		h.becomes("all", func() bool { return r.count() == 4 })
		if got := fmt.Sprint(r.steps(one.id)); got != "[1 1 2 3]" {
			t.Errorf("arrived: %s", got)
		}
		if a := r.arrivals(); a[0].ID != a[1].ID || string(a[0].Body) != string(a[1].Body) {
			t.Error("the repeat is another event, or other bytes")
		}
	})
}

// A dispatcher that is stopped begins nothing more, finishes what is under way and keeps
// its hold on it, stores the result, and gives its endpoints back at once.
func TestStopFinishesAttempts(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		release := make(chan struct{})
		r := receive(t, func(_ http.ResponseWriter, a arrival, nth int) {
			if nth == 1 {
				a.wait(release)
			}
		})
		id, _ := h.endpoint(r.URL)
		w := &watched{wide: wide{h.store}}
		stop := h.dispatchWith(w, patient)
		one := h.record()
		one.steps(3)
		h.becomes("under way", func() bool { return r.count() == 1 })
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			stop()
		}()
		for range 2 { // longer than a hold, in steps that are shorter
			asked := w.asked.Load()
			h.becomes("hold renewed", func() bool { return w.asked.Load() > asked })
			h.pass(webhook.Hold / 2)
		}
		if h.free() {
			t.Error("given away while an attempt is under way")
		}
		close(release)
		<-ended
		if d := h.deliveries(id); d[0].Status != webhook.Delivered || r.count() != 1 {
			t.Errorf("after the stop: %s, %d arrivals", d[0].Status, r.count())
		}
		if !h.free() {
			t.Error("not given back")
		}
		h.dispatch(patient)
		h.becomes("the rest", func() bool { return r.count() == 3 })
	})
}

// A test or resend whose process died is sent by the dispatcher after a minute, once.
func TestAnInlineAttemptIsTakenOver(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		r := receive(t, always(500))
		id, _ := h.endpoint(r.URL)
		h.dispatch(patient)
		err := wide{h.store}.UpdateWebhooks(context.Background(), h.org, func(tx webhook.Tx) error {
			_, err := h.service.Test(tx, h.call(), id)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		h.rouse(id)
		h.pass(time.Minute + time.Second)
		if r.count() != 0 {
			t.Error("sent while its own process may be sending it")
		}
		h.rouse(id)
		h.becomes("given up", func() bool { return h.deliveries(id)[0].Status == webhook.Failed })
		if d := h.deliveries(id)[0]; d.Attempts != 1 || d.EventType != webhook.Ping || r.count() != 1 {
			t.Errorf("%+v, %d arrivals", d, r.count())
		}
	})
}

// robbed is a store that gives an endpoint to another instance when it is told to.
type robbed struct {
	watched
	lost atomic.Bool
}

func (r *robbed) HoldEndpoint(ctx context.Context, ref webhook.Ref, holder string, hold time.Duration) (webhook.Endpoint, bool, error) {
	if r.lost.Load() {
		r.refused.Add(1)
		return webhook.Endpoint{}, false, nil
	}
	return r.watched.HoldEndpoint(ctx, ref, holder, hold)
}

// An attempt that ends after its endpoint was lost to another instance does not make
// the endpoint's failures begin anew.
func TestALostEndpointStillFailsSinceItBegan(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		release := make(chan struct{})
		r := receive(t, func(w http.ResponseWriter, a arrival, nth int) {
			if nth == 2 {
				a.wait(release)
			}
			w.WriteHeader(500)
		})
		id, _ := h.endpoint(r.URL)
		s := &robbed{watched: watched{wide: wide{h.store}}}
		h.dispatchWith(s, patient)
		h.record().step()
		h.becomes("failed once", func() bool { return h.deliveries(id)[0].Attempts == 1 })
		since := h.find(id).FailingSince
		h.pass(7 * time.Second)
		h.rouse(id)
		h.becomes("under way", func() bool { return r.count() == 2 })
		s.lost.Store(true)
		h.rouse(id)
		h.becomes("lost", func() bool { return s.refused.Load() > 0 })
		close(release)
		h.becomes("failed twice", func() bool { return h.deliveries(id)[0].Attempts == 2 })
		if got := h.find(id).FailingSince; since.IsZero() || !got.Equal(since) {
			t.Errorf("failing since %s, not %s", got, since)
		}
	})
}
