package closure

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/access/erasure"
	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/clock"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/retention"
)

// Limits of a deletion.
const (
	orgPage    = 100
	rowPage    = 300 // rows per transaction
	recordPage = 20  // records per transaction; each can have 4 MB
	memberPage = 50
)

// DeleteTx is a transaction of an organisation whose data is deleted.
type DeleteTx interface {
	retention.Remover
	Now() time.Time
	Test() access.TestOrganisation
	// DetachTest ends the connection of a deleted test organisation with its live one, which can then have a new one.
	DetachTest() error
	Organisation() (access.Organisation, error)
	SaveOrganisation(access.Organisation) error
	Holds() (retention.Holds, error)

	// BeginDeletion starts the deletion if the organisation is closed and its deletion is due, and
	// reports whether the deletion is running.
	BeginDeletion() (underWay bool, err error)
	// Deletion returns the number of deleted rows by table so far.
	Deletion() (removed map[string]int64, err error)
	SaveDeletion(removed map[string]int64) error
	EndDeletion() error

	// RemoveRows deletes some rows of a table; in a table with records, only those without a legal hold.
	RemoveRows(table, key string, ofRecords bool, limit int) (removed int64, err error)
	// RemoveJobs deletes some jobs, except those of a queue.
	RemoveJobs(except string, limit int) (removed int64, err error)
	CountRows(table string) (int64, error)
	AllMembers(limit int) (userIDs []string, err error)
	ForgetMember(userID string) error

	// WholeFilings returns records of a kind after a position, oldest first.
	WholeFilings(kind string, after filing.Position, limit int) ([]filing.Filing, error)
	// Sent returns the records for which something was or may have been sent, or was received.
	Sent(ids []string) (map[string]bool, error)
	// MarkRetained marks records that retained records refer to. MarkedRetained returns which of some are marked.
	MarkRetained(ids []string) error
	MarkedRetained(ids []string) (map[string]bool, error)
}

// DeleteStore finds organisations whose deletion is due, and opens transactions.
type DeleteStore interface {
	UpdateDeletion(ctx context.Context, org tenant.ID, fn func(DeleteTx) error) error
	// UpdateClosing runs fn in a transaction of one organisation.
	UpdateClosing(ctx context.Context, org tenant.ID, fn func(Tx) error) error
	DueDeletions(ctx context.Context, now time.Time, after tenant.ID, limit int) ([]tenant.ID, error)
	IsMemberElsewhere(ctx context.Context, userID string, org tenant.ID) (bool, error)
}

// Deleter deletes the data of closed organisations when it is due. It works in pages, each in its own
// transaction, and continues a deletion that was interrupted. Only one may run at a time.
type Deleter struct {
	Store     DeleteStore
	Kinds     []Kind
	Retention string // retention period of records, such as 6 years
	// Erase erases the personal data of a user who belongs to no other organisation, here and in former ones.
	Erase    func(ctx context.Context, userID string, org tenant.ID) error
	NewID    func() string
	Now      func() time.Time
	Log      *slog.Logger
	NoPauses bool // no pauses between transactions
}

// Run deletes the data of every organisation whose deletion is due. An error in one does not stop
// the others.
func (d *Deleter) Run(ctx context.Context) error {
	var failed error
	for after := tenant.ID(""); ; {
		orgs, err := d.Store.DueDeletions(ctx, d.Now(), after, orgPage)
		if err != nil || len(orgs) == 0 {
			return errors.Join(failed, err)
		}
		for _, org := range orgs {
			if err := d.deleteOrganisation(ctx, org); err != nil {
				failed = errors.Join(failed, fmt.Errorf("closure: delete %s: %w", org, err))
			}
			if ctx.Err() != nil {
				return errors.Join(failed, ctx.Err())
			}
		}
		after = orgs[len(orgs)-1]
	}
}

// deletion is the deletion of one organisation.
type deletion struct {
	*Deleter
	org   tenant.ID
	hubs  map[string]bool  // Hubs with a retained record
	reset map[string]int64 // of a reset: the number of deleted rows by table; nil for the deletion of an organisation
}

func (d *Deleter) deleteOrganisation(ctx context.Context, org tenant.ID) error {
	one := &deletion{Deleter: d, org: org, hubs: map[string]bool{}}
	underWay := false
	err := d.Store.UpdateDeletion(ctx, org, func(tx DeleteTx) (err error) { underWay, err = tx.BeginDeletion(); return err })
	if err != nil || !underWay { // restored in the meantime
		return err
	}
	for _, part := range []func(context.Context) error{one.removeAccess, one.removeMembers, one.removeJobs, one.removeData, one.removeRecords, one.removeMarks, one.finish} {
		if err := part(ctx); err != nil {
			return err
		}
	}
	return nil
}

// runPage runs one transaction, adds the number of deleted rows to the counts, and pauses as long as it
// took. fn must not delete data under an organisation-wide hold.
func (d *deletion) runPage(ctx context.Context, table string, fn func(tx DeleteTx, holds retention.Holds) (removed int64, err error)) (removed int64, err error) {
	began := d.Now()
	err = d.Store.UpdateDeletion(ctx, d.org, func(tx DeleteTx) error {
		holds, err := tx.Holds()
		if err != nil {
			return err
		}
		if removed, err = fn(tx, holds); err != nil || removed == 0 || d.reset != nil {
			return err
		}
		counts, err := tx.Deletion()
		if err != nil {
			return err
		}
		counts[table] += removed
		return tx.SaveDeletion(counts)
	})
	if err == nil && d.reset != nil && removed > 0 {
		d.reset[table] += removed
	}
	if err == nil && !d.NoPauses {
		err = clock.Pause(ctx, min(d.Now().Sub(began), time.Second))
	}
	return removed, err
}

