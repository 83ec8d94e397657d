package bulk_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/bulk"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

const (
	ours   = tenant.ID("01900000-0000-7000-8000-000000000001")
	theirs = tenant.ID("01900000-0000-7000-8000-000000000002")
)

var (
	ctx  = context.Background()
	nine = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
)

func by(org tenant.ID) tenant.Call {
	return tenant.Call{
		Principal: tenant.Principal{Org: org, UserID: "u", Role: tenant.Member, KeyID: "k", Type: tenant.ByUser},
		RequestID: "r", IPAddress: "192.0.2.1",
	}
}

// fixture creates clients in a real store, all in the same millisecond.
type fixture struct {
	testing.TB
	store   *store.Store
	ids     *ident.Source
	filings *filing.Service
	clients *filing.Type
	now     time.Time
}

func (d *fixture) ScanBulk(ctx context.Context, org tenant.ID, fn func(bulk.Tx) error) error {
	return d.store.Scan(ctx, org, func(tx *store.Tx) error { return fn(tx) })
}

func (d *fixture) UpdateBulk(ctx context.Context, org tenant.ID, fn func(bulk.Tx) error) error {
	return d.store.Update(ctx, org, func(tx *store.Tx) error { return fn(tx) })
}

func each(t *testing.T, run func(d *fixture)) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) { run(newFixture(t, b)) })
}

func newFixture(t testing.TB, b storetest.Backend) *fixture {
	d := &fixture{TB: t, clients: customs.Clients.Type(), now: nine}
	clock := func() time.Time { return d.now }
	o := b.Options()
	o.Now = clock
	s, err := store.Open(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	d.store, d.ids = s, ident.NewSource(rand.NewChaCha8([32]byte{1}), clock)
	d.filings = &filing.Service{IDs: d.ids}
	for _, org := range []tenant.ID{ours, theirs} {
		d.must(s.Update(ctx, org, func(tx *store.Tx) error {
			return tx.AddOrganisation(access.Organisation{ID: org, Name: "o", Hubs: access.Hubs{}, CreatedAt: nine, UpdatedAt: nine})
		}))
	}
	return d
}

func (d *fixture) must(err error) {
	d.Helper()
	if err != nil {
		d.Fatal(err)
	}
}

// judge is a check with two rules.
func (d *fixture) judge(raw json.RawMessage) (filing.Input, error) {
	var c customs.Client
	d.must(json.Unmarshal(raw, &c))
	var details []apierr.Detail
	if c.Name == "" {
		details = append(details, apierr.Detail{Field: "name", Message: "is required"})
	}
	if len(c.Country) > 2 {
		details = append(details, apierr.Detail{Field: "country", Message: "is too long"})
	}
	if details != nil {
		return filing.Input{}, apierr.Invalid(details...)
	}
	return d.clients.Parse(raw, nine)
}

func (d *fixture) importer() *bulk.Importer {
	return &bulk.Importer{Store: d, Filings: d.filings, Type: d.clients, CheckRow: d.judge}
}

func (d *fixture) commit(org tenant.ID, body string) bulk.Outcome {
	d.Helper()
	c, err := bulk.ReadCommit([]byte(body), d.clients.Fields())
	d.must(err)
	out, err := d.importer().Import(ctx, by(org), c)
	d.must(err)
	return out
}

func (d *fixture) client(org tenant.ID, body string) (f filing.Filing) {
	d.Helper()
	in, err := d.clients.Parse(json.RawMessage(body), nine)
	d.must(err)
	d.must(d.store.Update(ctx, org, func(tx *store.Tx) (err error) { f, err = d.filings.Create(tx, by(org), d.clients, in); return err }))
	return f
}

func (d *fixture) correct(org tenant.ID, id, body string) {
	d.Helper()
	in, err := d.clients.Parse(json.RawMessage(body), nine)
	d.must(err)
	d.must(d.store.Update(ctx, org, func(tx *store.Tx) error {
		_, err := d.filings.Transition(tx, by(org), d.clients, id, lifecycle.Amend, filing.TransitionData{Input: &in})
		return err
	}))
}

// bodies returns the inputs of all clients, oldest first.
func (d *fixture) bodies(org tenant.ID) (bodies []string) {
	d.Helper()
	d.must(d.store.View(ctx, org, func(tx *store.Tx) error {
		e, err := tx.Extent(d.clients.Kind)
		if err != nil {
			return err
		}
		rows, err := tx.Rows(filing.RangeQuery{Kind: d.clients.Kind, Last: e.Newest, Limit: 200_000})
		for _, r := range rows {
			bodies = append(bodies, r.Input)
		}
		return err
	}))
	return bodies
}

// events returns the events of an organisation, oldest first, after verifying their chain.
func (d *fixture) events(org tenant.ID) (types []string) {
	d.Helper()
	chain := audit.Chain{Org: org}
	d.must(d.store.View(ctx, org, func(tx *store.Tx) error {
		return tx.EachEvent(func(e audit.Event) error {
			types = append(types, fmt.Sprint(e.Type, " ", e.ActorUserID, " ", string(e.Data)))
			return chain.Next(e)
		})
	}))
	return types
}
