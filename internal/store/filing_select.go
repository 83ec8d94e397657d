package store

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

// If no index has both the filter and the order of a list, the first maxProbed records of the order are looked at; if too
// few of them match, and at most maxSorted records match in all, these are sorted in memory.
const (
	maxProbed = 500
	maxSorted = 1000
)

// Select reads a page of one kind, in the form that lists show.
//
// Every filter by equality has an index that is ordered by creation. For another order, and for a period
// of changes in the order of creation, the index of the order is read first for a while, and to the end of the page
// if too many records match to sort them.
func (t *Tx) Select(s filing.Selection) ([]filing.Filing, error) {
	page, complete, err := t.SelectSingle(s)
	if err != nil || complete {
		return page, err
	}
	return t.SelectMatching(s)
}

// SelectSingle is the first statement of Select, which needs no transaction. It reports whether the page is complete;
// otherwise SelectMatching reads it.
func (t *Tx) SelectSingle(s filing.Selection) (page []filing.Filing, complete bool, err error) {
	if s.Entries.Ledger != "" || s.Order.ByReference {
		return nil, false, nil
	}
	l := listing{Selection: s, byUpdate: s.Order.ByUpdate, merges: t.dialect.Merges}
	narrow := narrows(&s)
	if l.hasIndex(narrow) {
		page, err = t.page(l.query(l.sources()), l.args, s)
		return page, true, err
	}
	if narrow {
		return nil, false, nil
	}
	return t.probe(s)
}

// SelectMatching reads a page whose filter and order no index has: it sorts the records that match, or reads in order.
func (t *Tx) SelectMatching(s filing.Selection) ([]filing.Filing, error) {
	switch {
	case s.Entries.Ledger != "":
		return t.selectByEntry(listing{Selection: s, byUpdate: s.Order.ByUpdate, merges: t.dialect.Merges})
	case s.Order.ByReference:
		return t.selectByReference(s, narrows(&s) || len(s.Statuses) > 0 || !s.Created.IsZero() || !s.Updated.IsZero())
	}
	l := listing{Selection: s, byUpdate: !s.Order.ByUpdate, merges: t.dialect.Merges}
	l.After, l.Limit = filing.Position{}, maxSorted+1
	places, err := t.places(l.query(l.sources()), l.args, s)
	if err != nil {
		return nil, err
	}
	if len(places) <= maxSorted {
		return t.sorted(places, s)
	}
	l = listing{Selection: s, byUpdate: s.Order.ByUpdate}
	return t.page(l.query([]source{l.inOrder()}), l.args, s)
}

// narrows reports whether a selection has a filter by equality besides the status, which few records meet.
func narrows(s *filing.Selection) bool {
	return len(s.Keys) > 0 || s.Reference != "" || s.ShipmentID != "" || s.ClientID != "" || len(s.Metadata) > 0
}

// hasIndex reports whether an index has both the filter and the order of the list.
func (l *listing) hasIndex(narrow bool) bool {
	if l.Order.ByUpdate {
		return !narrow && len(l.Statuses) == 0 && l.Created.IsZero()
	}
	return narrow || l.Updated.IsZero()
}

// errFull ends the reading of rows.
var errFull = errors.New("the page is full")

// probe looks for a page among the first records of the order. It reports whether the page is full.
func (t *Tx) probe(s filing.Selection) (page []filing.Filing, full bool, err error) {
	l := listing{Selection: s, byUpdate: s.Order.ByUpdate}
	l.Statuses, l.Limit = nil, maxProbed
	if l.byUpdate {
		l.Created = filing.Period{}
	} else {
		l.Updated = filing.Period{Until: s.Updated.Until}
	}
	err = t.eachListed(l.query([]source{l.inOrder()}), l.args, s.Kind, func(f *filing.Filing) error {
		if (len(s.Statuses) == 0 || slices.Contains(s.Statuses, f.Status)) && s.Created.Has(f.CreatedAt) && s.Updated.Has(f.UpdatedAt) {
			page = append(page, *f)
		}
		if len(page) == s.Limit {
			return errFull
		}
		return nil
	})
	if errors.Is(err, errFull) {
		return page, true, nil
	}
	return page, false, err
}

