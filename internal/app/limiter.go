package app

import (
	"context"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/client"
)

// hmrcLimiter spaces requests of one HMRC application evenly. It uses the database, so that all instances share HMRC's
// limit also without Redis.
func (a *App) hmrcLimiter(name string, rate float64) client.Limiter {
	if rate <= 0 {
		return client.NewLimiter(simulatorRate)
	}
	gap := time.Duration(float64(time.Second) / rate)
	return &sharedLimiter{
		reserve: func(ctx context.Context) (time.Duration, error) { return a.Store.ReserveSlot(ctx, name, gap) }, reserving: make(chan struct{}, 1),
	}
}

// simulatorRate, in requests per second, is effectively no limit.
const simulatorRate = 1e6

// sharedLimiter allows one request per gap, for all instances.
type sharedLimiter struct {
	reserve   func(context.Context) (wait time.Duration, err error)
	reserving chan struct{} // one goroutine of this instance reserves at a time
}

// Wait returns when a request is allowed.
func (l *sharedLimiter) Wait(ctx context.Context) error {
	select {
	case l.reserving <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-l.reserving }()
	for ctx.Err() == nil {
		wait, err := l.reserve(ctx)
		if err != nil || wait == 0 {
			return err
		}
		select {
		case <-ctx.Done():
		case <-time.After(wait):
		}
	}
	return ctx.Err()
}
