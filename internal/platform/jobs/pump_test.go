package jobs_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// The tests of this file run pumps in synctest bubbles: time passes only while all goroutines wait, so minutes take
// milliseconds and are exact.
func inBubble(t *testing.T, run func(f *fixture)) {
	b := storetest.SQLite(t)
	synctest.Test(t, func(t *testing.T) {
		f := &fixture{T: t}
		f.open(b, time.Now)
		run(f)
	})
}

// start runs pumps; stop ends them and waits.
func start(pumps ...*jobs.Pump) (stop func()) {
	running, cancel := context.WithCancel(ctx)
	var all sync.WaitGroup
	for _, p := range pumps {
		all.Go(func() { p.Run(running) })
	}
	return func() {
		cancel()
		all.Wait()
	}
}

// sleepFor is a job that takes a while.
func (f *fixture) sleepFor(d time.Duration) func(context.Context, jobs.Job) error {
	return func(c context.Context, j jobs.Job) error {
		time.Sleep(d)
		return f.done(c, j)
	}
}

// A new job begins immediately, without waiting for the next poll.
func TestWake(t *testing.T) {
	inBubble(t, func(f *fixture) {
		began := time.Now()
		defer start(f.pump("post", 1, func(c context.Context, j jobs.Job) error {
			f.note("%s", time.Since(began))
			return f.finish(j)
		}))()
		synctest.Wait()
		time.Sleep(100 * time.Millisecond)
		f.add("post", 1)
		synctest.Wait()
		f.equal("began after", f.read(), "[100ms]")
	})
}

// A postponed job, or one of another process, begins within half a second of its time.
func TestPolling(t *testing.T) {
	inBubble(t, func(f *fixture) {
		due := time.Now().Add(10*time.Second + time.Millisecond)
		f.update(func(tx *store.Tx) error {
			return tx.Enqueue(jobs.Job{ID: uuid(3), Queue: "post", Subject: "later", RunAt: due})
		})
		var late time.Duration
		stop := start(f.pump("post", 1, func(c context.Context, j jobs.Job) error {
			late = time.Since(due)
			return f.done(c, j)
		}))
		time.Sleep(time.Minute)
		stop()
		if f.read() != "[later1]" || late < 0 || late > 500*time.Millisecond {
			t.Errorf("%s late", late)
		}
	})
}

// A job that takes much longer than its lease stays with its instance.
func TestRenewal(t *testing.T) {
	inBubble(t, func(f *fixture) {
		f.add("post", 1)
		stop := start(f.pump("post", 2, f.sleepFor(10*jobs.Lease)), f.pump("post", 2, f.sleepFor(10*jobs.Lease)))
		time.Sleep(11 * jobs.Lease)
		stop()
		f.equal("ran", f.read(), "[a1]")
	})
}

// A running pump takes over the jobs of a crashed process when their lease ends.
func TestTakeoverByRunningPump(t *testing.T) {
	inBubble(t, func(f *fixture) {
		f.add("post", 1)
		if dead, err := f.store.LeaseJobs(ctx, "post", 1, jobs.Lease); err != nil || len(dead) != 1 {
			t.Fatalf("%v, %v", dead, err)
		}
		stop := start(f.pump("post", 1, f.done))
		defer stop()
		time.Sleep(jobs.Lease - time.Millisecond)
		synctest.Wait()
		f.equal("while the lease lasts", f.read(), "[]")
		time.Sleep(501 * time.Millisecond)
		synctest.Wait()
		f.equal("after it", f.read(), "[a2]")
	})
}

// Exactly as many jobs run at the same time as there are workers.
func TestWorkers(t *testing.T) {
	inBubble(t, func(f *fixture) {
		f.add("post", 10)
		began := time.Now()
		var running, most, ran atomic.Int64
		var took time.Duration
		stop := start(f.pump("post", 3, func(_ context.Context, j jobs.Job) error {
			most.Store(max(most.Load(), running.Add(1)))
			time.Sleep(time.Second)
			running.Add(-1)
			if ran.Add(1) == 10 {
				took = time.Since(began)
			}
			return f.finish(j)
		}))
		time.Sleep(time.Minute)
		stop()
		if most.Load() != 3 || ran.Load() != 10 || took != 4*time.Second {
			t.Errorf("%d at a time, %d in all, in %s", most.Load(), ran.Load(), took)
		}
	})
}

