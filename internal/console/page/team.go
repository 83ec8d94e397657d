package page

import (
	"cmp"
	"encoding/json"
	"slices"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/sorting"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/comment"
)

// maxCommentsShown is the number of comments on the page of a record; older ones are left out.
const maxCommentsShown = 100

// Team is the part of a record's page with its assignee and its comments; the template "team" shows it.
type Team struct {
	Kind, ID   string
	Assignable bool
	Assignee   string // id; empty for none
	Name       string // of the assignee
	Members    []access.Member
	Comments   []Comment // oldest first
	More       bool      // older comments are left out
}

// Comment is a comment as pages show it.
type Comment struct {
	ID, Author, Text string
	CreatedAt        time.Time
	Deletable        bool // by the user
}

// Former reports whether the assignee is no member any more.
func (t Team) Former() bool { return t.Assignee != "" && t.Name == comment.Former }

// Team returns the assignee and the comments of a record. It opens a transaction.
func (p Page) Team(kind, id string, added json.RawMessage) (Team, error) {
	return p.team(kind, id, added)
}

// Members returns the members of the user's organisation, by name.
func (c *Context) Members() ([]access.Member, error) {
	all, err := c.Accounts.Store.Members(c.R.Context(), c.Session.Org)
	sorting.Stable(all, func(a, b access.Member) int { return cmp.Compare(a.Name, b.Name) })
	return all, err
}

func (c *Context) teamOf(kind, id string, added json.RawMessage) (Team, error) {
	t := Team{Kind: kind, ID: id, Assignable: c.Assignable[kind], Assignee: filing.AssigneeOf(added)}
	var err error
	if t.Members, err = c.Members(); err != nil {
		return t, err
	}
	names := comment.NamesOf(t.Members)
	if t.Assignee != "" {
		t.Name = names.Of(t.Assignee)
	}
	var found []comment.Comment
	err = c.View(func(tx Tx) (err error) {
		found, err = tx.Comments(comment.Query{RecordID: id, Limit: maxCommentsShown + 1})
		return err
	})
	if t.More = len(found) > maxCommentsShown; t.More {
		found = found[:maxCommentsShown]
	}
	slices.Reverse(found)
	for i := range found {
		one := &found[i]
		t.Comments = append(t.Comments, Comment{
			ID: one.ID, Author: names.Of(one.AuthorID), Text: one.Show(names), CreatedAt: one.CreatedAt,
			Deletable: one.AuthorID == c.Session.UserID || c.Session.Role.Covers(tenant.Owner),
		})
	}
	return t, err
}

// MemberName returns how lists show an assignee: empty for none, and a former member without the name.
func MemberName(id string, name func(id string) string) string {
	if id == "" {
		return ""
	}
	return cmp.Or(name(id), "Former member")
}
