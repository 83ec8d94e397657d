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
func inBubble(t *testing.T, run func(y *fixture)) {
	b := storetest.SQLite(t)
	synctest.Test(t, func(t *testing.T) {
		y := &fixture{T: t}
		y.open(b, time.Now)
		run(y)
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
func (y *fixture) sleepFor(d time.Duration) func(context.Context, jobs.Job) error {
	return func(c context.Context, j jobs.Job) error {
		time.Sleep(d)
		return y.done(c, j)
	}
}

// A new job begins immediately, without waiting for the next poll.
func TestWake(t *testing.T) {
	inBubble(t, func(y *fixture) {
		began := time.Now()
		defer start(y.pump("post", 1, func(c context.Context, j jobs.Job) error {
			y.note("%s", time.Since(began))
			return y.finish(j)
		}))()
		synctest.Wait()
		time.Sleep(100 * time.Millisecond)
		y.add("post", 1)
		synctest.Wait()
		y.equal("began after", y.read(), "[100ms]")
	})
}

// A postponed job, or one of another process, begins within half a second of its time.
func TestIdleLook(t *testing.T) {
	inBubble(t, func(y *fixture) {
		due := time.Now().Add(10*time.Second + time.Millisecond)
		y.update(func(tx *store.Tx) error {
			return tx.Enqueue(jobs.Job{ID: uuid(3), Queue: "post", Subject: "later", RunAt: due})
		})
		var late time.Duration
		stop := start(y.pump("post", 1, func(c context.Context, j jobs.Job) error {
			late = time.Since(due)
			return y.done(c, j)
		}))
		time.Sleep(time.Minute)
		stop()
		if y.read() != "[later1]" || late < 0 || late > 500*time.Millisecond {
			t.Errorf("%s late", late)
		}
	})
}

// A job that takes much longer than its lease stays with its instance.
func TestRenewal(t *testing.T) {
	inBubble(t, func(y *fixture) {
		y.add("post", 1)
		stop := start(y.pump("post", 2, y.sleepFor(10*jobs.Lease)), y.pump("post", 2, y.sleepFor(10*jobs.Lease)))
		time.Sleep(11 * jobs.Lease)
		stop()
		y.equal("ran", y.read(), "[a1]")
	})
}

// A running pump takes over the jobs of a crashed process when their lease ends.
func TestTakeoverByRunningPump(t *testing.T) {
	inBubble(t, func(y *fixture) {
		y.add("post", 1)
		if dead, err := y.store.LeaseJobs(ctx, "post", 1, jobs.Lease); err != nil || len(dead) != 1 {
			t.Fatalf("%v, %v", dead, err)
		}
		stop := start(y.pump("post", 1, y.done))
		defer stop()
		time.Sleep(jobs.Lease - time.Millisecond)
		synctest.Wait()
		y.equal("while the lease lasts", y.read(), "[]")
		time.Sleep(501 * time.Millisecond)
		synctest.Wait()
		y.equal("after it", y.read(), "[a2]")
	})
}

// Exactly as many jobs run at the same time as there are workers.
func TestWorkers(t *testing.T) {
	inBubble(t, func(y *fixture) {
		y.add("post", 10)
		began := time.Now()
		var running, most, ran atomic.Int64
		var took time.Duration
		stop := start(y.pump("post", 3, func(_ context.Context, j jobs.Job) error {
			most.Store(max(most.Load(), running.Add(1)))
			time.Sleep(time.Second)
			running.Add(-1)
			if ran.Add(1) == 10 {
				took = time.Since(began)
			}
			return y.finish(j)
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
	inBubble(t, func(y *fixture) {
		y.add("slow", 2)
		y.add("post", 5)
		defer start(
			y.pump("slow", 1, y.sleepFor(time.Hour)),
			y.pump("post", 2, func(c context.Context, j jobs.Job) error {
				if j.Subject == "a" {
					time.Sleep(time.Hour)
				}
				return y.done(c, j)
			}))()
		time.Sleep(time.Second)
		synctest.Wait()
		y.equal("within a second", y.read(), "[b1 c1 d1 e1]")
	})
}

// A pump that is stopped lets its jobs finish and starts no new ones.
func TestStop(t *testing.T) {
	inBubble(t, func(y *fixture) {
		y.add("post", 2)
		stop := start(y.pump("post", 1, func(c context.Context, j jobs.Job) error {
			time.Sleep(5 * time.Second)
			if c.Err() != nil {
				y.note("disturbed")
			}
			return y.done(c, j)
		}))
		time.Sleep(time.Second)
		began := time.Now()
		stop()
		if took := time.Since(began); took != 4*time.Second {
			t.Errorf("took %s", took)
		}
		y.equal("finished", y.read(), "[a1]")
	})
}

// A job that does not end within the grace period is cancelled.
func TestStopHasAnEnd(t *testing.T) {
	inBubble(t, func(y *fixture) {
		y.add("post", 1)
		stop := start(y.pump("post", 1, func(c context.Context, j jobs.Job) error {
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
func TestPutOffWhileSlow(t *testing.T) {
	inBubble(t, func(y *fixture) {
		y.add("post", 1)
		p := y.pump("post", 1, func(_ context.Context, j jobs.Job) error {
			y.note("%s%d", j.Subject, j.Attempt)
			return errors.New("no")
		}, time.Hour, time.Hour)
		p.Store = slowAnswers{y.store}
		stop := start(p)
		time.Sleep(time.Minute)
		stop()
		y.equal("within a minute", y.read(), "[a1]")
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
func TestDatabaseAway(t *testing.T) {
	inBubble(t, func(y *fixture) {
		y.add("post", 1)
		away := &absent{Store: y.store}
		away.gone.Store(true)
		p := y.pump("post", 1, y.done)
		p.Store = away
		defer start(p)()
		time.Sleep(time.Minute)
		synctest.Wait()
		y.equal("while it is away", y.read(), "[]")
		if n := away.asked.Load(); n < 100 || n > 130 {
			t.Errorf("asked %d times in a minute", n)
		}
		away.gone.Store(false)
		time.Sleep(time.Second)
		synctest.Wait()
		y.equal("when it is back", y.read(), "[a1]")
	})
}

// absent is a store whose database can be unavailable.
type absent struct {
	*store.Store
	gone  atomic.Bool
	asked atomic.Int64
}

func (a *absent) LeaseJobs(c context.Context, queue string, limit int, lease time.Duration) ([]jobs.Job, error) {
	a.asked.Add(1)
	if a.gone.Load() {
		return nil, errors.New("away")
	}
	return a.Store.LeaseJobs(c, queue, limit, lease)
}
