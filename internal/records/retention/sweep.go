package retention

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Limits of a sweep.
const (
	first    = 5 * time.Minute // from the start to the first sweep: others have more to do then
	every    = time.Hour       // from the end of one sweep to the next
	turnLong = 10 * time.Minute
	turn     = "retention"

	orgsAtATime = 100
	recordStep  = 100    // records a transaction, each with all that belongs to it
	rowStep     = 300    // other rows a transaction
	mostAwaited = 10_000 // notices that wait to be delivered: of an organisation with more none is removed
	leisure     = 3      // how much longer than a step took the sweep rests
)

// Sweeper removes what has been kept long enough, in small steps with rests between
// them. Each step looks anew whether what it removes must stay, so one that is killed,
// or overtaken by another, does no harm: the next goes on.
type Sweeper struct {
	Store  Store
	Kinds  []Kind
	Policy Policy
	NewID  func() string
	Now    func() time.Time
	Log    *slog.Logger
	Tell   func(Report) // hears of every sweep that removed something; may be nil

	Hurried bool // takes no rests
	Dry     bool // removes nothing, and counts what would go
}

// Run sweeps until ctx ends. Of several instances one does.
func (s *Sweeper) Run(ctx context.Context) {
	for wait := first; pause(ctx, wait); wait = every {
		if _, err := s.Turn(ctx); err != nil && ctx.Err() == nil {
			s.Log.Warn("cannot remove what has been kept long enough; trying again", "error", err, "in", every)
		}
	}
}

// Turn sweeps unless another instance does.
func (s *Sweeper) Turn(ctx context.Context) (Report, error) {
	b := &sweep{Sweeper: s, report: Report{}, turn: s.NewID()}
	if mine, err := b.renew(ctx); err != nil || !mine {
		return nil, err
	}
	err := b.all(ctx)
	b.conclude()
	return b.report, errors.Join(err, b.end(ctx))
}

// end gives the turn back.
func (b *sweep) end(ctx context.Context) error {
	if b.Dry {
		return nil
	}
	_, err := b.Store.TakeTurn(context.WithoutCancel(ctx), turn, b.turn, b.Now().Add(-time.Millisecond))
	return err
}

// pause waits, and tells whether it was let.
func pause(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}

// sweep is one on its way.
type sweep struct {
	*Sweeper
	report Report
	turn   string
}

// renew holds the turn; it is lost where a step took longer than the turn.
func (b *sweep) renew(ctx context.Context) (bool, error) {
	if b.Dry {
		return true, nil
	}
	return b.Store.TakeTurn(ctx, turn, b.turn, b.Now().Add(turnLong))
}

func (b *sweep) all(ctx context.Context) error {
	if err := b.makePartitions(ctx); err != nil {
		return err
	}
	old, late := b.Policy.RecordsBefore(b.Now()), b.Policy.DeliveriesBefore(b.Now())
	for _, part := range []func() error{
		func() error { return b.trails(ctx, old, b.organisation) },
		func() error { return b.drop(ctx, "events", old) },
		func() error { return b.trails(ctx, old, b.leftover) },
		func() error { return b.messages(ctx, old) },
		func() error { return b.leftovers(ctx, old) },
		func() error { return b.drop(ctx, "deliveries", late) },
		func() error { return b.deliveries(ctx, late) },
		func() error { return b.drop(ctx, "notices", late) },
		func() error { return b.notices(ctx, late) },
	} {
		if err := part(); err != nil {
			return err
		}
	}
	return nil
}

// trails does something with every organisation that has something old: whatever is
// of a time has an event of that time, so the oldest event of a trail tells.
func (b *sweep) trails(ctx context.Context, before time.Time, do func(context.Context, tenant.ID, time.Time) error) error {
	for after := tenant.ID(""); ; {
		orgs, err := b.Store.AgedTrails(ctx, before, after, orgsAtATime)
		if err != nil || len(orgs) == 0 {
			return err
		}
		for _, org := range orgs {
			if err := do(ctx, org, before); err != nil {
				return err
			}
		}
		after = orgs[len(orgs)-1]
	}
}

// step runs one step with the rest after it.
func (b *sweep) step(ctx context.Context, fn func() error) error {
	mine, err := b.renew(ctx)
	if err != nil || !mine {
		return orLost(err)
	}
	began := b.Now()
	if err := fn(); err != nil {
		return err
	}
	if !b.Hurried && !pause(ctx, leisure*max(0, min(b.Now().Sub(began), time.Second))) {
		return ctx.Err()
	}
	return ctx.Err()
}

// aged runs a step over rows of an organisation: in a transaction that writes, unless
// it only counts.
func (b *sweep) aged(ctx context.Context, org tenant.ID, fn func(Tx, Holds) error) error {
	open := b.Store.UpdateAged
	if b.Dry {
		open = b.Store.ViewAged
	}
	return b.step(ctx, func() error {
		return open(ctx, org, func(tx Tx) error {
			holds, err := tx.Holds()
			if err != nil || holds.All() {
				return err
			}
			return fn(tx, holds)
		})
	})
}

// pages runs fn over pages of rows until one is not full.
func pages(fn func(after filing.Position) (looked []Aged, err error), size int) error {
	for after := (filing.Position{}); ; {
		looked, err := fn(after)
		if err != nil || len(looked) < size {
			return err
		}
		after = looked[len(looked)-1].Position()
	}
}

func (b *sweep) conclude() {
	for c, n := range b.report {
		if n == 0 {
			delete(b.report, c)
		}
	}
	if b.Dry || len(b.report) == 0 {
		return
	}
	b.Log.Info("removed what has been kept long enough", "removed", b.report)
	if b.Tell != nil {
		b.Tell(b.report)
	}
}
