package bulk

import (
	"context"
	"iter"
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
				portion, err := next(ctx)
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
	}
}
