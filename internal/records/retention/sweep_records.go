package retention

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

var errLeaseLost = errors.New("retention: another instance has taken the sweep over")

func leaseError(err error) error {
	if err == nil {
		err = errLeaseLost
	}
	return err
}

// sweepOrganisation deletes expired records and then truncates the audit trail.
func (b *sweep) sweepOrganisation(ctx context.Context, org tenant.ID, before time.Time) error {
	for _, k := range b.Kinds {
		if err := b.sweepRecords(ctx, org, k, before); err != nil {
			return err
		}
	}
	return b.truncateTrail(ctx, org, before)
}

func (b *sweep) sweepRecords(ctx context.Context, org tenant.ID, k Kind, before time.Time) error {
	return pages(func(after filing.Position) (examined []Aged, err error) {
		var expired []Aged
		err = b.inOrganisation(ctx, org, func(tx Tx, holds Holds) error {
			examined, expired = nil, nil
			if examined, err = tx.AgedFilings(k.Name, before, after, recordStep); err != nil {
				return err
			}
			deleted, err := tx.DataDeleted()
			if err != nil {
				return err
			}
			for _, a := range examined {
				// In an organisation whose data is deleted, every state is final.
				if (deleted || k.Final[lifecycle.State(a.Status)]) && a.UpdatedAt.Before(before) && !holds.Of(a.ID) {
					expired = append(expired, a)
				}
			}
			if deleted && len(expired) > 0 && !b.Dry {
				if err := tx.ReopenDeletion(); err != nil {
					return err
				}
			}
			return b.removeRecords(tx, org, k.Name, expired)
		})
		if err == nil {
			b.report[Records] += int64(len(expired))
		}
		return examined, err
	}, recordStep)
}

// removeRecords deletes records and writes the audit event.
func (b *sweep) removeRecords(tx Tx, org tenant.ID, kind string, expired []Aged) error {
	if b.Dry || len(expired) == 0 {
		return nil
	}
	return Remove(tx, org, b.NewID(), kind, expired)
}

// Remover deletes records of one organisation.
type Remover interface {
	audit.Recorder
	RemoveFiling(id string) error
}

// Remove deletes at least one record of a kind, in the order of creation, and writes the audit event.
func Remove(tx Remover, org tenant.ID, eventID, kind string, expired []Aged) error {
	for _, a := range expired {
		if err := tx.RemoveFiling(a.ID); err != nil {
			return err
		}
	}
	data, err := json.Marshal(NewRemoved(kind, expired))
	if err != nil {
		return err
	}
	return tx.Record(audit.By(tenant.Call{Principal: tenant.System(org)},
		audit.Event{ID: eventID, Hub: eventHub, Type: RecordsRemoved, ResourceType: resourceType, Data: data}))
}

// Removed is the data of the audit event about deleted records of a kind.
type Removed struct {
	Kind      string    `json:"kind"`
	Count     int       `json:"count"`
	Oldest    time.Time `json:"oldest"` // creation of the first record
	Newest    time.Time `json:"newest"` // creation of the last record
	RecordIDs []string  `json:"recordIds"`
}

// NewRemoved returns the event data for records in the order of creation.
func NewRemoved(kind string, expired []Aged) Removed {
	r := Removed{Kind: kind, Count: len(expired), Oldest: expired[0].CreatedAt, Newest: expired[len(expired)-1].CreatedAt}
	for _, a := range expired {
		r.RecordIDs = append(r.RecordIDs, a.ID)
	}
	return r
}

// truncateTrail truncates the audit trail after its last expired event, but before the first event of a record
// under a hold. Events before the cut are no longer read.
func (b *sweep) truncateTrail(ctx context.Context, org tenant.ID, before time.Time) error {
	var expired int64
	err := b.inOrganisation(ctx, org, func(tx Tx, holds Holds) error {
		former, err := tx.Truncation()
		if err != nil {
			return err
		}
		cut, err := tx.TruncationBefore(before, holds)
		expired = cut.Sequence - former.Sequence
		if err != nil || expired <= 0 || b.Dry {
			return err
		}
		if err := tx.TruncateTrail(cut); err != nil {
			return err
		}
		event, err := cut.Event(org, b.NewID(), former)
		if err != nil {
			return err
		}
		return tx.Record(event)
	})
	if err == nil {
		b.report[Events] += max(0, expired)
	}
	return err
}

// removeCutEvents deletes the events before the cut that were not dropped with a partition.
func (b *sweep) removeCutEvents(ctx context.Context, org tenant.ID, _ time.Time) error {
	if b.Dry {
		return nil
	}
	for removed := int64(rowStep); removed == rowStep; {
		err := b.step(ctx, func() (err error) {
			removed, err = b.Store.RemoveEvents(ctx, org, rowStep)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}
