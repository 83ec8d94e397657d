// Package comment stores what members write to each other about records. Comments never leave the organisation: no webhook,
// evidence pack or message to an authority has them, and audit events have only their SHA-256, so that they can be erased.
package comment

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Limits.
const (
	MaxText     = 4000 // characters
	MaxMentions = 20   // members in a comment
	MaxComments = 1000 // of a record
)

// ResourceType is the resource type of the events of comments. Their resource ID is the record's, so that its page shows a new
// comment at once.
const ResourceType = "comment"

// Types of events.
const (
	Created = "comment.created"
	Deleted = "comment.deleted"
)

// Comment is a text about a record. It is not changed: its author deletes it and writes another one. Text names members as @{id}, so that the name of an erased person is nowhere in it.
type Comment struct {
	ID, Kind, RecordID string // Kind is the record's
	AuthorID           string
	KeyID              string // of the API key that wrote it; empty for the console
	Text               string
	Mentions           []string // IDs of members, in the order of the text
	CreatedAt          time.Time
	Unknown            []string // what follows an @ and names no member, or several; not stored
	Ambiguous          []string // of Unknown, what names several members
}

// Position returns the place of the comment in the list.
func (c *Comment) Position() filing.Position {
	return filing.Position{CreatedAt: c.CreatedAt, ID: c.ID}
}

// Query selects a page of comments, newest first.
type Query struct {
	RecordID string          // empty for all records
	After    filing.Position // the last comment of the previous page; zero for the first page
	Limit    int
}

// Tx reads and writes the comments of one organisation.
type Tx interface {
	Comments(Query) ([]Comment, error)
	Comment(id string) (Comment, error) // apierr.NotFound if there is none
	CountComments(recordID string) (int, error)
	AddComment(Comment) error
	RemoveComment(id string) error
	AddItems([]filing.Item) error
	RemoveItems(recordID, subject string) error // of inboxes
	HasFiling(kind, id string) (bool, error)
	Held(id string) (bool, error)
	Now() time.Time
	audit.Recorder
}

// Input is a comment as it is sent.
type Input struct {
	Text     string
	Mentions []string // IDs of members besides those that the text names
}

// Service writes comments.
type Service struct {
	IDs  *ident.Source
	Hubs map[string]string // the Hub of each kind of record
}

// Create stores a comment about a record, and puts it into the inboxes of the mentioned members. Members are those of the
// organisation.
func (s *Service) Create(tx Tx, call tenant.Call, kind, recordID string, in Input, members []access.Member) (Comment, error) {
	c := Comment{ID: s.IDs.UUID(), Kind: kind, RecordID: recordID, AuthorID: call.UserID, KeyID: call.KeyID, CreatedAt: tx.Now()}
	if err := c.set(in, members); err != nil {
		return c, err
	}
	found, err := tx.HasFiling(kind, recordID)
	if err == nil && !found {
		err = apierr.Missing()
	}
	if err != nil {
		return c, err
	}
	n, err := tx.CountComments(recordID)
	if err == nil && n >= MaxComments {
		err = apierr.New(apierr.InvalidState, "The record has %d comments, which is the most that it can have.", MaxComments)
	}
	if err != nil {
		return c, err
	}
	if err := tx.AddComment(c); err != nil {
		return c, err
	}
	if err := tx.AddItems(s.items(&c, call)); err != nil {
		return c, err
	}
	return c, tx.Record(s.event(call, Created, &c))
}

// Delete removes a comment. Its author can, and an OWNER, unless a legal hold is on the record.
func (s *Service) Delete(tx Tx, call tenant.Call, id string) error {
	c, err := tx.Comment(id)
	if err != nil {
		return err
	}
	if c.AuthorID != call.UserID && call.Role != tenant.Owner {
		return apierr.New(apierr.OwnerRoleRequired, "Only the author or an OWNER can delete a comment.")
	}
	held, err := tx.Held(c.RecordID)
	if err == nil && held {
		err = apierr.New(apierr.InvalidState, "A legal hold applies to this record. The comment can be deleted after the hold is lifted.")
	}
	if err != nil {
		return err
	}
	if err := tx.RemoveComment(id); err != nil {
		return err
	}
	if err := tx.RemoveItems(c.RecordID, c.ID); err != nil {
		return err
	}
	return tx.Record(s.event(call, Deleted, &c))
}

// set checks and takes over the text and the mentions.
func (c *Comment) set(in Input, members []access.Member) error {
	text := trim(in.Text)
	var details []apierr.Detail
	switch n := utf8.RuneCountInString(text); {
	case n == 0:
		details = append(details, apierr.Detail{Field: "text", Message: "must not be empty"})
	case n > MaxText:
		details = append(details, apierr.Detail{Field: "text", Message: "must have at most 4,000 characters"})
	}
	encoded, found := encode(text, members)
	c.Text, c.Mentions, c.Unknown, c.Ambiguous = encoded, found.members, found.unknown, found.ambiguous
	for i, id := range in.Mentions {
		switch {
		case !slices.ContainsFunc(members, func(m access.Member) bool { return m.ID == id }):
			details = append(details, apierr.Detail{Field: fmt.Sprintf("mentions[%d]", i), Message: "must be the id of a member of the organisation"})
		case !slices.Contains(c.Mentions, id):
			c.Mentions = append(c.Mentions, id)
		}
	}
	if len(c.Mentions) > MaxMentions {
		details = append(details, apierr.Detail{Field: "mentions", Message: fmt.Sprintf("must have at most %d members, with those that the text names", MaxMentions)})
	}
	if details != nil {
		return apierr.Invalid(details...)
	}
	return nil
}

// items are the items of the mentioned members, apart from the author.
func (s *Service) items(c *Comment, call tenant.Call) (all []filing.Item) {
	for _, id := range c.Mentions {
		if id != call.UserID {
			all = append(all, filing.Item{
				ID: s.IDs.UUID(), MemberID: id, Type: filing.ItemMentioned, Kind: c.Kind, RecordID: c.RecordID, ActorID: call.UserID, Subject: c.ID, At: c.CreatedAt,
			})
		}
	}
	return all
}

func (s *Service) event(call tenant.Call, what string, c *Comment) audit.Event {
	sum := sha256.Sum256([]byte(c.Text))
	all := map[string]any{"commentId": c.ID, "recordType": c.Kind, "sha256": hex.EncodeToString(sum[:])}
	if len(c.Mentions) > 0 {
		all["mentions"] = c.Mentions
	}
	data, _ := json.Marshal(all)
	return audit.By(call, audit.Event{ID: s.IDs.UUID(), Hub: s.Hubs[c.Kind], Type: what, ResourceType: ResourceType, ResourceID: c.RecordID, Data: data})
}
