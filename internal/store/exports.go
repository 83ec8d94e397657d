package store

import (
	"database/sql"
	"fmt"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/attachment"
	"github.com/tidewaiter/tidewaiter/internal/records/portability"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

// CountExported counts the records, events and messages of a complete export.
func (t *Tx) CountExported() (n int64, err error) {
	for _, query := range []string{
		"SELECT count(*) FROM filings WHERE org_id = $1", "SELECT count(*) FROM messages WHERE org_id = $1",
		"SELECT COALESCE(max(sequence), 0) - COALESCE(min(sequence), 1) + 1 FROM events WHERE org_id = $1",
	} {
		var part int64
		if _, err := t.row(query, nil, &part); err != nil {
			return 0, wrapError("count what is exported", err)
		}
		n += part
	}
	return n, nil
}

// AddExport stores an export.
func (t *Tx) AddExport(j portability.Job) error {
	return wrapError("add export", t.execDeferred("INSERT INTO organisation_exports (org_id, id, status, total, done, failed, created_at, finished_at) "+
		"VALUES ($1, $2, $3, $4, $5, $6, $7, $8)", j.ID, j.Status, j.Total, j.Done, j.Failed, instant(j.CreatedAt), instant(j.FinishedAt)))
}

// maxExports is the most exports that are listed: more than can reasonably be made in 30 days,
// and the expired ones.
const maxExports = 1000

// Exports lists the newest exports.
func (t *Tx) Exports() (all []portability.Job, err error) {
	err = t.rows("SELECT id, status, total, done, failed, created_at, finished_at FROM organisation_exports WHERE org_id = $1 "+
		"ORDER BY created_at DESC, id DESC LIMIT $2"+computed, []any{maxExports}, func(r engine.Row) error {
		var j portability.Job
		err := r.Scan(&j.ID, &j.Status, &j.Total, &j.Done, &j.Failed, (*instant)(&j.CreatedAt), (*instant)(&j.FinishedAt))
		all = append(all, j)
		return err
	})
	return all, wrapError("exports", err)
}

// CancelExport ends an export.
func (t *Tx) CancelExport(id string) error {
	return wrapError("cancel export", t.execDeferred("UPDATE organisation_exports SET status = 'CANCELLED' WHERE org_id = $1 AND id = $2", id))
}

// WholeFilings reads complete records of a kind, oldest first, after a position.
func (t *Tx) WholeFilings(kind string, after filing.Position, limit int) (part []filing.Filing, err error) {
	query, args := "SELECT "+filingColumns+" FROM filings WHERE org_id = $1 AND kind = $2", []any{kind}
	if after.ID != "" {
		query += " AND (created_at, id) > ($3, $4)"
		args = append(args, instant(after.CreatedAt), after.ID)
	}
	err = t.rows(query+fmt.Sprintf(" ORDER BY created_at, id LIMIT $%d"+computed, len(args)+2), append(args, limit), func(r engine.Row) error {
		f, err := scanFiling(r)
		part = append(part, f)
		return err
	})
	return part, wrapError("whole records", err)
}

// TableRows reads rows of a table after a key, in the order of the key.
func (t *Tx) TableRows(from portability.Table, after []string, limit int) (part []portability.Row, err error) {
	names := make([]string, 0, len(from.Columns)+len(from.Key))
	for _, c := range from.Columns {
		names = append(names, c.Name)
	}
	key := strings.Join(from.Key, ", ")
	query, args := "SELECT "+strings.Join(append(names, from.Key...), ", ")+" FROM "+from.Name+" WHERE org_id = $1", []any{}
	if after != nil {
		places := make([]string, len(after))
		for i, value := range after {
			places[i] = fmt.Sprintf("$%d", i+2)
			args = append(args, value)
		}
		query += " AND (" + key + ") > (" + strings.Join(places, ", ") + ")"
	}
	err = t.rows(query+" ORDER BY "+key+fmt.Sprintf(" LIMIT $%d"+computed, len(args)+2), append(args, limit), func(r engine.Row) error {
		one, err := exportedRow(r, from)
		part = append(part, one)
		return err
	})
	return part, wrapError("rows of "+from.Name, err)
}

func exportedRow(r engine.Row, from portability.Table) (portability.Row, error) {
	one := portability.Row{Values: make([]any, len(from.Columns)), Key: make([]string, len(from.Key))}
	cells := make([]any, 0, len(from.Columns)+len(from.Key))
	for _, c := range from.Columns {
		cells = append(cells, cell(c.Type))
	}
	for i := range one.Key {
		cells = append(cells, &one.Key[i])
	}
	if err := r.Scan(cells...); err != nil {
		return one, err
	}
	for i := range from.Columns {
		one.Values[i] = exportedValue(cells[i])
	}
	return one, nil
}

func cell(t portability.Type) any {
	switch t {
	case portability.Integer:
		return new(sql.NullInt64)
	case portability.Boolean:
		return new(sql.NullBool)
	case portability.Instant:
		return new(instant)
	}
	return new(sql.NullString)
}

func exportedValue(cell any) any {
	switch v := cell.(type) {
	case *sql.NullInt64:
		if v.Valid {
			return v.Int64
		}
	case *sql.NullBool:
		if v.Valid {
			return v.Bool
		}
	case *sql.NullString:
		if v.Valid {
			return v.String
		}
	case *instant:
		if at := time.Time(*v); !at.IsZero() {
			return at
		}
	}
	return nil
}

// Originals reads bodies as they were sent or received, in the order of their IDs.
func (t *Tx) Originals(from portability.Source, after string, limit int) (part []portability.Original, err error) {
	if from.Table == portability.AttachmentsTable {
		return t.originalAttachments(after, limit)
	}
	query, args := "SELECT id, "+from.Column+" FROM "+from.Table+" WHERE org_id = $1", []any{}
	if after != "" {
		query += " AND id > $2"
		args = append(args, after)
	}
	err = t.rows(query+fmt.Sprintf(" ORDER BY id LIMIT $%d"+computed, len(args)+2), append(args, limit), func(r engine.Row) error {
		var o portability.Original
		err := r.Scan(&o.ID, &o.Data)
		part = append(part, o)
		return err
	})
	return part, wrapError("originals of "+from.Table, err)
}

// originalAttachments reads the files of records.
func (t *Tx) originalAttachments(after string, limit int) (part []portability.Original, err error) {
	all, err := t.AttachmentsAfter(after, limit)
	for i := range all {
		if err != nil {
			break
		}
		o := portability.Original{ID: all[i].ID, Extension: attachment.Extension(all[i].MediaType)}
		o.Data, err = attachment.Content(t, &all[i])
		part = append(part, o)
	}
	return part, err
}
