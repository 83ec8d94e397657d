package store

import (
	"context"
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
	"github.com/tidewaiter/tidewaiter/internal/store/migrations"
	"github.com/tidewaiter/tidewaiter/internal/store/sqlite"
)

// Census is the content of a database in numbers.
type Census struct {
	Schema int64
	Rows   map[string]int64   // of each table
	Heads  []audit.Checkpoint // of each organisation's trail, by organisation
}

// Census counts the rows of every table, and finds the heads of all trails.
func (s *Store) Census(ctx context.Context) (c Census, err error) {
	c.Rows = map[string]int64{}
	err = s.viewAll(ctx, func(a allOrgs) error {
		tables, err := engine.Tables(a.rows, s.dialect.Name)
		for _, t := range tables {
			if err != nil {
				return err
			}
			err = a.rows("SELECT count(*) FROM "+engine.Quote(t.Name), nil, func(r engine.Row) error {
				var n int64
				err := r.Scan(&n)
				c.Rows[t.Name] = n
				return err
			})
		}
		if err == nil {
			c.Schema, err = migrations.SchemaOf(a.rows, s.dialect)
		}
		if err == nil {
			err = a.rows(headsQuery, nil, func(r engine.Row) error {
				var h audit.Checkpoint
				err := r.Scan(&h.OrganisationID, &h.Sequence, &h.Hash)
				c.Heads = append(c.Heads, h)
				return err
			})
		}
		return err
	})
	if err != nil {
		return c, fmt.Errorf("store: census: %w", err)
	}
	return c, nil
}

const headsQuery = `SELECT e.org_id, e.sequence, e.hash FROM organisations o
	JOIN events e ON e.org_id = o.org_id AND e.sequence = (SELECT max(m.sequence) FROM events m WHERE m.org_id = o.org_id) ORDER BY e.org_id`

// NewestSchema returns the newest SQLite schema of this program.
func NewestSchema() (int64, error) { return migrations.Newest(sqlite.Dialect) }
