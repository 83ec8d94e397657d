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
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/retention"
)

// Limits of a deletion.
const (
	orgsAtATime = 100
	rowPage     = 300 // rows that one transaction removes
	recordPage  = 20  // records, of which each may have 4 MB
	memberPage  = 50
)

// DeleteTx is a transaction of an organisation whose data is deleted.
type DeleteTx interface {
	retention.Remover
	Now() time.Time
	Organisation() (access.Organisation, error)
	SaveOrganisation(access.Organisation) error
	Holds() (retention.Holds, error)

	// BeginDeletion begins the deletion if the organisation is closed and its time has come, and
	// reports whether it is under way.
	BeginDeletion() (underWay bool, err error)
	// Deletion returns how many rows of each table were removed so far.
	Deletion() (removed map[string]int64, err error)
	SaveDeletion(removed map[string]int64) error
	EndDeletion() error

	// RemoveRows removes some rows of a table; of a table with records, those without a legal hold.
	RemoveRows(table, key string, ofRecords bool, limit int) (removed int64, err error)
	// RemoveJobs removes some jobs, but for those of a queue.
	RemoveJobs(except string, limit int) (removed int64, err error)
	CountRows(table string) (int64, error)
	AllMembers(limit int) (userIDs []string, err error)
	ForgetMember(userID string) error

	// WholeFilings reads records of a kind from the oldest, behind a position.
	WholeFilings(kind string, after filing.Position, limit int) ([]filing.Filing, error)
	// Sent returns those of some records of which something was sent, may have been, or was received.
	Sent(ids []string) (map[string]bool, error)
	// MarkKept notes that kept records refer to others, and MarkedKept returns which of some they refer to.
	MarkKept(ids []string) error
	MarkedKept(ids []string) (map[string]bool, error)
}

// DeleteStore finds organisations whose time has come, and opens transactions.
type DeleteStore interface {
	UpdateDeletion(ctx context.Context, org tenant.ID, fn func(DeleteTx) error) error
	DueDeletions(ctx context.Context, now time.Time, after tenant.ID, limit int) ([]tenant.ID, error)
	BelongsElsewhere(ctx context.Context, userID string, org tenant.ID) (bool, error)
}

// Deleter deletes the data of closed organisations whose time has come. It works in pages, each a
// transaction, and takes up a deletion that was interrupted: what is gone is not looked at again.
// Only one may run at a time.
type Deleter struct {
	Store DeleteStore
	Kinds []Kind
	Kept  string // how long records are kept, such as 6 years
	// Erase erases what identifies a user who belongs to no other organisation, here and where the user was before.
	Erase   func(ctx context.Context, userID string, org tenant.ID) error
	NewID   func() string
	Now     func() time.Time
	Log     *slog.Logger
	Hurried bool // makes no pauses between transactions
}

