package statement_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/filing/statement"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// crate is a record, count the statement of a quarter's crates, and season a calendar record for each quarter.
type (
	crate struct {
		Weight int64 `json:"weight"`
	}
	ask   struct{ Quarter string }
	count struct {
		Quarter string `json:"quarter"`
		Season  string `json:"season"`
		Crates  int64  `json:"crates"`
		Weight  int64  `json:"weight"`
		Listed  int    `json:"listed"`
	}
	season struct {
		Quarter string `json:"quarter"`
	}
)

const close lifecycle.Action = "close"

const ledger = "weights"

var crates = filing.Definition[crate]{
	Kind: "crate", Hub: "test", Path: "/api/crates", Singular: "crate", Plural: "crates",
	Lifecycle: lifecycle.Table{Initial: "RECORDED", States: []lifecycle.State{"RECORDED"}, Created: "recorded", Edges: []lifecycle.Edge{
		{From: []lifecycle.State{"RECORDED"}, Action: lifecycle.Amend, Guard: lifecycle.Member, Event: "amended", Effects: []lifecycle.Effect{lifecycle.ReplaceBody}},
	}},
	Postings: func(c *crate, m filing.Metadata) []filing.Posting {
		if c.Weight == 0 {
			return nil
		}
		return []filing.Posting{{Ledger: ledger, At: m.CreatedAt, Amount: c.Weight}}
	},
}.Type()

var counts = statement.Definition[ask, count]{
	Filing: filing.Definition[count]{
		Kind: "count", Hub: "test", Path: "/api/counts", Singular: "count", Plural: "counts",
		Period: func(c *count) string { return c.Quarter },
		Cascades: func(c *count, by lifecycle.Action) []filing.Cascade {
			if by != lifecycle.MarkAccepted {
				return nil
			}
			return []filing.Cascade{{Kind: "season", ID: c.Season, Action: close}}
		},
		Lifecycle: lifecycle.Table{
			Initial: lifecycle.Draft, States: []lifecycle.State{lifecycle.Draft, lifecycle.Submitted, lifecycle.Accepted}, Created: "created",
			Edges: []lifecycle.Edge{
				{From: []lifecycle.State{lifecycle.Draft}, Action: lifecycle.Refresh, Guard: lifecycle.Member, Event: "refreshed", Effects: []lifecycle.Effect{lifecycle.ReplaceBody}},
				{From: []lifecycle.State{lifecycle.Draft}, Action: lifecycle.Remove, Guard: lifecycle.Member, Event: "deleted", Effects: []lifecycle.Effect{lifecycle.Delete}},
				{From: []lifecycle.State{lifecycle.Draft}, Action: lifecycle.Submit, To: lifecycle.Submitted, Guard: lifecycle.Member, Event: "submitted"},
				{From: []lifecycle.State{lifecycle.Submitted}, Action: lifecycle.MarkAccepted, To: lifecycle.Accepted, Guard: lifecycle.Owner, Event: "accepted"},
			},
		},
	},
	Compute: func(d *statement.Reader, a *ask) (*count, error) {
		q, _ := calendar.ParseQuarter(a.Quarter)
		from, until := q.UTC()
		over := statement.Range{From: from, To: until.Add(-time.Millisecond)}
		sum, err := d.Sum(ledger, over)
		c := &count{Quarter: a.Quarter, Crates: sum.Records, Weight: sum.Amount}
		for _, err := range d.Records("crate", over) {
			if err != nil {
				return nil, err
			}
			c.Listed++
		}
		all, _ := d.Latest("season", "OPEN", 1)
		if len(all) > 0 {
			c.Season = all[0].ID
		}
		return c, err
	},
}.Kind()

var seasons = statement.NewCalendarRecord(filing.Definition[season]{
	Kind: "season", Hub: "test", Path: "/api/seasons", Singular: "season", Plural: "seasons",
	Period: func(s *season) string { return s.Quarter },
	Lifecycle: lifecycle.Table{Initial: "OPEN", States: []lifecycle.State{"OPEN", "CLOSED"}, Created: "opened", Edges: []lifecycle.Edge{
		{From: []lifecycle.State{"OPEN"}, Action: close, To: "CLOSED", Guard: lifecycle.System, Event: "closed"},
	}},
}, func(now time.Time) *season { return &season{calendar.QuarterOf(now).String()} })

