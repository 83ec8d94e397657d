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

// addWaiting adds the tab of the records that wait for the approval of a second person, if the organisation requires it.
func (l *listView) addWaiting(c *page.Context, tx page.Tx) error {
	if !c.AsksApproval(l.Type) {
		return nil
	}
	ids, more, err := page.Waiting(tx, l.Kind)
	l.Tabs = append(l.Tabs, page.ViewTab{Name: page.WaitingTab, Path: l.Base + "?" + page.WaitingQuery, Count: page.CountText(int64(len(ids)), more), Selected: l.Query == page.WaitingQuery})
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

// Shown returns the columns that the list shows: without a choice, that of the assignee only if a row has one.
func (l *listView) Shown() []page.Column {
	shown := l.narrowed(l.Columns)
	if l.columns().Unusual(l.Columns) != "" || slices.ContainsFunc(l.Rows, func(r row) bool { return r.Assignee != "" }) {
		return shown
	}
	return slices.DeleteFunc(shown, func(c page.Column) bool { return c.ID == assigneeColumn.ID })
}

// Choices returns the form in which columns are chosen. It leads back to the list with the columns of the user instead of those of
// a view.
func (l *listView) Choices() page.ColumnChoices {
	query, _ := url.ParseQuery(l.Query) // was encoded here
	query.Del("columns")
	return l.columns().Choices(l.Columns, l.listURL(query, nil))
}

// ViewQuery is what a view of this list keeps: the filter, the order, and columns other than the usual ones.
func (l *listView) ViewQuery() string {
	query, _ := url.ParseQuery(l.Query) // was encoded here
	query.Del("columns")
	if columns := l.columns().Unusual(l.Columns); columns != "" {
		query.Set("columns", columns)
	}
	return query.Encode()
}
