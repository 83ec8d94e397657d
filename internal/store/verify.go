package store

import (
	"fmt"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/records/integrity"
	"github.com/tidewaiter/tidewaiter/internal/records/portability"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

// StoredAfter reads complete records in the order of their IDs, each with its newest event.
func (t *Tx) StoredAfter(id string, limit int) (part []integrity.Stored, err error) {
	query, args := "SELECT "+filingColumns+", (SELECT e.sequence FROM events e WHERE e.org_id = $1 AND e.resource_id = CAST(f.id AS TEXT) "+
		"ORDER BY e.sequence DESC LIMIT 1) FROM filings f WHERE f.org_id = $1", []any{}
	if id != "" {
		query += " AND f.id > $2"
		args = append(args, id)
	}
	err = t.rows(query+fmt.Sprintf(" ORDER BY f.id LIMIT $%d"+computed, len(args)+2), append(args, limit), func(r engine.Row) error {
		var s integrity.Stored
		var last *int64
		f := &s.Filing
		err := r.Scan(&f.ID, &f.Kind, &f.Status, &f.Version, &f.BodyVersion, (*[]byte)(&f.Body), (*[]byte)(&f.Brief), (*[]byte)(&f.Added),
			(*instant)(&f.CreatedAt), (*instant)(&f.UpdatedAt), &last)
		if last != nil {
			s.Last.Sequence = *last
		}
		part = append(part, s)
		return err
	})
	if err != nil {
		return nil, wrapError("stored records", err)
	}
	return part, wrapError("last events", t.lastEvents(part))
}

// lastEvents reads the data of the newest event about each of some records.
func (t *Tx) lastEvents(part []integrity.Stored) error {
	at := map[int64]*audit.Event{}
	for i := range part {
		if e := &part[i].Last; e.Sequence > 0 {
			at[e.Sequence] = e
		}
	}
	sequences := make([]any, 0, len(at))
	for sequence := range at {
		sequences = append(sequences, sequence)
	}
	return inBatches(sequences, func(marks string, args []any) error {
		return t.rows("SELECT sequence, type, data FROM events WHERE org_id = $1 AND sequence IN ("+marks+")", args, func(r engine.Row) error {
			var sequence int64
			var kind, data string
			err := r.Scan(&sequence, &kind, &data)
			if e := at[sequence]; e != nil {
				e.Type, e.Data = kind, []byte(data)
			}
			return err
		})
	})
}

// EventsAbout reads events of a record before a sequence, newest first; 0 for all.
func (t *Tx) EventsAbout(resourceID string, before int64, limit int) (part []audit.Event, err error) {
	query, args := "SELECT "+eventColumns+" FROM events WHERE org_id = $1 AND resource_id = $2", []any{resourceID}
	if before > 0 {
		query += " AND sequence < $3"
		args = append(args, before)
	}
	err = t.rows(query+fmt.Sprintf(" ORDER BY sequence DESC LIMIT $%d"+computed, len(args)+2), append(args, limit), func(r engine.Row) error {
		e, err := scanEvent(r)
		part = append(part, e)
		return err
	})
	return part, wrapError("events of a record", err)
}

// Absent returns those of some IDs, each a UUID, that no record has.
func (t *Tx) Absent(ids []string) (absent []string, err error) {
	exists, values := map[string]bool{}, []any{}
	for _, id := range ids {
		values = append(values, id)
	}
	err = inBatches(values, func(marks string, args []any) error {
		return t.rows("SELECT id FROM filings WHERE org_id = $1 AND id IN ("+marks+")", args, func(r engine.Row) error {
			var id string
			err := r.Scan(&id)
			exists[id] = true
			return err
		})
	})
	for _, id := range ids {
		if !exists[id] {
			absent = append(absent, id)
		}
	}
	return absent, wrapError("absent records", err)
}

// valuesAtOnce is the number of values in one statement.
const valuesAtOnce = 100

// inBatches calls fn with batches of values, always with the same number of parameters: the
// first value fills the remaining places.
func inBatches(values []any, fn func(marks string, args []any) error) error {
	marks := make([]string, valuesAtOnce)
	for i := range marks {
		marks[i] = fmt.Sprintf("$%d", i+2)
	}
	for len(values) > 0 {
		args := append([]any{}, values[:min(valuesAtOnce, len(values))]...)
		values = values[len(args):]
		for len(args) < valuesAtOnce {
			args = append(args, args[0])
		}
		if err := fn(strings.Join(marks, ", "), args); err != nil {
			return err
		}
	}
	return nil
}

// maxSettingRows is how many rows of one id an event has digests of: a person is linked to a few
// identities; everything else has one row.
const maxSettingRows = 20

// sealSetting adds to the event of a changed setting the digests of its rows as they are now.
func (t *Tx) sealSetting(e *audit.Event) error {
	ref, ok := integrity.SettingOf(e, t.org)
	if !ok {
		return nil
	}
	from := ref.Kind().Rows
	names := make([]string, 0, len(from.Columns)+len(from.Key))
	for _, c := range from.Columns {
		names = append(names, c.Name)
	}
	var found []portability.Row
	err := t.rows("SELECT "+strings.Join(append(names, from.Key...), ", ")+" FROM "+from.Name+" WHERE org_id = $1 AND "+from.Columns[0].Name+" = $2 "+
		"ORDER BY "+strings.Join(from.Key, ", ")+" LIMIT $3"+computed, []any{ref.ID, maxSettingRows}, func(r engine.Row) error {
		one, err := exportedRow(r, from)
		found = append(found, one)
		return err
	})
	if err != nil {
		return wrapError("seal setting", err)
	}
	integrity.SealSetting(e, t.org, ref, found)
	return nil
}
