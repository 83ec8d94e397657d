package jobs_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

var (
	ctx  = context.Background()
	nine = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	org  = tenant.ID(uuid(1))
)

func uuid(n int) string { return fmt.Sprintf("01900000-0000-7000-8000-%012d", n) }

// fixture is a real store with a clock that the test sets, and a log of the jobs that ran.
type fixture struct {
	*testing.T
	store *store.Store
	now   time.Time

	mu  sync.Mutex
	log []string
}

func each(t *testing.T, run func(f *fixture)) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		f := &fixture{T: t, now: nine}
		f.open(b, func() time.Time { return f.now })
		run(f)
	})
}

func (f *fixture) open(b storetest.Backend, now func() time.Time) {
	f.Helper()
	o := b.Options()
	o.Now = now
	var err error
	if f.store, err = store.Open(ctx, o); err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { _ = f.store.Close() })
}

// add adds jobs with the subjects a, b, c … to a queue.
func (f *fixture) add(queue string, n int) {
	f.Helper()
	f.update(func(tx *store.Tx) error {
		for i := range n {
			if err := tx.Enqueue(jobs.Job{ID: uuid(int(queue[0])*1000 + i), Queue: queue, Subject: string(rune('a' + i))}); err != nil {
				return err
			}
		}
		return nil
	})
}

func (f *fixture) update(fn func(*store.Tx) error) {
	f.Helper()
	if err := f.store.Update(ctx, org, fn); err != nil {
		f.Fatal(err)
	}
}

// note adds to the log.
func (f *fixture) note(format string, args ...any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.log = append(f.log, fmt.Sprintf(format, args...))
}

// read returns the log in order and begins a new one.
func (f *fixture) read() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	slices.Sort(f.log)
	text := fmt.Sprint(f.log)
	f.log = nil
	return text
}

func (f *fixture) finish(j jobs.Job) error {
	return f.store.Update(ctx, j.Org, func(tx *store.Tx) error { return tx.FinishJob(j) })
}

// done logs the job and finishes it.
func (f *fixture) done(_ context.Context, j jobs.Job) error {
	f.note("%s%d", j.Subject, j.Attempt)
	return f.finish(j)
}

func (f *fixture) pump(queue string, workers int, do func(context.Context, jobs.Job) error, backoff ...time.Duration) *jobs.Pump {
	return &jobs.Pump{
		Queue: jobs.Queue{Name: queue, Workers: workers, Do: do, Backoff: backoff}, Store: f.store, Log: slog.New(slog.DiscardHandler),
	}
}

// steps runs due jobs until there are none, and returns their number.
func (f *fixture) steps(p *jobs.Pump) int {
	f.Helper()
	all := 0
	for range 100 {
		n, err := p.Step(ctx)
		if err != nil {
			f.Fatal(err)
		}
		if n == 0 {
			return all
		}
		all += n
	}
	f.Fatal("the queue does not end")
	return all
}

// after sets the clock to a time after nine and runs due jobs.
func (f *fixture) after(d time.Duration, p *jobs.Pump) string {
	f.Helper()
	f.now = nine.Add(d)
	f.steps(p)
	return f.read()
}

func (f *fixture) equal(what, got, want string) {
	f.Helper()
	if got != want {
		f.Errorf("%s: got %s, want %s", what, got, want)
	}
}

// Each job of the queue runs once, and no job of another queue.
func TestJobsRunOnce(t *testing.T) {
	each(t, func(f *fixture) {
		f.add("post", 5)
		f.add("other", 1)
		p := f.pump("post", 2, f.done)
		f.equal("at once", f.after(0, p), "[a1 b1 c1 d1 e1]")
		f.equal("a day later", f.after(24*time.Hour, p), "[]")
	})
}

// A job of a transaction that was rolled back does not exist, and a job for later waits.
func TestJobsBegin(t *testing.T) {
	each(t, func(f *fixture) {
		undone := errors.New("undone")
		err := f.store.Update(ctx, org, func(tx *store.Tx) error {
			if err := tx.Enqueue(jobs.Job{ID: uuid(2), Queue: "post", Subject: "never"}); err != nil {
				return err
			}
			return undone
		})
		if !errors.Is(err, undone) {
			t.Fatal(err)
		}
		f.update(func(tx *store.Tx) error {
			return tx.Enqueue(jobs.Job{ID: uuid(3), Queue: "post", Subject: "later", RunAt: nine.Add(time.Hour)})
		})
		p := f.pump("post", 2, f.done)
		f.equal("at once", f.after(0, p), "[]")
		f.equal("just before", f.after(time.Hour-time.Millisecond, p), "[]")
		f.equal("then", f.after(time.Hour, p), "[later1]")
	})
}

