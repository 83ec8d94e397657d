package store_test

import (
	"errors"
	"log/slog"
	"maps"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/adapter"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
	"github.com/tidewaiter/tidewaiter/internal/webhook/numbers"
)

// numbersOf returns the numbers of the last day.
func numbersOf(t *testing.T, s *store.Store) (c numbers.Counts) {
	t.Helper()
	view(t, s, func(tx *store.Tx) error {
		m, err := webhook.Measure(tx, webhook.MetricsQuery{}, false)
		if err == nil {
			c = m.Total
		}
		return err
	})
	return c
}

func collect(t *testing.T, s *store.Store) {
	t.Helper()
	for more := true; more; {
		var err error
		if more, err = (&webhook.Collector{Store: adapter.Of(s), Log: slog.Default()}).Collect(ctx); err != nil {
			t.Fatal(err)
		}
	}
}

// attempt reads a due delivery as the dispatcher does, and stores an attempt that failed or was accepted.
func attempt(t *testing.T, s *store.Store, n, status int, between func()) {
	t.Helper()
	due, err := s.DueDeliveries(ctx, webhook.Ref{Org: ours, EndpointID: uuid(10)}, webhook.Cursor{}, 100)
	if err != nil {
		t.Fatal(err)
	}
	between()
	for _, d := range due {
		if d.ID != uuid(n) {
			continue
		}
		d.Attempts++
		d.HTTPStatus, d.Error = status, "refused"
		if status == 200 {
			d.Status, d.Error, d.DeliveredAt = webhook.Delivered, "", d.CreatedAt.Add(time.Second)
		}
		if err := s.CompleteDeliveries(ctx, []webhook.Completed{{Ref: webhook.Ref{Org: ours, EndpointID: uuid(10)}, Delivery: d.Delivery}}); err != nil {
			t.Fatal(err)
		}
	}
}

// What an earlier release has stored is counted once, with attempts that follow before, during and after that; also while an
// instance of the earlier release still runs.
func TestEarlierDeliveriesAreCountedOnce(t *testing.T) {
	nothing := func() {}
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		s, _ := clocked(t, b, store.Observer{})
		update(t, s, ours, func(tx *store.Tx) error {
			return errors.Join(endpoint(tx, 10, true, time.Time{}), delivery(tx, 20, 10), delivery(tx, 21, 10), delivery(tx, 22, 10))
		})
		attempt(t, s, 20, 503, nothing)
		attempt(t, s, 21, 500, nothing)
		if c := numbersOf(t, s); c.Events != 3 || !maps.Equal(c.ByStatus, map[int]int64{503: 1, 500: 1}) {
			t.Fatalf("before: %+v", c)
		}
		update(t, s, ours, func(tx *store.Tx) error { // as the earlier release leaves it
			return errors.Join(store.Exec(tx, "DELETE FROM delivery_changes WHERE org_id = $1"), store.Exec(tx, "UPDATE deliveries SET counted = NULL WHERE org_id = $1"),
				store.Exec(tx, "UPDATE notices SET counted = NULL WHERE org_id = $1"))
		})
		attempt(t, s, 20, 502, nothing)                  // before it is counted
		attempt(t, s, 21, 501, func() { collect(t, s) }) // while it is counted
		collect(t, s)
		attempt(t, s, 20, 200, nothing) // after it was counted
		update(t, s, ours, func(tx *store.Tx) error {
			return store.Exec(tx, "UPDATE deliveries SET attempts = 1, http_status = 418 WHERE org_id = $1 AND id = '"+uuid(22)+"'") // by the earlier release
		})
		for range 2 {
			collect(t, s)
			c := numbersOf(t, s)
			if c.Events != 3 || !maps.Equal(c.ByStatus, map[int]int64{503: 1, 502: 1, 500: 1, 501: 1, 200: 1, 418: 1}) || c.Delivered() != 1 {
				t.Errorf("%+v", c)
			}
		}
	})
}

