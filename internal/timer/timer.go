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
	"github.com/tidewaiter/tidewaiter/internal/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/tenant"
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
	// UpdateTimed runs fn in a transaction of one organisation.
	UpdateTimed(ctx context.Context, org tenant.ID, fn func(Tx) error) error
}

// Limits of a sweep.
const (
	every   = time.Minute // from the end of one sweep to the next
	page    = 500         // timers that are read at a time
	workers = 8           // steps that are taken at a time
)

// Sweeper takes the steps whose time has come, at start and then every minute. Any
// number of instances may sweep at once: the transaction of a step looks at the
// timer again, so that each step is taken once.
type Sweeper struct {
	Store   Store
	Filings *filing.Service
	Types   []*filing.Type
	Log     *slog.Logger
}

// Run sweeps until ctx ends.
func (s *Sweeper) Run(ctx context.Context) {
	for {
		if _, err := s.Sweep(ctx); err != nil && ctx.Err() == nil {
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
		taken += s.all(ctx, due)
		behind = due[len(due)-1]
	}
}

// all takes the steps of one page, several at a time.
func (s *Sweeper) all(ctx context.Context, due []Due) int {
	var taken atomic.Int64
	var running sync.WaitGroup
	slots := make(chan struct{}, workers)
	for _, d := range due {
		if ctx.Err() != nil {
			break
		}
		slots <- struct{}{}
		running.Go(func() {
			defer func() { <-slots }()
			switch moved, err := s.take(ctx, d); {
			case err != nil && ctx.Err() == nil:
				s.Log.Error("cannot take a step whose time has come", "kind", d.Kind, "filing", d.FilingID, "step", d.Timer.By, "error", err)
			case moved:
				taken.Add(1)
			}
		})
	}
	running.Wait()
	return int(taken.Load())
}

// take takes one step, unless another instance or a change was first.
func (s *Sweeper) take(ctx context.Context, d Due) (moved bool, err error) {
	t := s.typeOf(d.Kind)
	if t == nil {
		return false, nil // of a newer program that shares the database: its own sweeper knows it
	}
	err = s.Store.UpdateTimed(ctx, d.Org, func(tx Tx) error {
		now, err := tx.Timer(d.FilingID)
		if err != nil || !same(now, d.Timer) {
			return err
		}
		moved = true
		return s.act(tx, t, d.FilingID, d.Org, now.By)
	})
	return moved && err == nil, err
}

func (s *Sweeper) act(tx Tx, t *filing.Type, id string, org tenant.ID, by lifecycle.Action) error {
	_, err := s.Filings.Act(tx, tenant.Call{Principal: tenant.System(org)}, t, id, by, filing.Step{})
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
