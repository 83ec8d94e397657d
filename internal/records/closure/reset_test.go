package closure_test

import (
	"errors"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store"
)

// change writes a record, then versions of it, and deletes it. All its versions stay, also the last.
func (p *fixture) change(tx *store.Tx, versions int) error {
	id := p.ids.UUID()
	f := filing.Filing{ID: id, Kind: "client", Status: "DRAFT", Version: 1, BodyVersion: 1, Body: []byte("{}"), Added: []byte("{}"), CreatedAt: tx.Now(), UpdatedAt: tx.Now()}
	err := p.file(tx, f.Kind, id, "{}", "")
	for v := range versions {
		former := f
		f.Version++
		event := audit.Event{ID: p.ids.UUID(), Hub: "customs", Type: "client.updated", ResourceType: f.Kind, ResourceID: id}
		err = errors.Join(err, tx.Write(filing.Change{Filing: f, Former: &former, Event: event, Deleted: v == versions-1}))
	}
	return err
}

// A reset leaves no row of a table behind, also if the rows of one record are more than a page. A live organisation
// cannot be reset.
func TestResetLeavesNothing(t *testing.T) {
	each(t, func(p *fixture) {
		test, live := tenant.TestID(p.ids.UUID()), tenant.ID(p.ids.UUID())
		for _, org := range []tenant.ID{test, live} {
			p.update(org, func(tx *store.Tx) error {
				return tx.AddOrganisation(access.Organisation{ID: org, Name: "Quay Ltd", Hubs: access.Hubs{"customs": tx.Now()}, CreatedAt: tx.Now(), UpdatedAt: tx.Now()})
			})
		}
		p.update(test, func(tx *store.Tx) error {
			return errors.Join(tx.AddTestOrganisation(access.TestOrganisation{Test: true, Live: live}), p.file(tx, "client", p.ids.UUID(), "{}", ""),
				p.change(tx, 200), p.change(tx, 150), p.change(tx, 100))
		})
		if _, err := p.deleter(nil).Reset(p.Context(), tenant.OperatorCall(live, tenant.SystemUser)); !apierr.Is(err, apierr.SandboxOnly) {
			t.Errorf("the live organisation: %v", err)
		}
		removed, err := p.deleter(nil).Reset(p.Context(), tenant.OperatorCall(test, tenant.SystemUser))
		p.must(err)
		if removed["client"] != 1 || removed["record_versions"] != 200+150+100+3 {
			t.Errorf("removed: %v", removed)
		}
		p.must(p.store.View(p.Context(), test, func(tx *store.Tx) error {
			for _, table := range []string{"filings", "record_versions", "deletion_marks"} {
				if n, err := tx.CountRows(table); err != nil || n != 0 {
					t.Errorf("%d rows of %s are left: %v", n, table, err)
				}
			}
			return nil
		}))
	})
}
