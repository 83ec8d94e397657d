package retention

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/clock"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Limits of a sweep.
const (
	firstDelay = 5 * time.Minute // from the start of the process to the first sweep
	interval   = time.Hour       // from the end of a sweep to the next
	leaseTTL   = 10 * time.Minute
	leaseName  = "retention"

	orgPage     = 100
	recordStep  = 100    // records per transaction
	rowStep     = 300    // other rows per transaction
	maxAwaited  = 10_000 // with more pending notices, no notice of the organisation is deleted
	pauseFactor = 3      // pause after a step, as a multiple of its duration
)

// Sweeper deletes expired data in small steps with pauses. Each step checks again what must stay, so a
// sweep that is interrupted or overtaken does no harm, and the next one continues.
type Sweeper struct {
	Store    Store
	Kinds    []Kind
	Policy   Policy
	NewID    func() string
	Now      func() time.Time
	Log      *slog.Logger
	OnReport func(Report) // called after every sweep that deleted something; may be nil

	NoPauses bool // no pauses
	Dry      bool // deletes nothing and counts what would be deleted
}

// Run sweeps until ctx ends. Only one instance sweeps at a time.
func (s *Sweeper) Run(ctx context.Context) {
	for wait := firstDelay; clock.Pause(ctx, wait) == nil; wait = interval {
		if _, err := s.SweepOnce(ctx); err != nil && ctx.Err() == nil {
			s.Log.Warn("cannot delete expired data; will retry", "error", err, "in", interval)
		}
	}
}

// SweepOnce sweeps unless another instance does; then it returns a nil report.
func (s *Sweeper) SweepOnce(ctx context.Context) (Report, error) {
	b := &sweep{Sweeper: s, report: Report{}, leaseID: s.NewID()}
	if mine, err := b.renew(ctx); err != nil || !mine {
		return nil, err
	}
	err := b.run(ctx)
	b.finish()
	return b.report, errors.Join(err, b.end(ctx))
}

// end releases the lease.
func (b *sweep) end(ctx context.Context) error {
	if b.Dry {
		return nil
	}
	_, err := b.Store.AcquireLease(context.WithoutCancel(ctx), leaseName, b.leaseID, b.Now().Add(-time.Millisecond))
	return err
}

// sweep is a running sweep.
type sweep struct {
	*Sweeper
	report  Report
	leaseID string // empty without a lease
}

// renew extends the lease. It returns false if the lease was lost because a step took too long.
func (b *sweep) renew(ctx context.Context) (bool, error) {
	if b.Dry || b.leaseID == "" {
		return true, nil
	}
	return b.Store.AcquireLease(ctx, leaseName, b.leaseID, b.Now().Add(leaseTTL))
}

func (b *sweep) run(ctx context.Context) error {
	if err := b.makePartitions(ctx); err != nil {
		return err
	}
	old, late := b.Policy.RecordsBefore(b.Now()), b.Policy.DeliveriesBefore(b.Now())
	for _, part := range []func() error{
		func() error { return b.eachOrganisation(ctx, old, b.sweepOrganisation) },
		func() error { return b.dropPartitions(ctx, "events", old) },
		func() error { return b.eachOrganisation(ctx, old, b.removeCutEvents) },
		func() error { return b.messages(ctx, old) },
		func() error { return b.all(ctx, Leftovers, old, b.Store.RemoveLeftovers) },
		func() error { return b.dropPartitions(ctx, "deliveries", late) },
		func() error { return b.deliveries(ctx, late) },
		func() error { return b.dropPartitions(ctx, "notices", late) },
		func() error { return b.notices(ctx, late) },
		func() error { return b.all(ctx, Versions, late, b.Store.RemoveVersions) },

		func() error { return b.testOrganisations(ctx) },
	} {
		if err := part(); err != nil {
			return err
		}
	}
	return nil
}

// eachOrganisation calls do for every organisation with expired data. All data is accompanied by audit events,
// so the oldest event of an organisation shows whether it has any.
func (b *sweep) eachOrganisation(ctx context.Context, before time.Time, do func(context.Context, tenant.ID, time.Time) error) error {
	for after := tenant.ID(""); ; {
		orgs, err := b.Store.AgedTrails(ctx, before, after, orgPage)
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

// step runs one step and pauses.
func (b *sweep) step(ctx context.Context, fn func() error) error {
	mine, err := b.renew(ctx)
	if err != nil || !mine {
		return leaseError(err)
	}
	began := b.Now()
	if err := fn(); err != nil {
		return err
	}
	if !b.NoPauses && clock.Pause(ctx, pauseFactor*max(0, min(b.Now().Sub(began), time.Second))) != nil {
		return ctx.Err()
	}
	return ctx.Err()
}

// inOrganisation runs a step in a transaction of an organisation, read-only in a dry run. It skips an
// organisation under a hold.
func (b *sweep) inOrganisation(ctx context.Context, org tenant.ID, fn func(Tx, Holds) error) error {
	open := b.Store.UpdateRetention
	if b.Dry {
		open = b.Store.ViewRetention
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

// pages calls fn for page after page until one is not full.
func pages(fn func(after filing.Position) (looked []Aged, err error), size int) error {
	for after := (filing.Position{}); ; {
		looked, err := fn(after)
		if err != nil || len(looked) < size {
			return err
		}
		after = looked[len(looked)-1].Position()
	}
}

func (b *sweep) finish() {
	for c, n := range b.report {
		if n == 0 {
			delete(b.report, c)
		}
	}
	if b.Dry || len(b.report) == 0 {
		return
	}
	b.Log.Info("deleted expired data", "removed", b.report)
	if b.OnReport != nil {
		b.OnReport(b.report)
	}
}
