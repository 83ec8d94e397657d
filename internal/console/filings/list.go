package filings

import (
	"cmp"
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/console/form"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
)

// pageSize is the number of records on a page.
const pageSize = 50

// row is a record in a list.
type row struct {
	ID, Path, Title      string
	Cells                []*form.Field // in the order of the columns, without those that have no value
	Status               lifecycle.State
	CreatedAt, UpdatedAt time.Time
	Assignee             string // name; empty for none
	Simulated            string // the authority's reference that this service made; empty for none
}

// listView is the data of a list.
type listView struct {
	*kind
	Rows     []row
	Columns  []page.Column
	Tabs     []page.ViewTab // statuses, then saved views
	Sort     page.Sort
	Query    string // of the URL, without the position
	Saved    bool   // whether the list is a tab already
	Total    int64  // of the records that are listed; -1 if they are not counted
	Status   string // of the filter
	Mine     bool   // only records that are assigned to the user
	Waiting  bool   // only records that wait for approval, the longest first
	Quarter  string
	Quarters []form.Option
	First    string
	Next     string
	Bar      page.MarkedBar
}

// NameColumn returns the heading of the records' names.
func (k *kind) NameColumn() page.Column {
	name := k.listMembers()[0]
	return page.Column{Name: form.Label(name), Sort: k.sortOf(name)}
}

// sortOf returns the member by which the list is sorted by a field: the caller's own reference or the client, and no other.
func (k *kind) sortOf(field string) page.Sort {
	switch field {
	case k.ReferenceField:
		return page.ByReference
	case "clientId":
		return page.ByClient
	}
	return ""
}

// reference returns the caller's own reference of a record as lists read it; empty for none.
func (k *kind) reference(f *filing.Filing) (reference string) {
	var members map[string]json.RawMessage
	_ = json.Unmarshal(f.Brief, &members) // written by the service
	_ = json.Unmarshal(members[k.ReferenceField], &reference)
	return reference
}

// heading is the heading of a column: in a list that is sorted, with the link that sorts by it.
type heading struct {
	page.Column
	Aria, Path string // empty if the list is not sorted by the column
}

// Heading returns the heading of a column.
func (l *listView) Heading(c page.Column) heading {
	h := heading{Column: c}
	if c.Sort == "" || l.Waiting {
		return h
	}
	values, _ := url.ParseQuery(l.Query) // was encoded here
	values.Del("sort")
	if sort := l.Sort.By(c.Sort); sort != "" {
		values.Set("sort", string(sort))
	}
	h.Aria, h.Path = l.Sort.Aria(c.Sort), l.listURL(values, nil)
	return h
}

// addTabs adds the statuses and the saved views as tabs, with the numbers of records. A quarter is counted among the newest
// records.
func (l *listView) addTabs(c *page.Context, tx page.Tx) error {
	all, err := tx.FilingTallies()
	if err != nil {
		return err
	}
	counts := map[lifecycle.State]int64{}
	for _, t := range all {
		if t.Kind == l.Kind {
			counts[t.Status] += t.Records
		}
	}
	tab := func(name, status string) {
		path := l.Base
		if status != "" {
			path += "?status=" + status
		}
		l.Tabs = append(l.Tabs, page.ViewTab{Name: name, Path: path, Count: page.CountText(l.total(counts, lifecycle.State(status)), false), Selected: l.Status == status && listQuery(url.Values{"status": {status}}).Encode() == l.Query})
	}
	if l.Total = -1; l.Quarter == "" && !l.Mine && !l.Waiting {
		l.Total = l.total(counts, lifecycle.State(l.Status))
	}
	if l.Lifecycle.Archives() {
		tab("Not archived", "")
	} else {
		tab("All", "")
	}
	if err := l.addMine(c, tx); err != nil {
		return err
	}
	if err := l.addWaiting(c, tx); err != nil {
		return err
	}
	for _, s := range l.Lifecycle.States {
		if len(l.Lifecycle.States) > 1 && s != l.Lifecycle.Listed() {
			tab(form.Words(string(s)), string(s))
		}
	}
	saved, err := c.SavedTabs(tx, l.Kind, l.Query, func(q url.Values) (string, error) { return l.count(tx, counts, q, c.Session.UserID) })
	l.Tabs = append(l.Tabs, saved...)
	l.Saved = slices.ContainsFunc(l.Tabs, func(t page.ViewTab) bool { return t.Selected })
	return err
}

