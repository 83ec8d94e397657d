package webhooks

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
)

// pollingStore is a store that reports no changes: the dispatcher must poll.
type pollingStore struct{ storeAdapter }

func (pollingStore) Wakeups() <-chan struct{} { return nil }

// 410 pauses the endpoint at once, with an event by the system in the trail; pending deliveries are kept, and sent
// when the endpoint is resumed.
func TestGonePauses(t *testing.T) {
	each(t, func(t *testing.T, h *harness) {
		r := receive(t, func(w http.ResponseWriter, _ arrival, nth int) {
			if nth <= 2 {
				w.WriteHeader(410)
			}
		})
		id, _ := h.endpoint(r.URL)
		for range 20 {
			h.record().step()
		}
		h.dispatchWith(pollingStore{storeAdapter{h.store}}, longTimeout)
		h.waitFor("paused", func() bool { return !h.find(id).Active })
		paused := h.events("webhook.endpoint.paused")
		if len(paused) != 1 || paused[0].ActorType != tenant.System(h.org).Type || !strings.Contains(string(paused[0].Data), "410") || paused[0].ResourceID != id {
			t.Errorf("trail: %+v", paused)
		}
		h.advance(time.Hour)
		time.Sleep(50 * time.Millisecond) // for an attempt that must not come
		if r.count() > 2 {
			t.Errorf("%d attempts, want at most the two that were under way", r.count())
		}
		for _, d := range h.deliveries(id) {
			if d.Status != webhook.Pending {
				t.Errorf("%s is %s", d.ID, d.Status)
			}
		}
		h.set(id, `{"active":true}`)
		h.waitFor("delivered", func() bool {
			for _, d := range h.deliveries(id) {
				if d.Status != webhook.Delivered {
					return false
				}
			}
			return true
		})
		if e := h.find(id); e.PausedReason != "" || !e.FailingSince.IsZero() {
			t.Errorf("resumed: %+v", e)
		}
	})
}

// A delivery is tried ten times in about 75 hours and then given up; five days of failures only pause the
// endpoint, with an event in the trail. A success in between restarts them.
func TestFiveDaysOfFailuresPause(t *testing.T) {
	each(t, func(t *testing.T, h *harness) {
		healthy := make(chan bool, 1)
		healthy <- false
		r := receive(t, func(w http.ResponseWriter, _ arrival, _ int) {
			ok := <-healthy
			healthy <- ok
			if !ok {
				w.WriteHeader(503)
			}
		})
		id, _ := h.endpoint(r.URL)
		h.dispatch(longTimeout)
		began := h.now()
		h.record().step()
		for n := 1; ; n++ {
			h.waitFor("tried", func() bool { return h.deliveries(id)[0].Attempts == n })
			d := h.deliveries(id)[0]
			if d.Status == webhook.Failed {
				break
			}
			h.advance(d.DueAt.Sub(h.now()))
			h.wake(id)
		}
		d := h.deliveries(id)[0]
		if took := h.now().Sub(began); d.Attempts != 10 || took < 60*time.Hour || took > 92*time.Hour {
			t.Errorf("given up after %d attempts in %s", d.Attempts, took)
		}
		if since := h.find(id).FailingSince; since.Sub(began) > time.Minute || since.Before(began.Add(-time.Second)) {
			t.Errorf("failing since %s, want %s", since, began)
		}
		tryOne := func(status webhook.Status, attempts int) {
			t.Helper()
			h.record().step()
			h.waitFor("tried", func() bool { all := h.deliveries(id); return all[len(all)-1].Attempts >= attempts })
			if all := h.deliveries(id); all[len(all)-1].Status != status {
				t.Errorf("%s, want %s", all[len(all)-1].Status, status)
			}
		}
		<-healthy
		healthy <- true
		tryOne(webhook.Delivered, 1)
		h.waitFor("answering", func() bool { return h.find(id).FailingSince.IsZero() })
		<-healthy
		healthy <- false
		tryOne(webhook.Pending, 1)
		h.advance(5*24*time.Hour - time.Minute)
		tryOne(webhook.Pending, 1)
		if !h.find(id).Active {
			t.Error("paused before five days were over")
		}
		h.advance(2 * time.Minute)
		h.record().step() // its failure, or the next attempt of an earlier one, pauses the endpoint
		h.waitFor("paused", func() bool { return !h.find(id).Active })
		if got := h.events("webhook.endpoint.paused"); len(got) != 1 || !strings.Contains(string(got[0].Data), "five days") {
			t.Errorf("trail: %+v", got)
		}
		if e := h.find(id); !strings.Contains(e.PausedReason, "five days") {
			t.Errorf("reason: %q", e.PausedReason)
		}
	})
}
