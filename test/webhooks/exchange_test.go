package webhooks

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
)

func (h *harness) attempts(id, delivery string) (all []webhook.Attempt) {
	h.t.Helper()
	h.view(func(tx *store.Tx) (err error) { all, err = tx.DeliveryAttempts(id, delivery); return err })
	return all
}

func (h *harness) recover(id string, since time.Time) (int, error) {
	return h.service.Recover(func(fn func(webhook.Tx) error) error {
		return h.store.Update(context.Background(), h.org, func(tx *store.Tx) error { return fn(tx) })
	}, h.call(), id, since)
}

// resend resends a delivery as a user does.
func (h *harness) resend(id, delivery string) (d webhook.Delivery) {
	h.t.Helper()
	var started webhook.Started
	h.update(h.org, func(tx *store.Tx) (err error) {
		started, err = h.service.Resend(tx, h.call(), id, delivery)
		return err
	})
	d, err := h.service.Finish(context.Background(), h.sender(longTimeout), h.org, started)
	if err != nil {
		h.t.Fatal(err)
	}
	h.update(h.org, func(tx *store.Tx) error { return h.service.Complete(tx, d) })
	return d
}

// Every attempt is stored with its answer, without headers that carry secrets, and the request can be shown as the
// receiver got it.
func TestEveryAttemptIsRecorded(t *testing.T) {
	each(t, func(t *testing.T, h *harness) {
		r := receive(t, func(w http.ResponseWriter, _ arrival, nth int) {
			w.Header().Set("X-Trace", strings.Repeat("t", 300))
			w.Header().Set("Set-Cookie", "session=hush")
			if nth < 3 {
				w.WriteHeader(500 + nth)
			}
			_, _ = w.Write([]byte("answer " + string(rune('0'+nth))))
		})
		id, _ := h.endpoint(r.URL)
		h.dispatch(longTimeout)
		h.record().step()
		h.waitFor("failed", func() bool { return h.deliveries(id)[0].Attempts == 1 })
		h.advance(7 * time.Second)
		h.waitFor("failed again", func() bool { return h.deliveries(id)[0].Attempts == 2 })
		h.advance(7 * time.Minute)
		h.waitFor("delivered", func() bool { return h.deliveries(id)[0].Status == webhook.Delivered })
		d := h.deliveries(id)[0]
		all := h.attempts(id, d.ID)
		if len(all) != 3 || all[2].At != d.AttemptedAt || !slices.IsSortedFunc(all, func(a, b webhook.Attempt) int { return a.At.Compare(b.At) }) {
			t.Fatalf("attempts %+v", all)
		}
		for i, a := range all {
			status := []int{501, 502, 200}[i]
			if a.Number != i+1 || a.HTTPStatus != status || a.Response != "answer "+string(rune('1'+i)) || (a.Error == "") != (status == 200) {
				t.Errorf("attempt %d: %+v", i+1, a)
			}
			if strings.Contains(a.Headers, "hush") || !strings.Contains(a.Headers, "Set-Cookie: (not kept)\n") || !strings.Contains(a.Headers, "X-Trace: "+strings.Repeat("t", 200)+"…\n") {
				t.Errorf("headers %q", a.Headers)
			}
		}
		h.sentAs(id, d, r.arrivals()[2].Header)
	})
}

// sentAs fails unless the headers of the last attempt are shown as they arrived, until the secret that signed them
// is replaced.
func (h *harness) sentAs(id string, d webhook.Delivery, arrived http.Header) {
	h.t.Helper()
	sent := func() (header http.Header, known bool) {
		h.view(func(tx *store.Tx) error {
			n, err := tx.Notice(d.EventID)
			if err != nil {
				return err
			}
			e, err := tx.Endpoint(id)
			if err == nil {
				header, known, err = h.service.Sent(h.org, e, d, n)
			}
			return err
		})
		return header, known
	}
	header, known := sent()
	for name := range maps.Keys(header) {
		if header.Get(name) != arrived.Get(name) {
			h.t.Errorf("%s is shown as %q, want %q", name, header.Get(name), arrived.Get(name))
		}
	}
	if !known || len(header) != 8 {
		h.t.Errorf("headers: %v %v", known, header)
	}
	h.update(h.org, func(tx *store.Tx) error { _, _, err := h.service.Rotate(tx, h.call(), id); return err })
	if _, known := sent(); known {
		h.t.Error("computed with a secret that did not sign it")
	}
}

