package app

import (
	"context"
	"log/slog"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/clock"
)

// clockEvery is the time from one look at the reference to the next: for so long
// instances may disagree after it was set.
const clockEvery = 2 * time.Second

// keepTime holds the clock to its reference. While the database is away, time goes on
// by the machine's steady clock.
func (a *App) keepTime(ctx context.Context) {
	if a.deps.clock == nil {
		return
	}
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(clockEvery):
		}
		if err := a.observeClock(ctx); err != nil && ctx.Err() == nil {
			a.deps.Log.Warn("the clock cannot be compared with the database's", "error", err)
		}
	}
}

func (a *App) observeClock(ctx context.Context) error {
	if a.deps.clock == nil {
		return nil
	}
	err := a.deps.clock.Observe(ctx, a.Store)
	for _, c := range a.deps.clock.Changes() {
		tellChange(a.deps.Log, c, a.deps.clock.Standing())
	}
	return err
}

func tellChange(log *slog.Logger, c clock.Change, s clock.Standing) {
	by := c.By.Round(time.Millisecond).String()
	switch {
	case c.Of == clock.Machine:
		log.Warn("the clock of this machine was set; the service goes by the database's", "by", by)
	case c.By > 0:
		log.Warn("the clock was put forward; time has followed", "by", by)
	default:
		log.Warn("the clock was put back; time goes at half its speed until they agree", "by", by, "ahead", s.Ahead.Round(time.Millisecond).String())
	}
}
