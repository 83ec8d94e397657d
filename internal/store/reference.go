package store

import (
	"context"
	"fmt"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
	"github.com/tidewaiter/tidewaiter/internal/tariff/reference"
)

const editionColumns = "kind, version, dated, publisher, row_count, imported_at"

// Editions lists the imported tables, without their rows.
func (s *Store) Editions(ctx context.Context) (all []reference.Edition, err error) {
	err = s.viewSingle(ctx, tenant.Operator, func(t *Tx) error {
		return t.rows("SELECT "+editionColumns+" FROM reference_tables WHERE org_id = $1 ORDER BY kind", nil, func(r engine.Row) error {
			var e reference.Edition
			err := scanEdition(r, &e)
			all = append(all, e)
			return err
		})
	})
	if err != nil {
		return nil, fmt.Errorf("store: editions: %w", err)
	}
	return all, nil
}

// Rows returns the packed rows of a table, and its edition.
func (s *Store) Rows(ctx context.Context, k reference.Kind) (e reference.Edition, packed []byte, found bool, err error) {
	err = s.View(ctx, tenant.Operator, func(t *Tx) error {
		return t.rows("SELECT "+editionColumns+", packed FROM reference_tables WHERE org_id = $1 AND kind = $2", []any{string(k)}, func(r engine.Row) error {
			found = true
			return scanEdition(r, &e, &packed)
		})
	})
	if err != nil {
		return e, nil, false, fmt.Errorf("store: rows of %s: %w", k, err)
	}
	return e, packed, found, nil
}

// Replace replaces a table.
func (s *Store) Replace(ctx context.Context, e reference.Edition, packed []byte) (reference.Edition, error) {
	err := s.Update(ctx, tenant.Operator, func(t *Tx) error {
		e.ImportedAt = t.Now()
		_, err := t.row("INSERT INTO reference_tables (org_id, kind, version, dated, publisher, row_count, packed, imported_at) VALUES ($1, $2, 1, $3, $4, $5, $6, $7) "+
			"ON CONFLICT (org_id, kind) DO UPDATE SET version = reference_tables.version + 1, dated = excluded.dated, publisher = excluded.publisher, "+
			"row_count = excluded.row_count, packed = excluded.packed, imported_at = excluded.imported_at RETURNING version",
			[]any{string(e.Kind), e.Date.Format(time.DateOnly), e.Publisher, e.Rows, packed, instant(e.ImportedAt)}, &e.Version)
		return err
	})
	if err != nil {
		return e, fmt.Errorf("store: replace %s: %w", e.Kind, err)
	}
	return e, nil
}

func scanEdition(r engine.Row, e *reference.Edition, more ...any) error {
	var day string
	if err := r.Scan(append([]any{&e.Kind, &e.Version, &day, &e.Publisher, &e.Rows, (*instant)(&e.ImportedAt)}, more...)...); err != nil {
		return err
	}
	date, err := time.Parse(time.DateOnly, day)
	e.Date = date
	return err
}
