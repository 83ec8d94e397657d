// Package timer makes the transitions that depend on time alone: a late filing becomes OVERDUE, a licence EXPIRED. Each
// kind defines its own timers.
package timer

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Due is an expired timer of any organisation.
type Due struct {
	Org            tenant.ID
	Kind, FilingID string
	Timer          filing.Timer
}

// TestClock is the clock of a test organisation, which stands.
type TestClock struct {
	Org tenant.ID
	Now time.Time
}

// Tx is a transaction of one organisation.
type Tx interface {
	filing.Tx
	// DueTimersHere returns the organisation's expired timers by its own clock, oldest first.
	DueTimersHere(limit int) ([]Due, error)
	// Timer returns the timer of a record; zero if there is none.
	Timer(filingID string) (filing.Timer, error)
}

// Store reads timers and opens transactions.
type Store interface {
	// DueTimers returns expired timers of all organisations, oldest first, after another one. The zero Due is the beginning.
	DueTimers(ctx context.Context, after Due, limit int) ([]Due, error)
	// Exclusive runs fn unless another instance is running a function with the same name.
	Exclusive(ctx context.Context, name string, fn func(context.Context) error) (ran bool, err error)
	// UpdateTimed runs fn in a transaction of one organisation.
	UpdateTimed(ctx context.Context, org tenant.ID, fn func(Tx) error) error
	// TestClocks returns the test organisations whose clock stands, after one of them.
	TestClocks(ctx context.Context, after tenant.ID, limit int) ([]TestClock, error)
}

// Limits of a sweep.
const (
	sweepInterval = time.Minute // from the end of one sweep to the next
	pageSize      = 500         // timers per read
	batchSize     = 20          // transitions of one organisation per transaction
	workers       = 8           // concurrent batches
)

// Step does what is due for a kind whose timers do more than a transition. It makes the transition itself.
type Step struct {
	Do func(tx Tx, d Due) error
	// Fail makes the transition that says why Do is refused, in a transaction of its own.
	Fail func(tx Tx, d Due, why *apierr.Error) error
}

// Sweeper makes the due transitions at start and then every minute, in one instance at a time. If two instances ever sweep
// at once, each transition is still made once, because its transaction reads the timer again.
type Sweeper struct {
	Store   Store
	Filings *filing.Service
	Types   []*filing.Type
	Steps   map[string]Step // by kind
	Log     *slog.Logger
	OnSweep func() // called after every complete sweep; may be nil
}

