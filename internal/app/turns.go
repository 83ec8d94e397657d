package app

import (
	"context"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/client"
)

// hmrcLimiter spaces the requests of one of HMRC's applications, by the database: the
// instances that share it share HMRC's budget, with a Redis or without.
func (a *App) hmrcLimiter(name string, rate float64) client.Limiter {
	if rate <= 0 {
		return client.NewLimiter(simulatorRate)
	}
	gap := time.Duration(float64(time.Second) / rate)
	return &sharedLimiter{
		turn: func(ctx context.Context) (time.Duration, error) { return a.Store.Turn(ctx, name, gap) }, asking: make(chan struct{}, 1),
	}
}

// simulatorRate is no limit worth the name.
const simulatorRate = 1e6

// sharedLimiter lets one request go in each gap, for all instances.
type sharedLimiter struct {
	turn   func(context.Context) (wait time.Duration, err error)
	asking chan struct{} // held by the one who asks for this instance
}

// Wait returns when it is our turn.
func (l *sharedLimiter) Wait(ctx context.Context) error {
	select {
	case l.asking <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-l.asking }()
	for ctx.Err() == nil {
		wait, err := l.turn(ctx)
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