// listing is the query of a list under construction.
type listing struct {
	filing.Selection
	byUpdate bool  // the index that the query reads is ordered by the last change
	merges   bool  // see engine.Dialect
	args     []any // from $2 on
}

// source is a condition with an index that the query reads.
type source struct {
	terms string // the conditions
	by    string // the filter that they cover, which is not applied again
	named bool   // reads the metadata and looks up each record
	entry bool   // reads a ledger and looks up each record
}

// arg adds a parameter and returns its name.
func (l *listing) arg(value any) string {
	l.args = append(l.args, value)
	return "$" + strconv.Itoa(len(l.args)+1)
}

// inOrder reads the index of all records of the kind.
func (l *listing) inOrder() source { return source{} }

// rejected is the status of which the records of a client have an index.
var rejected = []lifecycle.State{lifecycle.Rejected}

// Filters that have an index, the most selective first.
const (
	byKeys      = "keys"
	byReference = "reference"
	byShipment  = "shipment"
	byMetadata  = "metadata"
	byClient    = "client"
	byStatus    = "status"
	byEntry     = "entry"
)

// sources returns the conditions of the most selective filter, each with an index. A record fits one of
// them at most.
func (l *listing) sources() (all []source) {
	const withKey = "f.id = (SELECT k.filing_id FROM filing_keys k WHERE k.org_id = $1 AND k.name = %s AND k.value = %s)"
	switch {
	case l.Entries.Ledger != "":
		return []source{{}} // see entrySource
	case l.byUpdate:
		return []source{l.inOrder()}
	case len(l.Keys) > 0:
		terms := ""
		for _, k := range l.Keys {
			terms += " AND " + fmt.Sprintf(withKey, l.arg(k.Name), l.arg(k.Value))
		}
		return []source{{terms: terms, by: byKeys}}
	case l.Reference != "":
		own := l.arg(l.Reference)
		all = []source{{terms: " AND f.own_reference = " + own, by: byReference}}
		if l.ReferenceKey != "" {
			terms := fmt.Sprintf(" AND "+withKey+" AND COALESCE(f.own_reference, '') <> %s", l.arg(l.ReferenceKey), l.arg(l.Reference), l.arg(l.Reference))
			all = append(all, source{terms: terms, by: byReference})
		}
		return all
	case l.ShipmentID != "":
		return []source{{terms: " AND f.shipment_id = " + l.arg(l.ShipmentID), by: byShipment}}
	case len(l.Metadata) > 0:
		first := l.Metadata[0]
		return []source{{terms: " AND n.kind = " + l.arg(l.Kind) + " AND n.name = " + l.arg(first.Name) + " AND n.value = " + l.arg(first.Value), by: byMetadata, named: true}}
	case l.ClientID != "" && slices.Equal(l.Statuses, rejected):
		return []source{{terms: " AND f.status = 'REJECTED' AND f.client_id = " + l.arg(l.ClientID), by: byClient}}
	case l.ClientID != "":
		return []source{{terms: " AND f.client_id = " + l.arg(l.ClientID), by: byClient}}
	}
	for _, status := range l.Statuses {
		all = append(all, source{terms: " AND f.status = " + l.arg(string(status)), by: byStatus})
	}
	if all == nil {
		all = []source{l.inOrder()}
	}
	return all
}

// query returns the query that reads some sources.
func (l *listing) query(all []source) string {
	limit := " LIMIT " + l.arg(l.Limit) + computed
	parts := make([]string, len(all))
	switch {
	case len(all) == 1:
		return l.branch(all[0], selected) + l.orderOf(all[0]) + limit
	case l.merges && all[0].by == byStatus:
		for i, d := range all {
			parts[i] = l.branch(d, selected)
		}
		return strings.Join(parts, " UNION ALL ") + l.order("") + limit
	}
	for i, d := range all {
		parts[i] = "SELECT * FROM (" + l.branch(d, "f.id, f."+l.at()) + l.orderOf(d) + limit + ") AS b" + strconv.Itoa(i)
	}
	places := "SELECT * FROM (" + strings.Join(parts, " UNION ALL ") + ") AS u" + l.order("u.") + limit
	return "SELECT " + selected + " FROM (" + places + ") AS p CROSS JOIN filings f WHERE f.org_id = $1 AND f.id = p.id" + l.order("p.")
}

