package store_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// nine is the time at which the trails of these tests begin.
var nine = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)

// openAt opens a store with a clock that the test controls.
func openAt(t *testing.T, b storetest.Backend, now *time.Time) *store.Store {
	t.Helper()
	open(t, b) // makes the organisations
	o := b.Options()
	o.Now = func() time.Time { return *now }
	s, err := store.Open(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// recordEvents records events of several Hubs, types and actors, one second apart.
func recordEvents(t *testing.T, s *store.Store, org tenant.ID, n int, now *time.Time) {
	t.Helper()
	chance := rand.New(rand.NewPCG(1, 2))
	for i := range n {
		if i%3 == 0 {
			*now = now.Add(time.Second)
		}
		update(t, s, org, func(tx *store.Tx) error {
			hub := []string{"customs", "tss", "emcs"}[chance.IntN(3)]
			return tx.Record(audit.Event{
				ID: uuid(1000 + i), Hub: hub, Type: hub + "." + []string{"created", "submitted", "accepted"}[chance.IntN(3)],
				ResourceType: "thing", ResourceID: uuid(chance.IntN(4)), ActorUserID: []string{"system", "a", "b"}[chance.IntN(3)], ActorType: tenant.ByUser,
				KeyID: []string{"", "k"}[i%2], RequestID: fmt.Sprint("r", i/5),
			})
		})
	}
}

// With any filters, a page holds the newest matching events in order, and CountEvents returns
// their number.
func TestEventFilters(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		now := nine
		s := openAt(t, b, &now)
		recordEvents(t, s, ours, 150, &now)
		recordEvents(t, s, theirs, 20, &now)
		view := func(fn func(tx *store.Tx) error) {
			t.Helper()
			if err := s.View(ctx, ours, fn); err != nil {
				t.Fatal(err)
			}
		}
		var all []audit.Event
		view(func(tx *store.Tx) error {
			return tx.EachEvent(func(e audit.Event) error { all = append(all, e); return nil })
		})
		slices.Reverse(all)
		for some := range slices.Chunk(allQueries(), 40) { // a transaction for each takes longer than the query
			view(func(tx *store.Tx) error {
				for _, q := range some {
					got, err := tx.Events(q)
					if err != nil {
						return err
					}
					count, err := tx.CountEvents(q)
					if err != nil {
						return err
					}
					want := matching(all, q)
					if ids(got) != ids(want) || count != len(want) {
						t.Errorf("%+v: %s (counted %d), want %s", q, ids(got), count, ids(want))
					}
				}
				return nil
			})
		}
	})
}

// moreFilters are the filters without an index, and those that select types by name.
var moreFilters = []func(*audit.Query){
	func(*audit.Query) {},
	func(*audit.Query) {},
	func(q *audit.Query) {
		q.Group.Matches = func(kind string) bool { return strings.HasSuffix(kind, ".created") }
	},
	func(q *audit.Query) { q.KeyID, q.After = "k", 20 },
	func(q *audit.Query) { q.RequestID = "r7" },
}

// allQueries returns every combination of filters.
func allQueries() (all []audit.Query) {
	bounds := [][2]time.Time{
		{}, {nine.Add(10 * time.Second), nine.Add(30 * time.Second)}, {nine.Add(20*time.Second + 1), {}}, {{}, nine.Add(25*time.Second - 1)},
		{nine.Add(time.Hour), {}}, {{}, nine.Add(-time.Hour)}, {nine.Add(20 * time.Second), nine.Add(20 * time.Second)},
		{time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(9999, 12, 31, 23, 59, 59, 999_999_999, time.FixedZone("", -12*3600))},
	}
	for _, hub := range []string{"", "tss", "gvms"} {
		for _, kind := range []string{"", "tss.created", "emcs.created", "nothing"} {
			for _, actor := range []string{"", "system", "unknown"} {
				for i, bound := range bounds {
					for j, before := range []int64{0, 60, 60, 0, 60} {
						q := audit.Query{Hub: hub, Type: kind, ActorUserID: actor, From: bound[0], To: bound[1], Before: before, Limit: []int{7, 1000}[i%2]}
						moreFilters[j](&q)
						all = append(all, q)
					}
				}
			}
		}
	}
	return all
}

