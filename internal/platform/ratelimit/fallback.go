package ratelimit

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// askAgain is the interval at which an unavailable shared limiter is tried, by one request.
const askAgain = 2 * time.Second

// Fallback counts requests for all instances together or, while that fails, for this instance alone. Then the limits
// are higher by the number of instances, but no request is rejected because counting failed.
type Fallback struct {
	Shared, Local Limiter
	Now           func() time.Time
	Log           *slog.Logger

	mu    sync.Mutex
	away  bool
	again time.Time // when Shared is tried again, while it fails
}

// Take counts one request.
func (f *Fallback) Take(ctx context.Context, b Budget, subject string) (State, error) {
	return f.either(ctx, func(l Limiter) (State, error) { return l.Take(ctx, b, subject) })
}

// Look returns the state without counting.
func (f *Fallback) Look(ctx context.Context, b Budget, subject string) (State, error) {
	return f.either(ctx, func(l Limiter) (State, error) { return l.Look(ctx, b, subject) })
}

func (f *Fallback) either(ctx context.Context, ask func(Limiter) (State, error)) (State, error) {
	if !f.worthTrying() {
		return ask(f.Local)
	}
	state, err := ask(f.Shared)
	if ctx.Err() != nil {
		return state, err // the caller has gone, which says nothing about Shared
	}
	f.note(err)
	if err != nil {
		return ask(f.Local)
	}
	return state, nil
}

// worthTrying reports whether to use Shared; while it fails, one request at a time does.
func (f *Fallback) worthTrying() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.away {
		return true
	}
	if now := f.Now(); !now.Before(f.again) {
		f.again = now.Add(askAgain)
		return true
	}
	return false
}

// note logs when Shared begins to fail, and when it works again.
func (f *Fallback) note(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case err != nil && !f.away:
		f.away, f.again = true, f.Now().Add(askAgain)
		f.Log.Warn("rate limits cannot be shared; until they can, each instance counts by itself", "error", err)
	case err == nil && f.away:
		f.away = false
		f.Log.Info("rate limits are shared again")
	}
}
