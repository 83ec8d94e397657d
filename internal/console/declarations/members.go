package declarations

import (
	"encoding/json"
	"fmt"
	"net/url"
	"reflect"
	"strconv"
	"strings"
	"sync"

	"github.com/tidewaiter/tidewaiter/internal/console/fieldset"
	"github.com/tidewaiter/tidewaiter/internal/console/form"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/fields"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/schema"
)

// Limits of the pages of all members.
const (
	rowsShown    = 10  // entries of each list on a page with other members
	rowsPerPage  = 100 // entries of a list on its own page
	derivedShown = 100 // derived values
)

// memberSection is the members of a section that are set.
type memberSection struct {
	Title  string
	Fields []*form.Field
}

// derivedRow is a value that the service adds.
type derivedRow struct{ Name, Numbers, Value, From string }

// sources are where derived values come from.
var sources = map[string]string{
	"client": "The client", "shipment": "The shipment", "organisation": "Your organisation", "product": "The product", "computed": "Computed", "guide": "Prescribed by HMRC’s guide",
	"constant": "Usual value",
}

// memberForms returns the forms of a declaration without its items, and of an item. They are made at their first use, because
// the schemas of all members take a tenth of the time to start.
var memberForms = sync.OnceValues(func() (header, item *form.Form) {
	schemas := schema.NewSchemas()
	header = form.New(schemas, reflect.TypeFor[customs.Declaration](), nil).Describe(fieldset.Selection{Record: fields.Declaration, All: true}.Describe).Without("items")
	item = form.New(schemas, reflect.TypeFor[customs.Item](), nil).Describe(fieldset.Selection{Record: fields.Declaration, Prefix: "items[].", All: true}.Describe)
	return header, item
})

// sectionsOf returns the members of a body that are set, by section. The paths of the body's members begin with prefix in the
// table of fields.
func sectionsOf(f *form.Form, prefix string, body json.RawMessage, link func(list string) string) (all []memberSection) {
	set := f.Fill(body).Fields
	form.LimitRows(set, rowsShown, link)
	for _, s := range fields.Sections {
		one := memberSection{Title: s.Title}
		for _, field := range set {
			if !field.Blank() && fields.SectionOf(prefix+field.Name) == s.Section {
				one.Fields = append(one.Fields, field)
			}
		}
		if one.Fields != nil {
			all = append(all, one)
		}
	}
	return all
}

// derivedOf returns the values that the service adds to an item (from 0), or to the declaration if it is negative, and how many
// more there are.
func derivedOf(all []filing.Derived, item int) (rows []derivedRow, more int) {
	prefix := fmt.Sprintf("items[%d].", item)
	for _, d := range all {
		if item < 0 && strings.HasPrefix(d.Field, "items[") || item >= 0 && !strings.HasPrefix(d.Field, prefix) {
			continue
		}
		if len(rows) == derivedShown {
			more++
			continue
		}
		row := derivedRow{Name: fieldLabel(d.Field), Value: valueText(d.Value), From: sources[d.From]}
		if f, ok := fields.At(fields.Declaration, d.Field); ok {
			row.Numbers = f.Numbers()
		}
		rows = append(rows, row)
	}
	return rows, more
}

// valueText returns a JSON value as text: the values of an object or a list with commas between them.
func valueText(raw json.RawMessage) string {
	var list []json.RawMessage
	var text string
	switch {
	case json.Unmarshal(raw, &text) == nil:
		return text
	case strings.HasPrefix(string(raw), "{"):
		list = membersInOrder(raw)
	case json.Unmarshal(raw, &list) != nil:
		return string(raw)
	}
	words := make([]string, len(list))
	for i, one := range list {
		words[i] = valueText(one)
	}
	return strings.Join(words, ", ")
}

// membersInOrder returns the values of an object in the order in which it has them.
func membersInOrder(raw json.RawMessage) (values []json.RawMessage) {
	d := json.NewDecoder(strings.NewReader(string(raw)))
	_, _ = d.Token() // the opening brace
	for d.More() {
		var value json.RawMessage
		if _, err := d.Token(); err != nil || d.Decode(&value) != nil {
			return values
		}
		values = append(values, value)
	}
	return values
}

