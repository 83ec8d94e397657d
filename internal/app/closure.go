package app

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/ops/metrics"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/closure"
	"github.com/tidewaiter/tidewaiter/internal/store"
)

// UpdateClosing runs fn in a transaction of one organisation.
func (w wide) UpdateClosing(ctx context.Context, org tenant.ID, fn func(closure.Tx) error) error {
	return w.Store.Update(ctx, org, func(t *store.Tx) error { return fn(t) })
}

// closure closes organisations and restores them.
func (a *App) closure() *closure.Service {
	return &closure.Service{Store: wide{a.Store}, Accounts: a.Accounts, VAT: a.VAT, IDs: a.IDs}
}

// UpdateDeletion removes data of an organisation that is being deleted.
func (w wide) UpdateDeletion(ctx context.Context, org tenant.ID, fn func(closure.DeleteTx) error) error {
	return w.Store.Update(ctx, org, func(t *store.Tx) error { return fn(t) })
}

// deleter deletes the data of closed organisations whose time has come.
func (a *App) deleter() *closure.Deleter {
	return &closure.Deleter{
		Store: wide{a.Store}, Kinds: closure.KindsOf(a.everyKind()), Kept: inWords(a.keeper.Policy.Records), Erase: a.Erasure().Orphan,
		NewID: a.IDs.UUID, Now: a.deps.Now, Log: a.deps.Log,
	}
}

// deletionInterval is how often closed organisations are looked at.
const deletionInterval = time.Minute

// keepDeleting deletes the data of closed organisations when their time has come, one instance at a time.
func (a *App) keepDeleting(ctx context.Context) {
	swept := a.metrics.Sweep(metrics.Deletion)
	for {
		ran, err := a.DeleteClosed(ctx)
		if ran && err == nil {
			swept()
		} else if err != nil && ctx.Err() == nil {
			a.deps.Log.Warn("cannot delete the data of a closed organisation; trying again", "error", err, "in", deletionInterval)
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(deletionInterval):
		}
	}
}

// DeleteClosed deletes the data of closed organisations whose time has come, unless another instance
// does, and reports whether it ran.
func (a *App) DeleteClosed(ctx context.Context) (ran bool, err error) {
	return a.Store.Exclusive(ctx, "deletion", a.deleter().Run)
}

// CloseOrganisation closes an organisation for its first OWNER.
func (a *App) CloseOrganisation(ctx context.Context, org tenant.ID, name string) (access.Organisation, error) {
	call, err := a.callFor(ctx, org)
	if err != nil {
		return access.Organisation{}, err
	}
	return a.closure().Close(ctx, call, "", name)
}

// RestoreOrganisation restores a closed organisation, until its deletion has begun.
func (a *App) RestoreOrganisation(ctx context.Context, org tenant.ID) (access.Organisation, error) {
	call, err := a.callFor(ctx, org)
	if err != nil {
		return access.Organisation{}, err
	}
	return a.closure().Restore(ctx, call)
}

// ExportOrganisation writes a complete export of an organisation, also of what stays of one that was
// deleted.
func (a *App) ExportOrganisation(ctx context.Context, org tenant.ID, out io.Writer) error {
	call, err := a.callFor(ctx, org)
	if err != nil {
		return err
	}
	return a.portability().WriteNow(ctx, call, out)
}

// callFor is the operator acting in an organisation that must exist.
func (a *App) callFor(ctx context.Context, org tenant.ID) (call tenant.Call, err error) {
	err = a.within(ctx, org, func(_ *store.Tx, c tenant.Call) error { call = c; return nil })
	return call, err
}

// organisationsAtATime is how many organisations are listed in one statement.
const organisationsAtATime = 500

// EachOrganisation lists all organisations, also those that are closed.
func (a *App) EachOrganisation(ctx context.Context, fn func(access.Organisation) error) error {
	for after := tenant.ID(""); ; {
		part, err := a.Store.OrganisationList(ctx, after, organisationsAtATime)
		if err != nil {
			return err
		}
		for _, o := range part {
			if err := fn(o); err != nil {
				return err
			}
			after = o.ID
		}
		if len(part) < organisationsAtATime {
			return nil
		}
	}
}

// inWords is an age such as 6 years.
func inWords(age calendar.Age) string {
	n, unit := age.Days, "day"
	if age.Years > 0 {
		n, unit = age.Years, "year"
	}
	if n != 1 {
		unit += "s"
	}
	return fmt.Sprintf("%d %s", n, unit)
}
