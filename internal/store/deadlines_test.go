package store_test

import (
	"errors"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/deadline"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

func dueIn(t *testing.T, s *store.Store, org tenant.ID) (names string) {
	t.Helper()
	err := s.View(ctx, org, func(tx *store.Tx) error {
		found, err := tx.Deadlines(deadline.Query{Hubs: []string{"customs"}, From: tx.Now().AddDate(-1, 0, 0), To: tx.Now().AddDate(1, 0, 0), Today: tx.Now(), Limit: 10})
		for _, d := range found.Stored {
			names += d.Name + " "
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// Deadlines are stored and removed in the transaction of their change, and are visible only to
// their own organisation.
func TestDeadlinesShareTheTransaction(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		s := open(t, b)
		change := func(tx *store.Tx, version int64, names ...string) filing.Change {
			c := draft(tx, 10)
			c.Filing.Version, c.Event.ID, c.HasDeadlines = version, uuid(int(version)+600_000), true
			if version > 1 {
				c.Keys = nil
			}
			for _, n := range names {
				c.Deadlines = append(c.Deadlines, filing.Deadline{Name: n, Title: "T", DueAt: tx.Now().Add(time.Hour), Source: "S"})
			}
			return c
		}
		update(t, s, ours, func(tx *store.Tx) error { return tx.Write(change(tx, 1, "b", "a", "_c")) })
		if got := dueIn(t, s, ours); got != "_c a b " {
			t.Errorf("due %q", got)
		}
		if got := dueIn(t, s, theirs); got != "" {
			t.Errorf("theirs %q", got)
		}
		failed := errors.New("no")
		err := s.Update(ctx, ours, func(tx *store.Tx) error {
			if err := tx.Write(change(tx, 2, "d")); err != nil {
				return err
			}
			return failed
		})
		if !errors.Is(err, failed) || dueIn(t, s, ours) != "_c a b " {
			t.Errorf("after a change that failed (%v): %q", err, dueIn(t, s, ours))
		}
		update(t, s, ours, func(tx *store.Tx) error { return tx.Write(change(tx, 2, "d")) })
		if got := dueIn(t, s, ours); got != "d " {
			t.Errorf("after the next: %q", got)
		}
		update(t, s, ours, func(tx *store.Tx) error {
			c := change(tx, 3)
			c.HasDeadlines = false
			return tx.Write(c)
		})
		if got := dueIn(t, s, ours); got != "d " {
			t.Errorf("a kind without deadlines changed them: %q", got)
		}
	})
}
