package bulk

import (
	"context"
	"fmt"
	"iter"
	"runtime/debug"
)

// prefetch fetches each batch while the previous one is processed; at most one batch is buffered. It ends
// with the first empty batch or with an error.
func prefetch[T any](ctx context.Context, next func(context.Context) ([]T, error)) iter.Seq2[[]T, error] {
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
				portion, err := recoverPanic(ctx, next)
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
		defer func() { // wait for the goroutine
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

// recoverPanic converts a panic to an error. In a goroutine of its own a panic would end the process.
func recoverPanic[T any](ctx context.Context, next func(context.Context) ([]T, error)) (portion []T, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("bulk: panic: %v\n%s", p, debug.Stack())
		}
	}()
	return next(ctx)
}
