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

func each(t *testing.T, run func(y *fixture)) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		y := &fixture{T: t, now: nine}
		y.open(b, func() time.Time { return y.now })
		run(y)
	})
}

func (y *fixture) open(b storetest.Backend, now func() time.Time) {
	y.Helper()
	o := b.Options()
	o.Now = now
	var err error
	if y.store, err = store.Open(ctx, o); err != nil {
		y.Fatal(err)
	}
	y.Cleanup(func() { _ = y.store.Close() })
}

// add adds jobs with the subjects a, b, c … to a queue.
func (y *fixture) add(queue string, n int) {
	y.Helper()
	y.update(func(tx *store.Tx) error {
		for i := range n {
			if err := tx.Enqueue(jobs.Job{ID: uuid(int(queue[0])*1000 + i), Queue: queue, Subject: string(rune('a' + i))}); err != nil {
				return err
			}
		}
		return nil
	})
}

func (y *fixture) update(fn func(*store.Tx) error) {
	y.Helper()
	if err := y.store.Update(ctx, org, fn); err != nil {
		y.Fatal(err)
	}
}

// note adds to the log.
func (y *fixture) note(format string, args ...any) {
	y.mu.Lock()
	defer y.mu.Unlock()
	y.log = append(y.log, fmt.Sprintf(format, args...))
}

// read returns the log in order and begins a new one.
func (y *fixture) read() string {
	y.mu.Lock()
	defer y.mu.Unlock()
	slices.Sort(y.log)
	text := fmt.Sprint(y.log)
	y.log = nil
	return text
}

func (y *fixture) finish(j jobs.Job) error {
	return y.store.Update(ctx, j.Org, func(tx *store.Tx) error { return tx.FinishJob(j) })
}

// done logs the job and finishes it.
func (y *fixture) done(_ context.Context, j jobs.Job) error {
	y.note("%s%d", j.Subject, j.Attempt)
	return y.finish(j)
}

func (y *fixture) pump(queue string, workers int, do func(context.Context, jobs.Job) error, backoff ...time.Duration) *jobs.Pump {
	return &jobs.Pump{
		Queue: jobs.Queue{Name: queue, Workers: workers, Do: do, Backoff: backoff}, Store: y.store, Log: slog.New(slog.DiscardHandler),
	}
}

// steps runs due jobs until there are none, and returns their number.
func (y *fixture) steps(p *jobs.Pump) int {
	y.Helper()
	all := 0
	for range 100 {
		n, err := p.Step(ctx)
		if err != nil {
			y.Fatal(err)
		}
		if n == 0 {
			return all
		}
		all += n
	}
	y.Fatal("the queue does not end")
	return all
}

// after sets the clock to a time after nine and runs due jobs.
func (y *fixture) after(d time.Duration, p *jobs.Pump) string {
	y.Helper()
	y.now = nine.Add(d)
	y.steps(p)
	return y.read()
}

func (y *fixture) equal(what, got, want string) {
	y.Helper()
	if got != want {
		y.Errorf("%s: got %s, want %s", what, got, want)
	}
}

// Each job of the queue runs once, and no job of another queue.
func TestJobsRunOnce(t *testing.T) {
	each(t, func(y *fixture) {
		y.add("post", 5)
		y.add("other", 1)
		p := y.pump("post", 2, y.done)
		y.equal("at once", y.after(0, p), "[a1 b1 c1 d1 e1]")
		y.equal("a day later", y.after(24*time.Hour, p), "[]")
	})
}

// A job of a transaction that was rolled back does not exist, and a job for later waits.
func TestJobsBegin(t *testing.T) {
	each(t, func(y *fixture) {
		undone := errors.New("undone")
		err := y.store.Update(ctx, org, func(tx *store.Tx) error {
			if err := tx.Enqueue(jobs.Job{ID: uuid(2), Queue: "post", Subject: "never"}); err != nil {
				return err
			}
			return undone
		})
		if !errors.Is(err, undone) {
			t.Fatal(err)
		}
		y.update(func(tx *store.Tx) error {
			return tx.Enqueue(jobs.Job{ID: uuid(3), Queue: "post", Subject: "later", RunAt: nine.Add(time.Hour)})
		})
		p := y.pump("post", 2, y.done)
		y.equal("at once", y.after(0, p), "[]")
		y.equal("just before", y.after(time.Hour-time.Millisecond, p), "[]")
		y.equal("then", y.after(time.Hour, p), "[later1]")
	})
}

