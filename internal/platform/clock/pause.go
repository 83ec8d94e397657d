package clock

import (
	"context"
	"time"
)

// Pause waits by this machine's clock. It returns the error of the context if that ends meanwhile.
func Pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}
