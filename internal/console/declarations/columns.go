package declarations

import (
	"slices"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
)

// column is a column of the list.
type column struct {
	ID, Name string
	Number   bool      // right-aligned
	Yields   string    // class of the width below which the column is not shown; empty for a column that always is
	Sort     page.Sort // the member by which the list is sorted; empty if it cannot be sorted by the column
}

// allColumns are the columns that a user can choose, in their usual order. The reference comes before them and always shows.
var allColumns = []column{
	{ID: "client", Name: "Client"}, {ID: "goods", Name: "Goods"}, {ID: "status", Name: "Status", Sort: page.ByStatus}, {ID: "direction", Name: "Direction", Yields: "last-2"},
	{ID: "value", Name: "Value", Number: true, Yields: "last-2"}, {ID: "created", Name: "Created", Sort: page.ByCreation, Yields: "last-3"}, {ID: "updated", Name: "Updated", Sort: page.ByChange, Yields: "last-2"},
	{ID: "mrn", Name: "MRN", Yields: "last-3"}, {ID: "lrn", Name: "LRN", Yields: "last-4"},
	{ID: "assignee", Name: "Assigned to", Yields: "last-3"},
}

// usualColumns are those that a user sees who has chosen none.
var usualColumns = []string{"client", "goods", "status", "value", "updated", "mrn", "lrn"}

// Reference is the column that comes before the others.
func (l *listView) Reference() column { return column{Name: "Reference", Sort: page.ByReference} }

// A user's columns are kept in a cookie of the browser: names with full stops between them.
const (
	columnsCookie = "tidewaiter_declaration_columns"
	columnsLife   = 365 * 24 * time.Hour
	columnBreak   = "."
)

// columnsOf returns the columns that names choose, in their order; unknown and repeated names are left out, and without any the
// usual ones are returned.
func columnsOf(names []string) (chosen []column) {
	for _, name := range names {
		at := slices.IndexFunc(allColumns, func(c column) bool { return c.ID == name })
		if at >= 0 && !slices.Contains(chosen, allColumns[at]) {
			chosen = append(chosen, allColumns[at])
		}
	}
	if chosen == nil {
		return columnsOf(usualColumns)
	}
	return chosen
}

// joinColumns returns columns as the cookie and the URL name them.
func joinColumns(columns []column) string {
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = c.ID
	}
	return strings.Join(names, columnBreak)
}

// columnsFor returns the columns of the view that is open, or those that the user has chosen in this browser.
func columnsFor(c *page.Context, f filter) []column {
	if f.Columns != "" {
		return columnsOf(strings.Split(f.Columns, columnBreak))
	}
	cookie, err := c.R.Cookie(columnsCookie)
	if err != nil {
		return columnsOf(nil)
	}
	return columnsOf(strings.Split(cookie.Value, columnBreak))
}

// columnChoice is a line of the form in which columns are chosen.
type columnChoice struct {
	column
	Shown, First bool
}

// Choices returns the columns that are shown, in their order, and then the others.
func (l *listView) Choices() (all []columnChoice) {
	for i, c := range l.Columns {
		all = append(all, columnChoice{c, true, i == 0})
	}
	for _, c := range allColumns {
		if !slices.Contains(l.Columns, c) {
			all = append(all, columnChoice{column: c})
		}
	}
	return all
}

// chooseColumns keeps the chosen columns; up names one that moves a place to the front.
func (d *Declarations) chooseColumns(c *page.Context) error {
	names := c.R.PostForm["column"]
	if at := slices.Index(names, c.Value("up")); at > 0 {
		names[at-1], names[at] = names[at], names[at-1]
	}
	c.SetCookie(columnsCookie, joinColumns(columnsOf(names)), columnsLife)
	return c.Redirect(page.Local(c.Value("next")))
}