// A job that fails is tried again after each delay, and given up after the last.
func TestBackoff(t *testing.T) {
	each(t, func(f *fixture) {
		f.add("post", 1)
		p := f.pump("post", 2, func(_ context.Context, j jobs.Job) error {
			f.note("%s%d", j.Subject, j.Attempt)
			return errors.New("no")
		}, time.Second, time.Minute, time.Hour)
		for _, step := range []struct {
			at   time.Duration
			want string
		}{
			{0, "[a1]"}, {time.Second - time.Millisecond, "[]"}, {time.Second, "[a2]"},
			{time.Second + time.Minute - time.Millisecond, "[]"}, {time.Second + time.Minute, "[a3]"},
			{time.Hour, "[]"}, {2 * time.Hour, "[a4]"}, {1000 * time.Hour, "[]"},
		} {
			f.equal("after "+step.at.String(), f.after(step.at, p), step.want)
		}
	})
}

// A job that finally succeeds is done, and delays no other job.
func TestRetryAndNeighbours(t *testing.T) {
	each(t, func(f *fixture) {
		f.add("post", 3)
		p := f.pump("post", 1, func(c context.Context, j jobs.Job) error {
			if j.Subject == "b" && j.Attempt < 3 {
				f.note("%s%d fails", j.Subject, j.Attempt)
				return errors.New("no")
			}
			return f.done(c, j)
		}, time.Minute, time.Minute, time.Minute)
		f.equal("at once", f.after(0, p), "[a1 b1 fails c1]")
		f.equal("a minute later", f.after(time.Minute, p), "[b2 fails]")
		f.equal("two minutes later", f.after(2*time.Minute, p), "[b3]")
		f.equal("then", f.after(time.Hour, p), "[]")
	})
}

// After an error of the store, or a crash of the process, a job is tried again within seconds, any number of times.
// Neither counts as a failure of the job.
func TestOutageIsNoFailure(t *testing.T) {
	each(t, func(f *fixture) {
		f.add("post", 1)
		for n := range 9 {
			f.now = nine.Add(time.Duration(n) * jobs.Lease)
			if dead, err := f.store.LeaseJobs(ctx, "post", 1, jobs.Lease); err != nil || len(dead) != 1 {
				t.Fatalf("%v, %v", dead, err)
			}
		}
		var fails error
		p := f.pump("post", 1, func(_ context.Context, j jobs.Job) error {
			f.note("%s%d", j.Subject, j.Attempt)
			return fails
		}, time.Hour)
		began := 9 * jobs.Lease
		fails = fmt.Errorf("reading: %w", apierr.New(apierr.StoreUnavailable, "The database does not answer."))
		f.equal("when the lease of the crashed process ends", f.after(began, p), "[a10]")
		f.equal("soon", f.after(began+10*time.Second-time.Millisecond, p), "[]")
		f.equal("after as many seconds as attempts", f.after(began+10*time.Second, p), "[a11]")
		for attempt := 12; attempt < 30; attempt += 2 {
			began += 30 * time.Second
			f.equal("again", f.after(began, p), fmt.Sprintf("[a%d]", attempt))
			f.equal("within the longest wait", f.after(began+15*time.Second, p), fmt.Sprintf("[a%d]", attempt+1))
		}
		fails = errors.New("no")
		f.equal("because of the job itself", f.after(began+30*time.Second, p), "[a30]")
		f.equal("postponed", f.after(began+time.Hour, p), "[]")
		f.equal("once more", f.after(began+30*time.Second+time.Hour, p), "[a31]")
		f.equal("given up", f.after(began+1000*time.Hour, p), "[]")
		if n, err := f.store.ReviveJobs(ctx, "post"); err != nil || n != 1 {
			t.Fatalf("revived %d, %v", n, err)
		}
		f.equal("revived", f.after(began+1001*time.Hour, p), "[a32]")
		f.equal("with its attempts before it", f.after(began+1002*time.Hour, p), "[a33]")
	})
}

// A panic is a failure of its job only.
func TestPanic(t *testing.T) {
	each(t, func(f *fixture) {
		f.add("post", 3)
		p := f.pump("post", 3, func(c context.Context, j jobs.Job) error {
			if j.Subject == "b" && j.Attempt == 1 {
				panic("b panics")
			}
			return f.done(c, j)
		}, time.Minute)
		f.equal("at once", f.after(0, p), "[a1 c1]")
		f.equal("a minute later", f.after(time.Minute, p), "[b2]")
	})
}

// An error text with any bytes does not prevent a job from being postponed and given up.
func TestOddProblems(t *testing.T) {
	each(t, func(f *fixture) {
		f.add("post", 1)
		p := f.pump("post", 1, func(_ context.Context, j jobs.Job) error {
			f.note("%s%d", j.Subject, j.Attempt)
			return errors.New("answer \x00\xff of customs")
		}, time.Hour)
		f.equal("at once", f.after(0, p), "[a1]")
		f.equal("when its lease ends", f.after(jobs.Lease, p), "[]")
		f.equal("an hour later", f.after(time.Hour, p), "[a2]")
		f.equal("given up", f.after(9*time.Hour, p), "[]")
	})
}

