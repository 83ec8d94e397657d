package server

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"time"

	_ "modernc.org/sqlite" // the database that the service uses
)

// Fill writes declarations directly into the tables of a stopped server, as the server would have written them:
// one a second, with increasing ids and times.
func (o Office) Fill(ctx context.Context, data string, count int) error {
	return fill(ctx, data, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, fillFilings, o.Org, o.ShipmentID, string(o.Declaration()), count); err != nil {
			return fmt.Errorf("server: fill filings: %w", err)
		}
		if _, err := tx.ExecContext(ctx, fillKeys, o.Org); err != nil {
			return fmt.Errorf("server: fill keys: %w", err)
		}
		return nil
	})
}

// FillTrail appends events to an organisation's trail, one a second, of a few types. Their hashes are not valid.
func (o Office) FillTrail(ctx context.Context, data string, count int) error {
	return fill(ctx, data, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, fillEvents, o.Org, o.UserID, count); err != nil {
			return fmt.Errorf("server: fill events: %w", err)
		}
		return nil
	})
}

// FillLedger marks all those declarations as cleared at one instant.
func (o Office) FillLedger(ctx context.Context, data string, at time.Time) error {
	return fill(ctx, data, func(tx *sql.Tx) error {
		cleared := at.UTC().Format("2006-01-02T15:04:05.000Z")
		if _, err := tx.ExecContext(ctx, fillCleared, o.Org, cleared); err != nil {
			return fmt.Errorf("server: fill cleared declarations: %w", err)
		}
		if _, err := tx.ExecContext(ctx, fillLedger, o.Org, cleared); err != nil {
			return fmt.Errorf("server: fill the ledger: %w", err)
		}
		return nil
	})
}

// Terms are of a declaration in the middle of those that Fill wrote, with what lists are filtered by.
type Terms struct{ LRN, Reference, ClientID, CreatedAt string }

// FillTerms gives all those declarations what lists are filtered by: a status, of which one is rare, a reference, the
// client, metadata for each tenth, and a change up to
// 2,880 records later, which is a day if a million are made in a year.
func (o Office) FillTerms(ctx context.Context, data string) (one Terms, err error) {
	err = fill(ctx, data, func(tx *sql.Tx) error {
		for _, statement := range fillTerms {
			if _, err := tx.ExecContext(ctx, statement, o.Org, o.ShipmentID); err != nil {
				return fmt.Errorf("server: fill terms: %w", err)
			}
		}
		return tx.QueryRowContext(ctx, middle, o.Org).Scan(&one.LRN, &one.Reference, &one.ClientID, &one.CreatedAt)
	})
	return one, err
}

func fill(ctx context.Context, data string, write func(*sql.Tx) error) error {
	db, err := sql.Open("sqlite", "file:"+filepath.Join(data, "tidewaiter.db")+"?_pragma=synchronous(OFF)&_pragma=cache_size(-200000)")
	if err != nil {
		return err
	}
	defer db.Close()
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	if err := write(tx); err != nil {
		return err
	}
	return tx.Commit()
}

const fillFilings = "WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < $4), " +
	"made (id, lrn, at) AS (SELECT printf('01900000-%04x-7000-8000-%012x', n / 65536, n), printf('TWS%019X', n), " +
	"strftime('%Y-%m-%dT%H:%M:%S.000Z', 1735689600 + n, 'unixepoch') FROM numbers) " +
	"INSERT INTO filings (org_id, id, kind, status, version, body_version, body, brief, added, created_at, updated_at) " +
	`SELECT $1, id, 'declaration', 'DRAFT', 1, 1, $3, '{"shipmentId":"' || $2 || '","declarationType":"IMPORT"}', ` +
	`'{"dutyBasis":"estimated","lrn":"' || lrn || '","mrn":null,"totalDutyGbp":222,"totalVatGbp":414.4}', at, at FROM made`

const fillKeys = "INSERT INTO filing_keys (org_id, name, value, filing_id) " +
	"SELECT org_id, 'declaration.lrn', json_extract(added, '$.lrn'), id FROM filings WHERE org_id = $1 AND kind = 'declaration'"

const fillCleared = "UPDATE filings SET status = 'CLEARED', added = json_set(added, '$.clearedAt', $2) WHERE org_id = $1 AND kind = 'declaration'"

var fillTerms = []string{
	"UPDATE filings SET linked = TRUE, shipment_id = $2, client_id = (SELECT s.client_id FROM filings s WHERE s.org_id = $1 AND s.id = $2), " +
		"own_reference = 'PO-' || substr(id, -8), status = CASE WHEN unixepoch(created_at) % 20000 = 7 THEN 'CANCELLED' WHEN unixepoch(created_at) % 3 = 0 THEN 'CLEARED' " +
		"WHEN unixepoch(created_at) % 3 = 1 THEN 'REJECTED' ELSE 'DRAFT' END, " +
		"updated_at = strftime('%Y-%m-%dT%H:%M:%S.000Z', unixepoch(created_at) + unixepoch(created_at) * 7919 % 2880, 'unixepoch') " +
		"WHERE org_id = $1 AND kind = 'declaration'",
	"INSERT INTO filing_terms (org_id, kind, name, value, created_at, filing_id) SELECT org_id, kind, 'branch', 'Dover', created_at, id " +
		"FROM filings WHERE org_id = $1 AND $2 <> '' AND kind = 'declaration' AND unixepoch(created_at) % 10 = 0",
}

const middle = "SELECT json_extract(added, '$.lrn'), own_reference, client_id, created_at FROM filings " +
	"WHERE org_id = $1 AND kind = 'declaration' ORDER BY created_at LIMIT 1 OFFSET (SELECT count(*) / 2 FROM filings WHERE org_id = $1)"

const fillLedger = "INSERT INTO postings (org_id, filing_id, ledger, posted_at, amount) " +
	"SELECT org_id, id, 'import_vat', $2, 41440 FROM filings WHERE org_id = $1 AND kind = 'declaration'"

const fillEvents = "WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < $3) " +
	"INSERT INTO events (org_id, sequence, id, occurred_at, hub, type, resource_type, resource_id, from_status, to_status, " +
	"actor_user_id, actor_type, key_id, request_id, ip_address, data, hash, previous_hash) " +
	"SELECT $1, (SELECT max(sequence) FROM events WHERE org_id = $1) + n, printf('01900000-%04x-7000-8000-%012x', n / 65536, n), " +
	"strftime('%Y-%m-%dT%H:%M:%S.000Z', 1735689600 + n, 'unixepoch'), 'customs', " +
	"CASE n % 4 WHEN 0 THEN 'declaration.created' WHEN 1 THEN 'declaration.submitted' WHEN 2 THEN 'declaration.accepted' ELSE 'declaration.cleared' END, " +
	"'declaration', printf('01900000-%04x-7000-9000-%012x', n / 65536, n / 4), '', 'DRAFT', $2, 'user', '', '', '127.0.0.1', '{}', printf('%064x', n), printf('%064x', n - 1) FROM numbers"
