package store

import (
	"encoding/json"
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

// Approval reads the approval of a record, or the request for it, and reports whether there is one.
func (t *Tx) Approval(recordID string) (a filing.Approval, found bool, err error) {
	var detail string
	found, err = t.row("SELECT kind, detail FROM approvals WHERE org_id = $1 AND record_id = $2", []any{recordID}, &a.Kind, &detail)
	if err == nil && found {
		err = json.Unmarshal([]byte(detail), &a)
	}
	a.RecordID = recordID
	return a, found, wrapError("approval", err)
}

// SaveApproval stores the approval of a record, or the request for it, in place of an earlier one.
func (t *Tx) SaveApproval(a filing.Approval) error {
	detail, err := json.Marshal(a)
	if err != nil {
		return fmt.Errorf("store: save approval: %w", err)
	}
	return wrapError("save approval", t.execDeferred("INSERT INTO approvals (org_id, record_id, kind, waiting, since, detail) VALUES ($1, $2, $3, $4, $5, $6) "+
		"ON CONFLICT (org_id, record_id) DO UPDATE SET kind = excluded.kind, waiting = excluded.waiting, since = excluded.since, detail = excluded.detail",
		a.RecordID, a.Kind, !a.Given(), instant(a.Since()), string(detail)))
}

// RemoveApproval removes the approval of a record, or the request for it.
func (t *Tx) RemoveApproval(recordID string) error {
	return wrapError("remove approval", t.execDeferred("DELETE FROM approvals WHERE org_id = $1 AND record_id = $2", recordID))
}

// LastActor returns the user of the latest event of a record that has one of the types; empty if there is none.
func (t *Tx) LastActor(recordID string, types []string) (user string, err error) {
	if len(types) == 0 {
		return "", nil
	}
	args, names := []any{recordID}, ""
	for i, name := range types {
		if args = append(args, name); i > 0 {
			names += ", "
		}
		names += fmt.Sprintf("$%d", len(args)+1)
	}
	_, err = t.row("SELECT actor_user_id FROM events WHERE org_id = $1 AND resource_id = $2 AND type IN ("+names+") ORDER BY sequence DESC LIMIT 1"+computed, args, &user)
	return user, wrapError("last actor", err)
}

// Waiting lists the records of a kind that wait for approval, the longest first, at most up to a limit. Kind is empty for all.
func (t *Tx) Waiting(kind string, limit int) (all []filing.Approval, err error) {
	query, args := "SELECT record_id, kind, detail FROM approvals WHERE org_id = $1 AND waiting", []any{}
	if kind != "" {
		query, args = query+" AND kind = $2", append(args, kind)
	}
	args = append(args, limit)
	err = t.rows(query+fmt.Sprintf(" ORDER BY kind, since, record_id LIMIT $%d", len(args)+1)+computed, args, func(r engine.Row) error {
		var a filing.Approval
		var detail string
		if err := r.Scan(&a.RecordID, &a.Kind, &detail); err != nil {
			return err
		}
		err := json.Unmarshal([]byte(detail), &a)
		all = append(all, a)
		return err
	})
	return all, wrapError("waiting for approval", err)
}