// A job that fails is tried again after each delay, and given up after the last.
func TestBackoff(t *testing.T) {
	each(t, func(y *fixture) {
		y.add("post", 1)
		p := y.pump("post", 2, func(_ context.Context, j jobs.Job) error {
			y.note("%s%d", j.Subject, j.Attempt)
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
			y.equal("after "+step.at.String(), y.after(step.at, p), step.want)
		}
	})
}

// A job that finally succeeds is done, and delays no other job.
func TestRetryAndNeighbours(t *testing.T) {
	each(t, func(y *fixture) {
		y.add("post", 3)
		p := y.pump("post", 1, func(c context.Context, j jobs.Job) error {
			if j.Subject == "b" && j.Attempt < 3 {
				y.note("%s%d fails", j.Subject, j.Attempt)
				return errors.New("no")
			}
			return y.done(c, j)
		}, time.Minute, time.Minute, time.Minute)
		y.equal("at once", y.after(0, p), "[a1 b1 fails c1]")
		y.equal("a minute later", y.after(time.Minute, p), "[b2 fails]")
		y.equal("two minutes later", y.after(2*time.Minute, p), "[b3]")
		y.equal("then", y.after(time.Hour, p), "[]")
	})
}

// After an error of the store, or a crash of the process, a job is tried again within seconds, any number of times.
// Neither counts as a failure of the job.
func TestOutageIsNoFailure(t *testing.T) {
	each(t, func(y *fixture) {
		y.add("post", 1)
		for n := range 9 {
			y.now = nine.Add(time.Duration(n) * jobs.Lease)
			if dead, err := y.store.LeaseJobs(ctx, "post", 1, jobs.Lease); err != nil || len(dead) != 1 {
				t.Fatalf("%v, %v", dead, err)
			}
		}
		var fails error
		p := y.pump("post", 1, func(_ context.Context, j jobs.Job) error {
			y.note("%s%d", j.Subject, j.Attempt)
			return fails
		}, time.Hour)
		began := 9 * jobs.Lease
		fails = fmt.Errorf("reading: %w", apierr.New(apierr.StoreUnavailable, "The database does not answer."))
		y.equal("when the lease of the dead ends", y.after(began, p), "[a10]")
		y.equal("soon", y.after(began+10*time.Second-time.Millisecond, p), "[]")
		y.equal("after as many seconds as attempts", y.after(began+10*time.Second, p), "[a11]")
		for attempt := 12; attempt < 30; attempt += 2 {
			began += 30 * time.Second
			y.equal("again", y.after(began, p), fmt.Sprintf("[a%d]", attempt))
			y.equal("within the longest wait", y.after(began+15*time.Second, p), fmt.Sprintf("[a%d]", attempt+1))
		}
		fails = errors.New("no")
		y.equal("by its own fault", y.after(began+30*time.Second, p), "[a30]")
		y.equal("put off", y.after(began+time.Hour, p), "[]")
		y.equal("once more", y.after(began+30*time.Second+time.Hour, p), "[a31]")
		y.equal("given up", y.after(began+1000*time.Hour, p), "[]")
		if n, err := y.store.ReviveJobs(ctx, "post"); err != nil || n != 1 {
			t.Fatalf("revived %d, %v", n, err)
		}
		y.equal("revived", y.after(began+1001*time.Hour, p), "[a32]")
		y.equal("with its attempts before it", y.after(began+1002*time.Hour, p), "[a33]")
	})
}

// A panic is a failure of its job only.
func TestPanic(t *testing.T) {
	each(t, func(y *fixture) {
		y.add("post", 3)
		p := y.pump("post", 3, func(c context.Context, j jobs.Job) error {
			if j.Subject == "b" && j.Attempt == 1 {
				panic("b fell down")
			}
			return y.done(c, j)
		}, time.Minute)
		y.equal("at once", y.after(0, p), "[a1 c1]")
		y.equal("a minute later", y.after(time.Minute, p), "[b2]")
	})
}

// An error text with any bytes does not prevent a job from being postponed and given up.
func TestOddProblems(t *testing.T) {
	each(t, func(y *fixture) {
		y.add("post", 1)
		p := y.pump("post", 1, func(_ context.Context, j jobs.Job) error {
			y.note("%s%d", j.Subject, j.Attempt)
			return errors.New("answer \x00\xff of customs")
		}, time.Hour)
		y.equal("at once", y.after(0, p), "[a1]")
		y.equal("when its lease ends", y.after(jobs.Lease, p), "[]")
		y.equal("an hour later", y.after(time.Hour, p), "[a2]")
		y.equal("given up", y.after(9*time.Hour, p), "[]")
	})
}

// The jobs of a crashed process are taken over when their lease ends, not before. Late writes of that process have no
// effect.
func TestTakeover(t *testing.T) {
	each(t, func(y *fixture) {
		y.add("post", 2)
		dead, err := y.store.LeaseJobs(ctx, "post", 1, jobs.Lease)
		if err != nil || len(dead) != 1 {
			t.Fatalf("%v, %v", dead, err)
		}
		p := y.pump("post", 2, y.done)
		y.equal("at once", y.after(0, p), "[b1]")
		y.equal("while the lease lasts", y.after(jobs.Lease-time.Millisecond, p), "[]")
		alive, err := y.store.LeaseJobs(ctx, "post", 9, jobs.Lease)
		if err != nil || len(alive) != 0 {
			t.Fatalf("leased twice: %v, %v", alive, err)
		}
		y.now = nine.Add(jobs.Lease)
		if alive, err = y.store.LeaseJobs(ctx, "post", 9, jobs.Lease); err != nil || len(alive) != 1 || alive[0].Attempt != 2 {
			t.Fatalf("not taken over: %v, %v", alive, err)
		}
		for what, err := range map[string]error{
			"finish": y.store.Update(ctx, org, func(tx *store.Tx) error {
				if err := tx.Enqueue(jobs.Job{ID: uuid(77), Queue: "effects", Subject: "twice"}); err != nil {
					return err
				}
				return tx.FinishJob(dead[0])
			}),
			"renew": y.store.RenewJob(ctx, dead[0], time.Hour), "retry": y.store.RetryLater(ctx, dead[0], time.Hour, "x"), "bury": y.store.GiveUp(ctx, dead[0], "x"),
		} {
			if !errors.Is(err, jobs.ErrLeaseLost) {
				t.Errorf("%s by the dead: %v", what, err)
			}
		}
		y.equal("effects of the dead", y.after(jobs.Lease, y.pump("effects", 1, y.done)), "[]")
		if err := y.finish(alive[0]); err != nil {
			t.Errorf("finish by the new holder: %v", err)
		}
		if err := y.finish(alive[0]); !errors.Is(err, jobs.ErrLeaseLost) {
			t.Errorf("finish twice: %v", err)
		}
	})
}

// A job whose lease was lost is left to the instance that has it now.
func TestLeaseLost(t *testing.T) {
	each(t, func(y *fixture) {
		y.add("post", 1)
		p := y.pump("post", 1, func(_ context.Context, j jobs.Job) error {
			y.note("%s%d", j.Subject, j.Attempt)
			return fmt.Errorf("customs: %w", jobs.ErrLeaseLost)
		})
		y.equal("at once", y.after(0, p), "[a1]")
		y.equal("when the lease ends", y.after(jobs.Lease, p), "[a2]")
	})
}

// A job that returns without an error but has not finished itself runs again.
func TestForgottenFinish(t *testing.T) {
	each(t, func(y *fixture) {
		y.add("post", 1)
		p := y.pump("post", 1, func(c context.Context, j jobs.Job) error {
			if j.Attempt == 1 {
				return nil
			}
			return y.done(c, j)
		})
		y.equal("at once", y.after(0, p), "[]")
		y.equal("when the lease ends", y.after(jobs.Lease, p), "[a2]")
	})
}

// Several pumps share a queue, and no job runs twice.
func TestSeveralPumps(t *testing.T) {
	each(t, func(y *fixture) {
		y.add("post", 26)
		var all sync.WaitGroup
		for range 4 {
			p := y.pump("post", 3, y.done)
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
		y.steps(y.pump("post", 3, y.done))
		want := make([]string, 26)
		for i := range want {
			want[i] = string(rune('a'+i)) + "1"
		}
		y.equal("together", y.read(), fmt.Sprint(want))
	})
}

// Watch is called for each attempt with its outcome, and sets the context in which the job runs.
func TestWatch(t *testing.T) {
	type key struct{}
	each(t, func(y *fixture) {
		y.add("post", 3)
		p := y.pump("post", 1, func(c context.Context, j jobs.Job) error {
			y.note("%s in %v", j.Subject, c.Value(key{}))
			switch j.Subject {
			case "b":
				return errors.New("not now")
			case "c":
				return jobs.ErrLeaseLost
			}
			return y.finish(j)
		}, time.Minute)
		p.Watch = func(c context.Context, j jobs.Job) (context.Context, func(jobs.Outcome)) {
			return context.WithValue(c, key{}, j.Queue), func(o jobs.Outcome) { y.note("%s %s", j.Subject, o) }
		}
		y.steps(p)
		y.equal("heard", y.read(), "[a done a in post b in post b put_off c in post c lost]")
		y.equal("a minute later", y.after(time.Hour, p), "[b given_up b in post c in post c lost]")
	})
}
