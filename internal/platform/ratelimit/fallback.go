package ratelimit

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// askAgain is how often a limiter that is away is tried, by one request.
const askAgain = 2 * time.Second

// Fallback counts for all instances together, and for this one alone while that cannot
// be done: limits are then as many times as high as there are instances, and nobody is
// refused for want of a count.
type Fallback struct {
	Shared, Local Limiter
	Now           func() time.Time
	Log           *slog.Logger

	mu    sync.Mutex
	away  bool
	again time.Time // when Shared is tried next, while it is away
}

// Take counts one request.
func (f *Fallback) Take(ctx context.Context, b Budget, subject string) (State, error) {
	return f.either(ctx, func(l Limiter) (State, error) { return l.Take(ctx, b, subject) })
}

// Look tells what is left.
func (f *Fallback) Look(ctx context.Context, b Budget, subject string) (State, error) {
	return f.either(ctx, func(l Limiter) (State, error) { return l.Look(ctx, b, subject) })
}

func (f *Fallback) either(ctx context.Context, ask func(Limiter) (State, error)) (State, error) {
	if !f.worthTrying() {
		return ask(f.Local)
	}
	state, err := ask(f.Shared)
	if ctx.Err() != nil {
		return state, err // whoever asked is gone, which says nothing of Shared
	}
	f.note(err)
	if err != nil {
		return ask(f.Local)
	}
	return state, nil
}

// worthTrying tells whether to ask Shared; while it is away one request at a time does.
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

// note logs when Shared goes and when it comes back.
func (f *Fallback) note(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case err != nil && !f.away:
		f.away, f.again = true, f.Now().Add(askAgain)
		f.Log.Warn("rate limits cannot be shared; each instance counts by itself until they can", "error", err)
	case err == nil && f.away:
		f.away = false
		f.Log.Info("rate limits are shared again")
	}
}
