package store

import (
	"encoding/json"
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

// Secrets reads the sealed secrets of a record; empty if it has none.
func (t *Tx) Secrets(recordID string) (sealed string, err error) {
	_, err = t.row("SELECT sealed FROM record_secrets WHERE org_id = $1 AND record_id = $2", []any{recordID}, &sealed)
	return sealed, wrapError("secrets of a record", err)
}

// SaveSecrets stores the sealed secrets of a record. An empty text removes them.
func (t *Tx) SaveSecrets(recordID, sealed string) (err error) {
	if sealed == "" {
		err = t.execDeferred("DELETE FROM record_secrets WHERE org_id = $1 AND record_id = $2", recordID)
	} else {
		err = t.execDeferred("INSERT INTO record_secrets (org_id, record_id, sealed) VALUES ($1, $2, $3) "+
			"ON CONFLICT (org_id, record_id) DO UPDATE SET sealed = excluded.sealed", recordID, sealed)
	}
	if err != nil {
		return fmt.Errorf("store: secrets of a record: %w", err)
	}
	return nil
}

// holdsCode is a condition on a column with JSON that may hold an access code in the clear.
const holdsCode = ` LIKE '%"accessCode":"%'`

// ClearRecords lists some records of a kind whose body holds an access code in the clear.
func (t *Tx) ClearRecords(kind string, limit int) (ids []string, err error) {
	err = t.rows("SELECT id FROM filings WHERE org_id = $1 AND kind = $2 AND body"+holdsCode+" LIMIT $3"+computed, []any{kind, limit}, func(r engine.Row) error {
		var id string
		err := r.Scan(&id)
		ids = append(ids, id)
		return err
	})
	return ids, wrapError("clear records", err)
}

// ClearTransmissions lists some transmissions whose document holds an access code and is not sealed.
func (t *Tx) ClearTransmissions(limit int) ([]customs.Transmission, error) {
	return t.transmissions("SELECT "+transmissionColumns+" FROM transmissions WHERE org_id = $1 AND body LIKE '%AccessCode>%' AND COALESCE(detail, '') NOT LIKE '%\"sealed\":%' LIMIT $2"+computed, limit)
}

// ReplaceDocument stores the document and the detail of a transmission.
func (t *Tx) ReplaceDocument(m customs.Transmission) error {
	detail, err := json.Marshal(m.Detail)
	if err != nil {
		return err
	}
	return wrapError("replace document", t.execDeferred("UPDATE transmissions SET body = $2, detail = $3 WHERE org_id = $1 AND id = $4", m.Body, string(detail), m.ID))
}

// maskedTexts are the columns with copies of records, and the columns that identify a row within the organisation.
var maskedTexts = []struct{ table, column, key, second string }{
	{"record_versions", "body", "resource_id", "version"},
	{"idempotency_records", "body", "caller", "key"},
	{"notices", "body", "id", "id"},
}

// MaskTexts masks the access codes in some copies of records, and returns how many there were.
func (t *Tx) MaskTexts(mask func(string) string, limit int) (masked int, err error) {
	for _, c := range maskedTexts {
		type row struct{ key, second, text string }
		var found []row
		err := t.rows("SELECT "+c.key+", CAST("+c.second+" AS TEXT), "+c.column+" FROM "+c.table+" WHERE org_id = $1 AND "+c.column+holdsCode+" LIMIT $2"+computed, []any{limit}, func(r engine.Row) error {
			var one row
			err := r.Scan(&one.key, &one.second, &one.text)
			found = append(found, one)
			return err
		})
		for _, r := range found {
			if err == nil {
				err = t.execDeferred("UPDATE "+c.table+" SET "+c.column+" = $2 WHERE org_id = $1 AND "+c.key+" = $3 AND CAST("+c.second+" AS TEXT) = $4", mask(r.text), r.key, r.second)
			}
		}
		if err != nil {
			return 0, wrapError("mask texts of "+c.table, err)
		}
		masked += len(found)
	}
	return masked, nil
}
