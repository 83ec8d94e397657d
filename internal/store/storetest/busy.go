package storetest

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store"
)

// readers is more than the number of connections that a store has.
const readers = 100

// Busy occupies all connections for reads of organisations until release is called.
func Busy(t testing.TB, s *store.Store, org tenant.ID) (release func()) {
	t.Helper()
	over := make(chan struct{})
	ctx, stop := context.WithCancel(context.Background())
	look := func(ctx context.Context, then func()) error {
		return s.View(ctx, org, func(tx *store.Tx) error {
			_, err := tx.Organisation()
			then()
			return err
		})
	}
	var all sync.WaitGroup
	for range readers {
		all.Go(func() { _ = look(ctx, func() { <-over }) })
	}
	for free := true; free; {
		probe, end := context.WithTimeout(ctx, 50*time.Millisecond)
		free = look(probe, func() {}) == nil
		end()
	}
	return sync.OnceFunc(func() {
		stop()
		close(over)
		all.Wait()
	})
}
