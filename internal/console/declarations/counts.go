package declarations

import (
	"net/url"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/console/form"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
)

// statusCounts are the numbers of declarations by status.
type statusCounts map[string]int64

// countStatuses counts without reading a declaration.
func countStatuses(tx page.Tx) (statusCounts, error) {
	all, err := tx.FilingTallies()
	counts := statusCounts{}
	for _, t := range all {
		if t.Kind == customs.DeclarationKind {
			counts[string(t.Status)] += t.Records
		}
	}
	return counts, err
}

// total returns how many declarations match the filter; -1 if it asks for more than statuses.
func (f filter) total(counts statusCounts) (n int64) {
	if f.Text != "" || f.Direction != "" || f.Client != "" || f.Assignee != "" || f.From != "" || f.To != "" || f.Outcome != (outcome{}) || f.Waiting {
		return -1
	}
	for status, records := range counts {
		if len(f.Statuses) == 0 || slices.Contains(f.Statuses, status) {
			n += records
		}
	}
	return n
}

// defaultViews are the views that every user has, by the query of the list's URL.
var defaultViews = []struct{ name, query string }{
	{"All", ""}, {"Mine", "assignee=me"}, {"To fix", "status=REJECTED"}, {"Drafts", "status=DRAFT"}, {page.WaitingTab, page.WaitingQuery}, {"With customs", "status=SUBMITTED&status=ACCEPTED"}, {"Cleared", "status=CLEARED"},
}

// viewTabs returns the default and the saved views, with their counts.
func viewTabs(c *page.Context, tx page.Tx, t *filing.Type, shown filter, counts statusCounts) (all []page.ViewTab, err error) {
	open := shown.Query()
	count := func(q url.Values) (string, error) {
		return countView(tx, readFilter(q), t.Lifecycle.States, counts, c.Session.UserID)
	}
	for _, d := range defaultViews {
		if d.query == page.WaitingQuery && !c.AsksApproval(t) {
			continue
		}
		values, _ := url.ParseQuery(d.query) // is valid
		tab := page.ViewTab{Name: d.name, Path: readFilter(values).Path(), Selected: d.query == open}
		if tab.Count, err = count(values); err != nil {
			return nil, err
		}
		all = append(all, tab)
	}
	saved, err := c.SavedTabs(tx, customs.DeclarationKind, open, count)
	return append(all, saved...), err
}

// countView counts the declarations of a view, among the newest of a client, an assignee or a period; a search is not counted.
func countView(tx page.Tx, f filter, states []lifecycle.State, counts statusCounts, userID string) (string, error) {
	if n := f.total(counts); n >= 0 {
		return page.CountText(n, false), nil
	}
	if f.Waiting {
		ids, more, err := page.Waiting(tx, customs.DeclarationKind)
		return page.CountText(int64(len(ids)), more), err
	}
	q, err := f.question(states)
	if f.Searches() || err != nil {
		return "", nil // a search, or a view whose status no longer exists
	}
	n, more, err := tx.CountSome(selectionOf(q, f, userID), page.CountedAmong)
	return page.CountText(int64(n), more), err
}

// chips returns what the list is filtered by.
func (f filter) chips(clients, members []client) (all []page.Chip) {
	query, _ := url.ParseQuery(f.Query())
	sets := []param{{name: "q", words: "Search"}, {name: "status", words: "Status"}, {name: "type", words: "Direction"}, {name: "client", words: "Client"}, {name: "assignee", words: "Assigned to"}, {name: "from", words: "Created from"}, {name: "to", words: "Created to"}}
	for _, set := range append(sets, f.Outcome.fields()...) {
		for i, value := range query[set.name] {
			less := url.Values{}
			for param, values := range query {
				less[param] = values
			}
			less[set.name] = slices.Delete(slices.Clone(query[set.name]), i, i+1)
			all = append(all, page.Chip{Name: set.words, Value: shownValue(set.name, value, clients, members), Without: readFilter(less).Path()})
		}
	}
	return all
}

// shownValue is the value of a filter in words.
func shownValue(param, value string, clients, members []client) string {
	switch param {
	case "assignee":
		if value == me {
			return "You"
		}
		if at := slices.IndexFunc(members, func(c client) bool { return c.ID == value }); at >= 0 {
			return members[at].Name
		}
		return "Former member"
	case "client":
		if at := slices.IndexFunc(clients, func(c client) bool { return c.ID == value }); at >= 0 {
			return clients[at].Name
		}
	case "type":
		return map[string]string{customs.Import: "Import", customs.Export: "Export"}[value]
	case "status":
		return form.Words(value)
	case "took":
		if band, known := bandOf(value); known {
			return strings.ToLower(band.Name)
		}
	}
	return value
}
