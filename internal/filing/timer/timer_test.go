package timer_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/filing/timer"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
	"github.com/tidewaiter/tidewaiter/internal/webhook"
)

// pass is a kind of filing that expires while it is a draft.
type pass struct {
	Until time.Time        `json:"until"`
	Step  lifecycle.Action `json:"step"`
}

const (
	expire  lifecycle.Action = "expire"
	expired lifecycle.State  = "EXPIRED"
)

func passes() *filing.Type {
	table := lifecycle.Regulated.With(lifecycle.Edge{From: []lifecycle.State{lifecycle.Draft}, Action: expire, To: expired, Guard: lifecycle.System, Event: "expired"})
	table.States = append([]lifecycle.State{expired}, table.States...)
	return filing.Definition[pass]{
		Kind: "test.pass", Hub: "test", Path: "/api/test/passes", Singular: "pass", Plural: "passes", Lifecycle: table,
		Timer: func(p *pass, m filing.Metadata) filing.Timer {
			if m.Status != lifecycle.Draft {
				return filing.Timer{}
			}
			return filing.Timer{Action: p.Step, After: p.Until}
		},
	}.Type()
}

var (
	ctx  = context.Background()
	nine = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
)

const (
	ours   = tenant.ID("01900000-0000-7000-8000-000000000001")
	theirs = tenant.ID("01900000-0000-7000-8000-000000000002")
	hook   = "01900000-0000-7000-8000-000000000009"
)

// env is a sweeper with a real store and a clock that the test sets.
type env struct {
	*testing.T
	store *store.Store
	kind  *filing.Type
	ids   *ident.Source
	now   time.Time
	again func() *store.Store // the store of another instance
}

func each(t *testing.T, run func(g *env)) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		g := &env{T: t, kind: passes(), now: nine, ids: ident.NewSource(rand.NewChaCha8([32]byte{1}), func() time.Time { return nine })}
		g.again = func() *store.Store {
			o := b.Options()
			o.Now = func() time.Time { return g.now }
			s, err := store.Open(ctx, o)
			g.must(err)
			t.Cleanup(func() { _ = s.Close() })
			return s
		}
		g.store = g.again()
		for _, org := range []tenant.ID{ours, theirs} {
			g.update(org, func(tx *store.Tx) error {
				if err := tx.AddOrganisation(access.Organisation{ID: org, Name: "o", Hubs: access.Hubs{}, CreatedAt: nine, UpdatedAt: nine}); err != nil {
					return err
				}
				return tx.AddEndpoint(webhook.Endpoint{ID: hook, URL: "https://example.com", Events: []string{"test.pass.expired"}, Active: true, CreatedAt: nine, UpdatedAt: nine})
			})
		}
		run(g)
	})
}

func (g *env) must(err error) {
	g.Helper()
	if err != nil {
		g.Fatal(err)
	}
}

func (g *env) update(org tenant.ID, fn func(*store.Tx) error) {
	g.Helper()
	g.must(g.store.Update(ctx, org, fn))
}

func member(org tenant.ID) tenant.Call {
	return tenant.Call{Principal: tenant.Principal{Org: org, UserID: "u", Role: tenant.Member, Type: tenant.ByUser}}
}

func (g *env) parse(until time.Time, step lifecycle.Action) filing.Input {
	g.Helper()
	raw, err := json.Marshal(pass{until, step})
	g.must(err)
	in, err := g.kind.Parse(raw, g.now)
	g.must(err)
	return in
}

// issue creates n passes that expire at the same time.
func (g *env) issue(org tenant.ID, n int, until time.Time, step lifecycle.Action) (ids []string) {
	g.Helper()
	in := g.parse(until, step)
	g.update(org, func(tx *store.Tx) error {
		for range n {
			f, err := (&filing.Service{IDs: g.ids, Notify: webhook.NotifyOf(g.ids.UUID)}).Create(tx, member(org), g.kind, in)
			if err != nil {
				return err
			}
			ids = append(ids, f.ID)
		}
		return nil
	})
	return ids
}

func (g *env) sweeper(s *store.Store, types ...*filing.Type) *timer.Sweeper {
	return &timer.Sweeper{Store: timed{s}, Filings: &filing.Service{IDs: g.ids, Notify: webhook.NotifyOf(g.ids.UUID)}, Types: types, Log: slog.New(slog.DiscardHandler)}
}

// timed is the store as the sweeper declared it.
type timed struct{ *store.Store }

