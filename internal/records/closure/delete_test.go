package closure_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/hub/tax/submission"
	"github.com/tidewaiter/tidewaiter/internal/hub/tss"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/closure"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
)

var types = []*filing.Type{customs.Clients.Type(), customs.Shipments.Type(), tss.Declarations.Type()}

// storeAdapter adapts the store to the interfaces of closure. If lives is not nil, it fails after that many
// transactions of a deletion, as if the process had been killed.
type storeAdapter struct {
	*store.Store
	lives *atomic.Int64
}

var errDead = errors.New("the process was killed")

func (w storeAdapter) UpdateDeletion(ctx context.Context, org tenant.ID, fn func(closure.DeleteTx) error) error {
	if w.lives != nil && w.lives.Add(-1) < 0 {
		return errDead
	}
	return w.Update(ctx, org, func(t *store.Tx) error { return fn(t) })
}

func (w storeAdapter) UpdateClosing(ctx context.Context, org tenant.ID, fn func(closure.Tx) error) error {
	return w.Update(ctx, org, func(t *store.Tx) error { return fn(t) })
}

// fixture is a store with a clock that the test sets.
type fixture struct {
	*testing.T
	store *store.Store
	ids   *ident.Source
	now   atomic.Int64
}

func each(t *testing.T, run func(p *fixture)) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, b storetest.Backend) {
		p := &fixture{T: t}
		p.now.Store(time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC).UnixMilli())
		p.ids = ident.NewSource(rand.NewChaCha8([32]byte{5}), p.clock)
		o := b.Options()
		o.Now, o.NewID = p.clock, p.ids.UUID
		var err error
		p.store, err = store.Open(t.Context(), o)
		p.must(err)
		t.Cleanup(func() { _ = p.store.Close() })
		run(p)
	})
}

func (p *fixture) clock() time.Time { return time.UnixMilli(p.now.Load()).UTC() }
func (p *fixture) must(err error) {
	p.Helper()
	if err != nil {
		p.Fatal(err)
	}
}

func (p *fixture) update(org tenant.ID, fn func(*store.Tx) error) {
	p.Helper()
	p.must(p.store.Update(p.Context(), org, fn))
}

// closed creates a closed organisation with users, keys, and records of which half were submitted.
func (p *fixture) closed(records int) tenant.ID {
	p.Helper()
	org := tenant.ID(p.ids.UUID())
	var users []string
	for range 3 {
		users = append(users, p.ids.UUID())
		p.must(p.store.AddUser(p.Context(), access.User{ID: users[len(users)-1], Name: "Olive", Email: users[len(users)-1] + "@example.com"}))
	}
	p.update(org, func(tx *store.Tx) error {
		err := tx.AddOrganisation(access.Organisation{ID: org, Name: "Quay Ltd", Hubs: access.Hubs{"customs": tx.Now()}, CreatedAt: tx.Now(), UpdatedAt: tx.Now()})
		for i, user := range users {
			err = errors.Join(err, tx.AddMember(user, tenant.Owner), tx.AddKey(access.Key{ID: p.ids.UUID(), UserID: user, Role: tenant.Owner, Hash: fmt.Sprint(org, i), CreatedAt: tx.Now()}))
		}
		client, shipment := p.ids.UUID(), p.ids.UUID()
		err = errors.Join(err, p.file(tx, "client", client, "{}", ""), p.file(tx, "shipment", shipment, `{"clientId":"`+client+`"}`, ""), p.file(tx, "client", p.ids.UUID(), "{}", ""))
		for i := range records {
			added := ""
			if i%2 == 0 {
				added = `{"submittedAt":"2026-11-23T09:00:00.000Z"}`
			}
			err = errors.Join(err, p.file(tx, tss.Declarations.Kind, p.ids.UUID(), "{}", added))
		}
		_, closing := tx.CloseOrganisation(tx.Now().Add(closure.Delay))
		return errors.Join(err, closing)
	})
	return org
}

func (p *fixture) service() *closure.Service {
	return &closure.Service{
		Store: storeAdapter{Store: p.store}, Accounts: &access.Accounts{Access: &access.Service{IDs: p.ids}}, VAT: &submission.Service{IDs: p.ids}, IDs: p.ids,
	}
}

func (p *fixture) file(tx *store.Tx, kind, id, body, added string) error {
	if added == "" {
		added = "{}"
	}
	f := filing.Filing{ID: id, Kind: kind, Status: "DRAFT", Version: 1, BodyVersion: 1, Body: []byte(body), Added: []byte(added), CreatedAt: tx.Now(), UpdatedAt: tx.Now()}
	return tx.Write(filing.Change{Filing: f, Event: audit.Event{ID: p.ids.UUID(), Hub: "customs", Type: kind + ".created", ResourceType: kind, ResourceID: id}})
}

func (p *fixture) deleter(lives *atomic.Int64) *closure.Deleter {
	return &closure.Deleter{
		Store: storeAdapter{p.store, lives}, Kinds: closure.KindsOf(types), Retention: "6 years", NewID: p.ids.UUID, Now: p.clock, Log: slog.New(slog.DiscardHandler), NoPauses: true,
		Erase: func(ctx context.Context, userID string, _ tenant.ID) error { return p.store.EraseUser(ctx, userID, "") },
	}
}

