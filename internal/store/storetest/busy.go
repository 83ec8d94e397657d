package storetest

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store"
)

// readers are more than a store has connections for.
const readers = 100

// Busy reads with every connection that reads of organisations have, until it is told
// to let them go.
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