func (s timed) UpdateTimed(ctx context.Context, org tenant.ID, fn func(timer.Tx) error) error {
	return s.Store.Update(ctx, org, func(tx *store.Tx) error { return fn(tx) })
}

// sweep sweeps once and fails the test if the number of transitions is not want.
func (g *env) sweep(want int) {
	g.Helper()
	if n, err := g.sweeper(g.store, g.kind).Sweep(ctx); n != want || err != nil {
		g.Fatalf("%d transitions, want %d: %v", n, want, err)
	}
}

// expiries returns the events and the number of deliveries of expired passes, by record.
func (g *env) expiries(org tenant.ID) (events map[string]audit.Event, deliveries int) {
	g.Helper()
	events = map[string]audit.Event{}
	g.must(g.store.View(ctx, org, func(tx *store.Tx) error {
		all, err := tx.Deliveries(webhook.LogQuery{EndpointID: hook, Limit: 1000})
		if err != nil {
			return err
		}
		deliveries = len(all)
		return tx.EachEvent(func(e audit.Event) error {
			if _, twice := events[e.ResourceID]; twice && e.Type == "test.pass.expired" {
				g.Errorf("%s expired twice", e.ResourceID)
			}
			if e.Type == "test.pass.expired" {
				events[e.ResourceID] = e
			}
			return nil
		})
	}))
	return events, deliveries
}

func (g *env) status(id string) (status lifecycle.State) {
	g.Helper()
	g.must(g.store.View(ctx, ours, func(tx *store.Tx) error {
		f, err := tx.Filing(g.kind.Kind, id)
		status = f.Status
		return err
	}))
	return status
}

// A transition is made once, after its instant, by the system, with an event and a delivery.
func TestDueTransition(t *testing.T) {
	each(t, func(g *env) {
		id := g.issue(ours, 1, nine.Add(time.Hour), expire)[0]
		g.sweep(0)
		g.now = nine.Add(time.Hour)
		g.sweep(0)
		g.now = g.now.Add(time.Millisecond)
		g.sweep(1)
		g.sweep(0)
		events, deliveries := g.expiries(ours)
		e := events[id]
		if len(events) != 1 || deliveries != 1 || e.FromStatus != "DRAFT" || e.ToStatus != "EXPIRED" || e.ActorUserID != "system" || e.ActorType != tenant.BySystem || !e.OccurredAt.Equal(g.now) {
			t.Errorf("%d deliveries, %+v", deliveries, events)
		}
		if got := g.status(id); got != expired {
			t.Errorf("the pass is %s", got)
		}
	})
}

// A timer ends with its state, and a correction sets a new one.
func TestChangeBeforeTimer(t *testing.T) {
	each(t, func(g *env) {
		ids := g.issue(ours, 2, nine.Add(time.Hour), expire)
		act := func(id string, by lifecycle.Action, step filing.TransitionData) {
			g.update(ours, func(tx *store.Tx) error {
				_, err := (&filing.Service{IDs: g.ids, Notify: webhook.NotifyOf(g.ids.UUID)}).Transition(tx, member(ours), g.kind, id, by, step)
				return err
			})
		}
		later := g.parse(nine.Add(3*time.Hour), expire)
		act(ids[0], lifecycle.Cancel, filing.TransitionData{})
		act(ids[1], lifecycle.Amend, filing.TransitionData{Input: &later})
		g.now = nine.Add(2 * time.Hour)
		g.sweep(0)
		g.now = nine.Add(4 * time.Hour)
		g.sweep(1)
		if g.status(ids[0]) != lifecycle.Cancelled || g.status(ids[1]) != expired {
			t.Errorf("they are %s and %s", g.status(ids[0]), g.status(ids[1]))
		}
	})
}

// hasty is a store that changes between reading the timers and the transition.
type hasty struct {
	timed
	between func()
}

func (h hasty) DueTimers(ctx context.Context, after timer.Due, limit int) ([]timer.Due, error) {
	due, err := h.timed.DueTimers(ctx, after, limit)
	if len(due) > 0 {
		h.between()
	}
	return due, err
}

// A record that is corrected between reading the timers and the transition does not expire.
func TestCorrectionDuringSweep(t *testing.T) {
	each(t, func(g *env) {
		id := g.issue(ours, 1, nine.Add(-time.Hour), expire)[0]
		later := g.parse(nine.Add(time.Hour), expire)
		s := g.sweeper(g.store, g.kind)
		s.Store = hasty{timed{g.store}, func() {
			g.update(ours, func(tx *store.Tx) error {
				_, err := s.Filings.Transition(tx, member(ours), g.kind, id, lifecycle.Amend, filing.TransitionData{Input: &later})
				return err
			})
		}}
		if n, err := s.Sweep(ctx); n != 0 || err != nil || g.status(id) != lifecycle.Draft {
			t.Errorf("%d steps, %v, the pass is %s", n, err, g.status(id))
		}
	})
}

