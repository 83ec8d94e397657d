package declarations

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/sorting"
	"github.com/tidewaiter/tidewaiter/internal/records/search"
)

// Limits of the list.
const (
	pageSize         = 50
	bodySize         = 64 << 10 // bytes of a body that are read; of a longer body only the first item is shown
	maxClientChoices = 100      // choices in the filter
)

// listView is the data of the list.
type listView struct {
	Filter      filter
	Columns     []page.Column
	Chips       []page.Chip
	Total       int64 // of declarations that match; -1 if they were not counted
	Views       []page.ViewTab
	States      []lifecycle.State
	Clients     []client
	Members     []client // of the organisation
	Rows        []row
	Bar         page.MarkedBar
	First, Next string
	Later       bool   // not the first page
	Incomplete  string // why declarations may be missing from a search; empty if all are found
	Empty       bool   // whether the organisation has no declarations
}

// IsView reports whether the filter is that of a view, so that it needs no further name.
func (l *listView) IsView() bool {
	return slices.ContainsFunc(l.Views, func(v page.ViewTab) bool { return v.Selected })
}

// ViewQuery is what a view of this list keeps: the filter, the order, and columns other than the usual ones.
func (l *listView) ViewQuery() string {
	f := l.Filter
	f.Columns = columns.Unusual(l.Columns)
	return f.Query()
}

// client is a choice of the filter: a client, or a member.
type client struct{ ID, Name string }

// row is a declaration in the list.
type row struct {
	ID, Reference, LRN, MRN, Client, Direction, Goods, Value string
	Assignee                                                 string // name; empty for none
	Simulated                                                bool   // whether the MRN is not one of customs
	More                                                     int    // number of items besides the first; -1 if unknown
	Status                                                   lifecycle.State
	CreatedAt, UpdatedAt                                     time.Time
}

// Name is the own reference; without one it is the LRN.
func (r row) Name() string { return cmp.Or(r.Reference, r.LRN) }

func (d *Declarations) list(c *page.Context) error {
	shown := listView{Filter: readFilter(c.R.URL.Query()), States: d.Customs.Type.Lifecycle.States, Total: -1}
	shown.Columns = columns.Listed(c, shown.Filter.Columns)
	q, err := shown.Filter.question(shown.States)
	if err != nil {
		return c.Redisplay(err, func() error { return d.showList(c, &shown, nil) })
	}
	if q.After, err = c.Position(); err != nil {
		return err
	}
	shown.Later = q.After.ID != ""
	if !shown.Filter.Searches() {
		return d.showList(c, &shown, func(tx page.Tx) (found, error) { return inOrder(tx, q, shown.Filter, c.Session.UserID, shown.States) })
	}
	of, incomplete, err := d.find(c, q, shown.Filter.OnlyText() && !shown.Later)
	if err != nil {
		return err
	}
	shown.Incomplete = incomplete
	return d.showList(c, &shown, func(page.Tx) (found, error) { return of, nil })
}

// found is a page of declarations. last is the position of the last one; without an ID it is that of its creation.
type found struct {
	ids  []string
	more bool
	last filing.Position
}

// inOrder reads a page of declarations without the search.
func inOrder(tx page.Tx, q search.Query, f filter, userID string, states []lifecycle.State) (p found, err error) {
	if f.Waiting {
		ids, _, err := page.Waiting(tx, customs.DeclarationKind)
		return found{ids: ids[:min(len(ids), q.Limit)], more: len(ids) > q.Limit}, err
	}
	s := selectionOf(q, f, userID)
	s.After, s.Limit = q.After, q.Limit+1
	sort := f.Sort
	if !f.Sortable() {
		sort = "" // the latest decision is first
	}
	all, err := sort.Select(tx, s, states)
	if p.more = len(all) > q.Limit; p.more {
		all = all[:q.Limit]
		last := &all[q.Limit-1]
		var brief customs.Declaration
		_ = json.Unmarshal(last.Brief, &brief) // written by the service
		p.last, err = sort.Position(tx, last, brief.Reference)
	}
	for i := range all {
		p.ids = append(p.ids, all[i].ID)
	}
	return p, err
}

