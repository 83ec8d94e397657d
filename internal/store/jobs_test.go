package store_test

import (
	"database/sql"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// Only one worker leases a job. It can be leased again when the lease ends, and then only the
// new holder can finish it.
func TestLeaseIsFenced(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		now := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
		o := b.Options()
		o.Now = func() time.Time { return now }
		s, err := store.Open(ctx, o)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		update(t, s, ours, func(tx *store.Tx) error { return tx.Enqueue(jobs.Job{ID: uuid(7), Queue: "q", Subject: "s"}) })
		first := lease(t, s, 1)
		lease(t, s, 0)
		now = now.Add(jobs.Lease + time.Second)
		second := lease(t, s, 1)
		finish := func(j jobs.Job) error {
			return s.Update(ctx, j.Org, func(tx *store.Tx) error { return tx.FinishJob(j) })
		}
		if err := finish(first[0]); !errors.Is(err, jobs.ErrLeaseLost) {
			t.Errorf("the first holder finished: %v", err)
		}
		if err := finish(second[0]); err != nil {
			t.Errorf("the second holder: %v", err)
		}
	})
}

func lease(t *testing.T, s *store.Store, want int) []jobs.Job {
	t.Helper()
	jobs, err := s.LeaseJobs(ctx, "q", 10, jobs.Lease)
	if err != nil || len(jobs) != want {
		t.Fatalf("leased %v, %v", jobs, err)
	}
	return jobs
}

// When many workers lease at a time, none gets more than it asked for, and each job goes to one,
// also if PostgreSQL plans for a tiny table.
func TestLeaseLimit(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		const queued, lessees, most = 40, 4, 3
		s := b.Open(t)
		update(t, s, ours, func(tx *store.Tx) error { return tx.Enqueue(jobs.Job{ID: uuid(queued), Queue: "q", Subject: "s"}) })
		if b.URL != "" {
			analyse(t, b.Owner)
		}
		update(t, s, ours, func(tx *store.Tx) error {
			for i := range queued {
				if err := tx.Enqueue(jobs.Job{ID: uuid(i), Queue: "q", Subject: "s"}); err != nil {
					return err
				}
			}
			return nil
		})
		var all sync.Map
		var group sync.WaitGroup
		for range lessees {
			group.Go(func() {
				for n := 1; n > 0; {
					got, err := s.LeaseJobs(ctx, "q", most, jobs.Lease)
					if n = len(got); err != nil || n > most {
						t.Errorf("leased %d jobs, asking for %d: %v", n, most, err)
					}
					for _, j := range got {
						if _, twice := all.LoadOrStore(j.ID, true); twice {
							t.Errorf("job %s was leased twice", j.ID)
						}
					}
				}
			})
		}
		group.Wait()
	})
}

func analyse(t *testing.T, address string) {
	t.Helper()
	db, err := sql.Open("pgx", address)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.ExecContext(ctx, "ANALYZE"); err != nil {
		t.Fatal(err)
	}
}
