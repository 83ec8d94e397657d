package app

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/ops/metrics"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
	"github.com/tidewaiter/tidewaiter/internal/records/closure"
	"github.com/tidewaiter/tidewaiter/internal/store/adapter"
)

// closure closes and restores organisations.
func (a *App) closure() *closure.Service {
	return &closure.Service{Store: adapter.Of(a.Store), Accounts: a.Accounts, VAT: a.VAT, IDs: a.IDs}
}

// deleter deletes the data of closed organisations when it is due.
func (a *App) deleter() *closure.Deleter {
	return &closure.Deleter{
		Store: adapter.Of(a.Store), Kinds: closure.KindsOf(a.allKinds()), Retention: ageText(a.retention.Policy.Records), Erase: a.Erasure().Orphan,
		NewID: a.IDs.UUID, Now: a.deps.Now, Log: a.deps.Log,
	}
}

// deletionInterval is the time between two searches for closed organisations.
const deletionInterval = time.Minute

// deleteClosedOrganisations deletes the data of closed organisations when it is due, one instance at a time.
func (a *App) deleteClosedOrganisations(ctx context.Context) {
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

// DeleteClosed closes sandboxes that have ended, and deletes the data of closed organisations that is due. It reports whether it ran: another instance may be
// running.
func (a *App) DeleteClosed(ctx context.Context) (ran bool, err error) {
	return a.Store.Exclusive(ctx, "deletion", func(ctx context.Context) error {
		return errors.Join(a.closure().CloseEnded(ctx, a.deps.Now()), a.deleter().Run(ctx))
	})
}

// ageText returns an age such as "6 years".
func ageText(age calendar.Age) string {
	n, unit := age.Days, "day"
	if age.Years > 0 {
		n, unit = age.Years, "year"
	}
	if n != 1 {
		unit += "s"
	}
	return fmt.Sprintf("%d %s", n, unit)
}
