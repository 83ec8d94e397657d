package store

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

// clientPlace is a client in the order of clients: the name as it is searched, which has no spaces, and the ID. The name of the values
// is a text of the statements, because it is one of the index client_names.
type clientPlace struct{ name, id string }

// ClientPlace returns the value of a record's position in the order of clients; empty if the record belongs to no client.
func (t *Tx) ClientPlace(recordID string) (value string, err error) {
	var p clientPlace
	found, err := t.row("SELECT n.value, n.filing_id FROM filing_names n WHERE n.org_id = $1 AND n.name = 'client.name' AND n.filing_id = (SELECT f.client_id FROM filings f WHERE f.org_id = $1 AND f.id = $2)",
		[]any{recordID}, &p.name, &p.id)
	if err != nil || !found {
		return "", wrapError("place of a client", err)
	}
	return p.name + " " + p.id, nil
}

// clientsPerQuery is the number of clients whose records one statement reads. Each has at least one of the records, so that two
// statements read a page of the console.
const clientsPerQuery = 60

// selectByClient reads a page in the order of the clients' names. If at most maxSorted records match a filter, these are sorted in
// memory; otherwise the clients are read in their order to the end of the page.
func (t *Tx) selectByClient(s filing.Selection, filtered bool) ([]filing.Filing, error) {
	if s.ClientID != "" { // all of one client
		s.Order, s.After.Value = filing.Order{}, ""
		return t.Select(s)
	}
	if filtered {
		places, err := t.clientPlaces(s)
		if err != nil || len(places) <= maxSorted {
			return t.pageByClient(places, s, err)
		}
	}
	var page []filing.Filing
	last := placeOf(s.After.Value)
	if s.After.ID != "" && last.id != "" {
		one := s
		one.Order, one.ClientID, one.After.Value = filing.Order{}, last.id, ""
		var err error
		if page, err = t.Select(one); err != nil || len(page) == s.Limit {
			return page, err
		}
	}
	if s.After.ID == "" || last.id != "" {
		some, err := t.ofClientsAfter(s, last, s.Limit-len(page))
		if page = append(page, some...); err != nil || len(page) == s.Limit {
			return page, err
		}
		s.After = filing.Position{}
	}
	s.Order, s.After.Value, s.Limit = filing.Order{}, "", s.Limit-len(page)
	l := listing{Selection: s}
	terms := " AND f.client_id IS NULL"
	if s.Kind == "declaration" {
		terms += " AND f.kind = 'declaration'" // has the index filings_without_client
	}
	rest, err := t.page(l.query([]source{{terms: terms}}), l.args, s)
	return append(page, rest...), err
}

// placeOf returns the client in the value of a position.
func placeOf(value string) clientPlace {
	name, id, _ := strings.Cut(value, " ")
	return clientPlace{name, id}
}

// ofClientsAfter reads the records of the clients that follow one.
func (t *Tx) ofClientsAfter(s filing.Selection, last clientPlace, limit int) (page []filing.Filing, err error) {
	s.After = filing.Position{}
	for len(page) < limit {
		clients, err := t.clientsAfter(s, last)
		if err != nil || len(clients) == 0 {
			return page, err
		}
		ids, err := t.recordsOf(clients, s, limit-len(page))
		if err != nil {
			return page, err
		}
		some, err := t.inPlaces(ids)
		if err != nil {
			return page, err
		}
		page, last = append(page, some...), clients[len(clients)-1]
	}
	return page, nil
}