const selected = "f.id, f.status, COALESCE(f.brief, f.body) AS input, f.added, f.created_at, f.updated_at"

// branch returns the query that reads columns of one source, without order and limit.
func (l *listing) branch(d source, columns string) string {
	from, at, id := "filings f", "f."+l.at(), "f.id"
	where := " WHERE f.org_id = $1"
	if d.named {
		from, at, id = "filing_terms n CROSS JOIN filings f", "n.created_at", "n.filing_id"
		where = " WHERE n.org_id = $1 AND f.org_id = $1 AND f.id = n.filing_id"
	}
	if d.entry {
		if from, at, id = "postings p CROSS JOIN filings f", "p.posted_at", "p.filing_id"; d.by == byClient {
			from = "filings f CROSS JOIN postings p" // SQLite reads them in this order
		}
		where = " WHERE p.org_id = $1 AND f.org_id = $1 AND f.id = p.filing_id"
	}
	if d.entry {
		columns = strings.Replace(columns, "f.created_at", "p.posted_at", 1)
	}
	query := "SELECT " + columns + " FROM " + from + where + " AND f.kind = " + l.arg(l.Kind) + d.terms + l.conditions(d)
	if l.After.ID != "" {
		than := "<"
		if l.Order.Ascending {
			than = ">"
		}
		query += fmt.Sprintf(" AND (%s, %s) %s (%s, %s)", at, id, than, l.arg(instant(l.After.CreatedAt)), l.arg(l.After.ID))
	}
	return query
}

func (l *listing) at() string {
	if l.byUpdate {
		return "updated_at"
	}
	return "created_at"
}

// order returns the order of the list, of columns with a prefix.
func (l *listing) order(prefix string) string { return l.orderBy(prefix+l.at(), prefix+"id") }

// orderOf returns the order of a source's index.
func (l *listing) orderOf(d source) string {
	if d.named {
		return l.orderBy("n.created_at", "n.filing_id")
	}
	if d.entry {
		return l.orderBy("p.posted_at", "p.filing_id")
	}
	return l.order("f.")
}

func (l *listing) orderBy(at, id string) string {
	direction := " DESC"
	if l.Order.Ascending {
		direction = ""
	}
	return " ORDER BY " + at + direction + ", " + id + direction
}

// conditions returns the filters that a source does not cover, in forms that no index has, so that the
// planner takes the source's.
func (l *listing) conditions(d source) string {
	var all strings.Builder
	add := func(format string, values ...any) {
		names := make([]any, len(values))
		for i, v := range values {
			names[i] = l.arg(v)
		}
		fmt.Fprintf(&all, " AND "+format, names...)
	}
	l.periods(d, add)
	if len(l.Statuses) > 0 && d.by != byStatus {
		names := make([]string, len(l.Statuses))
		for i, status := range l.Statuses {
			names[i] = l.arg(string(status))
		}
		all.WriteString(" AND f.status || '' IN (" + strings.Join(names, ", ") + ")")
	}
	if d.by != byKeys {
		for _, k := range l.Keys {
			add("EXISTS (SELECT 1 FROM filing_keys k WHERE k.org_id = $1 AND k.name = %s AND k.value = %s AND k.filing_id = f.id)", k.Name, k.Value)
		}
	}
	if l.Reference != "" && d.by != byReference {
		add("%s IN (SELECT f.own_reference UNION ALL SELECT k.value FROM filing_keys k WHERE k.org_id = $1 AND k.name = %s AND k.value = %s AND k.filing_id = f.id)",
			l.Reference, l.ReferenceKey, l.Reference)
	}
	if l.ShipmentID != "" && d.by != byShipment {
		add("CAST(f.shipment_id AS TEXT) = %s", l.ShipmentID)
	}
	if l.ClientID != "" && d.by != byClient {
		add("CAST(f.client_id AS TEXT) = %s", l.ClientID)
	}
	for i, m := range l.Metadata {
		if i > 0 || d.by != byMetadata {
			add("EXISTS (SELECT 1 FROM filing_terms m WHERE m.org_id = $1 AND m.filing_id = f.id AND m.name = %s AND m.value = %s)", m.Name, m.Value)
		}
	}
	return all.String()
}

