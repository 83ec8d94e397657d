package deadline_test

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/deadline"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

var ctx = context.Background()

// uuid makes readable ids that sort by their number.
func uuid(n int) string { return fmt.Sprintf("01900000-0000-7000-8000-%012d", n) }

var (
	ours   = tenant.ID(uuid(1))
	theirs = tenant.ID(uuid(2))
)

// env is a service with a real store and a clock that the test sets.
type env struct {
	*testing.T
	store   *store.Store
	service deadline.Service
	now     time.Time
	hung    int
}

func each(t *testing.T, run func(w *env)) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		w := &env{T: t, now: at("2026-11-21T09:00:00Z")}
		o := b.Options()
		o.Now = func() time.Time { return w.now }
		var err error
		if w.store, err = store.Open(ctx, o); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = w.store.Close() })
		for _, org := range []tenant.ID{ours, theirs} {
			w.update(org, func(tx *store.Tx) error {
				hubs := access.Hubs{"customs": tx.Now(), "harbour": tx.Now()}
				return tx.AddOrganisation(access.Organisation{ID: org, Name: "Quay & Söhne, Ltd", Hubs: hubs, CreatedAt: tx.Now(), UpdatedAt: tx.Now()})
			})
		}
		run(w)
	})
}

func at(text string) time.Time {
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		panic(err)
	}
	return t
}

func (w *env) update(org tenant.ID, fn func(*store.Tx) error) {
	w.Helper()
	if err := w.store.Update(ctx, org, fn); err != nil {
		w.Fatal(err)
	}
}

// add writes a new record with deadlines and returns its number.
func (w *env) add(org tenant.ID, hub string, due ...filing.Deadline) int {
	w.Helper()
	w.hung++
	w.write(org, hub, 100+w.hung, 1, due...)
	return 100 + w.hung
}

func (w *env) write(org tenant.ID, hub string, n int, version int64, due ...filing.Deadline) {
	w.Helper()
	w.update(org, func(tx *store.Tx) error {
		return tx.Write(filing.Change{
			Filing:       filing.Filing{ID: uuid(n), Kind: hub + ".thing", Status: "DRAFT", Version: version, BodyVersion: 1, Body: []byte(`{}`), CreatedAt: tx.Now(), UpdatedAt: tx.Now()},
			Event:        audit.Event{ID: uuid(n + 1000*int(version)), Hub: hub, Type: "thing.created", ResourceType: hub + ".thing", ResourceID: uuid(n)},
			HasDeadlines: true, Deadlines: due,
		})
	})
}

func (w *env) list(a deadline.ListQuery) (page []deadline.Deadline, more bool) {
	w.Helper()
	err := w.store.View(ctx, ours, func(tx *store.Tx) error {
		org, err := tx.Organisation()
		if err == nil {
			page, more, err = w.service.List(tx, org.Hubs, a)
		}
		return err
	})
	if err != nil {
		w.Fatal(err)
	}
	return page, more
}

// month returns the default list.
func (w *env) month() (lines []string) {
	w.Helper()
	page, _ := w.list(deadline.ListQuery{Window: deadline.DefaultWindow, Limit: deadline.MaxPage})
	for _, d := range page {
		lines = append(lines, fmt.Sprint(d.Title, " ", d.DaysRemaining, " ", d.Status))
	}
	return lines
}

func due(title, instant string) filing.Deadline {
	return filing.Deadline{Name: "return", Title: title, DueAt: at(instant), Source: "The Act"}
}

