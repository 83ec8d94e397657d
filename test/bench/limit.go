package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/tidewaiter/tidewaiter/test/bench/load"
	"github.com/tidewaiter/tidewaiter/test/bench/stock"
)

// limit is the maximum of the database: only the statements of the service, prepared, in as few messages as
// possible, on a connection for each client, under the same row-level security and with the same commits.
type limit struct {
	ctx           context.Context
	address       string // of the service's role
	organisations []*stock.Organisation
}

// planSettings are those of the service's connections, so that the database makes the same plans.
const planSettings = "-c jit=off -c enable_sort=off -c plan_cache_mode=force_generic_plan"

// serviceAddress is a database's address for the service's role.
func serviceAddress(address string) (string, error) {
	u, err := url.Parse(address)
	if err != nil {
		return "", err
	}
	u.User = url.UserPassword("tidewaiter", "tidewaiter")
	u.RawQuery += "&options=" + strings.ReplaceAll(url.QueryEscape(planSettings), "+", "%20") // psql does not read + as a space
	return u.String(), nil
}

// contender loads the database with one of its requests.
func (l *limit) contender(name string, request func(*pgx.Conn, *stock.Organisation) func(n int) error) *contender {
	return &contender{name: name, drive: func(clients int, length time.Duration) (load.Figures, error) {
		return load.Drive(func(client int) (func(int) error, func(), error) {
			conn, err := pgx.Connect(l.ctx, l.address)
			if err != nil {
				return nil, nil, err
			}
			organisation := l.organisation(client)
			if _, err := conn.Exec(l.ctx, "SELECT set_config('tidewaiter.org', $1, false)", string(organisation.Org)); err != nil {
				return nil, nil, err
			}
			return request(conn, organisation), func() { _ = conn.Close(l.ctx) }, nil
		}, clients, length)
	}}
}

const (
	reserveTurn = "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))"
	endOfTrail  = "SELECT sequence, hash FROM events WHERE org_id = $1 ORDER BY sequence DESC LIMIT 1"
	itsShipment = "SELECT body FROM filings WHERE org_id = $1 AND id = $2 AND kind = 'shipment'"
	newFiling   = "INSERT INTO filings (org_id, id, kind, status, version, body_version, brief, added, created_at, updated_at, body) VALUES ($1, $2, 'declaration', 'DRAFT', 1, 1, $3, $4, $5, $5, $6)"
	newKey      = "INSERT INTO filing_keys (org_id, name, value, filing_id) VALUES ($1, 'declaration.lrn', $2, $3)"
	newName     = "INSERT INTO filing_names (org_id, name, value, filing_id) VALUES ($1, 'declaration.invoice', $2, $3)"
	newEvent    = "INSERT INTO events (org_id, sequence, id, occurred_at, hub, type, resource_type, resource_id, from_status, to_status, actor_user_id, actor_type, key_id, request_id, ip_address, data, hash, previous_hash) " +
		"VALUES ($1, $2, $3, $4, 'customs', 'declaration.created', 'declaration', $5, '', 'DRAFT', '', 'user', '', '', '127.0.0.1', $6, $7, $8)"
	oneMore = "INSERT INTO filing_tallies (org_id, kind, status, month, records) VALUES ($1, 'declaration', 'DRAFT', $2, 1) " +
		"ON CONFLICT (org_id, kind, status, month) DO UPDATE SET records = filing_tallies.records + 1"
)

// reading receives all rows of a query of an organisation in the binary format, and does not look at them.
func (l *limit) reading(query string) func(*pgx.Conn, *stock.Organisation) func(int) error {
	return func(conn *pgx.Conn, h *stock.Organisation) func(int) error {
		return func(int) error {
			rows, err := conn.Query(l.ctx, query, string(h.Org))
			if err != nil {
				return err
			}
			for rows.Next() {
				rows.RawValues()
			}
			return rows.Err()
		}
	}
}

// creating writes the rows of a declaration with the next event of its organisation's chain.
func (l *limit) creating(conn *pgx.Conn, h *stock.Organisation) func(int) error {
	body := string(office(h).DeclarationNumbered(0))
	return func(int) error {
		var sequence int64
		var previous, shipment string
		var turn pgx.Batch
		turn.Queue("BEGIN")
		turn.Queue(reserveTurn, string(h.Org))
		turn.Queue(itsShipment, string(h.Org), h.Shipment).QueryRow(func(r pgx.Row) error { return r.Scan(&shipment) })
		turn.Queue(endOfTrail, string(h.Org)).QueryRow(func(r pgx.Row) error { return r.Scan(&sequence, &previous) })
		if err := conn.SendBatch(l.ctx, &turn).Close(); err != nil {
			return err
		}
		id, event, now := uuid.Must(uuid.NewV7()).String(), uuid.Must(uuid.NewV7()).String(), time.Now().UTC()
		lrn := "TWS" + id[:8] + id[24:]
		sum := sha256.Sum256(fmt.Append(nil, h.Org, sequence, event, now, id, previous, body))
		var change pgx.Batch
		change.Queue(newFiling, string(h.Org), id, `{"shipmentId":"`+h.Shipment+`","declarationType":"IMPORT"}`,
			`{"dutyBasis":"estimated","lrn":"`+lrn+`","mrn":null,"totalDutyGbp":222,"totalVatGbp":414.4}`, now, body)
		change.Queue(newKey, string(h.Org), lrn, id)
		change.Queue(newName, string(h.Org), "IMPORT "+lrn, id)
		change.Queue(newEvent, string(h.Org), sequence+1, event, now, id, `{"sha256":"`+hex.EncodeToString(sum[:])+`"}`, hex.EncodeToString(sum[:]), previous)
		change.Queue(oneMore, string(h.Org), now.Format("2006-01"))
		change.Queue("COMMIT")
		return conn.SendBatch(l.ctx, &change).Close()
	}
}
