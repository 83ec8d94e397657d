package app

import (
	"context"
	"errors"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/filing/timer"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/template"
	"github.com/tidewaiter/tidewaiter/internal/ops/metrics"
	"github.com/tidewaiter/tidewaiter/internal/records/batch"
	"github.com/tidewaiter/tidewaiter/internal/records/inbox"
	"github.com/tidewaiter/tidewaiter/internal/records/whatif"
	"github.com/tidewaiter/tidewaiter/internal/records/worksheet"
	"github.com/tidewaiter/tidewaiter/internal/store/adapter"
)

// cleanupInterval is the time between two clean-ups.
const cleanupInterval = time.Hour

// cleanup removes expired sessions, answers, batches, what-ifs, worksheets and killed instances, warns of keys that expire soon, and writes
// mornings of inboxes; one instance at a time.
func (a *App) cleanup(ctx context.Context) {
	swept := a.metrics.Sweep(metrics.Cleanup)
	for {
		ran, err := a.Store.Exclusive(ctx, "house", a.removeExpired)
		if ran && err == nil {
			swept()
		} else if err != nil && ctx.Err() == nil {
			a.deps.Log.Warn("cannot remove expired data", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(cleanupInterval):
		}
	}
}

func (a *App) removeExpired(ctx context.Context) error {
	now := a.deps.Now()
	_, deliveries, err := a.Config.Keep()
	if err != nil {
		return err
	}
	return errors.Join(
		a.Store.DropAnswers(ctx, now),
		a.Store.DropSessions(ctx, now.Add(-access.SessionIdle), now),
		a.Store.DropRemovedTransmissions(ctx, now.Add(-customs.LateMessages)),
		a.Store.DropBatches(ctx, now.Add(-batch.Retention)),
		a.Store.DropWhatIfs(ctx, now.Add(-whatif.Retention)),
		a.Store.DropWhatIfUploads(ctx, now.Add(-whatif.UploadTTL)),
		a.Store.DropTariffs(ctx),
		a.Store.DropWorksheets(ctx, now.Add(-worksheet.Retention)),
		a.Store.DropDispatchers(ctx),
		a.Store.DropNumbers(ctx, deliveries.Before(now)),
		a.Store.DropItems(ctx, now.Add(-inbox.Retention)),
		a.Accounts.WarnOfExpiry(ctx),
		a.Mornings().Run(ctx, now),
	)
}

// Sweeper makes what is due by time.
func (a *App) Sweeper() *timer.Sweeper {
	repeats := &template.Repeater{Filings: a.Filings, Declarations: a.Customs.Type, Check: a.importer().Check}
	return &timer.Sweeper{
		Store: adapter.Of(a.Store), Filings: a.Filings, Types: a.allKinds(), Steps: map[string]timer.Step{template.Kind: repeats.Step()},
		Log: a.deps.Log, OnSweep: a.metrics.Sweep(metrics.Timers),
	}
}
