package template_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/filing/timer"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/template"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/inbox"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
	"github.com/tidewaiter/tidewaiter/internal/tariff"
)

const org = tenant.ID("01900000-0000-7000-8000-000000000001")

// monday is a Monday morning, before the drafts are made.
var monday = time.Date(2026, 11, 30, 5, 0, 0, 0, time.UTC)

// env is an organisation with a client and a shipment, in a real store, with a clock that the test sets.
type env struct {
	*testing.T
	store            *store.Store
	again            func() *store.Store // the store of another instance
	filings          *filing.Service
	now              time.Time
	client, shipment string
}

func each(t *testing.T, run func(e *env)) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		e := &env{T: t, now: monday}
		ids := ident.NewSource(rand.NewChaCha8([32]byte{1}), func() time.Time { return monday })
		e.filings = &filing.Service{IDs: ids, Types: map[string]*filing.Type{}}
		for _, kind := range []*filing.Type{customs.Clients.Type(), customs.Shipments.Type(), template.Templates.Type(), customs.Declarations(tariff.Embedded(), nil, nil).Type()} {
			e.filings.Types[kind.Kind] = kind
		}
		e.again = func() *store.Store {
			o := b.Options()
			o.Now, o.NewID = func() time.Time { return e.now }, ids.UUID
			s, err := store.Open(t.Context(), o)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = s.Close() })
			return s
		}
		e.store = e.again()
		e.update(func(tx *store.Tx) error {
			return tx.AddOrganisation(access.Organisation{ID: org, Name: "o", Hubs: access.Hubs{}, CreatedAt: monday, UpdatedAt: monday})
		})
		e.client = e.create("client", `{"name":"Quay Textiles Ltd","eori":"GB123456789000"}`)
		e.shipment = e.create("shipment", `{"clientId":"`+e.client+`","portOfEntry":"GBFXT","transportMode":"SEA","vesselName":"Ever Tide","counterpartyName":"Ningbo Works","containers":["MSKU1234565"]}`)
		run(e)
	})
}

func (e *env) update(fn func(*store.Tx) error) {
	e.Helper()
	if err := e.store.Update(e.Context(), org, fn); err != nil {
		e.Fatal(err)
	}
}

var member = tenant.Call{Principal: tenant.Principal{Org: org, UserID: "u", Role: tenant.Member, Type: tenant.ByUser}}

func (e *env) create(kind, body string) (id string) {
	e.Helper()
	e.update(func(tx *store.Tx) error {
		in, err := e.filings.Types[kind].Parse(json.RawMessage(body), e.now)
		if err != nil {
			return err
		}
		f, err := e.filings.Create(tx, member, e.filings.Types[kind], in)
		id = f.ID
		return err
	})
	return id
}

// repeating creates a template that repeats on Mondays.
func (e *env) repeating(description string) string {
	return e.create(template.Kind, fmt.Sprintf(`{"clientId":%q,"name":"Shirts","body":{"declarationType":"IMPORT","items":[{"description":%q,"commodityCode":"6109100010","countryOfOrigin":"BD","netMassKg":120.5,"customsValueGbp":1850}]},
		"recurrence":{"frequency":"WEEKLY","weekdays":["MONDAY"],"startsOn":"2026-11-30","shipmentId":%q}}`, e.client, description, e.shipment))
}

// timed is the store as the sweeper declares it.
type timed struct{ *store.Store }

func (s timed) UpdateTimed(ctx context.Context, org tenant.ID, fn func(timer.Tx) error) error {
	return s.Store.Update(ctx, org, func(tx *store.Tx) error { return fn(tx) })
}

// wrongGoods is a description with which no declaration can be made.
const wrongGoods = "goods"

// sweep makes what is due, in an instance.
func (e *env) sweep(s *store.Store) int {
	repeats := template.Repeater{Filings: e.filings, Declarations: e.filings.Types[customs.DeclarationKind], Check: func(body json.RawMessage) []apierr.Detail {
		var d customs.Declaration
		if json.Unmarshal(body, &d) != nil || d.Items[0].Description == wrongGoods {
			return []apierr.Detail{{Field: "items[0].description", Message: "is required"}}
		}
		return nil
	}}
	sweeper := timer.Sweeper{Store: timed{s}, Filings: e.filings, Types: []*filing.Type{e.filings.Types[template.Kind]}, Steps: map[string]timer.Step{template.Kind: repeats.Step()}, Log: slog.New(slog.NewTextHandler(e.Output(), nil))}
	n, err := sweeper.Sweep(e.Context())
	if err != nil {
		e.Error(err)
	}
	return n
}

// found returns the records of a kind, newest first.
func (e *env) found(kind string) (all []filing.Filing) {
	e.Helper()
	e.update(func(tx *store.Tx) (err error) {
		all, err = tx.Filings(filing.Query{Kind: kind, Limit: 100})
		return err
	})
	return all
}