// periods adds the conditions on time, that on the instant by which the list is not ordered in a form that no index has. A
// record is never changed before it was created, so each period also limits the other instant.
func (l *listing) periods(d source, add func(string, ...any)) {
	created, updated := "f.created_at", "COALESCE(f.updated_at, f.created_at)"
	switch {
	case d.named:
		created = "n.created_at"
	case l.byUpdate:
		created, updated = "COALESCE(f.created_at, f.updated_at)", "f.updated_at"
	}
	for _, p := range []struct {
		filing.Period
		column string
	}{{l.Created, created}, {l.Updated, updated}} {
		if !p.From.IsZero() {
			add(p.column+" >= %s", instant(p.From))
		}
		if !p.Until.IsZero() {
			add(p.column+" < %s", instant(p.Until))
		}
	}
	if !l.Updated.Until.IsZero() && l.Created.Until.IsZero() {
		add(created+" < %s", instant(l.Updated.Until))
	}
	if !l.Created.From.IsZero() && l.Updated.From.IsZero() {
		add(updated+" >= %s", instant(l.Created.From))
	}
}

// page reads records as lists show them.
func (t *Tx) page(query string, args []any, s filing.Selection) ([]filing.Filing, error) {
	page := make([]filing.Filing, 0, s.Limit)
	err := t.eachListed(query, args, s.Kind, func(f *filing.Filing) error {
		page = append(page, *f)
		return nil
	})
	return page, err
}

// eachListed calls fn for records as lists show them.
func (t *Tx) eachListed(query string, args []any, kind string, fn func(*filing.Filing) error) error {
	err := t.rows(query, args, func(r engine.Row) error {
		f := filing.Filing{Kind: kind}
		if err := r.Scan(&f.ID, &f.Status, (*[]byte)(&f.Brief), (*[]byte)(&f.Added), (*instant)(&f.CreatedAt), (*instant)(&f.UpdatedAt)); err != nil {
			return err
		}
		return fn(&f)
	})
	if err != nil {
		return fmt.Errorf("store: select: %w", err)
	}
	return nil
}

// places reads the positions of records in the order of a list.
func (t *Tx) places(query string, args []any, s filing.Selection) (all []filing.Position, err error) {
	query = strings.ReplaceAll(query, "f.status, COALESCE(f.brief, f.body) AS input, f.added", "'' AS status, '' AS input, '' AS added")
	err = t.rows(query, args, func(r engine.Row) error {
		var f filing.Filing
		var none string
		err := r.Scan(&f.ID, &none, &none, &none, (*instant)(&f.CreatedAt), (*instant)(&f.UpdatedAt))
		all = append(all, s.Order.Position(&f))
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("store: select: %w", err)
	}
	return all, nil
}

// sorted reads the page of some records.
func (t *Tx) sorted(places []filing.Position, s filing.Selection) ([]filing.Filing, error) {
	if s.After.ID != "" {
		places = slices.DeleteFunc(places, func(p filing.Position) bool { return s.Order.Compare(p, s.After) <= 0 })
	}
	slices.SortFunc(places, s.Order.Compare)
	return t.inPlaces(places[:min(len(places), s.Limit)])
}

// inPlaces reads records in the order of their places.
func (t *Tx) inPlaces(places []filing.Position) ([]filing.Filing, error) {
	ids := make([]string, len(places))
	for i, p := range places {
		ids[i] = p.ID
	}
	found, err := t.Briefs(ids)
	if err != nil {
		return nil, err
	}
	page := make([]filing.Filing, 0, len(ids))
	for _, id := range ids {
		page = append(page, found[id])
	}
	return page, nil
}
