package store

import (
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/records/inbox"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

// AddItems stores items of inboxes.
func (t *Tx) AddItems(items []filing.Item) error {
	for i := range items {
		item := &items[i]
		err := t.execDeferred("INSERT INTO inbox_items (org_id, id, member_id, type, kind, record_id, actor_id, subject, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
			item.ID, item.MemberID, string(item.Type), item.Kind, item.RecordID, item.ActorID, item.Subject, instant(item.At))
		if err != nil {
			return wrapError("add item", err)
		}
	}
	return nil
}

// RemoveItems deletes the items about a subject of a record, such as a comment.
func (t *Tx) RemoveItems(recordID, subject string) error {
	_, err := t.exec("DELETE FROM inbox_items WHERE org_id = $1 AND record_id = $2 AND subject = $3", recordID, subject)
	return wrapError("remove items", err)
}

// InboxSettings reads the settings of a member.
func (t *Tx) InboxSettings(memberID string) (s inbox.Settings, found bool, err error) {
	found, err = t.row("SELECT unassigned, digest, read_until FROM inbox_settings WHERE org_id = $1 AND member_id = $2", []any{memberID},
		&s.Unassigned, &s.Digest, (*instant)(&s.ReadUntil))
	return s, found, wrapError("settings of an inbox", err)
}

// SaveInboxSettings stores the settings of a member.
func (t *Tx) SaveInboxSettings(memberID string, s inbox.Settings) error {
	_, err := t.exec("INSERT INTO inbox_settings (org_id, member_id, unassigned, digest, read_until) VALUES ($1, $2, $3, $4, $5) "+
		"ON CONFLICT (org_id, member_id) DO UPDATE SET unassigned = excluded.unassigned, digest = excluded.digest, read_until = excluded.read_until",
		memberID, s.Unassigned, s.Digest, instant(s.ReadUntil))
	return wrapError("save settings of an inbox", err)
}

const itemColumns = "i.id, i.member_id, i.type, i.kind, i.record_id, i.actor_id, i.subject, i.created_at"

// Conditions of the items that a member has not read: own ones, and those of all.
const (
	ownUnread    = " AND i.read_at IS NULL"
	sharedUnread = " AND i.created_at > %s AND NOT EXISTS (SELECT 1 FROM inbox_reads r WHERE r.org_id = $1 AND r.member_id = $2 AND r.item_id = i.id)"
)

// Items reads a page of the items of a member, newest first.
func (t *Tx) Items(q inbox.Query) (page []inbox.Item, err error) {
	args := []any{q.MemberID}
	arg := func(value any) string {
		args = append(args, value)
		return fmt.Sprintf("$%d", len(args)+1)
	}
	until, limit := arg(instant(q.Settings.ReadUntil)), arg(q.Limit)
	own, shared, after := "", "", ""
	if q.UnreadOnly {
		own, shared = ownUnread, fmt.Sprintf(sharedUnread, until)
	}
	if q.After.ID != "" {
		after = " AND (i.created_at, i.id) < (" + arg(instant(q.After.CreatedAt)) + ", " + arg(q.After.ID) + ")"
	}
	order := after + " ORDER BY i.created_at DESC, i.id DESC LIMIT " + limit + computed
	parts := "SELECT * FROM (SELECT " + itemColumns + ", i.read_at IS NULL AS unread FROM inbox_items i WHERE i.org_id = $1 AND i.member_id = $2" + own + order + ") AS b0"
	if q.Settings.Unassigned {
		parts += " UNION ALL SELECT * FROM (SELECT " + itemColumns + ", i.created_at > " + until + " AND NOT EXISTS (SELECT 1 FROM inbox_reads r WHERE r.org_id = $1 AND r.member_id = $2 AND r.item_id = i.id) AS unread " +
			"FROM inbox_items i WHERE i.org_id = $1 AND i.member_id = '' AND i.actor_id <> $2" + shared + order + ") AS b1"
	}
	query := "SELECT * FROM (" + parts + ") AS u ORDER BY created_at DESC, id DESC LIMIT " + limit + computed
	err = t.rows(query, args, func(r engine.Row) error {
		var i inbox.Item
		err := r.Scan(&i.ID, &i.MemberID, &i.Type, &i.Kind, &i.RecordID, &i.ActorID, &i.Subject, (*instant)(&i.At), &i.Unread)
		page = append(page, i)
		return err
	})
	return page, wrapError("items", err)
}

// CountUnread counts the unread items of a member, at most inbox.MaxUnread.
func (t *Tx) CountUnread(memberID string, s inbox.Settings) (n int, err error) {
	args := []any{memberID, inbox.MaxUnread}
	query := "SELECT count(*) FROM (SELECT * FROM (SELECT i.id FROM inbox_items i WHERE i.org_id = $1 AND i.member_id = $2" + ownUnread + " LIMIT $3" + computed + ") AS b0"
	if s.Unassigned {
		args = append(args, instant(s.ReadUntil))
		query += " UNION ALL SELECT * FROM (SELECT i.id FROM inbox_items i WHERE i.org_id = $1 AND i.member_id = '' AND i.actor_id <> $2" + fmt.Sprintf(sharedUnread, "$4") + " LIMIT $3" + computed + ") AS b1"
	}
	_, err = t.row(query+") AS u", args, &n)
	return min(n, inbox.MaxUnread), wrapError("count unread items", err)
}

// ReadItem marks an item as read, and reports whether the member can see it.
func (t *Tx) ReadItem(memberID, id string) (bool, error) {
	n, err := t.exec("UPDATE inbox_items SET read_at = COALESCE(read_at, $4) WHERE org_id = $1 AND id = $2 AND member_id = $3", id, memberID, instant(t.now))
	if err != nil || n == 1 {
		return n == 1, wrapError("read item", err)
	}
	shared, err := t.exists("SELECT 1 FROM inbox_items WHERE org_id = $1 AND id = $2 AND member_id = ''", id)
	if err != nil || !shared {
		return false, wrapError("read item", err)
	}
	_, err = t.exec("INSERT INTO inbox_reads (org_id, member_id, item_id, read_at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING", memberID, id, instant(t.now))
	return true, wrapError("read item", err)
}

// ReadAllItems marks the items of a member as read. Those of all are read by the settings.
func (t *Tx) ReadAllItems(memberID string) error {
	if _, err := t.exec("UPDATE inbox_items SET read_at = $3 WHERE org_id = $1 AND member_id = $2 AND read_at IS NULL", memberID, instant(t.now)); err != nil {
		return wrapError("read all items", err)
	}
	_, err := t.exec("DELETE FROM inbox_reads WHERE org_id = $1 AND member_id = $2", memberID)
	return wrapError("read all items", err)
}