// items returns the types and the subjects of what is in the inbox of all, newest first.
func (e *env) items() (texts []string) {
	e.Helper()
	e.update(func(tx *store.Tx) error {
		all, err := inbox.List(tx, "u", false, filing.Position{}, 100)
		for _, i := range all {
			texts = append(texts, string(i.Type)+" "+i.Kind+" "+i.Subject)
		}
		return err
	})
	return texts
}

func (e *env) repeated(id string) (r template.Repeated) {
	e.Helper()
	e.update(func(tx *store.Tx) error {
		f, err := tx.Filing(template.Kind, id)
		if err != nil {
			return err
		}
		var added template.Adds
		if err = json.Unmarshal(f.Added, &added); err == nil && added.Repeated != nil {
			r = *added.Repeated
		}
		return err
	})
	return r
}

// Each date has one draft with a shipment of its own, also if several instances make what is due at the same time and if the
// service did not run on the date. The drafts are not submitted.
func TestOnceForEachDate(t *testing.T) {
	each(t, func(e *env) {
		id := e.repeating("Cotton shirts")
		stores := []*store.Store{e.store, e.again()}
		for week := range 3 {
			if e.sweep(e.store) != 0 {
				e.Fatalf("week %d: made before the time", week)
			}
			e.now = monday.AddDate(0, 0, 7*week).Add(time.Hour)
			if week == 2 {
				e.now = e.now.AddDate(0, 0, 3)
			}
			var all sync.WaitGroup
			for _, s := range stores {
				all.Go(func() { e.sweep(s) })
			}
			all.Wait()
			drafts, shipments := e.found(customs.DeclarationKind), e.found("shipment")
			if len(drafts) != week+1 || len(shipments) != week+2 || drafts[0].Status != lifecycle.Draft {
				e.Fatalf("week %d: %d drafts, %d shipments", week, len(drafts), len(shipments))
			}
			var s customs.Shipment
			if err := json.Unmarshal(shipments[0].AppendBrief(nil), &s); err != nil || s.VesselName != "" || s.Containers != nil || s.CounterpartyName != "Ningbo Works" {
				e.Errorf("week %d: the shipment is %+v, %v", week, s, err)
			}
			if r := e.repeated(id); r.Date != monday.AddDate(0, 0, 7*week).Format(time.DateOnly) || r.DeclarationID == nil || *r.DeclarationID != drafts[0].ID {
				e.Errorf("week %d: %+v", week, r)
			}
		}
		if got := fmt.Sprint(e.items()); got != "[DRAFTED declaration  DRAFTED declaration  DRAFTED declaration ]" {
			e.Errorf("the inbox: %s", got)
		}
	})
}

// A date for which no draft can be made says why in the inbox, stores nothing else, and stops neither other templates nor later
// dates.
func TestFailureIsTold(t *testing.T) {
	each(t, func(e *env) {
		wrong := e.repeating(wrongGoods)
		e.repeating("Cotton shirts")
		e.now = monday.Add(2 * time.Hour)
		e.sweep(e.store)
		if drafts, shipments := e.found(customs.DeclarationKind), e.found("shipment"); len(drafts) != 1 || len(shipments) != 2 {
			e.Errorf("%d drafts, %d shipments", len(drafts), len(shipments))
		}
		if r := e.repeated(wrong); r.Date != "2026-11-30" || r.DeclarationID != nil || r.Problem == nil || *r.Problem != "30 November 2026: items[0].description is required." {
			e.Errorf("%+v", r)
		}
		e.update(func(tx *store.Tx) error {
			_, err := e.filings.Transition(tx, member, e.filings.Types["client"], e.client, lifecycle.Archive, filing.TransitionData{})
			return err
		})
		e.now = e.now.AddDate(0, 0, 7)
		e.sweep(e.store)
		const archived = "NO_DRAFT template 7 December 2026: clientId the client is archived; unarchive it first."
		if got := e.items(); len(got) != 4 || got[0] != archived || got[1] != archived {
			e.Errorf("the inbox: %q", got)
		}
	})
}

// After a long stop, dates of the last 31 days get their drafts. Older ones are left out together, and the inbox says so.
func TestLateDates(t *testing.T) {
	each(t, func(e *env) {
		id := e.repeating("Cotton shirts")
		e.now = monday.AddDate(0, 0, 70).Add(2 * time.Hour)
		for e.sweep(e.store) > 0 {
		}
		const left = "NO_DRAFT template The dates until 4 January 2027 were left out, because they passed more than 31 days ago."
		if got := e.items(); len(got) != 6 || got[5] != left || len(e.found(customs.DeclarationKind)) != 5 || e.repeated(id).Date != "2027-02-08" {
			e.Errorf("%q, %d drafts", got, len(e.found(customs.DeclarationKind)))
		}
	})
}