// Numbers go when the deliveries that they count are too old to be kept.
func TestOldNumbersAreDropped(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		s, pass := clocked(t, b, store.Observer{})
		update(t, s, ours, func(tx *store.Tx) error {
			return errors.Join(endpoint(tx, 10, true, time.Time{}), delivery(tx, 20, 10))
		})
		collect(t, s)
		created := time.Now()
		pass(time.Hour)
		update(t, s, ours, func(tx *store.Tx) error { return delivery(tx, 21, 10) })
		for _, c := range []struct {
			before time.Time
			want   int64
		}{{created, 2}, {created.Add(49 * time.Hour), 1}} {
			if err := s.DropNumbers(ctx, c.before); err != nil {
				t.Fatal(err)
			}
			if got := numbersOf(t, s); got.Events != c.want {
				t.Errorf("%d events, want %d", got.Events, c.want)
			}
		}
	})
}

// The numbers of 100,000 deliveries cost as much as those of a few: what is read depends on the buckets.
func TestNumbersOfManyDeliveries(t *testing.T) {
	if os.Getenv("TIDEWAITER_LONG") == "" {
		t.Skip("long: part of make test-long")
	}
	const all = 100_000
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		s, _ := clocked(t, b, store.Observer{})
		number, id := "CAST(n AS TEXT)", "'00000000-0000-7000-8000-' || substr('000000000000' || n, length('000000000000' || n) - 11)"
		if b.Name == "postgres" {
			id = "CAST(" + id + " AS UUID)"
		}
		update(t, s, ours, func(tx *store.Tx) error { return endpoint(tx, 10, true, time.Time{}) })
		for first := 1; first < all; first += all / 20 {
			update(t, s, ours, func(tx *store.Tx) error {
				created := "'" + tx.Now().Add(-time.Duration(first)*time.Minute/25).Format("2006-01-02T15:04:05.000Z") + "'" // 20 instants in a month
				if b.Name == "postgres" {
					created = "CAST(" + created + " AS timestamptz)"
				}
				series := "WITH RECURSIVE numbers(n) AS (SELECT " + strconv.Itoa(first) + " UNION ALL SELECT n + 1 FROM numbers WHERE n < " + strconv.Itoa(first+all/20-1) + ") "
				notices := store.ExecUnguarded(tx, "INSERT INTO notices (org_id, id, type, resource_id, created_at, body) "+series+
					"SELECT '"+string(ours)+"', 'evt_' || "+number+", 'x', 'r', "+created+", '{}' FROM numbers")
				return errors.Join(notices, store.ExecUnguarded(tx, "INSERT INTO deliveries (org_id, id, endpoint_id, notice_id, event_type, resource_id, sequence, cause, status, attempts, due_at, http_status, duration_ms, error, response, created_at, delivered_at) "+
					series+"SELECT '"+string(ours)+"', "+id+", '"+uuid(10)+"', 'evt_' || "+number+", 'x', 'r', n, 'event', 'DELIVERED', 1, "+created+", 200, 5, '', '', "+created+", "+created+" FROM numbers"))
			})
		}
		t.Log("stored")
		began := time.Now()
		collect(t, s)
		t.Logf("counted in %v", time.Since(began))
		for _, q := range []webhook.MetricsQuery{{Bucket: "day", From: time.Now().AddDate(0, 0, -60)}, {Bucket: "hour", From: time.Now().AddDate(0, 0, -40)}, {Bucket: "day", From: time.Now().AddDate(0, 0, -60), EndpointID: uuid(10), EventType: "x"}} {
			view(t, s, func(tx *store.Tx) error {
				read := &readRows{MetricsView: tx}
				began := time.Now()
				m, err := webhook.Measure(read, q, true)
				if err != nil || m.Total.Attempts() != all || m.Total.Events != all || read.rows > 1000 {
					t.Errorf("%d rows, %+v: %v", read.rows, m.Total, err)
				}
				t.Logf("%s: %d rows in %v", q.Bucket, read.rows, time.Since(began))
				return nil
			})
		}
	})
}

// readRows counts the stored rows that are read.
type readRows struct {
	webhook.MetricsView
	rows int
}

func (r *readRows) DeliveryNumbers(q webhook.NumbersQuery, each func(numbers.Place, numbers.Slots) error) error {
	return r.MetricsView.DeliveryNumbers(q, func(p numbers.Place, s numbers.Slots) error { r.rows++; return each(p, s) })
}
