package stock

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// tables are those in which a copy has rows, besides events.
var tables = []string{
	"organisations", "memberships", "api_keys", "endpoints", "filings", "filing_keys", "filing_names", "deadlines", "postings", "notices", "deliveries",
}

// owners are the columns with the filing of a row.
var owners = map[string]string{
	"filings": "id", "filing_keys": "filing_id", "filing_names": "filing_id", "deadlines": "filing_id", "postings": "filing_id",
	"notices": "resource_id", "deliveries": "resource_id",
}

// pattern is an organisation that the service wrote, split into what every organisation has and its
// declarations.
type pattern struct {
	columns      map[string][]string
	organisation record
	declarations []record
}

// table is the content of a table for an organisation, all values as text except times, numbers and booleans.
type table struct {
	columns []string
	rows    [][]any
}

func read(ctx context.Context, conn *pgx.Conn, name string, org tenant.ID) (t *table, err error) {
	t = &table{}
	rows, err := conn.Query(ctx, "SELECT * FROM "+name+" WHERE org_id = $1", string(org))
	if err != nil {
		return t, err
	}
	defer rows.Close()
	for _, f := range rows.FieldDescriptions() {
		t.columns = append(t.columns, f.Name)
	}
	for rows.Next() {
		values, err := rows.Values()
		if err != nil {
			return t, err
		}
		for i, v := range values {
			if id, ok := v.([16]byte); ok {
				values[i] = uuidText(id)
			}
		}
		t.rows = append(t.rows, values)
	}
	return t, rows.Err()
}

func uuidText(id [16]byte) string {
	h := hex.EncodeToString(id[:])
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}

// column is a value of a row by its name.
func (t *table) column(row []any, name string) any { return row[slices.Index(t.columns, name)] }

func (t *table) text(row []any, name string) string {
	text, _ := t.column(row, name).(string)
	return text
}

// readPattern reads an organisation.
func readPattern(ctx context.Context, conn *pgx.Conn, m *maker, org tenant.ID) (*pattern, error) {
	all := map[string]*table{}
	p := &pattern{columns: map[string][]string{"events": eventColumns}}
	for _, name := range append([]string{"events"}, tables...) {
		t, err := read(ctx, conn, name, org)
		if err != nil {
			return nil, fmt.Errorf("stock: read %s: %w", name, err)
		}
		all[name] = t
		if name != "events" {
			p.columns[name] = t.columns
		}
	}
	filings := all["filings"]
	m.bodyColumn = slices.Index(filings.columns, "body")
	declared := map[string][]any{}
	for _, row := range filings.rows {
		if filings.text(row, "kind") == "declaration" {
			declared[filings.text(row, "id")] = row
		}
	}
	p.organisation = gather(all, "", func(id string) bool { return declared[id] == nil })
	p.organisation.words = organisationWords(all, declared)
	p.organisation.compile()
	for _, row := range filings.rows {
		id := filings.text(row, "id")
		if declared[id] == nil {
			continue
		}
		r := gather(all, id, func(of string) bool { return of == id })
		r.at = filings.column(row, "created_at").(time.Time)
		r.words = append(slices.Clone(p.organisation.words), declarationWords(all, id)...)
		r.compile()
		p.declarations = append(p.declarations, r)
	}
	return p, nil
}

// gather takes the rows that belong to some filings; for the empty filing also those that belong to none. Of a
// declaration's history only its creation is taken.
func gather(all map[string]*table, filing string, belongs func(id string) bool) record {
	r := record{rows: map[string][][]cell{}}
	for _, name := range tables {
		t := all[name]
		for _, row := range t.rows {
			owner := owners[name]
			if owner == "" && filing != "" || owner != "" && !belongs(t.text(row, owner)) {
				continue
			}
			cells := make([]cell, len(row))
			for i, v := range row {
				cells[i].value = v
			}
			r.rows[name] = append(r.rows[name], cells)
		}
	}
	events := all["events"]
	slices.SortFunc(events.rows, func(a, b []any) int {
		return int(events.column(a, "sequence").(int64) - events.column(b, "sequence").(int64))
	})
	for _, row := range events.rows {
		e := eventOf(events, row)
		if belongs(e.ResourceID) && (e.ResourceType != "declaration" || e.Type == "declaration.created") {
			r.events = append(r.events, eventTemplate{Event: e})
		}
	}
	return r
}