// Run deletes the data of every organisation whose time has come. One that fails does not stop the
// others.
func (d *Deleter) Run(ctx context.Context) error {
	var failed error
	for after := tenant.ID(""); ; {
		orgs, err := d.Store.DueDeletions(ctx, d.Now(), after, orgsAtATime)
		if err != nil || len(orgs) == 0 {
			return errors.Join(failed, err)
		}
		for _, org := range orgs {
			if err := d.organisation(ctx, org); err != nil {
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
	org  tenant.ID
	hubs map[string]bool // Hubs with a record that is kept
}

func (d *Deleter) organisation(ctx context.Context, org tenant.ID) error {
	one := &deletion{Deleter: d, org: org, hubs: map[string]bool{}}
	underWay := false
	err := d.Store.UpdateDeletion(ctx, org, func(tx DeleteTx) (err error) { underWay, err = tx.BeginDeletion(); return err })
	if err != nil || !underWay { // restored in the meantime
		return err
	}
	for _, part := range []func(context.Context) error{one.access, one.members, one.jobs, one.data, one.records, one.marks, one.end} {
		if err := part(ctx); err != nil {
			return err
		}
	}
	return nil
}

// page runs one transaction, adds what it removed to the counts, and rests as long as it took. No
// transaction removes data that an organisation-wide hold keeps.
func (d *deletion) page(ctx context.Context, table string, fn func(tx DeleteTx, holds retention.Holds) (removed int64, err error)) (removed int64, err error) {
	began := d.Now()
	err = d.Store.UpdateDeletion(ctx, d.org, func(tx DeleteTx) error {
		holds, err := tx.Holds()
		if err != nil {
			return err
		}
		if removed, err = fn(tx, holds); err != nil || removed == 0 {
			return err
		}
		counts, err := tx.Deletion()
		if err != nil {
			return err
		}
		counts[table] += removed
		return tx.SaveDeletion(counts)
	})
	if err == nil && !d.Hurried {
		err = rest(ctx, min(d.Now().Sub(began), time.Second))
	}
	return removed, err
}

// rest waits, and returns the error of a context that ends meanwhile.
func rest(ctx context.Context, pause time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(pause):
		return nil
	}
}

// access removes what let people and programs in.
func (d *deletion) access(ctx context.Context) error {
	for _, t := range accessTables {
		if err := d.rows(ctx, t, func(retention.Holds) bool { return true }); err != nil {
			return err
		}
	}
	return nil
}

// data removes what is no record, unless the whole organisation is under a hold.
func (d *deletion) data(ctx context.Context) error {
	for _, t := range dataTables {
		if err := d.rows(ctx, t, func(h retention.Holds) bool { return !h.All() }); err != nil {
			return err
		}
	}
	return nil
}

// jobs removes work that waits, but for erasures that a legal hold delays.
func (d *deletion) jobs(ctx context.Context) error {
	return d.pages(ctx, "jobs", func(tx DeleteTx, holds retention.Holds) (int64, error) {
		if holds.All() {
			return 0, nil
		}
		return tx.RemoveJobs(erasure.Queue, rowPage)
	})
}

// rows removes the rows of a table.
func (d *deletion) rows(ctx context.Context, t table, may func(retention.Holds) bool) error {
	return d.pages(ctx, t.name, func(tx DeleteTx, holds retention.Holds) (int64, error) {
		if !may(holds) {
			return 0, nil
		}
		return tx.RemoveRows(t.name, t.key, t.ofRecords, rowPage)
	})
}

// pages removes the rows of a table, page by page.
func (d *deletion) pages(ctx context.Context, table string, remove func(DeleteTx, retention.Holds) (int64, error)) error {
	for removed := int64(rowPage); removed == rowPage; {
		var err error
		if removed, err = d.page(ctx, table, remove); err != nil {
			return fmt.Errorf("%s: %w", table, err)
		}
	}
	return nil
}

// members ends all memberships. A user who belongs to no other organisation loses what identifies
// them, before the membership goes, so that a deletion that is interrupted finds the user again.
func (d *deletion) members(ctx context.Context) error {
	for {
		var ids []string
		err := d.Store.UpdateDeletion(ctx, d.org, func(tx DeleteTx) (err error) { ids, err = tx.AllMembers(memberPage); return err })
		if err != nil || len(ids) == 0 {
			return err
		}
		for _, id := range ids {
			if err := d.forget(ctx, id); err != nil {
				return fmt.Errorf("member %s: %w", id, err)
			}
		}
	}
}

func (d *deletion) forget(ctx context.Context, userID string) error {
	elsewhere, err := d.Store.BelongsElsewhere(ctx, userID, d.org)
	if err == nil && !elsewhere {
		err = d.Erase(ctx, userID, d.org)
	}
	if err != nil {
		return err
	}
	_, err = d.page(ctx, "memberships", func(tx DeleteTx, _ retention.Holds) (int64, error) { return 1, tx.ForgetMember(userID) })
	return err
}

// marks removes the marks of records that kept ones refer to.
func (d *deletion) marks(ctx context.Context) error {
	for removed := int64(rowPage); removed == rowPage; {
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

// end takes the settings from the organisation, and records what was removed, what stays and why.
// A later deletion that finds nothing to remove leaves no event.
func (d *deletion) end(ctx context.Context) error {
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
			if err := d.record(tx, org, counts); err != nil {
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

// record records the deletion.
func (d *deletion) record(tx DeleteTx, org access.Organisation, removed map[string]int64) error {
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
			{"for": "records, messages, documents and events", "until": d.Kept + " from the end of their year", "law": Law},
			{"for": "what is under a legal hold", "until": "the hold is lifted", "law": "legal hold"},
		},
	})
	if err != nil {
		return err
	}
	return tx.Record(audit.By(tenant.Call{Principal: tenant.System(d.org)}, audit.Event{
		ID: d.NewID(), Hub: home, Type: Deleted, ResourceType: resourceType, ResourceID: string(d.org), Data: data,
	}))
}
