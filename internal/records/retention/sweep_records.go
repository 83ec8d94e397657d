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

var errLost = errors.New("retention: another instance has taken the sweep over")

func orLost(err error) error {
	if err == nil {
		err = errLost
	}
	return err
}

// organisation removes old records, and then cuts the trail.
func (b *sweep) organisation(ctx context.Context, org tenant.ID, before time.Time) error {
	for _, k := range b.Kinds {
		if err := b.records(ctx, org, k, before); err != nil {
			return err
		}
	}
	return b.cut(ctx, org, before)
}

func (b *sweep) records(ctx context.Context, org tenant.ID, k Kind, before time.Time) error {
	return pages(func(after filing.Position) (looked []Aged, err error) {
		var gone []Aged
		err = b.aged(ctx, org, func(tx Tx, holds Holds) error {
			looked, gone = nil, nil
			if looked, err = tx.AgedFilings(k.Name, before, after, recordStep); err != nil {
				return err
			}
			deleted, err := tx.DataDeleted()
			if err != nil {
				return err
			}
			for _, a := range looked {
				// Nothing leads on from any state in an organisation whose data was deleted.
				if (deleted || k.Final[lifecycle.State(a.Status)]) && a.UpdatedAt.Before(before) && !holds.Of(a.ID) {
					gone = append(gone, a)
				}
			}
			if deleted && len(gone) > 0 && !b.Dry {
				if err := tx.ReopenDeletion(); err != nil {
					return err
				}
			}
			return b.remove(tx, org, k.Name, gone)
		})
		if err == nil {
			b.report[Records] += int64(len(gone))
		}
		return looked, err
	}, recordStep)
}

// remove takes records away and tells the trail which.
func (b *sweep) remove(tx Tx, org tenant.ID, kind string, gone []Aged) error {
	if b.Dry || len(gone) == 0 {
		return nil
	}
	return Remove(tx, org, b.NewID(), kind, gone)
}

// Remover removes records of one organisation.
type Remover interface {
	audit.Recorder
	RemoveFiling(id string) error
}

// Remove removes at least one record of a kind, in the order of their creation, and records which.
func Remove(tx Remover, org tenant.ID, eventID, kind string, gone []Aged) error {
	for _, a := range gone {
		if err := tx.RemoveFiling(a.ID); err != nil {
			return err
		}
	}
	data, err := json.Marshal(RemovedOf(kind, gone))
	if err != nil {
		return err
	}
	return tx.Record(audit.By(tenant.Call{Principal: tenant.System(org)},
		audit.Event{ID: eventID, Hub: home, Type: RecordsRemoved, ResourceType: resourceType, Data: data}))
}

// Removed is what the trail keeps of records of a kind that were removed together.
type Removed struct {
	Kind      string    `json:"kind"`
	Count     int       `json:"count"`
	Oldest    time.Time `json:"oldest"` // creation of the first
	Newest    time.Time `json:"newest"` // and of the last
	RecordIDs []string  `json:"recordIds"`
}

// RemovedOf tells of records in the order of their creation.
func RemovedOf(kind string, gone []Aged) Removed {
	r := Removed{Kind: kind, Count: len(gone), Oldest: gone[0].CreatedAt, Newest: gone[len(gone)-1].CreatedAt}
	for _, a := range gone {
		r.RecordIDs = append(r.RecordIDs, a.ID)
	}
	return r
}

// cut makes the trail begin behind its last event that is old, and before the first of
// a record that is held. From then on nobody asks for what lies before.
func (b *sweep) cut(ctx context.Context, org tenant.ID, before time.Time) error {
	var gone int64
	err := b.aged(ctx, org, func(tx Tx, holds Holds) error {
		former, err := tx.TrailCut()
		if err != nil {
			return err
		}
		cut, err := tx.CutBefore(before, holds)
		gone = cut.Sequence - former.Sequence
		if err != nil || gone <= 0 || b.Dry {
			return err
		}
		if err := tx.CutTrail(cut); err != nil {
			return err
		}
		event, err := cut.Event(org, b.NewID(), former)
		if err != nil {
			return err
		}
		return tx.Record(event)
	})
	if err == nil {
		b.report[Events] += max(0, gone)
	}
	return err
}

// leftover removes the events before the cut that no dropped partition took along.
func (b *sweep) leftover(ctx context.Context, org tenant.ID, _ time.Time) error {
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
