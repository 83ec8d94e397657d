package store_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

var ctx = context.Background()

func uuid(n int) string { return fmt.Sprintf("01900000-0000-7000-8000-%012d", n) }

var (
	ours   = tenant.ID(uuid(1))
	theirs = tenant.ID(uuid(2))
)

func open(t *testing.T, b storetest.Backend) *store.Store {
	t.Helper()
	s := b.Open(t)
	for _, org := range []tenant.ID{ours, theirs} {
		update(t, s, org, func(tx *store.Tx) error {
			return tx.AddOrganisation(access.Organisation{ID: org, Name: string(org), Hubs: access.Hubs{"customs": tx.Now()}, CreatedAt: tx.Now(), UpdatedAt: tx.Now()})
		})
	}
	return s
}

func update(t *testing.T, s *store.Store, org tenant.ID, fn func(*store.Tx) error) {
	t.Helper()
	if err := s.Update(ctx, org, fn); err != nil {
		t.Fatal(err)
	}
}

func draft(tx *store.Tx, n int) filing.Change {
	id := uuid(n)
	return filing.Change{
		Filing: filing.Filing{
			ID: id, Kind: "thing", Status: lifecycle.Draft, Version: 1, BodyVersion: 1,
			Body: []byte(`{"b":12.50,"a":"ü"}`), Added: []byte(`{"n":1}`), CreatedAt: tx.Now(), UpdatedAt: tx.Now(),
		},
		Event: audit.Event{ID: uuid(n + 500_000), Hub: "customs", Type: "thing.created", ResourceType: "thing", ResourceID: id},
		Keys:  []filing.Key{{Name: "ref", Value: fmt.Sprint(n)}},
	}
}