// A slow queue delays no other queue, and a slow job no other job.
func TestSlowQueue(t *testing.T) {
	inBubble(t, func(f *fixture) {
		f.add("slow", 2)
		f.add("post", 5)
		defer start(
			f.pump("slow", 1, f.sleepFor(time.Hour)),
			f.pump("post", 2, func(c context.Context, j jobs.Job) error {
				if j.Subject == "a" {
					time.Sleep(time.Hour)
				}
				return f.done(c, j)
			}))()
		time.Sleep(time.Second)
		synctest.Wait()
		f.equal("within a second", f.read(), "[b1 c1 d1 e1]")
	})
}

// A pump that is stopped lets its jobs finish and starts no new ones.
func TestStop(t *testing.T) {
	inBubble(t, func(f *fixture) {
		f.add("post", 2)
		stop := start(f.pump("post", 1, func(c context.Context, j jobs.Job) error {
			time.Sleep(5 * time.Second)
			if c.Err() != nil {
				f.note("disturbed")
			}
			return f.done(c, j)
		}))
		time.Sleep(time.Second)
		began := time.Now()
		stop()
		if took := time.Since(began); took != 4*time.Second {
			t.Errorf("took %s", took)
		}
		f.equal("finished", f.read(), "[a1]")
	})
}

// A job that does not end within the grace period is cancelled.
func TestStopHasAnEnd(t *testing.T) {
	inBubble(t, func(f *fixture) {
		f.add("post", 1)
		stop := start(f.pump("post", 1, func(c context.Context, j jobs.Job) error {
			<-c.Done()
			return c.Err()
		}, time.Minute))
		time.Sleep(time.Second)
		began := time.Now()
		stop()
		if took := time.Since(began); took != 8*time.Second {
			t.Errorf("took %s", took)
		}
	})
}

// A postponed job stays postponed even if the database answers late: no late renewal makes it due early.
func TestPostponeWhileDatabaseIsSlow(t *testing.T) {
	inBubble(t, func(f *fixture) {
		f.add("post", 1)
		p := f.pump("post", 1, func(_ context.Context, j jobs.Job) error {
			f.note("%s%d", j.Subject, j.Attempt)
			return errors.New("no")
		}, time.Hour, time.Hour)
		p.Store = slowAnswers{f.store}
		stop := start(p)
		time.Sleep(time.Minute)
		stop()
		f.equal("within a minute", f.read(), "[a1]")
	})
}

// slowAnswers postpones jobs immediately and answers late.
type slowAnswers struct{ *store.Store }

func (s slowAnswers) RetryLater(c context.Context, j jobs.Job, delay time.Duration, problem string) error {
	err := s.Store.RetryLater(c, j, delay, problem)
	time.Sleep(jobs.Lease / 2)
	return err
}

// A pump continues after its database was unavailable.
func TestDatabaseUnavailable(t *testing.T) {
	inBubble(t, func(f *fixture) {
		f.add("post", 1)
		flaky := &unavailableStore{Store: f.store}
		flaky.down.Store(true)
		p := f.pump("post", 1, f.done)
		p.Store = flaky
		defer start(p)()
		time.Sleep(time.Minute)
		synctest.Wait()
		f.equal("while it is unavailable", f.read(), "[]")
		if n := flaky.calls.Load(); n < 100 || n > 130 {
			t.Errorf("%d calls in a minute", n)
		}
		flaky.down.Store(false)
		time.Sleep(time.Second)
		synctest.Wait()
		f.equal("when it is available again", f.read(), "[a1]")
	})
}

// unavailableStore is a store whose database can be unavailable.
type unavailableStore struct {
	*store.Store
	down  atomic.Bool
	calls atomic.Int64
}

func (a *unavailableStore) LeaseJobs(c context.Context, queue string, limit int, lease time.Duration) ([]jobs.Job, error) {
	a.calls.Add(1)
	if a.down.Load() {
		return nil, errors.New("unavailable")
	}
	return a.Store.LeaseJobs(c, queue, limit, lease)
}
