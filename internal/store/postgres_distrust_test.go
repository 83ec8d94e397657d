package store_test

import (
	"context"
	"database/sql"
	"sync"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// Transactions that run out of time at the same time close idle connections, and none that
// another transaction uses or gives back meanwhile.
func TestDistrustClosesIdleConnectionsOnly(t *testing.T) {
	const rounds, connections, closers = 12, 16, 4
	s := storetest.Postgres(t).Open(t)
	pool := store.PoolOf(s)
	for range rounds {
		open := make([]*sql.Conn, connections)
		for i := range open {
			conn, err := pool.Conn(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			open[i] = conn
		}
		for _, conn := range open[connections/2:] {
			_ = conn.Close() // idle from now on
		}
		var all sync.WaitGroup
		for range closers {
			all.Go(func() { _ = store.Distrust(s, context.DeadlineExceeded) })
		}
		for _, conn := range open[:connections/2] {
			all.Go(func() {
				_ = conn.Close()
				for range 4 {
					if _, err := pool.ExecContext(t.Context(), "SELECT 1"); err != nil {
						t.Errorf("a connection in use was closed: %v", err)
					}
				}
			})
		}
		all.Wait()
	}
}
