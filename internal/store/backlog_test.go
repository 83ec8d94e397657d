package store_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
)

// clocked opens a store with two organisations and a clock that the test controls.
func clocked(t *testing.T, b storetest.Backend, o store.Observer) (s *store.Store, pass func(time.Duration)) {
	t.Helper()
	open(t, b) // makes the organisations
	var mu sync.Mutex
	now := time.Now().UTC()
	options := b.Options()
	options.Observer = o
	options.Now = func() time.Time { mu.Lock(); defer mu.Unlock(); return now }
	s, err := store.Open(ctx, options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s, func(d time.Duration) { mu.Lock(); defer mu.Unlock(); now = now.Add(d) }
}

// The backlog counts the due work of all organisations. It leaves out work that is scheduled for
// later, leased, or waiting for a paused endpoint.
func TestBacklog(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		s, pass := clocked(t, b, store.Observer{})
		backlog := func() store.Backlog {
			t.Helper()
			found, err := s.Backlog(ctx, []string{"post", "idle"})
			if err != nil {
				t.Fatal(err)
			}
			return found
		}
		if got := backlog(); got.Queues["post"] != (store.Waiting{}) || got.Deliveries != (store.Waiting{}) || got.Schema < 39 {
			t.Errorf("empty backlog: %+v", got)
		}
		update(t, s, ours, func(tx *store.Tx) error {
			later := tx.Now().Add(time.Hour)
			return errors.Join(tx.Enqueue(jobs.Job{ID: uuid(1), Queue: "post", Subject: "a"}),
				tx.Enqueue(jobs.Job{ID: uuid(2), Queue: "post", Subject: "b", RunAt: later}), endpoint(tx, 10, true, time.Time{}), delivery(tx, 20, 10))
		})
		pass(30 * time.Second)
		update(t, s, theirs, func(tx *store.Tx) error {
			return errors.Join(tx.Enqueue(jobs.Job{ID: uuid(3), Queue: "post", Subject: "c"}),
				endpoint(tx, 11, false, time.Time{}), delivery(tx, 21, 11), endpoint(tx, 12, true, tx.Now()))
		})
		if err := s.Receive(ctx, customs.Inbound{ID: uuid(5), ConversationID: "c", Headers: "{}", Body: []byte("x")}, jobs.Job{ID: uuid(6), Queue: "inbox", Subject: uuid(5)}); err != nil {
			t.Fatal(err)
		}
		pass(10 * time.Second)
		got := backlog()
		if want := (store.Waiting{Due: 2, Oldest: 40 * time.Second}); got.Queues["post"] != want || got.Queues["idle"] != (store.Waiting{}) {
			t.Errorf("queues: %+v", got.Queues)
		}
		if want := (store.Waiting{Due: 1, Oldest: 40 * time.Second}); got.Deliveries != want {
			t.Errorf("deliveries: %+v", got.Deliveries)
		}
		if want := (store.Endpoints{Active: 1, Failing: 1, Paused: 1}); got.Endpoints != want {
			t.Errorf("endpoints: %+v", got.Endpoints)
		}
		if got.Inbox["received"] != 1 || got.Inbox["unmatched"] != 0 {
			t.Errorf("inbox: %v", got.Inbox)
		}

		taken, err := s.LeaseJobs(ctx, "post", 1, time.Minute)
		if err != nil || len(taken) != 1 {
			t.Fatalf("%v, %v", taken, err)
		}
		if got := backlog().Queues["post"]; got.Due != 1 {
			t.Errorf("after one job was leased: %+v", got)
		}
		if err := s.GiveUp(ctx, taken[0], "no"); err != nil {
			t.Fatal(err)
		}
		if got := backlog().Queues["post"]; got.GivenUp != 1 {
			t.Errorf("after one job was given up: %+v", got)
		}
	})
}

func endpoint(tx *store.Tx, n int, active bool, failing time.Time) error {
	return tx.AddEndpoint(webhook.Endpoint{ID: uuid(n), URL: "https://example.com", Active: active, FailingSince: failing, CreatedAt: tx.Now(), UpdatedAt: tx.Now()})
}