var (
	ctx   = context.Background()
	org   = tenant.ID("01900000-0000-7000-8000-000000000001")
	owner = tenant.Call{Principal: tenant.Principal{Org: org, UserID: "u", Role: tenant.Owner, Type: tenant.ByUser}}
)

// env is a service with a real store.
type env struct {
	*testing.T
	*statement.Service
	store *store.Store
	now   time.Time
}

// books is the store as statement.Store.
type books struct{ *store.Store }

func (b books) ScanPostings(ctx context.Context, org tenant.ID, fn func(statement.View) error) error {
	return b.Store.Scan(ctx, org, func(t *store.Tx) error { return fn(t) })
}

func each(t *testing.T, run func(*env)) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		y := &env{T: t, now: time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)}
		clock := func() time.Time { return y.now }
		o := b.Options()
		o.Now = clock
		var err error
		if y.store, err = store.Open(ctx, o); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { y.store.Close() })
		y.update(func(tx *store.Tx) error {
			return tx.AddOrganisation(access.Organisation{ID: org, Name: "o", Hubs: access.Hubs{}, CreatedAt: y.now, UpdatedAt: y.now})
		})
		types := map[string]*filing.Type{"season": seasons.Type}
		y.Service = &statement.Service{
			Store: books{y.store}, Clock: y.store.TimeOf,
			Filings: &filing.Service{IDs: ident.NewSource(rand.NewChaCha8([32]byte{1}), clock), Types: types},
		}
		run(y)
	})
}

func (y *env) update(fn func(*store.Tx) error) {
	y.Helper()
	if err := y.store.Update(ctx, org, fn); err != nil {
		y.Fatal(err)
	}
}

// record creates crates with weights.
func (y *env) record(weights ...int64) (ids []string) {
	y.Helper()
	y.update(func(tx *store.Tx) error {
		for _, w := range weights {
			in, err := crates.Parse(json.RawMessage(fmt.Sprintf(`{"weight":%d}`, w)), y.now)
			if err != nil {
				return err
			}
			f, err := y.Filings.Create(tx, owner, crates, in)
			if err != nil {
				return err
			}
			ids = append(ids, f.ID)
		}
		return nil
	})
	return ids
}

// file computes a count and saves it.
func (y *env) file(quarter string) (f filing.Filing, err error) {
	y.Helper()
	in, err := y.Compute(ctx, org, counts, json.RawMessage(`{"Quarter":"`+quarter+`"}`))
	if err != nil {
		y.Fatal(err)
	}
	err = y.store.Update(ctx, org, func(tx *store.Tx) error { f, err = y.Save(tx, owner, counts, in); return err })
	return f, err
}

func (y *env) act(id string, by lifecycle.Action) (f filing.Filing, err error) {
	err = y.store.Update(ctx, org, func(tx *store.Tx) error {
		f, err = y.Filings.Transition(tx, owner, counts.Type, id, by, filing.TransitionData{})
		return err
	})
	return f, err
}

// events lists the types of all events, and fails the test if the chain is broken.
func (y *env) events() string {
	y.Helper()
	var types []string
	var last audit.Event
	if err := y.store.View(ctx, org, func(tx *store.Tx) error {
		return tx.EachEvent(func(e audit.Event) error {
			if e.Digest(org) != e.Hash || e.PreviousHash != last.Hash {
				y.Errorf("the chain breaks at %+v", e)
			}
			last, types = e, append(types, e.Type)
			return nil
		})
	}); err != nil {
		y.Fatal(err)
	}
	return strings.Join(types, " ")
}

