package store

import (
	"fmt"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/records/retention"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

// Holds lists the legal holds of the organisation.
func (t *Tx) Holds() (all retention.Holds, err error) {
	err = t.rows("SELECT record_id, reason, set_at FROM holds WHERE org_id = $1 ORDER BY set_at, record_id", nil, func(r engine.Row) error {
		var h retention.Hold
		err := r.Scan(&h.RecordID, &h.Reason, (*instant)(&h.SetAt))
		all = append(all, h)
		return err
	})
	return all, wrapError("holds", err)
}

// SetHold stores a hold. It replaces an existing one.
func (t *Tx) SetHold(h retention.Hold) error {
	_, err := t.exec("INSERT INTO holds (org_id, record_id, reason, set_at) VALUES ($1, $2, $3, $4) "+
		"ON CONFLICT (org_id, record_id) DO UPDATE SET reason = excluded.reason, set_at = excluded.set_at", h.RecordID, h.Reason, instant(h.SetAt))
	return wrapError("set hold", err)
}

// LiftHold removes a hold.
func (t *Tx) LiftHold(recordID string) error {
	_, err := t.exec("DELETE FROM holds WHERE org_id = $1 AND record_id = $2", recordID)
	return wrapError("lift hold", err)
}

// KindOf returns the kind of a record.
func (t *Tx) KindOf(id string) (kind string, err error) {
	found, err := t.row("SELECT kind FROM filings WHERE org_id = $1 AND id = $2", []any{id}, &kind)
	if err == nil && !found {
		err = apierr.Missing()
	}
	return kind, err
}

// AgedFilings reads records of a kind, oldest first, after a position.
func (t *Tx) AgedFilings(kind string, before time.Time, after filing.Position, limit int) ([]retention.Aged, error) {
	query, args := "SELECT id, id, status, created_at, updated_at FROM filings WHERE org_id = $1 AND kind = $2 AND created_at < $3", []any{kind, instant(before)}
	if after.ID != "" {
		query += " AND (created_at, id) > ($4, $5)"
		args = append(args, instant(after.CreatedAt), after.ID)
	}
	return t.aged(query+fmt.Sprintf(" ORDER BY created_at, id LIMIT $%d"+computed, len(args)+2), append(args, limit)...)
}

// aged reads rows in the order of the fields of retention.Aged.
func (t *Tx) aged(query string, args ...any) (all []retention.Aged, err error) {
	err = t.rows(query, args, func(r engine.Row) error {
		var a retention.Aged
		err := r.Scan(&a.ID, &a.RecordID, &a.Status, (*instant)(&a.CreatedAt), (*instant)(&a.UpdatedAt))
		all = append(all, a)
		return err
	})
	return all, wrapError("aged rows", err)
}

// RemoveFiling deletes a record with everything that refers to it. The tallies still count it,
// because they count what was made.
func (t *Tx) RemoveFiling(id string) error {
	if err := t.noteRemovedTransmissions(id); err != nil {
		return err
	}
	for _, statement := range []string{
		"DELETE FROM filing_keys WHERE org_id = $1 AND filing_id = $2",
		"DELETE FROM filing_names WHERE org_id = $1 AND filing_id = $2",
		"DELETE FROM filing_terms WHERE org_id = $1 AND filing_id = $2",
		"DELETE FROM deadlines WHERE org_id = $1 AND filing_id = $2",
		"DELETE FROM timers WHERE org_id = $1 AND filing_id = $2",
		"DELETE FROM postings WHERE org_id = $1 AND filing_id = $2",
		"DELETE FROM messages WHERE org_id = $1 AND filing_id = $2",
		"DELETE FROM transmissions WHERE org_id = $1 AND filing_id = $2",
		"DELETE FROM mtd_submissions WHERE org_id = $1 AND filing_id = $2",
		"DELETE FROM authority_messages WHERE org_id = $1 AND filing_id = $2",
		"DELETE FROM authority_names WHERE org_id = $1 AND filing_id = $2",
		"DELETE FROM authority_records WHERE org_id = $1 AND filing_id = $2",
		"DELETE FROM declaration_files WHERE org_id = $1 AND filing_id = $2",
		"DELETE FROM attachment_chunks WHERE org_id = $1 AND id IN (SELECT a.id FROM attachments a WHERE a.org_id = $1 AND a.record_id = $2)",
		"DELETE FROM attachments WHERE org_id = $1 AND record_id = $2",
		"DELETE FROM record_versions WHERE org_id = $1 AND resource_id = $2",
		"DELETE FROM record_secrets WHERE org_id = $1 AND record_id = $2",
		"DELETE FROM approvals WHERE org_id = $1 AND record_id = $2",
		"DELETE FROM comments WHERE org_id = $1 AND resource_id = $2",
		"DELETE FROM inbox_items WHERE org_id = $1 AND record_id = $2",
		"DELETE FROM tariff_uses WHERE org_id = $1 AND used_by = '" + filing.EstimateUse + "' || CAST($2 AS TEXT)",
		"DELETE FROM filings WHERE org_id = $1 AND id = $2",
	} {
		if err := t.execDeferred(statement, id); err != nil {
			return fmt.Errorf("store: remove filing: %w", err)
		}
	}
	return nil
}

// Truncation returns where the audit log begins.
func (t *Tx) Truncation() (c audit.Truncation, err error) {
	_, err = t.row("SELECT sequence, hash, occurred_at FROM trail_cuts WHERE org_id = $1", nil, &c.Sequence, &c.Hash, (*instant)(&c.OccurredAt))
	return c, wrapError("truncation of the trail", err)
}

// TruncateTrail stores where the trail begins, with the hashes of earlier events that the tree needs.
func (t *Tx) TruncateTrail(c audit.Truncation) error {
	hashes, err := t.untiled(c.Sequence)
	if err != nil {
		return err
	}
	_, err = t.exec("INSERT INTO trail_cuts (org_id, sequence, hash, occurred_at, cut_at, hashes) VALUES ($1, $2, $3, $4, $5, $6) "+
		"ON CONFLICT (org_id) DO UPDATE SET sequence = excluded.sequence, hash = excluded.hash, occurred_at = excluded.occurred_at, cut_at = excluded.cut_at, hashes = excluded.hashes",
		c.Sequence, c.Hash, instant(c.OccurredAt), instant(t.now), hashes)
	return wrapError("truncate trail", err)
}

// TruncationBefore finds the last event before a time so that no event of a spared record is removed, and
// at most maxLoose of the events up to it are in no tile.
func (t *Tx) TruncationBefore(at time.Time, spared retention.Holds) (c audit.Truncation, err error) {
	first, err := t.firstSince(at)
	for _, h := range spared {
		if err != nil {
			return c, err
		}
		_, err = t.row("SELECT sequence FROM events WHERE org_id = $1 AND resource_id = $2 AND sequence + 0 < $3 ORDER BY sequence LIMIT 1"+computed,
			[]any{h.RecordID, first}, &first)
	}
	tiles := int64(0)
	if err == nil {
		tiles, err = t.Tiles(0)
	}
	if err != nil {
		return c, err
	}
	first = min(first, tiles*audit.TileWidth+maxLoose+1)
	_, err = t.row("SELECT sequence, hash, occurred_at FROM events WHERE org_id = $1 AND sequence = $2", []any{first - 1}, &c.Sequence, &c.Hash, (*instant)(&c.OccurredAt))
	return c, wrapError("events before an instant", err)
}

// AgedDeliveries reads the log of an endpoint, oldest first, after a position.
func (t *Tx) AgedDeliveries(endpointID string, before time.Time, after filing.Position, limit int) ([]retention.Aged, error) {
	query, args := "SELECT id, resource_id, status, created_at, created_at FROM deliveries WHERE org_id = $1 AND endpoint_id = $2 AND created_at < $3", []any{endpointID, instant(before)}
	if after.ID != "" {
		query += " AND (created_at, id) > ($4, $5)"
		args = append(args, instant(after.CreatedAt), after.ID)
	}
	return t.aged(query+fmt.Sprintf(" ORDER BY created_at, id LIMIT $%d"+computed, len(args)+2), append(args, limit)...)
}

// RemoveDelivery deletes a delivery from the log.
func (t *Tx) RemoveDelivery(id string) error {
	return wrapError("remove delivery", t.execDeferred("DELETE FROM deliveries WHERE org_id = $1 AND id = $2", id))
}

// PendingNotices returns the notices of deliveries that are still to be made.
func (t *Tx) PendingNotices(limit int) (map[string]bool, error) {
	all := map[string]bool{}
	err := t.rows("SELECT DISTINCT notice_id FROM deliveries WHERE org_id = $1 AND status = 'PENDING' LIMIT $2"+computed, []any{limit}, func(r engine.Row) error {
		var id string
		err := r.Scan(&id)
		all[id] = true
		return err
	})
	return all, wrapError("pending notices", err)
}

// AgedNotices reads notices, oldest first, after another. Their IDs rise with time, almost in
// order; none is read that is younger.
func (t *Tx) AgedNotices(before time.Time, after string, limit int) ([]retention.Aged, error) {
	return t.aged("SELECT id, resource_id, '', created_at, created_at FROM notices WHERE org_id = $1 AND id > $2 AND created_at < $3 ORDER BY id LIMIT $4"+computed,
		after, instant(before), limit)
}

// RemoveNotice deletes a delivered notice.
func (t *Tx) RemoveNotice(id string) error {
	return wrapError("remove notice", t.execDeferred("DELETE FROM notices WHERE org_id = $1 AND id = $2", id))
}
