package declarations

import (
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/filing"
)

// assignee returns what the list is filtered by for an assignee; nil for all.
func (f filter) assignee(userID string) []filing.Key {
	switch f.Assignee {
	case "":
		return nil
	case me:
		return []filing.Key{filing.AssigneeFilter(userID)}
	}
	return []filing.Key{filing.AssigneeFilter(f.Assignee)}
}

// nameAssignees replaces the IDs of assignees by their names.
func (l *listView) nameAssignees() {
	for i := range l.Rows {
		l.Rows[i].Assignee = page.MemberName(l.Rows[i].Assignee, func(id string) string {
			if at := slices.IndexFunc(l.Members, func(m client) bool { return m.ID == id }); at >= 0 {
				return l.Members[at].Name
			}
			return ""
		})
	}
}
