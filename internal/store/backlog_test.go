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

// clocked opens a store of two organisations whose time is the test's.
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

// The backlog is what waits of all organisations: neither what is for later, nor what
// somebody is at, nor what waits for a paused endpoint.
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
			t.Errorf("nothing waits: %+v", got)
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
			t.Errorf("in the queues wait %+v", got.Queues)
		}
		if want := (store.Waiting{Due: 1, Oldest: 40 * time.Second}); got.Deliveries != want {
			t.Errorf("of deliveries wait %+v", got.Deliveries)
		}
		if want := (store.Endpoints{Active: 1, Failing: 1, Paused: 1}); got.Endpoints != want {
			t.Errorf("endpoints are %+v", got.Endpoints)
		}
		if got.Inbox["received"] != 1 || got.Inbox["unmatched"] != 0 {
			t.Errorf("the inbox holds %v", got.Inbox)
		}

		taken, err := s.LeaseJobs(ctx, "post", 1, time.Minute)
		if err != nil || len(taken) != 1 {
			t.Fatalf("%v, %v", taken, err)
		}
		if got := backlog().Queues["post"]; got.Due != 1 {
			t.Errorf("with one taken up there wait %+v", got)
		}
		if err := s.Bury(ctx, taken[0], "no"); err != nil {
			t.Fatal(err)
		}
		if got := backlog().Queues["post"]; got.GivenUp != 1 {
			t.Errorf("with one given up there wait %+v", got)
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

// What causes a change is written beside the jobs and deliveries that come of it, and
// is there for whoever takes them up; a job may also name its cause itself.
func TestTraceIsKept(t *testing.T) {
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
			if was, there := got[id]; !there || was != want {
				t.Errorf("%s is of %q, not %q", id, was, want)
			}
		}
	})
}

// The observer hears of every transaction how it ended and when it came to its turn,
// and of SQLite's commits how many changes they hold.
func TestObserver(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		var mu sync.Mutex
		var heard []store.Transaction
		groups := 0
		s, _ := clocked(t, b, store.Observer{
			Transaction: func(_ context.Context, t *store.Transaction) { mu.Lock(); defer mu.Unlock(); heard = append(heard, *t) },
			Group:       func(n int) { mu.Lock(); defer mu.Unlock(); groups += n },
		})
		heard = nil // opening looks at the rights
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
		}{{store.Updating, "done"}, {store.Updating, "refused"}, {store.Viewing, "done"}, {store.Scanning, "done"}, {store.Glancing, "done"}, {store.Updating, "unavailable"}}
		if len(heard) != len(want) {
			t.Fatalf("heard of %d transactions: %+v", len(heard), heard)
		}
		for i, h := range heard {
			if h.Kind != want[i].kind || h.Outcome() != want[i].outcome || h.Entered.Before(h.Began) || h.Worked.Before(h.Entered) || h.Ended.Before(h.Worked) {
				t.Errorf("%d: %+v, %s", i, h, h.Outcome())
			}
		}
		if b.URL == "" && groups != 1 {
			t.Errorf("%d changes in groups", groups)
		}
		if figures := s.Figures(); b.URL == "" && figures.Size == 0 || b.URL != "" && len(figures.Pools) != 2 {
			t.Errorf("figures are %+v", figures)
		}
	})
}
