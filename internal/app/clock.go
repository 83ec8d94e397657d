package app

import (
	"context"
	"log/slog"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/clock"
)

// clockInterval is the time between two reads of the reference clock. After that clock is set, instances may disagree for
// so long.
const clockInterval = 2 * time.Second

// syncClock follows the reference clock. While the database cannot be reached, the machine's monotonic clock is used.
func (a *App) syncClock(ctx context.Context) {
	if a.deps.clock == nil {
		return
	}
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(clockInterval):
		}
		if err := a.observeClock(ctx); err != nil && ctx.Err() == nil {
			a.deps.Log.Warn("cannot read the database's clock", "error", err)
		}
	}
}

func (a *App) observeClock(ctx context.Context) error {
	if a.deps.clock == nil {
		return nil
	}
	err := a.deps.clock.Observe(ctx, a.Store)
	for _, c := range a.deps.clock.Changes() {
		logClockChange(a.deps.Log, c, a.deps.clock.Status())
	}
	return err
}

func logClockChange(log *slog.Logger, c clock.Change, s clock.Status) {
	by := c.By.Round(time.Millisecond).String()
	switch {
	case c.Of == clock.Machine:
		log.Warn("the clock of this machine was set; the service uses the database's", "by", by)
	case c.By > 0:
		log.Warn("the clock was set forward; the service follows it", "by", by)
	default:
		log.Warn("the clock was set back; the service's time runs at half speed until both agree", "by", by, "ahead", s.Ahead.Round(time.Millisecond).String())
	}
}
