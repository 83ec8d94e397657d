package store_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/deadline"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// ViewSingle sees the records of its organisation and none of another's, whichever organisation used
// the connection before.
func TestViewSingle(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		s := open(t, b)
		update(t, s, ours, func(tx *store.Tx) error { return tx.Write(draft(tx, 1)) })
		update(t, s, theirs, func(tx *store.Tx) error { return tx.Write(draft(tx, 2)) })
		read := func(org tenant.ID, n int) error {
			return s.ViewSingle(t.Context(), org, func(tx *store.Tx) error { _, err := tx.Filing("thing", uuid(n)); return err })
		}
		for range 40 { // more than there are connections
			if err := errors.Join(read(ours, 1), read(theirs, 2)); err != nil {
				t.Fatalf("own record: %v", err)
			}
			for _, err := range []error{read(ours, 2), read(theirs, 1)} {
				if !apierr.Is(err, apierr.NotFound) {
					t.Fatalf("another organisation's record: %v", err)
				}
			}
		}
	})
}

// ViewSingle allows one statement, because without a transaction a second would see another
// snapshot. It allows no change.
func TestViewSingleIsOneStatement(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		s := open(t, b)
		update(t, s, ours, func(tx *store.Tx) error { return tx.Write(draft(tx, 1)) })
		refused := func(what string, err error) {
			t.Helper()
			if err == nil || !strings.Contains(err.Error(), "one statement") {
				t.Errorf("%s: %v", what, err)
			}
		}
		refused("a second statement", s.ViewSingle(t.Context(), ours, func(tx *store.Tx) error {
			if _, err := tx.Filing("thing", uuid(1)); err != nil {
				t.Error(err)
			}
			_, err := tx.Filings(filing.Query{Kind: "thing", Limit: 1})
			return err
		}))
		refused("a change", s.ViewSingle(t.Context(), ours, func(tx *store.Tx) error { return tx.Write(draft(tx, 3)) }))
		if err := s.View(t.Context(), ours, func(*store.Tx) error { return nil }); err != nil {
			t.Errorf("a view without a statement: %v", err)
		}
	})
}

// ViewSingle allows several statements in one message, which see the organisation's own records only.
func TestViewSingleOfOneMessage(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		s := open(t, b)
		for n, org := range []tenant.ID{ours, theirs} {
			update(t, s, org, func(tx *store.Tx) error {
				c := draft(tx, 1+n)
				c.HasDeadlines, c.Deadlines = true, []filing.Deadline{{Name: "a", Title: "T", DueAt: tx.Now().Add(time.Hour), Source: "S"}}
				c.Keys = []filing.Key{{Name: "thing.key", Value: "K"}}
				return tx.Write(c)
			})
		}
		for range 40 { // more than there are connections
			for n, org := range []tenant.ID{ours, theirs} {
				err := s.ViewSingle(t.Context(), org, func(tx *store.Tx) error {
					q := deadline.Query{Hubs: []string{"customs"}, From: tx.Now(), To: tx.Now().AddDate(0, 0, 1), Today: tx.Now(), Limit: 10, Keys: []filing.Key{{Name: "thing.key", Value: "K"}, {Name: "thing.key", Value: "L"}}}
					f, err := tx.Deadlines(q)
					if err != nil || len(f.Stored) != 1 || f.Stored[0].FilingID != uuid(1+n) || len(f.Keyed) != 1 || f.Keyed[q.Keys[0]].ID != uuid(1+n) {
						t.Fatalf("%+v, %v", f, err)
					}
					if _, err = tx.Deadlines(q); err == nil || !strings.Contains(err.Error(), "one statement") {
						t.Fatalf("a second message: %v", err)
					}
					return nil
				})
				if err != nil {
					t.Fatal(err)
				}
			}
		}
	})
}