// state returns the row counts of an organisation and the data of its last event.
func (p *fixture) state(org tenant.ID) (text string) {
	p.Helper()
	p.must(p.store.View(p.Context(), org, func(tx *store.Tx) error {
		for _, table := range []string{"filings", "api_keys", "memberships", "deletion_marks"} {
			n, err := tx.CountRows(table)
			if err != nil {
				return err
			}
			text += fmt.Sprint(table, " ", n, "; ")
		}
		var last string
		err := tx.EachEvent(func(e audit.Event) error { last = string(e.Data); return nil })
		text += last[:strings.Index(last, `"kept":`)] + last[strings.Index(last, `"removed":`):]
		return err
	}))
	return text
}

// A deletion that is interrupted after any of its transactions is continued, and ends with the same
// records and counts as one that was not interrupted.
func TestDeletionContinues(t *testing.T) {
	each(t, func(p *fixture) {
		const records = 50
		whole := p.closed(records)
		p.now.Add(closure.Delay.Milliseconds())
		var counted atomic.Int64
		counted.Store(1 << 30)
		p.must(p.deleter(&counted).Run(p.Context()))
		transactions := 1<<30 - counted.Load()
		want := p.state(whole)
		if transactions < 30 || !strings.HasPrefix(want, "filings 25; api_keys 0; memberships 0; deletion_marks 0; ") || !strings.Contains(want, `"tss.declaration":25`) || !strings.Contains(want, `"client":2`) {
			t.Fatalf("%d transactions: %s", transactions, want)
		}
		for after := int64(1); after < transactions; after += 3 {
			p.now.Add(-closure.Delay.Milliseconds())
			org := p.closed(records)
			p.now.Add(closure.Delay.Milliseconds())
			var lives atomic.Int64
			lives.Store(after)
			if err := p.deleter(&lives).Run(p.Context()); !errors.Is(err, errDead) {
				t.Fatalf("after %d transactions: %v", after, err)
			}
			p.must(p.deleter(nil).Run(p.Context()))
			if got := p.state(org); got != want {
				t.Errorf("interrupted after %d transactions: %s\nwant %s", after, got, want)
			}
		}
	})
}

// Once the time of deletion has come, an OWNER cannot restore the organisation. The operator still can.
func TestRestoreIsTooLate(t *testing.T) {
	each(t, func(p *fixture) {
		service := p.service()
		org := p.closed(0)
		owner := tenant.Call{Principal: tenant.Principal{Org: org, UserID: p.ids.UUID(), Role: tenant.Owner, Type: tenant.ByUser}, RequestID: "r"}
		p.now.Add(closure.Delay.Milliseconds())
		if _, err := service.Restore(p.Context(), owner); !apierr.Is(err, apierr.InvalidState) {
			t.Errorf("too late: %v", err)
		}
		if _, err := service.Restore(p.Context(), tenant.OperatorCall(org, tenant.SystemUser)); err != nil {
			t.Errorf("by the operator: %v", err)
		}
	})
}

// If a restore and a deletion run at the same time, exactly one wins: the organisation is open with
// all its data, or deleted.
func TestRestoreOrDelete(t *testing.T) {
	each(t, func(p *fixture) {
		service := p.service()
		won := map[bool]int{}
		for round := range 20 {
			org := p.closed(2)
			p.now.Add(closure.Delay.Milliseconds())
			var both sync.WaitGroup
			var restored, failed error
			restore := func() {
				time.Sleep(time.Duration(round) * 200 * time.Microsecond) // so that either may be first
				call := tenant.OperatorCall(org, tenant.SystemUser)
				_, restored = service.Restore(p.Context(), call)
			}
			remove := func() { failed = p.deleter(nil).Run(p.Context()) }
			first, second := restore, remove
			if round%2 == 0 {
				first, second = remove, restore
			}
			both.Go(first)
			both.Go(second)
			both.Wait()
			p.must(failed)
			if restored != nil && !apierr.Is(restored, apierr.InvalidState) {
				t.Fatal(restored)
			}
			var o access.Organisation
			var filings, members int64
			p.must(p.store.View(p.Context(), org, func(tx *store.Tx) (err error) {
				if o, err = tx.Organisation(); err == nil {
					filings, err = tx.CountRows("filings")
				}
				if err == nil {
					members, err = tx.CountRows("memberships")
				}
				return err
			}))
			open := !o.Closing.Closed() && !o.Closing.Begun && filings == 5 && members == 3
			gone := o.Closing.Closed() && o.Closing.Begun && !o.Closing.DeletedAt.IsZero() && filings == 1 && members == 0
			if restored == nil && !open || restored != nil && !gone {
				t.Errorf("restored: %v; %+v with %d records and %d members", restored, o.Closing, filings, members)
			}
			won[restored == nil]++
			p.now.Add(-closure.Delay.Milliseconds())
		}
		t.Logf("restored %d times, deleted %d times", won[true], won[false])
	})
}

// A kind comes after the kinds that refer to it.
func TestOrderOfKinds(t *testing.T) {
	var names []string
	for _, k := range closure.KindsOf(append(types, customs.Declarations(nil, nil, nil).Type())) {
		names = append(names, k.Name)
	}
	if got := strings.Join(names, " "); got != "tss.declaration declaration shipment client" {
		t.Error(got)
	}
}