// The days remaining are the number of London midnights. A deadline is overdue as soon as it has passed.
func TestUrgency(t *testing.T) {
	each(t, func(w *env) {
		n := w.add(ours, "harbour")
		for i, c := range []struct {
			now, due, want string
		}{
			{"2026-11-21T09:00:00Z", "2026-11-21T09:00:00Z", "0 due_soon"},
			{"2026-11-21T09:00:00Z", "2026-11-21T08:59:59Z", "0 overdue"},
			{"2026-11-21T09:00:00Z", "2026-11-28T23:59:59Z", "7 due_soon"},
			{"2026-11-21T09:00:00Z", "2026-11-29T00:00:00Z", "8 upcoming"},
			{"2026-11-21T09:00:00Z", "2026-12-21T23:59:59Z", "30 upcoming"},
			{"2026-11-21T09:00:00Z", "2026-12-22T00:00:00Z", ""},
			{"2026-11-21T09:00:00Z", "2026-10-21T23:00:00Z", "-30 overdue"}, // midnight of the 22nd
			{"2026-11-21T09:00:00Z", "2026-10-21T22:59:59Z", ""},
			{"2026-03-28T23:30:00Z", "2026-03-29T23:30:00Z", "2 due_soon"}, // the clocks go forward
			{"2026-10-24T23:30:00Z", "2026-10-25T23:30:00Z", "0 due_soon"}, // and back
			{"2026-06-30T22:59:59Z", "2026-06-30T23:00:00Z", "1 due_soon"}, // midnight in summer
			{"2026-03-21T00:00:00Z", "2026-03-28T23:59:59Z", "7 due_soon"},
			{"2026-03-22T23:59:00Z", "2026-03-29T22:59:59Z", "7 due_soon"},
			{"2026-03-22T23:59:00Z", "2026-03-29T23:00:00Z", "8 upcoming"},
			{"2027-01-31T12:00:00Z", "2027-03-02T23:59:59Z", "30 upcoming"}, // over a short month
			{"2027-12-31T23:59:59Z", "2028-01-01T00:00:00Z", "1 due_soon"},
		} {
			w.now = at(c.now)
			w.write(ours, "harbour", n, int64(i+2), due("A", c.due))
			if got := strings.TrimPrefix(strings.Join(w.month(), ","), "A "); got != c.want {
				w.Errorf("at %s, due %s: %q, not %q", c.now, c.due, got, c.want)
			}
		}
	})
}

// A deadline with Lapses is listed until the end of its day. Deadlines of other organisations and disabled Hubs are never
// listed.
func TestShown(t *testing.T) {
	each(t, func(w *env) {
		lapsing := due("lapses", "2026-12-01T12:00:00Z")
		lapsing.Lapses = true
		w.add(ours, "harbour", lapsing)
		w.add(ours, "harbour", due("stays", "2026-12-01T12:00:00Z"))
		w.add(ours, "lighthouse", due("disabled", "2026-12-01T12:00:00Z"))
		w.add(theirs, "harbour", due("foreign", "2026-12-01T12:00:00Z"))
		for now, want := range map[string][]string{
			"2026-11-21T09:00:00Z": {"lapses 10 upcoming", "stays 10 upcoming"},
			"2026-12-01T23:59:59Z": {"lapses 0 overdue", "stays 0 overdue"},
			"2026-12-02T00:00:00Z": {"stays -1 overdue"},
			"2027-01-01T00:00:00Z": nil,
		} {
			w.now = at(now)
			if got := w.month(); !reflect.DeepEqual(got, want) {
				w.Errorf("at %s: %q, not %q", now, got, want)
			}
		}
	})
}

// Deadlines of a calendar are listed among those of records, within the window, if their Hub is enabled.
func TestCalendars(t *testing.T) {
	each(t, func(w *env) {
		var asked [2]time.Time
		lapsed := deadline.Day{Deadline: due("lapsed", "2026-11-20T23:59:59Z")}
		lapsed.Lapses = true
		quarter := deadline.Day{Deadline: due("quarter", "2026-12-01T00:00:00Z"), ResourceType: "harbour.period", ResourceID: "p1"}
		quarter.Name = "2026-Q4"
		w.service.Calendars = []deadline.Calendar{
			{Hub: "harbour", Kind: "period", Days: func(_ deadline.View, _ *deadline.Facts, from, to time.Time) ([]deadline.Day, error) {
				asked = [2]time.Time{from, to}
				return []deadline.Day{lapsed, quarter}, nil
			}},
			{Hub: "lighthouse", Kind: "period", Days: func(deadline.View, *deadline.Facts, time.Time, time.Time) ([]deadline.Day, error) {
				w.Error("a disabled Hub's calendar was asked")
				return nil, nil
			}},
		}
		w.add(ours, "harbour", due("before", "2026-11-30T23:59:59Z"))
		w.add(ours, "harbour", due("after", "2026-12-01T00:00:01Z"))
		if got := w.month(); !reflect.DeepEqual(got, []string{"before 9 upcoming", "quarter 10 upcoming", "after 10 upcoming"}) {
			w.Errorf("list %q", got)
		}
		if !asked[0].Equal(at("2026-10-21T23:00:00Z")) || !asked[1].Equal(at("2026-12-21T23:59:59.999Z")) {
			w.Errorf("asked from %s to %s", asked[0].UTC(), asked[1].UTC())
		}
		page, _ := w.list(deadline.ListQuery{Window: 30, Limit: 10})
		if d := page[1]; d.ID != "on:harbour:period:2026-Q4" || d.Kind != "period" || d.Hub != "harbour" || d.ResourceType != "harbour.period" || d.ResourceID != "p1" {
			w.Errorf("quarter %+v", d)
		}
	})
}