// A record is read back byte for byte, with its key and event.
func TestRoundTrip(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		s := open(t, b)
		update(t, s, ours, func(tx *store.Tx) error { return tx.Write(draft(tx, 10)) })
		err := s.View(ctx, ours, func(tx *store.Tx) error {
			f, err := tx.Filing("thing", uuid(10))
			if err != nil {
				return err
			}
			byKey, err := tx.FilingByKey("ref", "10")
			if err != nil {
				return err
			}
			if string(f.Body) != `{"b":12.50,"a":"ü"}` || f.Brief != nil || byKey.ID != f.ID || f.CreatedAt.IsZero() {
				t.Errorf("got %+v and %+v", f, byKey)
			}
			events, err := tx.Events(audit.Query{Limit: 10})
			if len(events) != 1 || events[0].Digest(ours) != events[0].Hash {
				t.Errorf("events %+v", events)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}

// A record of another organisation cannot be found: not by ID, key, list or trail.
func TestAnotherOrganisationSeesNothing(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		s := open(t, b)
		update(t, s, ours, func(tx *store.Tx) error { return tx.Write(draft(tx, 10)) })
		err := s.View(ctx, theirs, func(tx *store.Tx) error {
			if _, err := tx.Filing("thing", uuid(10)); !apierr.Is(err, apierr.NotFound) {
				t.Errorf("by id: %v", err)
			}
			if _, err := tx.FilingByKey("ref", "10"); !apierr.Is(err, apierr.NotFound) {
				t.Errorf("by key: %v", err)
			}
			page, err := tx.Filings(filing.Query{Kind: "thing", Limit: 10})
			if err != nil || len(page) != 0 {
				t.Errorf("list: %v %v", page, err)
			}
			events, err := tx.Events(audit.Query{Limit: 10})
			if err != nil || len(events) != 0 {
				t.Errorf("trail: %v %v", events, err)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.View(ctx, "", func(*store.Tx) error { return nil }); err == nil {
			t.Error("a transaction without an organisation was opened")
		}
	})
}

// Of many changes to one version, exactly one is stored, with its event.
func TestOneWinnerPerVersion(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		s := open(t, b)
		update(t, s, ours, func(tx *store.Tx) error { return tx.Write(draft(tx, 10)) })
		var won, lost sync.Map
		var all sync.WaitGroup
		for n := range 16 {
			all.Go(func() {
				err := s.Update(ctx, ours, func(tx *store.Tx) error {
					c := draft(tx, 10)
					c.Keys, c.Filing.Version, c.Event.ID = nil, 2, uuid(600+n)
					return tx.Write(c)
				})
				if err == nil {
					won.Store(n, true)
				} else if apierr.Is(err, apierr.InvalidState) {
					lost.Store(n, true)
				} else {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if size(&won) != 1 || size(&lost) != 15 {
			t.Errorf("%d changes stored, %d rejected", size(&won), size(&lost))
		}
		verify(t, s, ours, 2)
	})
}

func size(m *sync.Map) (n int) {
	m.Range(func(any, any) bool { n++; return true })
	return n
}

func verify(t *testing.T, s *store.Store, org tenant.ID, want int64) {
	t.Helper()
	chain := audit.Chain{Org: org}
	if err := s.View(ctx, org, func(tx *store.Tx) error { return tx.EachEvent(chain.Next) }); err != nil {
		t.Error(err)
	}
	if chain.Last.Sequence != want {
		t.Errorf("%d events, want %d", chain.Last.Sequence, want)
	}
}

// Many concurrent writers produce one unbroken chain. A request that fails stores nothing, while
// the others of its batch are stored.
func TestConcurrentWritersLeaveOneChain(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		s := open(t, b)
		refused := errors.New("refused")
		var all sync.WaitGroup
		for n := range 64 {
			all.Go(func() {
				err := s.Update(ctx, ours, func(tx *store.Tx) error {
					if err := tx.Write(draft(tx, 100+n)); err != nil {
						return err
					}
					switch n % 4 {
					case 1:
						return refused
					case 2:
						panic("a bug")
					}
					return nil
				})
				if (err == nil) != (n%4 == 0 || n%4 == 3) {
					t.Errorf("%d: %v", n, err)
				}
			})
		}
		all.Wait()
		verify(t, s, ours, 32)
	})
}

// The store rejects statements that do not filter by their organisation first. The database
// rejects changes of audit events.
func TestStatementsAreScopedToTheirOrganisation(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		s := open(t, b)
		for _, query := range []string{
			"SELECT 1 FROM filings", "SELECT 1 FROM filings WHERE id = $1", "DELETE FROM events",
			"SELECT 1 FROM filings WHERE org_id = $1 OR 1 = 1", "INSERT INTO filings (id) VALUES ($1)",
		} {
			err := s.Update(ctx, ours, func(tx *store.Tx) error { return store.Exec(tx, query) })
			if err == nil || !strings.Contains(err.Error(), "does not filter by its organisation first") {
				t.Errorf("%s: %v", query, err)
			}
		}
		update(t, s, ours, func(tx *store.Tx) error { return tx.Write(draft(tx, 10)) })
		for _, query := range []string{"UPDATE events SET hub = 'x' WHERE org_id = $1", "DELETE FROM events WHERE org_id = $1"} {
			err := s.Update(ctx, ours, func(tx *store.Tx) error { return store.Exec(tx, query) })
			if err == nil || !strings.Contains(err.Error(), map[string]string{"sqlite": "append-only", "postgres": "permission denied"}[b.Name]) {
				t.Errorf("%s: %v", query, err)
			}
		}
	})
}

// If a statement lacks its filter, PostgreSQL itself hides the rows of other organisations.
func TestRowLevelSecurityHolds(t *testing.T) {
	s := open(t, storetest.Postgres(t))
	for _, org := range []tenant.ID{ours, theirs} {
		update(t, s, org, func(tx *store.Tx) error { return tx.Write(draft(tx, 10)) })
	}
	err := s.View(ctx, ours, func(tx *store.Tx) error {
		n, err := store.CountUnguarded(tx, "SELECT count(*) FROM filings")
		if n != 1 {
			t.Errorf("%d rows visible, want only ours", n)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	err = s.Update(ctx, ours, func(tx *store.Tx) error {
		return store.ExecUnguarded(tx, "INSERT INTO memberships (org_id, user_id, role, created_at) VALUES ('"+string(theirs)+"', '"+uuid(9)+"', 'OWNER', now())")
	})
	if err == nil || !strings.Contains(err.Error(), "row-level security") {
		t.Errorf("a row was written for another organisation: %v", err)
	}
}

// A page continues after the last record of the page before, and can be filtered by status.
func TestPagesFollowCreation(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		s := open(t, b)
		for n := range 7 {
			update(t, s, ours, func(tx *store.Tx) error { return tx.Write(draft(tx, 10+n)) })
		}
		var seen []string
		q := filing.Query{Kind: "thing", Status: lifecycle.Draft, Limit: 3}
		for {
			var page []filing.Filing
			if err := s.View(ctx, ours, func(tx *store.Tx) (err error) { page, err = tx.Filings(q); return err }); err != nil {
				t.Fatal(err)
			}
			if len(page) == 0 {
				break
			}
			for _, f := range page {
				seen = append(seen, f.ID)
			}
			q.After = filing.Position{CreatedAt: page[len(page)-1].CreatedAt, ID: page[len(page)-1].ID}
		}
		for n := range 7 {
			if len(seen) != 7 || seen[n] != uuid(16-n) {
				t.Fatalf("got %v", seen)
			}
		}
	})
}

// A list position outside the supported years is before or after every record.
func TestPositionsOutsideTheYears(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		s := b.Open(t)
		for _, at := range []time.Time{time.UnixMilli(math.MaxInt64), time.UnixMilli(math.MinInt64), time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(0, 12, 31, 0, 0, 0, 0, time.UTC)} {
			q := filing.Query{Kind: "thing", Limit: 3, After: filing.Position{CreatedAt: at, ID: uuid(10)}}
			if err := s.View(ctx, ours, func(tx *store.Tx) error { _, err := tx.Filings(q); return err }); err != nil {
				t.Errorf("%s: %v", at, err)
			}
		}
	})
}

// Two processes can open one file at once: both migrate, both write.
func TestTwoProcessesShareAFile(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		var all sync.WaitGroup
		stores := make([]*store.Store, 4)
		for n := range stores {
			all.Go(func() { stores[n] = b.Open(t) })
		}
		all.Wait()
		update(t, stores[0], ours, func(tx *store.Tx) error {
			return tx.AddOrganisation(access.Organisation{ID: ours, CreatedAt: tx.Now(), UpdatedAt: tx.Now()})
		})
		for n := range 40 {
			all.Go(func() {
				if err := stores[n%4].Update(ctx, ours, func(tx *store.Tx) error { return tx.Write(draft(tx, 10+n)) }); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		verify(t, stores[0], ours, 40)
	})
}