// selectionOf returns the selection of a search without text and direction.
func selectionOf(q search.Query, f filter, userID string) filing.Selection {
	s := filing.Selection{
		Kind: customs.DeclarationKind, Created: filing.Period{From: q.From, Until: q.Until}, ClientID: q.ClientID, Metadata: f.assignee(userID), Entries: f.Outcome.entries(),
	}
	for _, status := range q.Statuses {
		s.Statuses = append(s.Statuses, lifecycle.State(status))
	}
	return s
}

// showList shows the declarations that find returns; a nil find shows none.
func (d *Declarations) showList(c *page.Context, shown *listView, find func(page.Tx) (found, error)) error {
	members, err := c.Members()
	if err != nil {
		return err
	}
	for _, m := range members {
		shown.Members = append(shown.Members, client{m.ID, cmp.Or(m.Name, m.Email)})
	}
	err = c.View(func(tx page.Tx) (err error) {
		if shown.Clients, err = clientChoices(tx, shown.Filter.Client); err != nil {
			return err
		}
		counts, err := countStatuses(tx)
		if err != nil {
			return err
		}
		if shown.Views, err = viewTabs(c, tx, d.Customs.Type, shown.Filter, counts); err != nil {
			return err
		}
		shown.Total, shown.Chips = shown.Filter.total(counts), shown.Filter.chips(shown.Clients, shown.Members)
		if find == nil {
			return nil
		}
		p, err := find(tx)
		if err != nil {
			return err
		}
		if shown.Rows, err = rows(tx, p.ids); err != nil {
			return err
		}
		shown.nameAssignees()
		shown.setPageLinks(p)
		shown.Bar = shown.bar(c, d.Customs.Type, p.more)
		shown.Bar.AddMembers(members, c.Session.UserID)
		return nil
	})
	if err != nil {
		return err
	}
	shown.Empty = len(shown.Rows) == 0 && shown.Filter.Query() == "" && !shown.Later
	return c.Show("declarations-list", "Declarations", shown)
}

// setPageLinks sets the links to the first and the next page.
func (l *listView) setPageLinks(p found) {
	if l.Later {
		l.First = l.Filter.Path()
	}
	if !p.more {
		return
	}
	if last := l.Rows[len(l.Rows)-1]; p.last.ID == "" {
		p.last = filing.Position{CreatedAt: last.CreatedAt, ID: last.ID}
	}
	query, _ := url.ParseQuery(l.Filter.Query()) // was encoded here
	maps.Copy(query, page.PositionValues(p.last))
	l.Next = "/declarations?" + query.Encode()
}

// bar returns what can be done with marked rows.
func (l *listView) bar(c *page.Context, t *filing.Type, more bool) page.MarkedBar {
	var statuses []lifecycle.State
	for _, s := range l.Filter.Statuses {
		statuses = append(statuses, lifecycle.State(s))
	}
	b := c.NewMarkedBar(t, statuses...)
	b.Query, b.Total, b.More = l.Filter.Query(), l.Total, more || l.Later
	return b
}

// clientChoices returns the clients for the filter: all if there are at most maxClientChoices,
// otherwise only the selected one.
func clientChoices(tx page.Tx, chosen string) (all []client, err error) {
	found, err := tx.Filings(filing.Query{Kind: customs.Clients.Kind, Limit: maxClientChoices + 1})
	if err != nil {
		return nil, err
	}
	if len(found) > maxClientChoices {
		found = nil
	}
	if ident.IsUUID(chosen) && !slices.ContainsFunc(found, func(f filing.Filing) bool { return f.ID == chosen }) {
		f, err := tx.Filing(customs.Clients.Kind, chosen)
		if err != nil && !apierr.Is(err, apierr.NotFound) {
			return nil, err
		}
		if err == nil {
			f.Brief = f.Body
			found = append(found, f)
		}
	}
	for i := range found {
		var c customs.Client
		if err := json.Unmarshal(found[i].Brief, &c); err != nil {
			return nil, err
		}
		all = append(all, client{found[i].ID, c.Name})
	}
	sorting.Stable(all, func(a, b client) int { return strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)) })
	return all, nil
}