func delivery(tx *store.Tx, n, endpoint int) error {
	notice := webhook.Notice{ID: "evt_" + uuid(n), Type: "x", CreatedAt: tx.Now(), Body: "{}"}
	return errors.Join(tx.AddNotice(notice), tx.AddDelivery(webhook.Delivery{
		ID: uuid(n), EndpointID: uuid(endpoint), EventID: notice.ID, EventType: "x", Cause: webhook.ByEvent, Status: webhook.Pending, DueAt: tx.Now(), CreatedAt: tx.Now(),
	}))
}

// The trace of a change is stored with its jobs and deliveries, and is available when they run.
// A job may also set a trace itself.
func TestTraceIsStored(t *testing.T) {
	type key struct{}
	trace := func(ctx context.Context) string { text, _ := ctx.Value(key{}).(string); return text }
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		s, _ := clocked(t, b, store.Observer{Trace: trace})
		caused := context.WithValue(ctx, key{}, "00-a-b-01")
		if err := s.Update(caused, ours, func(tx *store.Tx) error {
			return errors.Join(tx.Enqueue(jobs.Job{ID: uuid(1), Queue: "post"}), tx.Enqueue(jobs.Job{ID: uuid(2), Queue: "post", Trace: "00-c-d-01"}),
				endpoint(tx, 10, true, time.Time{}), delivery(tx, 20, 10))
		}); err != nil {
			t.Fatal(err)
		}
		update(t, s, ours, func(tx *store.Tx) error {
			return errors.Join(tx.Enqueue(jobs.Job{ID: uuid(3), Queue: "post"}), delivery(tx, 21, 10))
		})
		jobs, err := s.LeaseJobs(ctx, "post", 10, time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]string{}
		for _, j := range jobs {
			got[j.ID] = j.Trace
		}
		due, err := s.DueDeliveries(ctx, webhook.Ref{Org: ours, EndpointID: uuid(10)}, webhook.Cursor{}, 10)
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range due {
			got[w.ID] = w.Trace
		}
		for id, want := range map[string]string{uuid(1): "00-a-b-01", uuid(2): "00-c-d-01", uuid(3): "", uuid(20): "00-a-b-01", uuid(21): ""} {
			if was, found := got[id]; !found || was != want {
				t.Errorf("%s is of %q, not %q", id, was, want)
			}
		}
	})
}

// The observer is called for every transaction with its outcome and times, and for SQLite's
// commits with the number of changes.
func TestObserver(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		var mu sync.Mutex
		var observed []store.Transaction
		groups := 0
		s, _ := clocked(t, b, store.Observer{
			Transaction: func(_ context.Context, t *store.Transaction) {
				mu.Lock()
				defer mu.Unlock()
				observed = append(observed, *t)
			},
			Group: func(n int) { mu.Lock(); defer mu.Unlock(); groups += n },
		})
		observed = nil // opening reads the rights
		update(t, s, ours, func(*store.Tx) error { return nil })
		_ = s.Update(ctx, ours, func(*store.Tx) error { return apierr.Missing() })
		_ = s.View(ctx, ours, func(*store.Tx) error { return nil })
		_ = s.Scan(ctx, ours, func(*store.Tx) error { return nil })
		if _, err := s.Organisations(ctx); err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		_ = s.Update(ctx, tenant.ID(uuid(1)), func(*store.Tx) error { return nil })
		want := []struct {
			kind    store.Kind
			outcome string
		}{{store.KindUpdate, "done"}, {store.KindUpdate, "refused"}, {store.KindView, "done"}, {store.KindScan, "done"}, {store.KindViewSingle, "done"}, {store.KindUpdate, "unavailable"}}
		if len(observed) != len(want) {
			t.Fatalf("observed %d transactions: %+v", len(observed), observed)
		}
		for i, h := range observed {
			if h.Kind != want[i].kind || h.Outcome() != want[i].outcome || h.Entered.Before(h.Began) || h.Worked.Before(h.Entered) || h.Ended.Before(h.Worked) {
				t.Errorf("%d: %+v, %s", i, h, h.Outcome())
			}
		}
		if b.URL == "" && groups != 1 {
			t.Errorf("%d changes in groups", groups)
		}
		if figures := s.Figures(); b.URL == "" && figures.Size == 0 || b.URL != "" && len(figures.Pools) != 2 {
			t.Errorf("figures: %+v", figures)
		}
	})
}
