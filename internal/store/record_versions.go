package store

import (
	"bytes"
	"database/sql"
	"fmt"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

// keepFormer stores the record as it was before a change, for the list of events. A body that the change does not
// replace is not stored again. Of a deleted record, the version that its last event shows is stored too.
func (t *Tx) keepFormer(c *filing.Change) error {
	if c.Former == nil {
		return nil
	}
	var body any
	if !bytes.Equal(c.Former.Body, c.Filing.Body) {
		body = string(c.Former.Body)
	}
	if err := t.addVersion(c.Former, body); err != nil || !c.Deleted {
		return err
	}
	return t.addVersion(&c.Filing, string(c.Filing.Body))
}

// addVersion stores a version of a record. A body that is nil is that of the next version.
func (t *Tx) addVersion(f *filing.Filing, body any) error {
	err := t.execDeferred("INSERT INTO record_versions (org_id, resource_id, version, status, added, created_at, updated_at, replaced_at, body) "+
		"VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
		f.ID, f.Version, string(f.Status), object(f.Added), instant(f.CreatedAt), instant(f.UpdatedAt), instant(t.now), body)
	if err != nil {
		return fmt.Errorf("store: add version: %w", err)
	}
	return nil
}

// The statements that read records by their IDs, and some of their versions. Each version takes its body from the
// next one that has one, or from the record itself. Each pair matches the primary key in full, so that PostgreSQL looks
// it up even without statistics of the table.
var (
	findRecords  = "SELECT " + filingColumns + " FROM filings WHERE org_id = $1 AND id IN (" + placeholders(2) + ")"
	findVersions = "SELECT v.resource_id, v.version, v.status, COALESCE(v.body, (SELECT n.body FROM record_versions n WHERE n.org_id = $1 " +
		"AND n.resource_id = v.resource_id AND n.version > v.version AND n.body IS NOT NULL ORDER BY n.version LIMIT 1)), v.added, v.created_at, v.updated_at " +
		"FROM (VALUES " + pairs(2) + ") AS w CROSS JOIN record_versions v WHERE v.org_id = $1 AND v.resource_id = w.column1 AND v.version = w.column2"
)

// placeholders returns the placeholders of filing.MaxAtVersions parameters.
func placeholders(first int) string {
	names := make([]string, filing.MaxAtVersions)
	for i := range names {
		names[i] = fmt.Sprintf("$%d", first+i)
	}
	return strings.Join(names, ", ")
}

// pairs returns rows of an ID and a version, filing.MaxAtVersions in all.
func pairs(first int) string {
	rows := make([]string, filing.MaxAtVersions)
	for i := range rows {
		rows[i] = fmt.Sprintf("($%d, CAST($%d AS BIGINT))", first+2*i, first+2*i+1)
	}
	return strings.Join(rows, ", ")
}

// RecordsAt reads at most filing.MaxAtVersions records as they were at versions, without their kinds. It leaves out
// versions that are not stored any more.
func (t *Tx) RecordsAt(refs []filing.AtVersion) (map[filing.AtVersion]filing.Filing, error) {
	found := make(map[filing.AtVersion]filing.Filing, len(refs))
	if len(refs) == 0 {
		return found, nil
	}
	wanted, latest := map[filing.AtVersion]bool{}, map[string]filing.Filing{}
	ids, args := make([]any, filing.MaxAtVersions), make([]any, 2*filing.MaxAtVersions)
	for i := range filing.MaxAtVersions {
		ref := refs[min(i, len(refs)-1)]
		ids[i], args[2*i], args[2*i+1], wanted[ref] = ref.ID, ref.ID, ref.Version, true
	}
	err := t.rows(findRecords, ids, func(r engine.Row) error {
		f, err := scanFiling(r)
		latest[f.ID] = f
		if at := (filing.AtVersion{ID: f.ID, Version: f.Version}); wanted[at] {
			found[at] = f
		}
		return err
	})
	if err == nil && len(found) < len(wanted) {
		err = t.rows(findVersions, args, func(r engine.Row) error {
			f, err := scanVersion(r, latest)
			if at := (filing.AtVersion{ID: f.ID, Version: f.Version}); wanted[at] && f.Body != nil {
				found[at] = f
			}
			return err
		})
	}
	return found, wrapError("records at versions", err)
}

func scanVersion(r engine.Row, latest map[string]filing.Filing) (f filing.Filing, err error) {
	var body sql.NullString
	err = r.Scan(&f.ID, &f.Version, &f.Status, &body, (*[]byte)(&f.Added), (*instant)(&f.CreatedAt), (*instant)(&f.UpdatedAt))
	if f.Body = latest[f.ID].Body; body.Valid {
		f.Body = []byte(body.String)
	}
	return f, err
}
