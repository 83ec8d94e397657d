package app

import (
	"context"
	"errors"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/ops/metrics"
	"github.com/tidewaiter/tidewaiter/internal/records/worksheet"
)

// housekeeping is how often what has passed its time is removed.
const housekeeping = time.Hour

// keepHouse removes what has passed its time and warns of keys that expire soon, one instance
// at a time.
func (a *App) keepHouse(ctx context.Context) {
	swept := a.metrics.Sweep(metrics.Cleanup)
	for {
		ran, err := a.Store.Exclusive(ctx, "house", a.tidy)
		if ran && err == nil {
			swept()
		} else if err != nil && ctx.Err() == nil {
			a.deps.Log.Warn("cannot remove what has passed its time", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(housekeeping):
		}
	}
}

func (a *App) tidy(ctx context.Context) error {
	now := a.deps.Now()
	return errors.Join(
		a.Store.DropAnswers(ctx, now),
		a.Store.DropSessions(ctx, now.Add(-access.SessionIdle), now),
		a.Store.DropWorksheets(ctx, now.Add(-worksheet.Kept)),
		a.Accounts.WarnOfExpiry(ctx),
	)
}
