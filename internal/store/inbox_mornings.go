package store

import (
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/records/inbox"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

// Morning returns when the last morning of the organisation was written; zero for never.
func (t *Tx) Morning() (at time.Time, err error) {
	_, err = t.row("SELECT digested_at FROM inbox_settings WHERE org_id = $1 AND member_id = ''", nil, (*instant)(&at))
	return at, wrapError("morning", err)
}

// SaveMorning stores when a morning was written.
func (t *Tx) SaveMorning(at time.Time) error {
	_, err := t.exec("INSERT INTO inbox_settings (org_id, member_id, unassigned, digest, read_until, digested_at) VALUES ($1, '', FALSE, FALSE, $2, $2) "+
		"ON CONFLICT (org_id, member_id) DO UPDATE SET digested_at = excluded.digested_at", instant(at))
	return wrapError("save morning", err)
}

// DueBetween lists deadlines after an instant until another, the soonest first, without those that have lapsed.
func (t *Tx) DueBetween(after, until time.Time, limit int) (all []inbox.Due, err error) {
	err = t.rows("SELECT d.filing_id, d.kind, d.title, d.due_at, f.status, f.added FROM deadlines d JOIN filings f ON f.org_id = $1 AND f.id = d.filing_id "+
		"WHERE d.org_id = $1 AND d.due_at > $2 AND d.due_at <= $3 AND NOT (d.lapses AND d.due_at < $4) ORDER BY d.due_at, d.filing_id, d.name LIMIT $5"+computed,
		[]any{instant(after), instant(until), instant(t.now), limit}, func(r engine.Row) error {
			var d inbox.Due
			var status string
			var added []byte
			err := r.Scan(&d.RecordID, &d.Kind, &d.Title, (*instant)(&d.DueAt), &status, &added)
			d.Assignee, d.Overdue = filing.AssigneeOf(added), status == "OVERDUE"
			all = append(all, d)
			return err
		})
	return all, wrapError("due between", err)
}