// Pages of any size have no gaps or repeats, also if many deadlines are at one instant.
func TestPages(t *testing.T) {
	each(t, func(w *env) {
		var days []deadline.Day
		for _, name := range []string{"b", "a", "c"} {
			day := deadline.Day{Deadline: due("day "+name, "2026-12-10T23:59:59Z")}
			day.Name = name
			days = append(days, day)
		}
		w.service.Calendars = []deadline.Calendar{{Hub: "harbour", Kind: "x", Days: func(deadline.View, *deadline.Facts, time.Time, time.Time) ([]deadline.Day, error) { return days, nil }}}
		for n := range 7 {
			d := due(fmt.Sprint("record ", n), "2026-12-10T23:59:59Z")
			second := d
			second.Name = "a_second"
			w.add(ours, "harbour", d, second)
		}
		w.add(ours, "harbour", due("earlier", "2026-12-09T12:00:00Z"))
		w.add(ours, "harbour", due("later", "2026-12-11T12:00:00Z"))
		whole, more := w.list(deadline.ListQuery{Window: 30, Limit: 100})
		if len(whole) != 19 || more || whole[0].Title != "earlier" || whole[18].Title != "later" || whole[15].ID != "on:harbour:x:a" {
			w.Fatalf("%d deadlines, more %t: %+v", len(whole), more, whole)
		}
		for _, size := range []int{1, 2, 3, 5, 18, 19} {
			var walked []deadline.Deadline
			var after deadline.Position
			for more := true; more; {
				var page []deadline.Deadline
				page, more = w.list(deadline.ListQuery{Window: 30, After: after, Limit: size})
				walked = append(walked, page...)
				last := page[len(page)-1]
				after = deadline.Position{DueAt: last.DueAt, ID: last.ID}
			}
			if !slices.EqualFunc(walked, whole, func(a, b deadline.Deadline) bool { return a.ID == b.ID }) {
				w.Errorf("pages of %d: %d deadlines, not %d", size, len(walked), len(whole))
			}
		}
	})
}

// Between returns all deadlines of one Hub or all Hubs in a range, also long overdue ones. A disabled Hub has none.
func TestBetween(t *testing.T) {
	each(t, func(w *env) {
		w.add(ours, "harbour", due("long ago", "2026-01-31T23:59:59Z"))
		w.add(ours, "customs", due("first", "2026-12-01T00:00:00Z"))
		w.add(ours, "harbour", due("last", "2026-12-31T23:59:59.999Z"))
		w.add(ours, "harbour", due("after", "2027-01-01T00:00:00Z"))
		w.add(ours, "lighthouse", due("disabled", "2026-12-05T00:00:00Z"))
		december := deadline.RangeQuery{From: at("2026-12-01T00:00:00Z"), To: at("2026-12-31T23:59:59.999Z"), Limit: 10}
		one, harbour, lighthouse, january := december, december, december, december
		one.Limit, harbour.Hub, lighthouse.Hub, january.From, january.To = 1, "harbour", "lighthouse", at("2026-01-01T00:00:00Z"), at("2026-01-31T23:59:59.999Z")
		behind := one
		for name, c := range map[string]struct {
			ask  *deadline.RangeQuery
			want string
			more bool
		}{
			"december": {&december, "first last", false}, "one": {&one, "first", true}, "harbour": {&harbour, "last", false},
			"lighthouse": {&lighthouse, "", false}, "january": {&january, "long ago", false},
		} {
			page, more := w.between(*c.ask)
			if got := strings.Join(titles(page), " "); got != c.want || more != c.more {
				w.Errorf("%s: %q, more %t", name, got, more)
			}
			if name == "one" {
				behind.After = deadline.Position{DueAt: page[0].DueAt, ID: page[0].ID}
			}
		}
		if page, more := w.between(behind); strings.Join(titles(page), " ") != "last" || more {
			w.Errorf("behind the first: %v, more %t", titles(page), more)
		}
	})
}

func (w *env) between(s deadline.RangeQuery) (page []deadline.Deadline, more bool) {
	w.Helper()
	err := w.store.View(ctx, ours, func(tx *store.Tx) (err error) { page, more, err = w.service.Between(tx, s); return err })
	if err != nil {
		w.Fatal(err)
	}
	return page, more
}

func titles(page []deadline.Deadline) (all []string) {
	for _, d := range page {
		all = append(all, d.Title)
	}
	return all
}
