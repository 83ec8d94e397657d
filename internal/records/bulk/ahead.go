package bulk

import (
	"context"
	"fmt"
	"iter"
	"runtime/debug"
)

// ahead makes each portion while the one before is used: one waits, at most. It
// ends with the first portion that is empty, or with an error.
func ahead[T any](ctx context.Context, next func(context.Context) ([]T, error)) iter.Seq2[[]T, error] {
	type made struct {
		portion []T
		err     error
	}
	return func(yield func([]T, error) bool) {
		ctx, stop := context.WithCancel(ctx)
		ready := make(chan made)
		go func() {
			defer close(ready)
			for {
				portion, err := guarded(ctx, next)
				if err == nil && len(portion) == 0 {
					return
				}
				select {
				case ready <- made{portion, err}:
				case <-ctx.Done():
					return
				}
				if err != nil {
					return
				}
			}
		}()
		defer func() { // nothing runs on behind the caller's back
			stop()
			for range ready {
			}
		}()
		for m := range ready {
			if !yield(m.portion, m.err) {
				return
			}
		}
		if err := ctx.Err(); err != nil {
			yield(nil, err)
		}
	}
}

// guarded turns a panic into an error: beside the request nobody else would.
func guarded[T any](ctx context.Context, next func(context.Context) ([]T, error)) (portion []T, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("bulk: panic: %v\n%s", p, debug.Stack())
		}
	}()
	return next(ctx)
}
