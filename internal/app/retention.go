package app

import (
	"context"
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/retention"
	"github.com/tidewaiter/tidewaiter/internal/store"
)

// ViewAged reads what is old of one organisation.
func (w wide) ViewAged(ctx context.Context, org tenant.ID, fn func(retention.Tx) error) error {
	return w.Store.View(ctx, org, func(t *store.Tx) error { return fn(t) })
}

// UpdateAged removes what is old of one organisation.
func (w wide) UpdateAged(ctx context.Context, org tenant.ID, fn func(retention.Tx) error) error {
	return w.Store.Update(ctx, org, func(t *store.Tx) error { return fn(t) })
}

// keeping is the sweeper of what has been kept long enough.
func (a *App) keeping() (*retention.Sweeper, error) {
	records, deliveries, err := a.Config.Keep()
	if err != nil {
		return nil, fmt.Errorf("app: %w", err)
	}
	return &retention.Sweeper{
		Store: wide{a.Store}, Kinds: retention.KindsOf(a.everyKind()), Policy: retention.Policy{Records: records, Deliveries: deliveries},
		NewID: a.IDs.UUID, Now: a.deps.Now, Log: a.deps.Log, Tell: a.metrics.Removed,
	}, nil
}

// Retain removes at once what has been kept long enough, or says how much that is.
// It is nil where another instance is about it.
func (a *App) Retain(ctx context.Context, dry bool) (retention.Report, error) {
	s, err := a.keeping()
	if err != nil {
		return nil, err
	}
	s.Dry = dry
	return s.Turn(ctx)
}

// SetHold keeps a record, or with none the whole organisation, from being removed.
func (a *App) SetHold(ctx context.Context, org tenant.ID, record, reason string) error {
	return a.within(ctx, org, func(tx *store.Tx, call tenant.Call) error {
		return retention.SetHold(tx, call, a.IDs.UUID, record, reason)
	})
}

// LiftHold ends a hold.
func (a *App) LiftHold(ctx context.Context, org tenant.ID, record, reason string) error {
	return a.within(ctx, org, func(tx *store.Tx, call tenant.Call) error {
		return retention.LiftHold(tx, call, a.IDs.UUID, record, reason)
	})
}

// Holds lists those of one organisation, or of all.
func (a *App) Holds(ctx context.Context, only tenant.ID) (map[tenant.ID]retention.Holds, error) {
	orgs, err := a.verifiable(ctx, only, nil)
	if err != nil {
		return nil, err
	}
	all := map[tenant.ID]retention.Holds{}
	for _, org := range orgs {
		err := a.Store.View(ctx, org, func(tx *store.Tx) error {
			holds, err := tx.Holds()
			if len(holds) > 0 {
				all[org] = holds
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}