// matching returns the events that a query must find, by checking every event.
func matching(newestFirst []audit.Event, q audit.Query) (fit []audit.Event) {
	for _, e := range newestFirst {
		if (q.Hub == "" || e.Hub == q.Hub) && (q.Type == "" || e.Type == q.Type) && (q.ActorUserID == "" || e.ActorUserID == q.ActorUserID) &&
			(q.From.IsZero() || !e.OccurredAt.Before(q.From)) && (q.To.IsZero() || !e.OccurredAt.After(q.To)) &&
			(q.Group.Matches == nil || q.Group.Matches(e.Type)) && (q.KeyID == "" || e.KeyID == q.KeyID) && (q.RequestID == "" || e.RequestID == q.RequestID) &&
			(q.Before == 0 || e.Sequence < q.Before) && e.Sequence > q.After && len(fit) < q.Limit {
			fit = append(fit, e)
		}
	}
	return fit
}

func ids(events []audit.Event) string {
	var all []string
	for _, e := range events {
		all = append(all, fmt.Sprint(e.Sequence))
	}
	return strings.Join(all, " ")
}

// Times in a trail never run backwards, even if a clock does.
func TestTimesNeverRunBackwards(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		now := nine
		s := openAt(t, b, &now)
		for i, step := range []time.Duration{0, -time.Hour, time.Second, -time.Second} {
			now = now.Add(step)
			update(t, s, ours, func(tx *store.Tx) error { return tx.Record(audit.Event{ID: uuid(1000 + i), ActorType: tenant.ByUser}) })
		}
		err := s.View(ctx, ours, func(tx *store.Tx) error {
			return tx.EachEvent(func(e audit.Event) error {
				if !e.OccurredAt.Equal(nine) {
					t.Errorf("event %d at %s", e.Sequence, e.OccurredAt)
				}
				return nil
			})
		})
		if err != nil {
			t.Fatal(err)
		}
		verify(t, s, ours, 4)
	})
}

// The events of a record are found by an index and are already in order, however long the trail
// is.
func TestHistoryUsesIndex(t *testing.T) {
	s := open(t, storetest.SQLite(t))
	err := s.View(ctx, ours, func(tx *store.Tx) error {
		plan, err := store.PlanOf(tx, audit.Query{ResourceID: uuid(1), Before: 5, Limit: 1})
		if !strings.Contains(plan, "events_by_resource (org_id=? AND resource_id=?)") || strings.Contains(plan, "TEMP B-TREE") {
			t.Errorf("plan: %s", plan)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// The database itself rejects updates, deletes and truncation of the trail: for the owner by a
// trigger, for the service by missing rights.
func TestEventsAreAppendOnly(t *testing.T) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) { testAppendOnly(t, b.AsOwner(), "append-only") })
	testAppendOnly(t, storetest.Postgres(t), "permission denied")
}

func testAppendOnly(t *testing.T, b storetest.Backend, refusal string) {
	t.Run(refusal, func(t *testing.T) {
		now := nine
		s := openAt(t, b, &now)
		recordEvents(t, s, ours, 3, &now)
		statements := []string{"UPDATE events SET hub = 'x'", "UPDATE events SET hash = hash WHERE sequence = 2", "DELETE FROM events", "DELETE FROM events WHERE sequence = 3"}
		if b.Name == "postgres" {
			statements = append(statements, "TRUNCATE events", "TRUNCATE events CASCADE", "TRUNCATE organisations CASCADE")
		}
		for _, statement := range statements {
			err := s.Update(ctx, ours, func(tx *store.Tx) error { return store.ExecUnguarded(tx, statement) })
			if err == nil || !strings.Contains(err.Error(), refusal) {
				t.Errorf("%s: %v", statement, err)
			}
		}
		verify(t, s, ours, 3)
	})
}