// total returns the number of records that a list shows with a status; without one, those that the kind lists.
func (l *listView) total(counts map[lifecycle.State]int64, status lifecycle.State) (n int64) {
	if status == "" {
		status = l.Lifecycle.Listed()
	}
	for of, records := range counts {
		if status == "" || status == of {
			n += records
		}
	}
	return n
}

// count returns how many records match a view.
func (l *listView) count(tx page.Tx, counts map[lifecycle.State]int64, query url.Values, userID string) (string, error) {
	s := l.question(query, userID)
	if s.Created.IsZero() && s.Metadata == nil {
		return page.CountText(l.total(counts, lifecycle.State(query.Get("status"))), false), nil
	}
	n, more, err := tx.CountSome(s, page.CountedAmong)
	return page.CountText(int64(n), more), err
}

// defaultListMembers is the number of members in lists if the kind does not define them.
const defaultListMembers = 4

// listMembers returns the members that lists show; the first is the record's name.
func (k *kind) listMembers() []string {
	if len(k.MainFields) > 0 {
		return k.MainFields
	}
	fields := k.Fields()
	return fields[:min(len(fields), defaultListMembers)]
}

// members returns fields for some members of a record: the value that the service added, or
// otherwise the input.
func (k *kind) members(names []string, body, added json.RawMessage) []*form.Field {
	fields := make([]*form.Field, 0, len(names))
	for _, name := range names {
		var field *form.Field
		if k.adds != nil && k.adds.Has(name) {
			field = firstOf(k.adds.Select(name).Fill(added))
		}
		if (field == nil || field.Blank()) && k.body.Has(name) {
			field = firstOf(k.body.Select(name).Fill(body))
		}
		if field != nil {
			fields = append(fields, field)
		}
	}
	return fields
}

// firstOf returns the field of a form with one; nil if its layout does not show it.
func firstOf(f *form.FilledForm) *form.Field {
	if len(f.Fields) == 0 {
		return nil
	}
	return f.Fields[0]
}

// title returns the name of a record.
func (k *kind) title(f *filing.Filing) string {
	body := f.Brief
	if body == nil {
		body = f.Body
	}
	for _, field := range k.members(k.listMembers()[:1], body, f.Added) {
		if text := field.Text(); text != "" {
			return text
		}
	}
	return upperFirst(k.Singular) + " of " + f.CreatedAt.In(calendar.London()).Format("2 January 2006")
}

func (k *kind) rows(all []filing.Filing, columns []page.Column) []row {
	rows := make([]row, len(all))
	for i := range all {
		f := &all[i]
		rows[i] = row{
			ID: f.ID, Path: k.Base + "/" + f.ID, Title: k.title(f), Cells: k.cellsOf(f, columns), Status: f.Status, CreatedAt: f.CreatedAt, UpdatedAt: f.UpdatedAt,
			Simulated: k.SimulatedReference(f),
		}
	}
	return rows
}