// membersView is the data of the page of all members of an item, or of all entries of a list.
type membersView struct {
	ID, LRN  string
	Title    string
	Sections []memberSection
	Derived  []derivedRow
	More     int    // derived values that are not shown
	Previous string // path of the previous item or entries; empty for none
	Next     string
}

// members shows all members of an item, or the entries of a list that are too many for another page.
func (d *Declarations) members(c *page.Context) error {
	q := c.R.URL.Query()
	var f filing.Filing
	err := c.View(func(tx page.Tx) (err error) {
		if f, err = tx.Filing(customs.DeclarationKind, c.ID()); err != nil {
			return err
		}
		f, err = d.Customs.Answered(tx, f, false)
		return err
	})
	if err != nil {
		return err
	}
	var added customs.DeclarationAdds
	var body struct{ Items []json.RawMessage }
	if err := json.Unmarshal(f.Added, &added); err != nil {
		return err
	}
	if err := json.Unmarshal(f.Body, &body); err != nil {
		return err
	}
	shown := membersView{ID: f.ID, LRN: added.LRN, Title: "All details"}
	of, item := memberForms()
	whole, prefix, number := f.Body, "", 0
	if q.Has("item") {
		if number, err = strconv.Atoi(q.Get("item")); err != nil || number < 1 || number > len(body.Items) {
			return apierr.Missing()
		}
		whole, prefix, of = body.Items[number-1], "items[].", item
		shown.Title = fmt.Sprintf("Item %d of %d", number, len(body.Items))
		shown.Previous, shown.Next = shown.itemPath(number-1, len(body.Items)), shown.itemPath(number+1, len(body.Items))
	}
	if list := q.Get("list"); list != "" {
		return d.showEntries(c, shown, of.Fill(whole), q)
	}
	shown.Derived, shown.More = derivedOf(added.Derived, number-1)
	shown.Sections = sectionsOf(of, prefix, whole, listLink(f.ID, number))
	return c.Show("declaration-members", shown.Title, shown)
}

// itemPath returns the path of an item; empty if there is none with this number.
func (v *membersView) itemPath(number, items int) string {
	if number < 1 || number > items {
		return ""
	}
	return fmt.Sprintf("/declarations/%s/members?item=%d", v.ID, number)
}

// listLink returns a function for the path of all entries of a list of an item, or of the declaration if the number is 0.
func listLink(id string, number int) func(list string) string {
	return func(list string) string {
		q := url.Values{"list": {list}}
		if number > 0 {
			q.Set("item", strconv.Itoa(number))
		}
		return "/declarations/" + id + "/members?" + q.Encode()
	}
}

// showEntries shows a part of the entries of one list.
func (d *Declarations) showEntries(c *page.Context, shown membersView, filled *form.FilledForm, q url.Values) error {
	list := filled.FieldAt(q.Get("list"))
	if list == nil || list.Kind != form.Rows || list.Name != q.Get("list") {
		return apierr.Missing()
	}
	from, _ := strconv.Atoi(q.Get("from"))
	from = min(max(from, 0), max(len(list.Rows)-1, 0))
	at := func(from int) string {
		q.Set("from", strconv.Itoa(from))
		return "/declarations/" + shown.ID + "/members?" + q.Encode()
	}
	shown.Title, shown.Previous, shown.Next = list.Label, "", ""
	if from > 0 {
		shown.Previous = at(max(from-rowsPerPage, 0))
	}
	if from+rowsPerPage < len(list.Rows) {
		shown.Next = at(from + rowsPerPage)
	}
	list.Rows = list.Rows[from:min(from+rowsPerPage, len(list.Rows))]
	form.LimitRows(list.Rows, rowsShown, listLink(shown.ID, 0))
	shown.Sections = []memberSection{{Title: fmt.Sprintf("%d to %d", from+1, from+len(list.Rows)), Fields: []*form.Field{list}}}
	return c.Show("declaration-members", shown.Title, shown)
}
