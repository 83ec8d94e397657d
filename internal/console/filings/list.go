package filings

import (
	"encoding/json"
	"net/url"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/console/form"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// pageSize is the number of records on a page.
const pageSize = 50

// row is a record in a list.
type row struct {
	ID, Path, Title string
	Cells           []*form.Field
	Status          lifecycle.State
	CreatedAt       time.Time
}

// listView is the data of a list.
type listView struct {
	*kind
	Rows     []row
	Tabs     []statusTab // nil if records have only one status
	Total    int64       // of the records that are listed; -1 if they are not counted
	Status   string      // of the filter
	Quarter  string
	Quarters []form.Option
	First    string
	Next     string
	Bar      page.MarkedBar
}

// column is a column heading.
type column struct {
	Label  string
	Number bool // right-aligned
}

// Columns returns the headings of a list, without name, status and date.
func (k *kind) Columns() (columns []column) {
	for _, field := range k.members(k.listMembers()[1:], nil, nil) {
		columns = append(columns, column{field.Label, field.Kind == form.Number})
	}
	return columns
}

// NameLabel returns the heading of the records' names.
func (k *kind) NameLabel() string { return form.Label(k.listMembers()[0]) }

// HasStatuses reports whether records of the kind have more than one status.
func (k *kind) HasStatuses() bool { return len(k.Lifecycle.States) > 1 }

// statusTab leads to the records with a status.
type statusTab struct {
	Name, Path string
	Count      int64
	Selected   bool
}

// countTabs adds the tabs with the numbers of records. A quarter is not counted.
func (l *listView) countTabs(tx page.Tx) error {
	all, err := tx.FilingTallies()
	if err != nil {
		return err
	}
	counts, listed := map[lifecycle.State]int64{}, int64(0)
	for _, t := range all {
		if t.Kind == l.Kind {
			counts[t.Status] += t.Records
			if of := l.Lifecycle.Listed(); of == "" || of == t.Status {
				listed += t.Records
			}
		}
	}
	if l.Total = -1; l.Quarter == "" {
		l.Total = listed
	}
	if len(l.Lifecycle.States) < 2 {
		return nil
	}
	name := "All"
	if l.Lifecycle.Archives() {
		name = "Not archived"
	}
	l.Tabs = []statusTab{{name, l.Base, listed, l.Status == ""}}
	for _, s := range l.Lifecycle.States {
		if l.Status == string(s) && l.Quarter == "" {
			l.Total = counts[s]
		}
		if s != l.Lifecycle.Listed() {
			l.Tabs = append(l.Tabs, statusTab{form.Words(string(s)), l.Base + "?status=" + string(s), counts[s], l.Status == string(s)})
		}
	}
	return nil
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
			field = k.adds.Select(name).Fill(added).Fields[0]
		}
		if (field == nil || field.Blank()) && k.body.Has(name) {
			field = k.body.Select(name).Fill(body).Fields[0]
		}
		if field != nil {
			fields = append(fields, field)
		}
	}
	return fields
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

func (k *kind) rows(all []filing.Filing) []row {
	rows := make([]row, len(all))
	for i := range all {
		f := &all[i]
		body := f.Brief
		if body == nil {
			body = f.Body
		}
		rows[i] = row{
			ID: f.ID, Path: k.Base + "/" + f.ID, Title: k.title(f), Cells: k.members(k.listMembers()[1:], body, f.Added), Status: f.Status, CreatedAt: f.CreatedAt,
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
	q := k.question(query)
	shown := listView{kind: k, Status: query.Get("status"), Quarter: query.Get("quarter")}
	if k.Quarterly {
		shown.Quarters = quarters(c.Now())
	}
	var all []filing.Filing
	err = c.View(func(tx page.Tx) (err error) {
		if err := shown.countTabs(tx); err != nil {
			return err
		}
		all, err = tx.Filings(q)
		return err
	})
	if err != nil {
		return err
	}
	if len(all) > pageSize {
		all = all[:pageSize]
		shown.Next = k.listURL(query, audit.Instant(all[pageSize-1].CreatedAt)+"_"+all[pageSize-1].ID)
	}
	if query.Has("after") {
		shown.First = k.listURL(query, "")
	}
	shown.Rows, shown.Bar = k.rows(all), page.NewMarkedBar(k.Type, k.shownStatuses(q.Status)...)
	shown.Bar.Query, shown.Bar.Total, shown.Bar.More = listQuery(query, "").Encode(), shown.Total, shown.Next != "" || shown.First != ""
	return c.Show("filings-list", upperFirst(k.Plural), shown)
}

// question returns what the list reads for a query of its URL.
func (k *kind) question(query url.Values) filing.Query {
	q := filing.Query{Kind: k.Kind, Status: lifecycle.State(query.Get("status")), After: parsePosition(query.Get("after")), Limit: pageSize + 1}
	if q.Status == "" {
		q.Status = k.Lifecycle.Listed()
	}
	if quarter, ok := calendar.ParseQuarter(query.Get("quarter")); ok && k.Quarterly {
		q.From, q.Until = quarter.UTC()
	}
	return q
}

// shownStatuses are the statuses of the records that a list with a filter shows; nil for all.
func (k *kind) shownStatuses(of lifecycle.State) []lifecycle.State {
	if of == "" {
		return nil
	}
	return []lifecycle.State{of}
}

// listQuery returns the filter of the list, and the position after which its page begins.
func listQuery(query url.Values, after string) url.Values {
	q := url.Values{}
	for _, name := range []string{"status", "quarter"} {
		if value := query.Get(name); value != "" {
			q.Set(name, value)
		}
	}
	if after != "" {
		q.Set("after", after)
	}
	return q
}

// listURL returns the URL of the page of the list after a position.
func (k *kind) listURL(query url.Values, after string) string {
	q := listQuery(query, after)
	if len(q) == 0 {
		return k.Base
	}
	return k.Base + "?" + q.Encode()
}

// parsePosition parses the position where a page begins; an invalid one is the first page.
func parsePosition(text string) filing.Position {
	at, id, _ := strings.Cut(text, "_")
	t, err := time.Parse(time.RFC3339, at)
	if err != nil || !ident.IsUUID(id) {
		return filing.Position{}
	}
	return filing.Position{CreatedAt: t, ID: id}
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
