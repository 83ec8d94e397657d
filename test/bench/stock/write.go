package stock

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store"
)

// batch are rows by their table.
type batch map[string][][]any

func (b batch) add(c copied) {
	for table, rows := range c.rows {
		b[table] = append(b[table], rows...)
	}
}

func (s *Stock) writeAll(ctx context.Context, batches <-chan batch) error {
	for b := range batches {
		if err := s.write(ctx, b); err != nil {
			return err
		}
	}
	return nil
}

// write copies a batch in, filings by one connection and the related tables by another.
func (s *Stock) write(ctx context.Context, b batch) error {
	var failed [copiers]error
	var both sync.WaitGroup
	for i, conn := range s.conns {
		both.Go(func() {
			for table, rows := range b {
				if beside := table == "events" || table == "filing_keys" || table == "notices"; beside == (i == 1) && failed[i] == nil {
					_, failed[i] = conn.CopyFrom(ctx, pgx.Identifier{table}, s.pattern.columns[table], pgx.CopyFromRows(rows))
				}
			}
		})
	}
	both.Wait()
	if err := errors.Join(failed[:]...); err != nil {
		return fmt.Errorf("stock: %w", err)
	}
	return nil
}

// counted are the sums that the service maintains with every change.
var counted = []string{
	"DELETE FROM filing_tallies",
	"INSERT INTO filing_tallies (org_id, kind, status, month, records) " +
		"SELECT org_id, kind, status, to_char(created_at AT TIME ZONE 'Europe/London', 'YYYY-MM'), count(*) FROM filings GROUP BY 1, 2, 3, 4",
	"DELETE FROM ledger_tallies",
	"INSERT INTO ledger_tallies (org_id, ledger, month, records, amount) " +
		"SELECT org_id, ledger, to_char(posted_at AT TIME ZONE 'Europe/London', 'YYYY-MM'), count(*), sum(amount)::bigint FROM postings GROUP BY 1, 2, 3",
	"VACUUM ANALYZE",
	"CHECKPOINT",
}

// finish computes the sums and the tree of every trail, and maintains the database's tables.
func (s *Stock) finish(ctx context.Context) error {
	if err := s.tile(ctx); err != nil {
		return err
	}
	for _, statement := range counted {
		if _, err := s.conns[0].Exec(ctx, statement); err != nil {
			return fmt.Errorf("stock: %.30s: %w", statement, err)
		}
	}
	return nil
}

// tilers is the number of concurrent writers of tiles.
const tilers = 4

func (s *Stock) tile(ctx context.Context) error {
	db, err := store.Attach(ctx, store.Options{URL: s.address, Now: time.Now})
	if err != nil {
		return err
	}
	defer db.Close()
	tiler := audit.Tiler{Store: trees{db}}
	organisations, failed := make(chan *Organisation), make([]error, tilers)
	var all sync.WaitGroup
	for i := range tilers {
		all.Go(func() {
			for h := range organisations {
				if h.trail.sequence >= audit.TileWidth && failed[i] == nil {
					failed[i] = tiler.CatchUp(ctx, h.Org)
				}
			}
		})
	}
	for _, h := range s.Organisations {
		organisations <- h
	}
	close(organisations)
	all.Wait()
	return errors.Join(failed...)
}

// trees are the Merkle trees of a database.
type trees struct{ *store.Store }

// ViewTree reads one organisation's trail with its tree.
func (f trees) ViewTree(ctx context.Context, org tenant.ID, fn func(audit.TreeTrail) error) error {
	return f.View(ctx, org, func(t *store.Tx) error { return fn(t) })
}

// Size is the size of the database in bytes.
func (s *Stock) Size(ctx context.Context) (bytes int64, err error) {
	err = s.conns[0].QueryRow(ctx, "SELECT pg_database_size(current_database())").Scan(&bytes)
	return bytes, err
}
