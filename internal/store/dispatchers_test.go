package store_test

import (
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// An instance that was killed and never returns is forgotten a day later; one that lives, or was killed lately, is not.
func TestKilledInstancesAreForgotten(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		s, pass := clocked(t, b, store.Observer{})
		beat := func(n int) {
			if err := s.Heartbeat(ctx, uuid(n), time.Second); err != nil {
				t.Fatal(err)
			}
		}
		beat(1)
		pass(23 * time.Hour)
		beat(2)
		for _, c := range []struct {
			later time.Duration
			left  int
		}{{0, 2}, {2 * time.Hour, 1}, {22 * time.Hour, 1}, {time.Hour, 0}} {
			pass(c.later)
			if err := s.DropDispatchers(ctx); err != nil {
				t.Fatal(err)
			}
			update(t, s, ours, func(tx *store.Tx) error {
				n, err := store.CountUnguarded(tx, "SELECT count(*) FROM dispatchers")
				if n != c.left {
					t.Errorf("%d instances, want %d", n, c.left)
				}
				return err
			})
		}
	})
}