// A draft is replaced when its period's statement is computed again. A submitted statement is not.
func TestSave(t *testing.T) {
	each(t, func(y *env) {
		y.record(5, 7)
		first, err := y.file("2026-Q4")
		if err != nil || string(first.Body) != `{"quarter":"2026-Q4","season":"","crates":2,"weight":12,"listed":2}` {
			y.Fatalf("%s %v", first.Body, err)
		}
		y.record(1)
		second, err := y.file("2026-Q4")
		if err != nil || second.ID != first.ID || second.Version != 2 || !strings.Contains(string(second.Body), `"crates":3,"weight":13`) {
			y.Errorf("%+v %v", second, err)
		}
		if other, err := y.file("2026-Q3"); err != nil || other.ID == first.ID || !strings.Contains(string(other.Body), `"crates":0,"weight":0,"listed":0`) {
			y.Errorf("%+v %v", other, err)
		}
		if _, err := y.act(first.ID, lifecycle.Submit); err != nil {
			y.Error(err)
		}
		if _, err := y.file("2026-Q4"); !apierr.Is(err, apierr.InvalidState) {
			y.Errorf("a submitted statement was replaced: %v", err)
		}
		if got := y.events(); got != "crate.recorded crate.recorded count.created crate.recorded count.refreshed count.created count.submitted" {
			y.Errorf("events: %s", got)
		}
	})
}

// A deleted draft cannot be found by its keys any more. Its events stay, and its period can be used again.
func TestRemove(t *testing.T) {
	each(t, func(y *env) {
		first, err := y.file("2026-Q4")
		if err != nil {
			y.Fatal(err)
		}
		if _, err := y.act(first.ID, lifecycle.Remove); err != nil {
			y.Fatal(err)
		}
		y.update(func(tx *store.Tx) error {
			if _, err := tx.Filing("count", first.ID); !apierr.Is(err, apierr.NotFound) {
				y.Errorf("it still exists: %v", err)
			}
			return nil
		})
		if _, err := y.act(first.ID, lifecycle.Remove); !apierr.Is(err, apierr.NotFound) {
			y.Errorf("removed twice: %v", err)
		}
		if again, err := y.file("2026-Q4"); err != nil || again.ID == first.ID {
			y.Errorf("%+v %v", again, err)
		}
		if got := y.events(); got != "count.created count.deleted count.created" {
			y.Errorf("events: %s", got)
		}
	})
}

// Ledger entries are read in pages, oldest first, each with its record, within one organisation and range.
func TestLedgerEntries(t *testing.T) {
	each(t, func(y *env) {
		ids := y.record(5, 0, 7) // at one instant
		y.now = y.now.Add(time.Hour)
		ids = append(ids, y.record(-3)...)
		y.now = y.now.Add(time.Hour)
		y.record(100)
		var found []filing.LedgerEntry
		l := filing.LedgerQuery{Name: ledger, From: y.now.Add(-2 * time.Hour), To: y.now.Add(-time.Hour), Limit: 1}
		for {
			var page []filing.LedgerEntry
			y.update(func(tx *store.Tx) (err error) { page, err = tx.Posted(l); return err })
			if len(page) == 0 {
				break
			}
			found, l.After = append(found, page...), page[0]
		}
		slices.SortFunc(found[:2], func(a, b filing.LedgerEntry) int { return int(a.Amount - b.Amount) }) // at one instant: sorted by the random ID
		if len(found) != 3 {
			y.Fatalf("%+v", found)
		}
		for i, want := range []struct {
			id, input string
			amount    int64
			at        time.Time
		}{{ids[0], `{"weight":5}`, 5, l.From}, {ids[2], `{"weight":7}`, 7, l.From}, {ids[3], `{"weight":-3}`, -3, l.To}} {
			if f := found[i]; f.RecordID != want.id || string(f.Input) != want.input || f.Amount != want.amount || !f.At.Equal(want.at) || string(f.Added) != "{}" {
				y.Errorf("%+v, not %+v", f, want)
			}
		}
		if err := y.store.View(ctx, "01900000-0000-7000-8000-00000000dead", func(tx *store.Tx) error {
			l.After = filing.LedgerEntry{}
			page, err := tx.Posted(l)
			if len(page) > 0 {
				y.Errorf("another organisation sees %+v", page)
			}
			return err
		}); err != nil {
			y.Error(err)
		}
	})
}

