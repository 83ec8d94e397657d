package server

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"

	_ "modernc.org/sqlite" // the database that the service uses
)

// Fill writes declarations straight into the tables of a server that is not
// running, as it would have written them: one a second, ids and times rising.
func (o Office) Fill(ctx context.Context, data string, count int) error {
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
	if _, err := tx.ExecContext(ctx, fillFilings, o.Org, o.ShipmentID, string(o.Declaration()), count); err != nil {
		return fmt.Errorf("server: fill filings: %w", err)
	}
	if _, err := tx.ExecContext(ctx, fillKeys, o.Org); err != nil {
		return fmt.Errorf("server: fill keys: %w", err)
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
