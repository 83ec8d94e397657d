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

// pageSize is how many records a page of a list has.
const pageSize = 50

// row is a record in a list.
type row struct {
	ID, Path, Title string
	Cells           []*form.Field
	Status          lifecycle.State
	CreatedAt       time.Time
}

// listView is what a list shows.
type listView struct {
	*kind
	Rows     []row
	Status   string // that is asked for
	Quarter  string
	Quarters []form.Option
	First    string
	Next     string
}

// column is a heading of a list.
type column struct {
	Label  string
	Number bool // of figures, which stand under each other
}

// Columns are the headings of what a list shows besides the name, the state and the day.
func (k *kind) Columns() (columns []column) {
	for _, field := range k.members(k.gist()[1:], nil, nil) {
		columns = append(columns, column{field.Label, field.Kind == form.Number})
	}
	return columns
}

// Named is the heading of what records are called.
func (k *kind) Named() string { return form.Label(k.gist()[0]) }

// Filed reports whether records of the kind go through states.
func (k *kind) Filed() bool { return len(k.Lifecycle.States) > 1 }

// States are those to choose from.
func (k *kind) States() (options []form.Option) {
	for _, s := range k.Lifecycle.States {
		options = append(options, form.Option{Value: string(s), Label: form.Words(string(s))})
	}
	return options
}

// most is how many members say most of a record where its kind does not say which.
const most = 4

// gist are the members that a list shows; the first is what a record is called.
func (k *kind) gist() []string {
	if len(k.MainFields) > 0 {
		return k.MainFields
	}
	fields := k.Fields()
	return fields[:min(len(fields), most)]
}

// members are what a record says of some of its members, in their order: what the
// service added where it has, else what was put in.
func (k *kind) members(names []string, body, added json.RawMessage) []*form.Field {
	fields := make([]*form.Field, 0, len(names))
	for _, name := range names {
		var field *form.Field
		if k.adds != nil && k.adds.Has(name) {
			field = k.adds.Only(name).Of(added).Fields[0]
		}
		if (field == nil || field.Blank()) && k.body.Has(name) {
			field = k.body.Only(name).Of(body).Fields[0]
		}
		if field != nil {
			fields = append(fields, field)
		}
	}
	return fields
}

// title is what a record is called.
func (k *kind) title(f *filing.Filing) string {
	body := f.Brief
	if body == nil {
		body = f.Body
	}
	for _, field := range k.members(k.gist()[:1], body, f.Added) {
		if said := field.Said(); said != "" {
			return said
		}
	}
	return capital(k.One) + " of " + f.CreatedAt.In(calendar.London()).Format("2 January 2006")
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
			ID: f.ID, Path: k.Base + "/" + f.ID, Title: k.title(f), Cells: k.members(k.gist()[1:], body, f.Added), Status: f.Status, CreatedAt: f.CreatedAt,
		}
	}
	return rows
}

func (a *Filings) list(c *page.Context) error {
	k, shut, err := a.open(c)
	if err != nil || shut {
		return err
	}
	asked := c.R.URL.Query()
	q := filing.Query{Kind: k.Kind, Status: lifecycle.State(asked.Get("status")), After: position(asked.Get("after")), Limit: pageSize + 1}
	shown := listView{kind: k, Status: asked.Get("status"), Quarter: asked.Get("quarter")}
	if k.Quarterly {
		shown.Quarters = quarters(a.Now())
		if quarter, ok := calendar.ParseQuarter(shown.Quarter); ok {
			q.From, q.Until = quarter.UTC()
		}
	}
	var all []filing.Filing
	if err := c.View(func(tx page.Tx) (err error) { all, err = tx.Filings(q); return err }); err != nil {
		return err
	}
	if len(all) > pageSize {
		all = all[:pageSize]
		shown.Next = k.at(asked, audit.Instant(all[pageSize-1].CreatedAt)+"_"+all[pageSize-1].ID)
	}
	if asked.Has("after") {
		shown.First = k.at(asked, "")
	}
	shown.Rows = k.rows(all)
	return c.Show("filings-list", capital(k.Many), shown)
}

// at is the address of a page of the list behind a position.
func (k *kind) at(asked url.Values, after string) string {
	q := url.Values{}
	for _, name := range []string{"status", "quarter"} {
		if value := asked.Get(name); value != "" {
			q.Set(name, value)
		}
	}
	if after != "" {
		q.Set("after", after)
	}
	if len(q) == 0 {
		return k.Base
	}
	return k.Base + "?" + q.Encode()
}

// position reads where a page begins; from the beginning where that is no position.
func position(text string) filing.Position {
	at, id, _ := strings.Cut(text, "_")
	t, err := time.Parse(time.RFC3339, at)
	if err != nil || !ident.IsUUID(id) {
		return filing.Position{}
	}
	return filing.Position{CreatedAt: t, ID: id}
}

// quartersBack is how many quarters a list can be asked for.
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
