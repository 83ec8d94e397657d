package postgres_test

import (
	"context"
	"database/sql"
	"sync"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/store/postgres"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// Transactions that time out at the same time close idle connections, but none that another
// transaction uses or returns to the pool meanwhile.
func TestTimeoutClosesIdleConnectionsOnly(t *testing.T) {
	const rounds, connections, closers = 12, 16, 4
	e, err := postgres.Attach(t.Context(), storetest.Postgres(t).Options().Engine())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	pool := postgres.PoolOf(e)
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
			all.Go(func() { _ = postgres.CloseIdleAfter(e, context.DeadlineExceeded) })
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