// A recovery sends the failed deliveries of an outage, in the order of their record. It does not send what was
// delivered meanwhile, what is older than the given time, or another endpoint's.
func TestRecovery(t *testing.T) {
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
		other, _ := h.endpoint(receive(t, always(500)).URL)
		id, _ := h.endpoint(r.URL)
		old := h.record()
		old.step()
		h.advance(time.Minute)
		since := h.now().Truncate(time.Millisecond)
		one, resent := h.record(), h.record()
		one.steps(3)
		resent.step()
		h.giveUp(id)
		<-healthy
		healthy <- true
		stop := h.dispatch(longTimeout)
		defer stop()
		late := h.record()
		late.step()
		h.waitFor("delivered at once", func() bool { return h.logged(webhook.LogQuery{EndpointID: id, Status: webhook.Delivered}) == 1 })
		h.resend(id, h.deliveries(id)[4].ID)
		before := r.count()
		n, err := h.recover(id, since)
		if err != nil || n != 3 {
			t.Fatalf("recovered %d: %v", n, err)
		}
		h.waitFor("recovered", func() bool { return r.count() == before+3 })
		arrived := r.steps(one.id)
		if got := arrived[len(arrived)-3:]; !slices.Equal(got, []int{1, 2, 3}) {
			t.Errorf("out of order: %v", got)
		}
		h.waitFor("nothing is pending", func() bool { return h.logged(webhook.LogQuery{EndpointID: id, Status: webhook.Pending}) == 0 })
		if n := h.logged(webhook.LogQuery{EndpointID: id, Status: webhook.Failed}); n != 2 {
			t.Errorf("%d are given up, want the old one and the one that was resent", n)
		}
		if n := h.logged(webhook.LogQuery{EndpointID: other, Status: webhook.Delivered}); n != 0 {
			t.Errorf("%d deliveries of another endpoint", n)
		}
		if got := h.events("webhook.endpoint.recovered"); len(got) != 1 || got[0].ResourceID != id {
			t.Errorf("trail: %+v", got)
		}
		h.set(id, `{"active":false}`)
		if _, err := h.recover(id, since); !apierr.Is(err, apierr.EndpointPaused) {
			t.Errorf("paused: %v", err)
		}
	})
}

// giveUp makes all deliveries of an endpoint fail permanently.
func (h *harness) giveUp(id string) {
	h.t.Helper()
	h.update(h.org, func(tx *store.Tx) error {
		for _, d := range h.deliveries(id) {
			d.Status, d.Attempts, d.Error, d.AttemptedAt = webhook.Failed, d.Attempts+1, "the receiver answered 503", tx.Now()
			if err := tx.CompleteDelivery(d); err != nil {
				return err
			}
		}
		return nil
	})
}

// logged is the number of deliveries in a log.
func (h *harness) logged(q webhook.LogQuery) int {
	h.t.Helper()
	q.Limit = 1000
	n := 0
	h.view(func(tx *store.Tx) error {
		page, err := tx.Deliveries(q)
		n = len(page)
		return err
	})
	return n
}

// A recovery also sends what waits for its next attempt, at once.
func TestRecoveryDoesNotWait(t *testing.T) {
	each(t, func(t *testing.T, h *harness) {
		r := receive(t, func(w http.ResponseWriter, _ arrival, nth int) {
			if nth == 1 {
				w.Header().Set("Retry-After", "3600") // longer than the test waits
				w.WriteHeader(503)
			}
		})
		id, _ := h.endpoint(r.URL)
		h.dispatch(longTimeout)
		began := h.now()
		h.record().step()
		h.waitFor("failed", func() bool { return h.deliveries(id)[0].Attempts == 1 })
		if n, err := h.recover(id, began.Add(-time.Second)); err != nil || n != 1 {
			t.Fatalf("recovered %d: %v", n, err)
		}
		h.waitFor("delivered", func() bool { return h.deliveries(id)[0].Status == webhook.Delivered })
	})
}

// A log can be filtered by status, type and time.
func TestLogIsFiltered(t *testing.T) {
	each(t, func(t *testing.T, h *harness) {
		id, _ := h.endpoint("https://receiver.example/")
		first := h.record()
		first.step()
		h.giveUp(id)
		h.advance(time.Hour)
		half := h.now()
		h.advance(time.Hour)
		first.steps(2)
		for want, q := range map[int]webhook.LogQuery{
			3: {}, 1: {Status: webhook.Failed}, 2: {EventType: "thing.stepped", From: half, Status: webhook.Pending}, 0: {Status: webhook.Delivered},
		} {
			if q.EndpointID = id; h.logged(q) != want {
				t.Errorf("%+v: %d, want %d", q, h.logged(q), want)
			}
		}
		if h.logged(webhook.LogQuery{EndpointID: id, To: half}) != 1 || h.logged(webhook.LogQuery{EndpointID: id, EventType: "thing.created", From: half}) != 0 {
			t.Error("the filter by time has no effect")
		}
		h.view(func(tx *store.Tx) error {
			n, err := tx.DeliveryCounts(id)
			if n != (webhook.DeliveryCounts{Waiting: 2, Failed: 1}) {
				t.Errorf("tally %+v", n)
			}
			latest, also := tx.LatestDeliveries()
			if latest[id].ID != h.deliveries(id)[2].ID || also != nil {
				t.Errorf("latest %+v %v", latest, also)
			}
			return err
		})
	})
}
