// Package timer takes the steps that time takes and nobody else: a filing that is
// late becomes OVERDUE, a licence that has run out EXPIRED. Which steps those are
// the kinds say; here is no list of them.
package timer

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Due is a timer that has run out, wherever it is.
type Due struct {
	Org            tenant.ID
	Kind, FilingID string
	Timer          filing.Timer
}

// Tx is a transaction of one organisation.
type Tx interface {
	filing.Tx
	// Timer is the timer of a record; one without a step where there is none.
	Timer(filingID string) (filing.Timer, error)
}

// Store keeps the timers beside the records.
type Store interface {
	// DueTimers finds timers of all organisations that have run out, the longest
	// ago first, behind another one or from the first.
	DueTimers(ctx context.Context, behind Due, limit int) ([]Due, error)
	// Alone runs fn unless another instance is just running what has this name.
	Exclusive(ctx context.Context, name string, fn func(context.Context) error) (ran bool, err error)
	// UpdateTimed runs fn in a transaction of one organisation.
	UpdateTimed(ctx context.Context, org tenant.ID, fn func(Tx) error) error
}

// Limits of a sweep.
const (
	every   = time.Minute // from the end of one sweep to the next
	page    = 500         // timers that are read at a time
	batch   = 20          // steps of one organisation in a transaction
	workers = 8           // batches at a time
)

// Sweeper takes the steps whose time has come, at start and then every minute, one
// instance at a time. Should two ever sweep at once, the transaction of a step looks at
// the timer again, so that each step is taken once.
type Sweeper struct {
	Store   Store
	Filings *filing.Service
	Types   []*filing.Type
	Log     *slog.Logger
	OnSweep func() // hears of every sweep that came to its end; nil for nobody
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
			s.Log.Warn("cannot look for timers", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(every):
		}
	}
}

// Sweep takes every step whose time has come and tells how many those were. A step
// that fails is left for the next sweep and holds up no other.
func (s *Sweeper) Sweep(ctx context.Context) (taken int, err error) {
	var behind Due
	for {
		due, err := s.Store.DueTimers(ctx, behind, page)
		if err != nil || len(due) == 0 {
			return taken, err
		}
		taken += s.runPage(ctx, due)
		behind = due[len(due)-1]
	}
}

// runPage takes the steps of one page, of several organisations at a time.
func (s *Sweeper) runPage(ctx context.Context, due []Due) int {
	var taken atomic.Int64
	var running sync.WaitGroup
	slots := make(chan struct{}, workers)
	for _, some := range batches(due) {
		if ctx.Err() != nil {
			break
		}
		slots <- struct{}{}
		running.Go(func() {
			defer func() { <-slots }()
			taken.Add(int64(s.runBatch(ctx, some)))
		})
	}
	running.Wait()
	return int(taken.Load())
}

// batches are timers of one organisation each, in their order.
func batches(due []Due) (all [][]Due) {
	open := map[tenant.ID]int{} // the batch of an organisation that still has room
	for _, d := range due {
		at, ok := open[d.Org]
		if !ok || len(all[at]) == batch {
			at = len(all)
			open[d.Org], all = at, append(all, nil)
		}
		all[at] = append(all[at], d)
	}
	return all
}

// runBatch takes the steps of a batch in one transaction, or each in its own where one
// of them fails.
func (s *Sweeper) runBatch(ctx context.Context, due []Due) int {
	taken, err := s.runTogether(ctx, due)
	if err == nil || ctx.Err() != nil {
		return taken
	}
	if d := due[0]; len(due) == 1 {
		s.Log.Error("cannot take a step whose time has come", "kind", d.Kind, "filing", d.FilingID, "step", d.Timer.By, "error", err)
		return 0
	}
	for i := range due {
		taken += s.runBatch(ctx, due[i:i+1])
	}
	return taken
}

// runTogether takes the steps that no other instance and no change was before.
func (s *Sweeper) runTogether(ctx context.Context, due []Due) (taken int, err error) {
	err = s.Store.UpdateTimed(ctx, due[0].Org, func(tx Tx) error {
		taken = 0
		for _, d := range due {
			t := s.typeOf(d.Kind)
			if t == nil {
				continue // of a newer program that shares the database: its own sweeper knows it
			}
			now, err := tx.Timer(d.FilingID)
			if err != nil {
				return err
			}
			if !same(now, d.Timer) {
				continue
			}
			if err := s.transition(tx, t, d); err != nil {
				return err
			}
			taken++
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	return taken, nil
}

func (s *Sweeper) transition(tx Tx, t *filing.Type, d Due) error {
	_, err := s.Filings.Transition(tx, tenant.Call{Principal: tenant.System(d.Org)}, t, d.FilingID, d.Timer.By, filing.TransitionData{})
	return err
}

func same(a, b filing.Timer) bool { return a.By == b.By && a.After.Equal(b.After) }

func (s *Sweeper) typeOf(kind string) *filing.Type {
	for _, t := range s.Types {
		if t.Kind == kind {
			return t
		}
	}
	return nil
}
