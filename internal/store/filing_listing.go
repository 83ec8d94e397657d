package store

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
)

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