// The jobs of a crashed process are taken over when their lease ends, not before. Late writes of that process have no
// effect.
func TestTakeover(t *testing.T) {
	each(t, func(f *fixture) {
		f.add("post", 2)
		dead, err := f.store.LeaseJobs(ctx, "post", 1, jobs.Lease)
		if err != nil || len(dead) != 1 {
			t.Fatalf("%v, %v", dead, err)
		}
		p := f.pump("post", 2, f.done)
		f.equal("at once", f.after(0, p), "[b1]")
		f.equal("while the lease lasts", f.after(jobs.Lease-time.Millisecond, p), "[]")
		alive, err := f.store.LeaseJobs(ctx, "post", 9, jobs.Lease)
		if err != nil || len(alive) != 0 {
			t.Fatalf("leased twice: %v, %v", alive, err)
		}
		f.now = nine.Add(jobs.Lease)
		if alive, err = f.store.LeaseJobs(ctx, "post", 9, jobs.Lease); err != nil || len(alive) != 1 || alive[0].Attempt != 2 {
			t.Fatalf("not taken over: %v, %v", alive, err)
		}
		for what, err := range map[string]error{
			"finish": f.store.Update(ctx, org, func(tx *store.Tx) error {
				if err := tx.Enqueue(jobs.Job{ID: uuid(77), Queue: "effects", Subject: "twice"}); err != nil {
					return err
				}
				return tx.FinishJob(dead[0])
			}),
			"renew": f.store.RenewJob(ctx, dead[0], time.Hour), "retry": f.store.RetryLater(ctx, dead[0], time.Hour, "x"), "give up": f.store.GiveUp(ctx, dead[0], "x"),
		} {
			if !errors.Is(err, jobs.ErrLeaseLost) {
				t.Errorf("%s by the crashed process: %v", what, err)
			}
		}
		f.equal("effects of the crashed process", f.after(jobs.Lease, f.pump("effects", 1, f.done)), "[]")
		if err := f.finish(alive[0]); err != nil {
			t.Errorf("finish by the new holder: %v", err)
		}
		if err := f.finish(alive[0]); !errors.Is(err, jobs.ErrLeaseLost) {
			t.Errorf("finish twice: %v", err)
		}
	})
}

// A job whose lease was lost is left to the instance that has it now.
func TestLeaseLost(t *testing.T) {
	each(t, func(f *fixture) {
		f.add("post", 1)
		p := f.pump("post", 1, func(_ context.Context, j jobs.Job) error {
			f.note("%s%d", j.Subject, j.Attempt)
			return fmt.Errorf("customs: %w", jobs.ErrLeaseLost)
		})
		f.equal("at once", f.after(0, p), "[a1]")
		f.equal("when the lease ends", f.after(jobs.Lease, p), "[a2]")
	})
}

// A job that returns without an error but has not finished itself runs again.
func TestForgottenFinish(t *testing.T) {
	each(t, func(f *fixture) {
		f.add("post", 1)
		p := f.pump("post", 1, func(c context.Context, j jobs.Job) error {
			if j.Attempt == 1 {
				return nil
			}
			return f.done(c, j)
		})
		f.equal("at once", f.after(0, p), "[]")
		f.equal("when the lease ends", f.after(jobs.Lease, p), "[a2]")
	})
}

// Several pumps share a queue, and no job runs twice.
func TestSeveralPumps(t *testing.T) {
	each(t, func(f *fixture) {
		f.add("post", 26)
		var all sync.WaitGroup
		for range 4 {
			p := f.pump("post", 3, f.done)
			all.Go(func() {
				for {
					if n, err := p.Step(ctx); n == 0 || err != nil {
						if err != nil {
							t.Error(err)
						}
						return
					}
				}
			})
		}
		all.Wait()
		f.steps(f.pump("post", 3, f.done))
		want := make([]string, 26)
		for i := range want {
			want[i] = string(rune('a'+i)) + "1"
		}
		f.equal("together", f.read(), fmt.Sprint(want))
	})
}

// Watch is called for each attempt with its outcome, and sets the context in which the job runs.
func TestWatch(t *testing.T) {
	type key struct{}
	each(t, func(f *fixture) {
		f.add("post", 3)
		p := f.pump("post", 1, func(c context.Context, j jobs.Job) error {
			f.note("%s in %v", j.Subject, c.Value(key{}))
			switch j.Subject {
			case "b":
				return errors.New("not now")
			case "c":
				return jobs.ErrLeaseLost
			}
			return f.finish(j)
		}, time.Minute)
		p.Watch = func(c context.Context, j jobs.Job) (context.Context, func(jobs.Outcome)) {
			return context.WithValue(c, key{}, j.Queue), func(o jobs.Outcome) { f.note("%s %s", j.Subject, o) }
		}
		f.steps(p)
		f.equal("outcomes", f.read(), "[a done a in post b in post b put_off c in post c lost]")
		f.equal("a minute later", f.after(time.Hour, p), "[b given_up b in post c in post c lost]")
	})
}
