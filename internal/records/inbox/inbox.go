// Package inbox shows members what happened to their records: what was assigned to them, where they were mentioned, what customs
// decided or asked for, and what is due. A change writes at most one item, whatever the number of members: items about records
// without an assignee belong to all.
package inbox

import (
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
)

// Retention is how long an item is kept.
const Retention = 60 * 24 * time.Hour

// NewMember is the age of the oldest item that counts as unread for a member who has never marked all as read.
const NewMember = 7 * 24 * time.Hour

// MaxUnread is the number up to which unread items are counted.
const MaxUnread = 100

// Item is an item as a member sees it.
type Item struct {
	filing.Item
	Unread bool
}

// CommentID returns the comment that mentions the member; empty for other items.
func (i *Item) CommentID() string {
	if i.Type == filing.ItemMentioned {
		return i.Subject
	}
	return ""
}

// Title returns what is due, or why no draft could be made; empty for items of other types.
func (i *Item) Title() string {
	switch i.Type {
	case filing.ItemDue, filing.ItemOverdue, filing.ItemNoDraft:
		return i.Subject
	}
	return ""
}

// Position returns the place of the item in the list.
func (i *Item) Position() filing.Position { return filing.Position{CreatedAt: i.At, ID: i.ID} }

// Settings are what a member wants in the inbox.
type Settings struct {
	Unassigned bool // items about records without an assignee
	Digest     bool // an e-mail on working mornings, if there are unread items
	ReadUntil  time.Time
}

// Query selects a page of a member's items, newest first.
type Query struct {
	MemberID   string
	Settings   Settings
	UnreadOnly bool
	After      filing.Position
	Limit      int
}

// Tx reads and writes the inboxes of one organisation.
type Tx interface {
	InboxSettings(memberID string) (s Settings, found bool, err error)
	SaveInboxSettings(memberID string, s Settings) error
	Items(Query) ([]Item, error)
	CountUnread(memberID string, s Settings) (int, error) // at most MaxUnread
	// ReadItem marks an item as read, and reports whether the member can see it.
	ReadItem(memberID, id string) (bool, error)
	ReadAllItems(memberID string) error
	Now() time.Time
}

// SettingsOf returns the settings of a member, with the usual ones for a member without any.
func SettingsOf(tx Tx, memberID string) (Settings, error) {
	s, found, err := tx.InboxSettings(memberID)
	if err == nil && !found {
		s = Settings{Unassigned: true, Digest: true}
	}
	if s.ReadUntil.IsZero() {
		s.ReadUntil = tx.Now().Add(-NewMember)
	}
	return s, err
}

// Unread counts the unread items of a member, at most MaxUnread.
func Unread(tx Tx, memberID string) (int, error) {
	s, err := SettingsOf(tx, memberID)
	if err != nil {
		return 0, err
	}
	return tx.CountUnread(memberID, s)
}

// List returns a page of a member's items, newest first.
func List(tx Tx, memberID string, unreadOnly bool, after filing.Position, limit int) ([]Item, error) {
	s, err := SettingsOf(tx, memberID)
	if err != nil {
		return nil, err
	}
	return tx.Items(Query{MemberID: memberID, Settings: s, UnreadOnly: unreadOnly, After: after, Limit: limit})
}

// ReadAll marks all items of a member as read.
func ReadAll(tx Tx, memberID string) error {
	s, err := SettingsOf(tx, memberID)
	if err != nil {
		return err
	}
	s.ReadUntil = tx.Now()
	if err := tx.SaveInboxSettings(memberID, s); err != nil {
		return err
	}
	return tx.ReadAllItems(memberID)
}
