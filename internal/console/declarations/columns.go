package declarations

import (
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
)

// columns are those of the list, in their usual order. The reference comes before them.
var columns = page.ColumnSet{Kind: customs.DeclarationKind, All: []page.Column{
	{ID: "client", Name: "Client", Sort: page.ByClient}, {ID: "goods", Name: "Goods"}, {ID: "status", Name: "Status", Sort: page.ByStatus}, {ID: "direction", Name: "Direction", Yields: "last-2"},
	{ID: "value", Name: "Value", Number: true, Yields: "last-2"}, {ID: "created", Name: "Created", Sort: page.ByCreation, Yields: "last-3"}, {ID: "updated", Name: "Updated", Sort: page.ByChange, Yields: "last-2 updated"},
	{ID: "mrn", Name: "MRN", Yields: "last-3"}, {ID: "lrn", Name: "LRN", Yields: "last-4"},
	{ID: "assignee", Name: "Assigned to", Yields: "last-3"},
}, Usual: []string{"client", "goods", "status", "value", "updated", "mrn", "lrn"}}

// Reference is the column that comes before the others.
func (l *listView) Reference() page.Column {
	return page.Column{Name: "Reference", Sort: page.ByReference}
}

// Choices returns the form in which columns are chosen. It leads back to the list with the columns of the user instead of those of
// a view.
func (l *listView) Choices() page.ColumnChoices {
	f := l.Filter
	f.Columns = ""
	return columns.Choices(l.Columns, f.Path())
}