// removeAccess deletes the credentials of people and programs.
func (d *deletion) removeAccess(ctx context.Context) error {
	for _, t := range accessTables {
		if err := d.removeRows(ctx, t, func(retention.Holds) bool { return true }); err != nil {
			return err
		}
	}
	return nil
}

// removeData deletes data other than records, unless the whole organisation is under a hold.
func (d *deletion) removeData(ctx context.Context) error {
	for _, t := range dataTables {
		if err := d.removeRows(ctx, t, func(h retention.Holds) bool { return !h.All() }); err != nil {
			return err
		}
	}
	return nil
}

// removeJobs deletes waiting jobs, except erasures that a legal hold delays.
func (d *deletion) removeJobs(ctx context.Context) error {
	return d.removePages(ctx, "jobs", func(tx DeleteTx, holds retention.Holds) (int64, error) {
		if holds.All() {
			return 0, nil
		}
		return tx.RemoveJobs(erasure.Queue, rowPage)
	})
}

// removeRows deletes the rows of a table.
func (d *deletion) removeRows(ctx context.Context, t table, may func(retention.Holds) bool) error {
	return d.removePages(ctx, t.name, func(tx DeleteTx, holds retention.Holds) (int64, error) {
		if !may(holds) {
			return 0, nil
		}
		return tx.RemoveRows(t.name, t.key, t.ofRecords, rowPage)
	})
}

// removePages deletes the rows of a table, page by page.
func (d *deletion) removePages(ctx context.Context, table string, remove func(DeleteTx, retention.Holds) (int64, error)) error {
	for removed := int64(rowPage); removed >= rowPage; { // more if the key is not unique
		var err error
		if removed, err = d.runPage(ctx, table, remove); err != nil {
			return fmt.Errorf("%s: %w", table, err)
		}
	}
	return nil
}

// removeMembers ends all memberships. The personal data of a user without another organisation is erased
// before the membership ends, so that an interrupted deletion finds the user again.
func (d *deletion) removeMembers(ctx context.Context) error {
	for {
		var ids []string
		err := d.Store.UpdateDeletion(ctx, d.org, func(tx DeleteTx) (err error) { ids, err = tx.AllMembers(memberPage); return err })
		if err != nil || len(ids) == 0 {
			return err
		}
		for _, id := range ids {
			if err := d.removeMember(ctx, id); err != nil {
				return fmt.Errorf("member %s: %w", id, err)
			}
		}
	}
}

func (d *deletion) removeMember(ctx context.Context, userID string) error {
	elsewhere, err := d.Store.IsMemberElsewhere(ctx, userID, d.org)
	if err == nil && !elsewhere {
		err = d.Erase(ctx, userID, d.org)
	}
	if err != nil {
		return err
	}
	_, err = d.runPage(ctx, "memberships", func(tx DeleteTx, _ retention.Holds) (int64, error) { return 1, tx.ForgetMember(userID) })
	return err
}

// removeMarks deletes the marks of records that retained records refer to.
func (d *deletion) removeMarks(ctx context.Context) error {
	for removed := int64(rowPage); removed >= rowPage; {
		err := d.Store.UpdateDeletion(ctx, d.org, func(tx DeleteTx) (err error) {
			removed, err = tx.RemoveRows("deletion_marks", "record_id", false, rowPage)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// finish deletes the settings of the organisation, and writes an audit event with what was deleted, what
// stays and why. A later deletion that finds nothing to delete writes no event.
func (d *deletion) finish(ctx context.Context) error {
	var counts map[string]int64
	err := d.Store.UpdateDeletion(ctx, d.org, func(tx DeleteTx) error {
		org, err := tx.Organisation()
		if err != nil {
			return err
		}
		stripped := access.Profile{EORI: org.Profile.EORI, VATNumber: org.Profile.VATNumber}
		first := len(org.Hubs) > 0 // a later deletion finds no settings
		org.Profile, org.Policy, org.Hubs, org.UpdatedAt = stripped, access.Policy{}, access.Hubs{}, tx.Now()
		if err := tx.SaveOrganisation(org); err != nil {
			return err
		}
		if counts, err = tx.Deletion(); err != nil {
			return err
		}
		if first || len(counts) > 0 {
			if err := d.recordEvent(tx, org, counts); err != nil {
				return err
			}
		}
		if tx.Test().Test {
			if err := tx.DetachTest(); err != nil {
				return err
			}
		}
		return tx.EndDeletion()
	})
	if err == nil {
		d.Log.Info("deleted the data of a closed organisation", "organisation", d.org, "removed", counts)
	}
	return err
}

// recordEvent writes the audit event of the deletion.
func (d *deletion) recordEvent(tx DeleteTx, org access.Organisation, removed map[string]int64) error {
	kept := map[string]int64{}
	for _, name := range keptTables {
		n, err := tx.CountRows(name)
		if err != nil {
			return err
		}
		kept[name] = n
	}
	data, err := json.Marshal(map[string]any{
		"closedAt": audit.Instant(org.Closing.At), "removed": removed, "kept": kept, "grounds": []map[string]string{
			{"for": "records, messages, documents and events", "until": d.Retention + " from the end of their year", "law": Law},
			{"for": "what is under a legal hold", "until": "the hold is lifted", "law": "legal hold"},
		},
	})
	if err != nil {
		return err
	}
	return tx.Record(audit.By(tenant.Call{Principal: tenant.System(d.org)}, audit.Event{
		ID: d.NewID(), Hub: eventHub, Type: Deleted, ResourceType: resourceType, ResourceID: string(d.org), Data: data,
	}))
}
