package app

import (
	"context"
	"fmt"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/ops/metrics"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
	"github.com/tidewaiter/tidewaiter/internal/records/closure"
	"github.com/tidewaiter/tidewaiter/internal/store/adapter"
)

// closure closes organisations and restores them.
func (a *App) closure() *closure.Service {
	return &closure.Service{Store: adapter.Of(a.Store), Accounts: a.Accounts, VAT: a.VAT, IDs: a.IDs}
}

// deleter deletes the data of closed organisations whose time has come.
func (a *App) deleter() *closure.Deleter {
	return &closure.Deleter{
		Store: adapter.Of(a.Store), Kinds: closure.KindsOf(a.everyKind()), Kept: inWords(a.keeper.Policy.Records), Erase: a.Erasure().Orphan,
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
