package filing_test

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
	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

// parcel is a kind of filing that uses every feature of the engine.
type parcel struct {
	Name   string   `json:"name"`
	Weight int      `json:"weight"`
	Within string   `json:"within,omitempty"`
	Notes  []string `json:"notes,omitempty"`
}

const clear lifecycle.Action = "clear"

func parcels() *filing.Type {
	return filing.Definition[parcel]{
		Kind: "test.parcel", Hub: "test", Path: "/api/test/parcels", Singular: "parcel", Plural: "parcels", LargeFields: []string{"notes"},
		Lifecycle: lifecycle.Regulated.With(
			lifecycle.Edge{From: []lifecycle.State{lifecycle.Submitted}, Action: clear, To: lifecycle.Accepted, Guard: lifecycle.System, Event: "cleared"}),
		Check: func(p *parcel) []apierr.Detail {
			if p.Weight < 0 {
				return []apierr.Detail{{Field: "weight", Message: "must not be negative"}}
			}
			return nil
		},
		Needs: func(p *parcel) []filing.Need {
			if p.Within == "" {
				return nil
			}
			return []filing.Need{{Field: "within", Kind: "test.parcel", ID: p.Within}}
		},
		Assign: func(ids *ident.Source, _ time.Time) (filing.Added, []filing.Key) {
			ticket := ids.Text("0123456789", 12)
			return filing.Added{"ticket": ticket}, []filing.Key{{Name: "test.ticket", Value: ticket}}
		},
		Derive: func(p *parcel, now time.Time) filing.Added {
			if p.Weight <= 30 {
				return filing.Added{"heavySince": nil}
			}
			return filing.Added{"heavySince": audit.Instant(now)}
		},
		Rules: rules.Set[parcel]{{Code: "PAR-001", Severity: rules.Warning, Field: "weight", Title: "Heavy", Source: "Common sense",
			Check: func(p *parcel, _ rules.Facts) []rules.Remark {
				if p.Weight <= 30 {
					return nil
				}
				return rules.Remarks(fmt.Sprintf("%d kg", p.Weight), "Take two.")
			}}},
		Reference: func(ids *ident.Source, now time.Time, _ *parcel) filing.Reference {
			return filing.Reference{Field: "mrn", Value: ids.MRN(now.Year(), "GB")}
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
)

// env is a service with a real store and a clock that the test sets.
type env struct {
	*testing.T
	service *filing.Service
	store   *store.Store
	kind    *filing.Type
	now     time.Time
}

func each(t *testing.T, run func(e *env)) {
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		e := &env{T: t, kind: parcels(), now: nine}
		o := b.Options()
		o.Now = func() time.Time { return e.now }
		var err error
		if e.store, err = store.Open(ctx, o); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = e.store.Close() })
		e.service = &filing.Service{IDs: ident.NewSource(rand.NewChaCha8([32]byte{1}), func() time.Time { return nine })}
		for _, org := range []tenant.ID{ours, theirs} {
			e.must(e.store.Update(ctx, org, func(tx *store.Tx) error {
				return tx.AddOrganisation(access.Organisation{ID: org, Name: "o", Hubs: access.Hubs{}, CreatedAt: nine, UpdatedAt: nine})
			}))
		}
		run(e)
	})
}

func (e *env) must(err error) {
	e.Helper()
	if err != nil {
		e.Fatal(err)
	}
}

// by returns a call of a user with a role.
func by(org tenant.ID, role tenant.Role) tenant.Call {
	return tenant.Call{
		Principal: tenant.Principal{Org: org, UserID: "u-" + string(role), Role: role, KeyID: "k", Type: tenant.ByUser},
		RequestID: "r", IPAddress: "192.0.2.1",
	}
}

var (
	owner  = by(ours, tenant.Owner)
	member = by(ours, tenant.Member)
	viewer = by(ours, tenant.Viewer)
	system = tenant.Call{Principal: tenant.System(ours)}
)

func (e *env) create(call tenant.Call, body string) (f filing.Filing, err error) {
	e.Helper()
	in, err := e.kind.Parse(json.RawMessage(body), e.now)
	if err != nil {
		return f, err
	}
	err = e.store.Update(ctx, call.Org, func(tx *store.Tx) (err error) {
		f, err = e.service.Create(tx, call, e.kind, in)
		return err
	})
	return f, err
}

// draft creates a parcel.
func (e *env) draft(body string) filing.Filing {
	e.Helper()
	f, err := e.create(member, body)
	e.must(err)
	return f
}

func (e *env) act(call tenant.Call, id string, action lifecycle.Action, step filing.TransitionData) (f filing.Filing, err error) {
	e.Helper()
	err = e.store.Update(ctx, call.Org, func(tx *store.Tx) (err error) {
		f, err = e.service.Transition(tx, call, e.kind, id, action, step)
		return err
	})
	return f, err
}

// corrected returns the data of a correction.
func (e *env) corrected(body string) filing.TransitionData {
	e.Helper()
	in, err := e.kind.Parse(json.RawMessage(body), e.now)
	e.must(err)
	return filing.TransitionData{Input: &in}
}

// stored returns a record and its events, oldest first.
func (e *env) stored(id string) (f filing.Filing, events []audit.Event) {
	e.Helper()
	e.must(e.store.View(ctx, ours, func(tx *store.Tx) (err error) {
		if f, err = tx.Filing(e.kind.Kind, id); err != nil {
			return err
		}
		return tx.EachEvent(func(e audit.Event) error {
			if e.ResourceID == id {
				events = append(events, e)
			}
			return nil
		})
	}))
	return f, events
}

func (e *env) added(f filing.Filing) map[string]any {
	e.Helper()
	members := map[string]any{}
	if len(f.Added) > 0 {
		e.must(json.Unmarshal(f.Added, &members))
	}
	return members
}

// is checks the code of an error.
func (e *env) is(what string, err error, code apierr.Code) {
	e.Helper()
	if !apierr.Is(err, code) {
		e.Errorf("%s: got %v, want %s", what, err, code)
	}
}