// clientsAfter reads the clients that follow one and have records that match.
func (t *Tx) clientsAfter(s filing.Selection, last clientPlace) (clients []clientPlace, err error) {
	l := listing{Selection: s}
	than, direction := "<", " DESC"
	if s.Order.Ascending {
		than, direction = ">", ""
	}
	query := "SELECT n.value, n.filing_id FROM filing_names n WHERE n.org_id = $1 AND n.name = 'client.name'"
	if last.id != "" {
		query += " AND (n.value, n.filing_id) " + than + " (" + l.arg(last.name) + ", " + l.arg(last.id) + ")"
	}
	query += " AND EXISTS (" + l.branch(source{terms: " AND f.client_id = n.filing_id", by: byClient}, "1") + ")" +
		" ORDER BY n.value" + direction + ", n.filing_id" + direction + " LIMIT " + l.arg(clientsPerQuery) + computed
	err = t.rows(query, l.args, func(r engine.Row) error {
		var p clientPlace
		err := r.Scan(&p.name, &p.id)
		clients = append(clients, p)
		return err
	})
	return clients, wrapError("clients of a list", err)
}

// recordsOf reads the places of the first records of clients, in the order of these and the newest first.
func (t *Tx) recordsOf(clients []clientPlace, s filing.Selection, limit int) (places []filing.Position, err error) {
	s.Order = filing.Order{}
	l := listing{Selection: s}
	most := l.arg(limit) + computed
	parts := make([]string, len(clients))
	for i, c := range clients {
		d := source{terms: " AND f.client_id = " + l.arg(c.id), by: byClient}
		parts[i] = fmt.Sprintf("SELECT * FROM (%s%s LIMIT %s) AS b%d", l.branch(d, fmt.Sprintf("%d AS place, f.id, f.created_at", i)), l.orderOf(d), most, i)
	}
	query := "SELECT u.id FROM (" + strings.Join(parts, " UNION ALL ") + ") AS u ORDER BY u.place, u.created_at DESC, u.id DESC LIMIT " + most
	err = t.rows(query, l.args, func(r engine.Row) error {
		var p filing.Position
		err := r.Scan(&p.ID)
		places = append(places, p)
		return err
	})
	return places, wrapError("records of clients", err)
}

// clientPlaces reads the places of the records that match, at most one more than are sorted.
func (t *Tx) clientPlaces(s filing.Selection) (places []filing.Position, err error) {
	l := listing{Selection: s, merges: t.dialect.Merges}
	l.Order, l.After, l.Limit = filing.Order{}, filing.Position{}, maxSorted+1
	const place = "COALESCE((SELECT n.value || ' ' || n.filing_id FROM filing_names n WHERE n.org_id = $1 AND n.name = 'client.name' AND n.filing_id = f.client_id), '') AS status, '' AS input, '' AS added"
	query := strings.ReplaceAll(l.query(l.sources()), "f.status, COALESCE(f.brief, f.body) AS input, f.added", place)
	err = t.rows(query, l.args, func(r engine.Row) error {
		var p filing.Position
		var none string
		var changed instant
		err := r.Scan(&p.ID, &p.Value, &none, &none, (*instant)(&p.CreatedAt), &changed)
		places = append(places, p)
		return err
	})
	return places, wrapError("select by client", err)
}

// pageByClient reads the page of some places after the position of a selection.
func (t *Tx) pageByClient(places []filing.Position, s filing.Selection, err error) ([]filing.Filing, error) {
	if err != nil {
		return nil, err
	}
	compare := func(a, b filing.Position) int { return compareClients(a, b, s.Order.Ascending) }
	if s.After.ID != "" {
		places = slices.DeleteFunc(places, func(p filing.Position) bool { return compare(p, s.After) <= 0 })
	}
	slices.SortFunc(places, compare)
	return t.inPlaces(places[:min(len(places), s.Limit)])
}

// compareClients compares two places in the order of clients.
func compareClients(a, b filing.Position, ascending bool) int {
	c, d := placeOf(a.Value), placeOf(b.Value)
	switch {
	case c.id != "" && d.id == "":
		return -1
	case c.id == "" && d.id != "":
		return 1
	}
	order := cmp.Or(cmp.Compare(c.name, d.name), cmp.Compare(c.id, d.id))
	if !ascending {
		order = -order
	}
	return cmp.Or(order, filing.Order{}.Compare(a, b))
}