// Users cannot make a transition of a timer.
func TestOnlySystemExpires(t *testing.T) {
	each(t, func(g *env) {
		id := g.issue(ours, 1, nine.Add(-time.Hour), expire)[0]
		err := g.store.Update(ctx, ours, func(tx *store.Tx) error {
			_, err := (&filing.Service{IDs: g.ids, Notify: webhook.NotifyOf(g.ids.UUID)}).Transition(tx, member(ours), g.kind, id, expire, filing.TransitionData{})
			return err
		})
		if !apierr.Is(err, apierr.InvalidState) {
			t.Errorf("a member: %v", err)
		}
	})
}

// If several instances sweep at once, each transition is made once.
func TestOnceAcrossInstances(t *testing.T) {
	each(t, func(g *env) {
		const each = 60
		g.issue(ours, each, nine.Add(-time.Hour), expire)
		g.issue(theirs, each, nine.Add(-time.Hour), expire)
		var all sync.WaitGroup
		taken := make([]int, 2)
		for i, s := range []*store.Store{g.store, g.again()} {
			all.Go(func() {
				n, err := g.sweeper(s, g.kind).Sweep(ctx)
				if taken[i] = n; err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if taken[0]+taken[1] != 2*each {
			t.Errorf("%d and %d steps, not %d", taken[0], taken[1], 2*each)
		}
		for _, org := range []tenant.ID{ours, theirs} {
			if events, deliveries := g.expiries(org); len(events) != each || deliveries != each {
				t.Errorf("%s: %d events, %d deliveries", org, len(events), deliveries)
			}
		}
	})
}

// Transitions that fail, and those of unknown kinds, do not stop the others.
func TestFailuresDoNotBlock(t *testing.T) {
	each(t, func(g *env) {
		g.issue(ours, 520, nine.Add(-2*time.Hour), "no-such-step")
		g.issue(ours, 3, nine.Add(-time.Hour), expire)
		g.sweep(3)
		g.sweep(0)
		g.issue(theirs, 1, nine.Add(-time.Hour), expire)
		if n, err := g.sweeper(g.store).Sweep(ctx); n != 0 || err != nil {
			t.Errorf("of no kind: %d, %v", n, err)
		}
		g.sweep(1)
	})
}

// An instant before the possible range has passed, one after it is never reached.
func TestImpossibleInstants(t *testing.T) {
	each(t, func(g *env) {
		first := g.issue(ours, 1, time.Time{}, expire)[0]
		g.issue(ours, 1, time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC), expire)
		g.issue(ours, 1, nine.Add(-time.Hour), "")
		g.sweep(1)
		if got := g.status(first); got != expired {
			t.Errorf("the first is %s", got)
		}
		var due []timer.Due
		g.now = time.Date(2999, 12, 31, 23, 59, 59, 0, time.UTC)
		due, err := g.store.DueTimers(ctx, timer.Due{}, 10)
		if len(due) != 0 || err != nil {
			t.Errorf("%+v, %v", due, err)
		}
	})
}

// diary records when timers are read.
type diary struct {
	began time.Time
	looks []string
}

func (d *diary) DueTimers(context.Context, timer.Due, int) ([]timer.Due, error) {
	d.looks = append(d.looks, time.Since(d.began).String())
	return nil, fmt.Errorf("no store")
}

func (d *diary) Exclusive(ctx context.Context, _ string, fn func(context.Context) error) (bool, error) {
	return true, fn(ctx)
}

func (d *diary) TestClocks(context.Context, tenant.ID, int) ([]timer.TestClock, error) {
	return nil, nil
}

func (d *diary) UpdateTimed(context.Context, tenant.ID, func(timer.Tx) error) error { return nil }

// The sweeper runs at start and then every minute, also after failures.
func TestSweepsEveryMinute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &diary{began: time.Now()}
		running, stop := context.WithTimeout(ctx, 150*time.Second)
		defer stop()
		(&timer.Sweeper{Store: d, Log: slog.New(slog.DiscardHandler)}).Run(running)
		if got := fmt.Sprint(d.looks); got != "[0s 1m0s 2m0s]" {
			t.Errorf("looked after %s", got)
		}
	})
}
