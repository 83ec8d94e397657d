package official

import (
	"context"
	"time"
)

// MaxWait is how long a question waits for the tariff after the service has started.
const MaxWait = 10 * time.Second

// Begin says that the tariff in force has yet to be read: readers wait for the first Refresh that succeeds.
func (l *Library) Begin() {
	loaded := make(chan struct{})
	l.loading.Store(&loaded)
}

// end lets readers go on. It is called with mu held.
func (l *Library) end() {
	if loading := l.loading.Swap(nil); loading != nil {
		close(*loading)
	}
}

// Wait waits until the tariff in force is in memory; the error is that of ctx.
func (l *Library) Wait(ctx context.Context) error {
	loading := l.loading.Load()
	if loading == nil {
		return nil
	}
	select {
	case <-*loading:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Await is Wait for at most MaxWait.
func (l *Library) Await(ctx context.Context) error {
	if l.loading.Load() == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, MaxWait)
	defer cancel()
	return l.Wait(ctx)
}

// inForce returns the tariff in memory; nil for the embedded table. Callers that can fail have waited with Await; others wait
// here.
func (l *Library) inForce() *held {
	_ = l.Wait(context.Background()) // which does not end
	return l.current.Load()
}