// The sum of a ledger follows the present state of the records in a range.
func TestSum(t *testing.T) {
	each(t, func(y *env) {
		id := y.record(5)[0]
		y.now = y.now.Add(time.Hour)
		y.record(-3, 0)
		sum := func(from, to time.Time) (s filing.Sum) {
			y.update(func(tx *store.Tx) (err error) { s, err = tx.Sum(ledger, from, to); return err })
			return s
		}
		hour := time.Hour
		for _, c := range []struct {
			from, to time.Time
			want     filing.Sum
		}{
			{y.now.Add(-hour), y.now, filing.Sum{Records: 2, Amount: 2}}, {y.now.Add(-hour), y.now.Add(-hour), filing.Sum{Records: 1, Amount: 5}},
			{y.now.Add(-hour + time.Millisecond), y.now, filing.Sum{Records: 1, Amount: -3}}, {y.now.Add(time.Millisecond), y.now.Add(hour), filing.Sum{}},
		} {
			if got := sum(c.from, c.to); got != c.want {
				y.Errorf("from %s to %s: %+v, not %+v", c.from, c.to, got, c.want)
			}
		}
		in, err := crates.Parse(json.RawMessage(`{"weight":1000}`), y.now)
		if err != nil {
			y.Fatal(err)
		}
		y.update(func(tx *store.Tx) error {
			_, err := y.Filings.Transition(tx, owner, crates, id, lifecycle.Amend, filing.TransitionData{Input: &in})
			return err
		})
		if got := sum(y.now.Add(-hour), y.now); got.Amount != 997 {
			y.Errorf("after a correction: %+v", got)
		}
	})
}

// Many records are read in pages, each once and in order, with both ends of the range.
func TestRecords(t *testing.T) {
	each(t, func(y *env) {
		from := y.now
		for range 5 {
			y.record(make([]int64, 900)...)
			y.now = y.now.Add(time.Minute)
		}
		in, err := y.Compute(ctx, org, counts, json.RawMessage(`{"Quarter":"2026-Q4"}`))
		if err != nil || !strings.Contains(string(in.Raw), `"listed":4500`) {
			y.Errorf("%s %v", in.Raw, err)
		}
		y.update(func(tx *store.Tx) error {
			page, err := tx.Recorded(filing.CreatedQuery{Kind: "crate", From: from.Add(time.Minute), To: from.Add(2 * time.Minute), Limit: 5000})
			if err != nil || len(page) != 1800 {
				y.Errorf("%d of two minutes: %v", len(page), err)
			}
			return nil
		})
	})
}

// A calendar record is created once, also by concurrent callers. A cascade changes it in the same transaction or not at all.
func TestCalendarRecords(t *testing.T) {
	each(t, func(y *env) {
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				if err := y.store.Update(ctx, org, func(tx *store.Tx) error { return y.CreateMissing(tx, owner, seasons) }); err != nil {
					y.Error(err)
				}
			})
		}
		all.Wait()
		f, err := y.file("2026-Q4")
		if err != nil {
			y.Fatal(err)
		}
		if _, err := y.act(f.ID, lifecycle.Submit); err != nil {
			y.Fatal(err)
		}
		if _, err := y.act(f.ID, lifecycle.MarkAccepted); err != nil {
			y.Fatal(err)
		}
		if got := y.events(); got != "season.opened count.created count.submitted count.accepted season.closed" {
			y.Errorf("events: %s", got)
		}
		y.now = time.Date(2027, 1, 2, 0, 0, 0, 0, time.UTC)
		late, err := y.file("2026-Q3") // its season is none
		if err != nil {
			y.Fatal(err)
		}
		if _, err := y.act(late.ID, lifecycle.Submit); err != nil {
			y.Fatal(err)
		}
		if _, err := y.act(late.ID, lifecycle.MarkAccepted); err == nil {
			y.Error("a transition succeeded although its cascade failed")
		}
		y.update(func(tx *store.Tx) error {
			if f, err := tx.Filing("count", late.ID); err != nil || f.Status != lifecycle.Submitted {
				y.Errorf("%s %v", f.Status, err)
			}
			return nil
		})
	})
}