func eventOf(t *table, row []any) audit.Event {
	return audit.Event{
		ID: t.text(row, "id"), OccurredAt: t.column(row, "occurred_at").(time.Time), Hub: t.text(row, "hub"), Type: t.text(row, "type"),
		ResourceType: t.text(row, "resource_type"), ResourceID: t.text(row, "resource_id"), FromStatus: t.text(row, "from_status"), ToStatus: t.text(row, "to_status"),
		ActorUserID: t.text(row, "actor_user_id"), ActorType: tenant.ActorType(t.text(row, "actor_type")), KeyID: t.text(row, "key_id"),
		RequestID: t.text(row, "request_id"), IPAddress: t.text(row, "ip_address"), Data: json.RawMessage(t.text(row, "data")),
	}
}

// Indexes of an organisation's words that copies of its declarations use.
const (
	orgWord = iota
	hashWord
	shipmentWord
)

func organisationWords(all map[string]*table, declared map[string][]any) []word {
	keys, filings := all["api_keys"], all["filings"]
	words := []word{freshUUID(all["organisations"].text(all["organisations"].rows[0], "org_id")), {text: keys.text(keys.rows[0], "hash")}}
	words = append(words, freshUUID(keys.text(keys.rows[0], "id")))
	for _, row := range filings.rows {
		id := filings.text(row, "id")
		switch {
		case declared[id] != nil:
		case filings.text(row, "kind") == "shipment":
			words = slices.Insert(words, shipmentWord, freshUUID(id))
		default:
			words = append(words, freshUUID(id))
		}
	}
	endpoints := all["endpoints"]
	for _, row := range endpoints.rows {
		words = append(words, freshUUID(endpoints.text(row, "id")))
	}
	return words
}

// Number of letters with which references of a kind begin, before the counter.
const (
	lrnLetters     = len("TWS")
	mrnLetters     = len("26GB")
	invoiceLetters = len("INV-")
)

func declarationWords(all map[string]*table, id string) []word {
	words := []word{freshUUID(id)}
	for name, column := range map[string]string{"deliveries": "id", "events": "id"} {
		t := all[name]
		for _, row := range t.rows {
			if t.text(row, "resource_id") == id && (name != "events" || t.text(row, "type") == "declaration.created") {
				words = append(words, freshUUID(t.text(row, column)))
			}
		}
	}
	keys := all["filing_keys"]
	for _, row := range keys.rows {
		switch value := keys.text(row, "value"); {
		case keys.text(row, "filing_id") != id:
		case keys.text(row, "name") == "declaration.lrn":
			words = append(words, number(value, lrnLetters))
		default:
			words = append(words, number(value, mrnLetters))
		}
	}
	names := all["filing_names"]
	for _, row := range names.rows {
		if _, invoice, found := strings.Cut(names.text(row, "value"), " "); found && names.text(row, "filing_id") == id {
			words = append(words, number(invoice, invoiceLetters))
		}
	}
	filings := all["filings"]
	for _, row := range filings.rows {
		if filings.text(row, "id") == id {
			words = append(words, instantsIn(filings.text(row, "added"))...)
		}
	}
	notices := all["notices"]
	for _, row := range notices.rows {
		if notices.text(row, "resource_id") == id {
			words = append(words, instantsIn(notices.text(row, "body"))...)
		}
	}
	slices.SortFunc(words, func(a, b word) int { return strings.Compare(a.text, b.text) })
	return slices.CompactFunc(words, func(a, b word) bool { return a.text == b.text })
}

// compile finds the words in all texts of a record.
func (r *record) compile() {
	for _, rows := range r.rows {
		for _, cells := range rows {
			for i := range cells {
				if text, ok := cells[i].value.(string); ok {
					cells[i] = cell{phrase: phraseOf(text, r.words)}
				}
			}
		}
	}
	for i := range r.events {
		e := &r.events[i]
		e.id, e.resource, e.key, e.data = phraseOf(e.ID, r.words), phraseOf(e.ResourceID, r.words), phraseOf(e.KeyID, r.words), phraseOf(string(e.Data), r.words)
	}
}
