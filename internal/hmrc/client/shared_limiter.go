package client

import (
	"context"
	"time"
)

// SharedLimiter is a Limiter for all instances of the service.
type SharedLimiter struct {
	reserve   func(context.Context) (wait time.Duration, err error)
	reserving chan struct{} // one goroutine of this instance reserves at a time
}

// NewSharedLimiter makes a SharedLimiter. reserve takes the next place in storage that all instances share; if the place
// is not free yet, it takes none and returns how long to wait before the next attempt.
func NewSharedLimiter(reserve func(context.Context) (wait time.Duration, err error)) *SharedLimiter {
	return &SharedLimiter{reserve: reserve, reserving: make(chan struct{}, 1)}
}

// Wait returns when a request is allowed.
func (l *SharedLimiter) Wait(ctx context.Context) error {
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