// rows reads declarations and their clients in three statements.
func rows(tx page.Tx, ids []string) (all []row, err error) {
	found, err := tx.FilingsByID(customs.DeclarationKind, ids, bodySize)
	if err != nil {
		return nil, err
	}
	sorting.Stable(found, func(a, b filing.Filing) int { return slices.Index(ids, a.ID) - slices.Index(ids, b.ID) })
	var shipments []string
	for i := range found {
		l, shipment, err := rowOf(&found[i])
		if err != nil {
			return nil, err
		}
		all, shipments = append(all, l), append(shipments, shipment)
	}
	names, err := clientNamesByShipment(tx, shipments)
	for i := range all {
		all[i].Client = names[shipments[i]]
	}
	return all, err
}

func rowOf(f *filing.Filing) (l row, shipment string, err error) {
	var a customs.DeclarationAdds
	var brief customs.Declaration
	if err := json.Unmarshal(f.Added, &a); err != nil {
		return l, "", err
	}
	if err := json.Unmarshal(f.Brief, &brief); err != nil {
		return l, "", err
	}
	l = row{ID: f.ID, Reference: brief.Reference, LRN: a.LRN, Direction: brief.DeclarationType, Status: f.Status, CreatedAt: f.CreatedAt, UpdatedAt: f.UpdatedAt}
	if a.AssigneeID != nil {
		l.Assignee = *a.AssigneeID
	}
	if a.MRN != nil {
		l.MRN, l.Simulated = *a.MRN, a.ReferenceSource != nil
	}
	var whole customs.Declaration
	if json.Unmarshal(f.Body, &whole) == nil && len(whole.Items) > 0 {
		valued := whole.WithValues(a.Valuation)
		l.Goods, l.More, l.Value = whole.Items[0].Description, len(whole.Items)-1, valued.Worth(pounds(valued.Value()))
	} else {
		l.Goods, l.More = firstGoods(f.Body), -1
	}
	return l, strings.ToLower(brief.ShipmentID), nil
}

// firstGoods returns the description of the first item of a truncated body.
func firstGoods(body []byte) (text string) {
	if _, rest, ok := bytes.Cut(body, []byte(`"description":`)); ok {
		_ = json.NewDecoder(bytes.NewReader(rest)).Decode(&text)
	}
	return text
}

// clientNamesByShipment returns the names of the shipments' clients by shipment id.
func clientNamesByShipment(tx page.Tx, shipments []string) (map[string]string, error) {
	found, err := tx.FilingsByID(customs.Shipments.Kind, distinct(shipments), bodySize)
	if err != nil {
		return nil, err
	}
	of, clients := map[string]string{}, []string(nil)
	for i := range found {
		var s customs.Shipment
		if err := json.Unmarshal(found[i].Body, &s); err != nil {
			return nil, err
		}
		of[found[i].ID] = strings.ToLower(s.ClientID)
		clients = append(clients, of[found[i].ID])
	}
	named, err := clientNames(tx, clients)
	if err != nil {
		return nil, err
	}
	names := map[string]string{}
	for shipment, id := range of {
		names[shipment] = named[id]
	}
	return names, nil
}

// clientNames returns the names of clients by id.
func clientNames(tx page.Tx, ids []string) (map[string]string, error) {
	found, err := tx.FilingsByID(customs.Clients.Kind, distinct(ids), bodySize)
	if err != nil {
		return nil, err
	}
	names := map[string]string{}
	for i := range found {
		var c customs.Client
		if err := json.Unmarshal(found[i].Body, &c); err != nil {
			return nil, err
		}
		names[found[i].ID] = c.Name
	}
	return names, nil
}

// distinct returns each id once, without the empty one.
func distinct(ids []string) []string {
	sorted := slices.Compact(slices.Sorted(slices.Values(ids)))
	return slices.DeleteFunc(sorted, func(id string) bool { return id == "" })
}

// About returns what declarations are about, by ID: own reference, client, and the goods of the first item.
func About(tx page.Tx, ids []string) (map[string]string, error) {
	all, err := rows(tx, ids)
	about := make(map[string]string, len(all))
	for _, r := range all {
		said := slices.DeleteFunc([]string{r.Reference, r.Client, r.Goods}, func(text string) bool { return text == "" })
		about[r.ID] = strings.Join(said, " · ")
	}
	return about, err
}
