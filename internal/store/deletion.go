package store

import (
	"encoding/json"
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

// BeginDeletion begins the deletion of the organisation's data if it is closed and the waiting
// time is over, and reports whether a deletion is running.
func (t *Tx) BeginDeletion() (underWay bool, err error) {
	_, err = t.exec("UPDATE organisations SET deletion = '{}' WHERE org_id = $1 AND closed_at IS NOT NULL AND delete_after <= $2 AND deletion IS NULL", instant(t.real))
	if err != nil {
		return false, wrapError("begin deletion", err)
	}
	underWay, err = t.exists("SELECT 1 FROM organisations WHERE org_id = $1 AND deletion IS NOT NULL AND deleted_at IS NULL")
	return underWay, wrapError("begin deletion", err)
}

// Deletion returns how many rows of each table the deletion has removed so far.
func (t *Tx) Deletion() (removed map[string]int64, err error) {
	var text string
	found, err := t.row("SELECT COALESCE(deletion, '{}') FROM organisations WHERE org_id = $1", nil, &text)
	if err == nil && !found {
		err = apierr.Missing()
	}
	if err != nil {
		return nil, wrapError("deletion", err)
	}
	return removed, json.Unmarshal([]byte(text), &removed)
}

// SaveDeletion stores how many rows of each table the deletion has removed so far.
func (t *Tx) SaveDeletion(removed map[string]int64) error {
	text, err := json.Marshal(removed)
	if err == nil {
		_, err = t.exec("UPDATE organisations SET deletion = $2 WHERE org_id = $1", string(text))
	}
	return wrapError("save deletion", err)
}

// EndDeletion marks the deletion as done, and resets the counts for a later one.
func (t *Tx) EndDeletion() error {
	_, err := t.exec("UPDATE organisations SET deletion = '{}', deleted_at = $2 WHERE org_id = $1", instant(t.real))
	return wrapError("end deletion", err)
}

// ReopenDeletion makes the deletion check again for data whose retention has ended. It does
// nothing to an organisation that was not deleted.
func (t *Tx) ReopenDeletion() error {
	_, err := t.exec("UPDATE organisations SET deleted_at = NULL WHERE org_id = $1 AND deletion IS NOT NULL")
	return wrapError("reopen deletion", err)
}

// DataDeleted reports whether the deletion of the organisation's data has begun.
func (t *Tx) DataDeleted() (bool, error) {
	deleted, err := t.exists("SELECT 1 FROM organisations WHERE org_id = $1 AND deletion IS NOT NULL")
	return deleted, wrapError("data deleted", err)
}

// RemoveRows removes some rows of a table; of a table with records, only those without a legal
// hold. The key is a column that is unique within the organisation.
func (t *Tx) RemoveRows(table, key string, ofRecords bool, limit int) (int64, error) {
	unheld := ""
	if ofRecords {
		unheld = " AND NOT EXISTS (SELECT 1 FROM holds h WHERE h.org_id = r.org_id AND h.record_id = CAST(r.resource_id AS TEXT))"
	}
	n, err := t.exec("DELETE FROM "+table+" WHERE org_id = $1 AND "+key+" IN (SELECT r."+key+" FROM "+table+" r WHERE r.org_id = $1"+unheld+
		" LIMIT $2"+computed+")", limit)
	return n, wrapError("remove rows of "+table, err)
}

// RemoveJobs removes some jobs, except those of one queue.
func (t *Tx) RemoveJobs(except string, limit int) (int64, error) {
	n, err := t.exec("DELETE FROM jobs WHERE org_id = $1 AND id IN (SELECT id FROM jobs WHERE org_id = $1 AND queue <> $2 LIMIT $3"+computed+")", except, limit)
	return n, wrapError("remove jobs", err)
}

// CountRows counts the organisation's rows of a table.
func (t *Tx) CountRows(table string) (n int64, err error) {
	_, err = t.row("SELECT count(*) FROM "+table+" WHERE org_id = $1", nil, &n)
	return n, wrapError("count rows of "+table, err)
}

// AllMembers lists some users who are or were members.
func (t *Tx) AllMembers(limit int) (ids []string, err error) {
	err = t.rows("SELECT user_id FROM memberships WHERE org_id = $1 ORDER BY user_id LIMIT $2"+computed, []any{limit}, func(r engine.Row) error {
		var id string
		err := r.Scan(&id)
		ids = append(ids, id)
		return err
	})
	return ids, wrapError("all members", err)
}

// ForgetMember deletes a membership.
func (t *Tx) ForgetMember(userID string) error {
	_, err := t.exec("DELETE FROM memberships WHERE org_id = $1 AND user_id = $2", userID)
	return wrapError("forget member", err)
}

// Sent returns those of some records, each a UUID, that were sent to an authority or received
// from one, or may have been.
func (t *Tx) Sent(ids []string) (map[string]bool, error) {
	sent, values := map[string]bool{}, []any{}
	for _, id := range ids {
		values = append(values, id)
	}
	for _, part := range []string{
		"transmissions WHERE org_id = $1 AND state <> 'refused'", "messages WHERE org_id = $1", "mtd_submissions WHERE org_id = $1 AND state <> 'refused'",
		"authority_messages WHERE org_id = $1 AND state <> 'refused'",
	} {
		err := inBatches(values, func(marks string, args []any) error {
			return t.rows("SELECT DISTINCT filing_id FROM "+part+" AND filing_id IN ("+marks+")", args, func(r engine.Row) error {
				var id string
				err := r.Scan(&id)
				sent[id] = true
				return err
			})
		})
		if err != nil {
			return nil, wrapError("sent records", err)
		}
	}
	return sent, nil
}

// MarkRetained marks records that a retained record refers to.
func (t *Tx) MarkRetained(ids []string) error {
	for _, id := range ids {
		if err := t.execDeferred("INSERT INTO deletion_marks (org_id, record_id) VALUES ($1, $2) ON CONFLICT DO NOTHING", id); err != nil {
			return fmt.Errorf("store: mark retained: %w", err)
		}
	}
	return nil
}

// MarkedRetained returns those of some records, each a UUID, that a retained record refers to.
func (t *Tx) MarkedRetained(ids []string) (map[string]bool, error) {
	marked, values := map[string]bool{}, []any{}
	for _, id := range ids {
		values = append(values, id)
	}
	err := inBatches(values, func(marks string, args []any) error {
		return t.rows("SELECT record_id FROM deletion_marks WHERE org_id = $1 AND record_id IN ("+marks+")", args, func(r engine.Row) error {
			var id string
			err := r.Scan(&id)
			marked[id] = true
			return err
		})
	})
	return marked, wrapError("marked records", err)
}