func (a *Filings) list(c *page.Context) error {
	k, shut, err := a.enabledKind(c)
	if err != nil || shut {
		return err
	}
	query := c.R.URL.Query()
	q := k.question(query, c.Session.UserID)
	if q.After, err = c.Position(); err != nil {
		return err
	}
	shown := listView{kind: k, Status: query.Get("status"), Quarter: query.Get("quarter"), Sort: page.ReadSort(query.Get("sort")), Mine: q.Metadata != nil, Waiting: query.Get("waiting") != "", Query: listQuery(query).Encode()}
	if k.Quarterly {
		shown.Quarters = quarters(c.Now())
	}
	shown.Columns = k.columns().Listed(c, query.Get("columns"))
	var all []filing.Filing
	err = c.View(func(tx page.Tx) (err error) {
		if err := shown.addTabs(c, tx); err != nil {
			return err
		}
		all, err = a.read(tx, &shown, q)
		return err
	})
	if err != nil {
		return err
	}
	if q.After.ID != "" {
		shown.First = k.listURL(query, nil)
	}
	shown.Bar = c.NewMarkedBar(k.Type, q.Statuses...)
	shown.Bar.Query, shown.Bar.Total, shown.Bar.More = shown.Query, shown.Total, shown.Next != "" || shown.First != ""
	if err := shown.addAssignees(c, all); err != nil {
		return err
	}
	return c.Show("filings-list", upperFirst(k.Plural), &shown)
}

// read reads a page of the list, and the place of the next.
func (a *Filings) read(tx page.Tx, l *listView, q filing.Selection) ([]filing.Filing, error) {
	all, err := l.selected(tx, q)
	if err != nil {
		return nil, err
	}
	if len(all) > pageSize && !l.Waiting {
		all = all[:pageSize]
		last := &all[pageSize-1]
		after, err := l.Sort.Position(tx, last, l.reference(last))
		if err != nil {
			return nil, err
		}
		query, _ := url.ParseQuery(l.Query) // was encoded here
		l.Next = l.listURL(query, page.PositionValues(after))
	}
	l.Rows = l.rows(all, l.Columns)
	return all, a.nameLinks(tx, l.kind, l.Rows)
}

// selected reads one record more than a page has.
func (l *listView) selected(tx page.Tx, q filing.Selection) (all []filing.Filing, err error) {
	if !l.Waiting {
		return l.Sort.Select(tx, q, l.Lifecycle.States)
	}
	ids, _, err := page.Waiting(tx, l.Kind)
	if err != nil {
		return nil, err
	}
	found, err := tx.Briefs(ids)
	for _, id := range ids {
		if f, there := found[id]; there {
			all = append(all, f)
		}
	}
	return all, err
}

// question returns what the list reads for a query of its URL, which a user sent.
func (k *kind) question(query url.Values, userID string) filing.Selection {
	q := filing.Selection{Kind: k.Kind, Limit: pageSize + 1}
	status := cmp.Or(lifecycle.State(query.Get("status")), k.Lifecycle.Listed())
	if status != "" {
		q.Statuses = []lifecycle.State{status}
	}
	if quarter, ok := calendar.ParseQuarter(query.Get("quarter")); ok && k.Quarterly {
		q.Created.From, q.Created.Until = quarter.UTC()
	}
	if k.Assignable() && query.Get("assignee") == me {
		q.Metadata = []filing.Key{filing.AssigneeFilter(userID)}
	}
	return q
}

// listQuery returns the filter of the list.
func listQuery(query url.Values) url.Values {
	q := url.Values{}
	for _, name := range []string{"status", "quarter", "assignee", "waiting", "sort", "columns"} {
		if value := query.Get(name); value != "" {
			q.Set(name, value)
		}
	}
	return q
}

// listURL returns the URL of the page of the list after a position; nil for the first page.
func (k *kind) listURL(query, after url.Values) string {
	q := listQuery(query)
	maps.Copy(q, after)
	if len(q) == 0 {
		return k.Base
	}
	return k.Base + "?" + q.Encode()
}

// quartersBack is the number of quarters in the filter.
const quartersBack = 8

func quarters(now time.Time) (options []form.Option) {
	year, number := now.Year(), (int(now.Month())+2)/3
	for range quartersBack {
		text := calendar.Quarter{Year: year, Number: number}.String()
		options = append(options, form.Option{Value: text, Label: text})
		if number--; number == 0 {
			year, number = year-1, 4
		}
	}
	return options
}
