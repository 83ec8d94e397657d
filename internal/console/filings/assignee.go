package filings

import (
	"net/url"
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/records/comment"
)

// me is the user in the filter by assignee.
const me = "me"

// addMine adds the tab of the records that are assigned to the user.
func (l *listView) addMine(c *page.Context, tx page.Tx) error {
	if !l.Assignable() {
		return nil
	}
	query := url.Values{"assignee": {me}}
	count, err := l.count(tx, nil, query, c.Session.UserID)
	l.Tabs = append(l.Tabs, page.ViewTab{Name: "Mine", Path: l.listURL(query, nil), Count: count, Selected: query.Encode() == l.Query})
	return err
}

// addAssignees adds the names of assignees to the rows, and the members to the actions on marked rows.
func (l *listView) addAssignees(c *page.Context, all []filing.Filing) error {
	if !l.Assignable() || len(all) == 0 {
		return nil
	}
	members, err := c.Members()
	if err != nil {
		return err
	}
	l.Bar.AddMembers(members, c.Session.UserID)
	names := comment.NamesOf(members)
	for i := range l.Rows {
		l.Rows[i].Assignee = page.MemberName(filing.AssigneeOf(all[i].Added), func(id string) string { return names[id] })
	}
	return nil
}

// HasAssignees reports whether a row has an assignee.
func (l *listView) HasAssignees() bool {
	return slices.ContainsFunc(l.Rows, func(r row) bool { return r.Assignee != "" })
}

// HasAssignees reports that the page of a Hub has no column of assignees.
func (hubKind) HasAssignees() bool { return false }
