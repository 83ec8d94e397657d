package store

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

// EachRecordAfter calls fn for the records of all kinds after an ID, in the order of their IDs, which is
// about that of their creation.
func (t *Tx) EachRecordAfter(id string, limit int, fn func(filing.Filing) error) error {
	query, args := "SELECT "+filingColumns+" FROM filings WHERE org_id = $1", []any{limit}
	if id != "" {
		query, args = query+" AND id > $3", append(args, id)
	}
	err := t.rows(query+" ORDER BY id LIMIT $2"+computed, args, func(r engine.Row) error {
		f, err := scanFiling(r)
		if err != nil {
			return err
		}
		return fn(f)
	})
	if err != nil {
		return fmt.Errorf("store: records: %w", err)
	}
	return nil
}

// RecordsByID reads complete records of any kind by their IDs, in no order.
func (t *Tx) RecordsByID(ids []string) (all []filing.Filing, err error) {
	for some := range slices.Chunk(ids, briefsPerQuery) {
		args, names := make([]any, briefsPerQuery), make([]string, briefsPerQuery)
		for i := range args {
			args[i], names[i] = some[min(i, len(some)-1)], fmt.Sprintf("$%d", i+2)
		}
		err := t.rows("SELECT "+filingColumns+" FROM filings WHERE org_id = $1 AND id IN ("+strings.Join(names, ", ")+")", args, func(r engine.Row) error {
			f, err := scanFiling(r)
			all = append(all, f)
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("store: records: %w", err)
		}
	}
	return all, nil
}

// IDsByReferences returns the records of some kinds with an own reference, and records with a unique key of some names, that is one of
// some texts. The index of own references begins with the kind: without kinds all references of the organisation would be read.
func (t *Tx) IDsByReferences(kinds, names, texts []string, limit int) (ids []string, err error) {
	if len(kinds) == 0 || len(texts) == 0 {
		return nil, nil
	}
	list, args := listOf([]any{limit}, texts)
	some, args := listOf(args, kinds)
	query := "SELECT f.id FROM filings f WHERE f.org_id = $1 AND f.kind IN " + some + " AND f.own_reference IN " + list
	for _, name := range names {
		args = append(args, name)
		query += fmt.Sprintf(" UNION ALL SELECT k.filing_id FROM filing_keys k WHERE k.org_id = $1 AND k.name = $%d AND k.value IN %s", len(args)+1, list)
	}
	err = t.rows("SELECT id FROM ("+query+") AS found LIMIT $2"+computed, args, func(r engine.Row) error {
		var id string
		err := r.Scan(&id)
		ids = append(ids, id)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("store: references: %w", err)
	}
	return ids, nil
}
