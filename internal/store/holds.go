package store

import (
	"fmt"
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/records/retention"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

// heldID is the ID of what is held, by which its events are found.
const heldID = "CASE h.record_id WHEN '' THEN CAST(h.org_id AS TEXT) ELSE h.record_id END"

// selectHolds reads holds with the sequence of the event that last set each. Each is looked up
// by its ID, however many the query planner expects.
const selectHolds = "SELECT h.record_id, h.reason, h.set_at, " +
	"COALESCE((SELECT e.sequence FROM events e WHERE e.org_id = $1 AND e.resource_id = " + heldID + " AND e.type = $2 ORDER BY e.sequence DESC LIMIT 1), 0) " +
	"FROM holds h WHERE h.org_id = $1"

const newestHoldFirst = " ORDER BY h.set_at DESC, " + heldID + " DESC"

// ActiveHolds reads a page of the holds with two statements, however many there are.
func (t *Tx) ActiveHolds(behind filing.Position, limit int) ([]retention.ActiveHold, error) {
	query, args := selectHolds, []any{retention.HoldSet}
	if behind.ID != "" {
		query += " AND (h.set_at, " + heldID + ") < ($3, $4)"
		args = append(args, instant(behind.CreatedAt), behind.ID)
	}
	return t.holdsWithActors(query+newestHoldFirst+fmt.Sprintf(" LIMIT $%d"+computed, len(args)+2), append(args, limit)...)
}

// Held reports whether a hold protects a record: its own, or that of the organisation.
func (t *Tx) Held(recordID string) (bool, error) {
	var one int
	found, err := t.row("SELECT 1 FROM holds WHERE org_id = $1 AND record_id IN ('', $2) LIMIT 1", []any{recordID}, &one)
	return found, wrapError("held", err)
}

// ActiveHoldsOn reads the holds that protect a record.
func (t *Tx) ActiveHoldsOn(recordID string) ([]retention.ActiveHold, error) {
	return t.holdsWithActors(selectHolds+" AND h.record_id IN ('', $3)"+newestHoldFirst, retention.HoldSet, recordID)
}

// holdsWithActors reads holds, and from the trail what is held and who set them. The events exist,
// because the trail of held records is not truncated before them.
func (t *Tx) holdsWithActors(query string, args ...any) (all []retention.ActiveHold, err error) {
	var sequences []int64
	err = t.rows(query, args, func(r engine.Row) error {
		var s retention.ActiveHold
		var sequence int64
		err := r.Scan(&s.RecordID, &s.Reason, (*instant)(&s.SetAt), &sequence)
		all, sequences = append(all, s), append(sequences, sequence)
		return err
	})
	set := map[int64]audit.Event{}
	for some := range slices.Chunk(sequences, maxFetch) {
		if err == nil {
			err = t.fetch(some, func(e audit.Event) { set[e.Sequence] = e.Shown() })
		}
	}
	for i := range all {
		e := set[sequences[i]]
		all[i].UserID, all[i].Operator = e.ActorUserID, e.ByOperator()
		if all[i].RecordID != "" {
			all[i].Kind = e.ResourceType
		}
	}
	return all, wrapError("active holds", err)
}