// Run sweeps until ctx ends.
func (s *Sweeper) Run(ctx context.Context) {
	for {
		ran, err := s.Store.Exclusive(ctx, "timers", func(ctx context.Context) error {
			_, err := s.Sweep(ctx)
			return err
		})
		if ran && err == nil && s.OnSweep != nil {
			s.OnSweep()
		} else if err != nil && ctx.Err() == nil {
			s.Log.Warn("cannot read timers", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(sweepInterval):
		}
	}
}

// Sweep makes every due transition and returns their number. One that fails is left for the next sweep and does not stop
// the others.
func (s *Sweeper) Sweep(ctx context.Context) (done int, err error) {
	for after := (Due{}); ; {
		due, err := s.Store.DueTimers(ctx, after, pageSize)
		if err != nil {
			return done, err
		}
		if len(due) == 0 {
			break
		}
		done += s.runPage(ctx, due)
		after = due[len(due)-1]
	}
	return s.sweepTests(ctx, done)
}

// sweepTests makes the transitions that are due by test clocks.
func (s *Sweeper) sweepTests(ctx context.Context, done int) (int, error) {
	for after := tenant.ID(""); ; {
		clocks, err := s.Store.TestClocks(ctx, after, pageSize)
		if err != nil || len(clocks) == 0 {
			return done, err
		}
		for _, c := range clocks {
			n, err := s.SweepOrganisation(ctx, c.Org)
			if done += n; err != nil {
				return done, err
			}
		}
		after = clocks[len(clocks)-1].Org
	}
}

// SweepOrganisation makes the due transitions of one organisation and returns their number.
func (s *Sweeper) SweepOrganisation(ctx context.Context, org tenant.ID) (done int, err error) {
	for {
		var due []Due
		err := s.Store.UpdateTimed(ctx, org, func(tx Tx) (err error) { due, err = tx.DueTimersHere(pageSize); return err })
		if err != nil || len(due) == 0 {
			return done, err
		}
		n := s.runPage(ctx, due)
		if done += n; n < len(due) {
			return done, ctx.Err() // those that failed are left for the next sweep
		}
	}
}

// runPage makes the transitions of one page, for several organisations at the same time.
func (s *Sweeper) runPage(ctx context.Context, due []Due) int {
	var done atomic.Int64
	var running sync.WaitGroup
	slots := make(chan struct{}, workers)
	for _, b := range batches(due) {
		if ctx.Err() != nil {
			break
		}
		slots <- struct{}{}
		running.Go(func() {
			defer func() { <-slots }()
			done.Add(int64(s.runBatch(ctx, b)))
		})
	}
	running.Wait()
	return int(done.Load())
}

// batches groups timers by organisation, in their order.
func batches(due []Due) (all [][]Due) {
	open := map[tenant.ID]int{} // index of each organisation's batch that is not full
	for _, d := range due {
		at, ok := open[d.Org]
		if !ok || len(all[at]) == batchSize {
			at = len(all)
			open[d.Org], all = at, append(all, nil)
		}
		all[at] = append(all[at], d)
	}
	return all
}

// runBatch makes the transitions of a batch in one transaction or, if one of them fails, each in its own.
func (s *Sweeper) runBatch(ctx context.Context, due []Due) int {
	done, err := s.runTogether(ctx, due, s.makeDue)
	if err == nil || ctx.Err() != nil {
		return done
	}
	if why, is := apierr.As(err); is && len(due) == 1 && s.Steps[due[0].Kind].Fail != nil && !apierr.CannotStore(err) {
		done, err = s.runTogether(ctx, due, func(tx Tx, _ *filing.Type, d Due) error { return s.Steps[d.Kind].Fail(tx, d, why) })
	}
	if err == nil {
		return done
	}
	if d := due[0]; len(due) == 1 {
		s.Log.Error("cannot make a transition that is due", "kind", d.Kind, "filing", d.FilingID, "step", d.Timer.Action, "error", err)
		return 0
	}
	for i := range due {
		done += s.runBatch(ctx, due[i:i+1])
	}
	return done
}

// runTogether runs make for the timers that have not changed since they were read, in one transaction.
func (s *Sweeper) runTogether(ctx context.Context, due []Due, make func(Tx, *filing.Type, Due) error) (done int, err error) {
	err = s.Store.UpdateTimed(ctx, due[0].Org, func(tx Tx) error {
		done = 0
		for _, d := range due {
			t := s.typeOf(d.Kind)
			if t == nil {
				continue // of a newer program version that shares the database and sweeps it
			}
			now, err := tx.Timer(d.FilingID)
			if err != nil {
				return err
			}
			if !equal(now, d.Timer) || !tx.Now().After(d.Timer.After) {
				continue // changed, or not due by the clock of a test organisation
			}
			if err := make(tx, t, d); err != nil {
				return err
			}
			done++
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	return done, nil
}

func (s *Sweeper) makeDue(tx Tx, t *filing.Type, d Due) error {
	if step, is := s.Steps[d.Kind]; is {
		return step.Do(tx, d)
	}
	_, err := s.Filings.Transition(tx, tenant.Call{Principal: tenant.System(d.Org)}, t, d.FilingID, d.Timer.Action, filing.TransitionData{})
	return err
}

func equal(a, b filing.Timer) bool { return a.Action == b.Action && a.After.Equal(b.After) }

func (s *Sweeper) typeOf(kind string) *filing.Type {
	for _, t := range s.Types {
		if t.Kind == kind {
			return t
		}
	}
	return nil
}
