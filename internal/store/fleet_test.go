package store_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// waitLimit is the longest that a test waits for something that takes milliseconds.
const waitLimit = 3 * time.Minute

func expectWakeup(t *testing.T, wake <-chan struct{}, what string) {
	t.Helper()
	select {
	case <-wake:
	case <-time.After(waitLimit):
		t.Fatalf("no wakeup for %s", what)
	}
}

func enqueue(t *testing.T, s *store.Store, n int, at time.Time, queues ...string) {
	t.Helper()
	update(t, s, ours, func(tx *store.Tx) error {
		for i, queue := range queues {
			if err := tx.Enqueue(jobs.Job{ID: uuid(1000*n + i), Queue: queue, Subject: "s", RunAt: at}); err != nil {
				return err
			}
		}
		return nil
	})
}

// A job that one instance stores wakes the workers of another without polling, and still does
// after the listening connection was closed.
func TestInstancesNotifyEachOther(t *testing.T) {
	b := storetest.Postgres(t)
	writer, worker := open(t, b), b.Open(t)
	wake, other := worker.Wake("q"), worker.Wake("other")
	expectWakeup(t, wake, "jobs stored before the connection")
	expectWakeup(t, other, "jobs stored before the connection")
	enqueue(t, writer, 1, time.Time{}, "q", "q", "other", "q")
	expectWakeup(t, wake, "a job")
	expectWakeup(t, other, "a job of another queue in the same transaction")
	admin := storetest.Superuser(t, b)
	var cut int
	if err := admin.QueryRow("SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'").Scan(&cut); err != nil || cut != 1 {
		t.Fatalf("%d connections listen: %v", cut, err)
	}
	enqueue(t, writer, 2, time.Time{}, "q")
	expectWakeup(t, wake, "a job stored while the connection was closed")
	enqueue(t, writer, 3, time.Time{}, "q")
	expectWakeup(t, wake, "a job after the new connection")
}

// A failed transaction sends no notification, nor does one whose job is scheduled for later. A
// transaction with many jobs sends one.
func TestOneNotificationPerTransaction(t *testing.T) {
	b := storetest.Postgres(t)
	writer := open(t, b)
	db := storetest.Superuser(t, b)
	db.SetMaxOpenConns(1)
	if _, err := db.Exec("LISTEN tidewaiter_jobs"); err != nil {
		t.Fatal(err)
	}
	refused := errors.New("refused")
	err := writer.Update(ctx, ours, func(tx *store.Tx) error {
		return errors.Join(tx.Enqueue(jobs.Job{ID: uuid(1), Queue: "never", Subject: "s"}), refused)
	})
	if !errors.Is(err, refused) {
		t.Fatal(err)
	}
	enqueue(t, writer, 1, time.Now().Add(time.Hour), "later")
	enqueue(t, writer, 2, time.Time{}, "b", "a", "b", "a", "b")
	sent := storetest.Notifications(t, db, " b")
	if len(sent) != 1 || sent[0][len(sent[0])-4:] != " a b" {
		t.Errorf("sent %q", sent)
	}
}

// Only one of several callers runs at a time under a name; the others do not wait. The name is
// free again when its holder has finished or failed. Different names do not exclude each other.
func TestExclusive(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		one, two := b.Open(t), b.Open(t)
		inside, leave, ended := make(chan bool), make(chan bool), make(chan error)
		go func() {
			_, err := one.Exclusive(ctx, "sweep", func(context.Context) error {
				inside <- true
				<-leave
				return nil
			})
			ended <- err
		}()
		<-inside
		try := func(s *store.Store, name string, want bool) {
			t.Helper()
			ran, err := s.Exclusive(ctx, name, func(context.Context) error { return nil })
			if err != nil || ran != want {
				t.Errorf("%s: %v, %v", name, ran, err)
			}
		}
		try(two, "sweep", false)
		try(one, "sweep", false)
		try(two, "house", true)
		leave <- true
		if err := <-ended; err != nil {
			t.Error(err)
		}
		try(two, "sweep", true)
		failed := errors.New("failed")
		if ran, err := one.Exclusive(ctx, "sweep", func(context.Context) error { return failed }); !ran || !errors.Is(err, failed) {
			t.Errorf("%v, %v", ran, err)
		}
		try(two, "sweep", true)
	})
}

// All instances together get one slot of a name in each gap, however many request one at once.
func TestSlotsAreSpaced(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		const gap = time.Hour
		instances := []*store.Store{b.Open(t), b.Open(t), b.Open(t)}
		db := openDirect(t, b)
		for range 3 {
			var taken atomic.Int64
			var all sync.WaitGroup
			for n := range 12 {
				all.Go(func() {
					switch wait, err := instances[n%3].ReserveSlot(ctx, "customs", gap); {
					case err != nil || wait > gap || wait > 0 && wait < gap/2:
						t.Errorf("wait %s, %v", wait, err)
					case wait == 0:
						taken.Add(1)
					}
				})
			}
			all.Wait()
			if n := taken.Load(); n != 1 {
				t.Errorf("%d slots in a gap", n)
			}
			// The test puts the end of the gap back instead of waiting for it.
			if _, err := db.Exec("UPDATE installation SET value = CAST(CAST(value AS BIGINT) - $1 AS TEXT) WHERE name = 'turn customs'", gap.Microseconds()); err != nil {
				t.Fatal(err)
			}
		}
		if wait, err := instances[0].ReserveSlot(ctx, "other", gap); err != nil || wait != 0 {
			t.Errorf("a slot of another name waits %s, %v", wait, err)
		}
	})
}

// After a clock was set back by an hour, callers do not wait for an hour.
func TestSlotsAfterClockSetBack(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		s := b.Open(t)
		if wait, err := s.ReserveSlot(ctx, "customs", time.Hour); wait != 0 || err != nil {
			t.Fatalf("%s, %v", wait, err)
		}
		if wait, err := s.ReserveSlot(ctx, "customs", time.Hour); wait < 59*time.Minute || err != nil {
			t.Errorf("remaining wait within the gap: %s, %v", wait, err)
		}
		if wait, err := s.ReserveSlot(ctx, "customs", time.Second); wait != 0 || err != nil {
			t.Errorf("remaining wait longer than the gap: %s, %v", wait, err)
		}
	})
}
