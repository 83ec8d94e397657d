package page

import (
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
)

// ApprovalPath is the page with the records that wait for approval.
const ApprovalPath = "/approvals"

// ApprovalOf returns the path of the page on which a record is approved.
func ApprovalOf(kind, id string) string { return ApprovalPath + "/" + kind + "/" + id }

// ApprovalNote is what the page of a record says about its approval by a second person.
type ApprovalNote struct {
	State string // of filing.RecordApproval
	Path  string // of the page on which it is approved
	By    string // who approved, or asked while it waits
	At    time.Time
	Mine  bool // the user is the one who approved
}

// approvalNote returns what the page of a record says about its approval; nil if the organisation requires none, or if the record
// cannot be submitted in its status.
func (c *Context) approvalNote(kind, id string) (*ApprovalNote, error) {
	if !c.Session.Policy.Policy().ApprovalRequired || c.Approvals == nil {
		return nil, nil
	}
	var shown filing.RecordApproval
	err := c.View(func(tx Tx) (err error) { shown, err = c.Approvals(tx, kind, id); return err })
	if err != nil || !shown.Open {
		return nil, err
	}
	note := &ApprovalNote{State: shown.State, Path: ApprovalOf(kind, id)}
	by, at := shown.ApprovedBy, shown.ApprovedAt
	if shown.State == filing.ApprovalWaiting {
		by, at = shown.RequestedBy, shown.RequestedAt
	}
	if by == nil {
		return note, nil
	}
	note.Mine = *by == c.Session.UserID
	note.At, _ = time.Parse(time.RFC3339, *at)
	names, err := c.MemberNames(*by)
	note.By = names[*by]
	return note, err
}

// MemberNames returns the names of users of the organisation by ID; "a former member" for one who has left.
func (c *Context) MemberNames(ids ...string) (map[string]string, error) {
	names := map[string]string{}
	for _, id := range ids {
		names[id] = "a former member"
	}
	members, err := c.Accounts.Store.Members(c.R.Context(), c.Session.Org)
	for _, m := range members {
		if names[m.ID] != "" {
			names[m.ID] = m.Name
		}
	}
	return names, err
}

// maxWaiting is the number of records that a list of those which wait for approval shows.
const maxWaiting = 200

// AsksApproval reports whether records of a kind wait for the approval of a second person before they are submitted.
func (c *Context) AsksApproval(t *filing.Type) bool {
	return c.Session.Policy.Policy().ApprovalRequired && len(t.Lifecycle.From(lifecycle.Approve)) > 0
}

// Waiting returns the records of a kind that wait for approval, the longest first, and whether there are more than lists show.
func Waiting(tx Tx, kind string) (ids []string, more bool, err error) {
	all, err := tx.Waiting(kind, maxWaiting+1)
	if more = len(all) > maxWaiting; more {
		all = all[:maxWaiting]
	}
	for i := range all {
		ids = append(ids, all[i].RecordID)
	}
	return ids, more, err
}

// WaitingTab is the name of the tab with the records that wait for approval, and the query of the list's URL.
const (
	WaitingTab   = "Waiting for approval"
	WaitingQuery = "waiting=yes"
)
