package store

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"

	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
	"github.com/tidewaiter/tidewaiter/internal/store/sqlite"
)

// PageCheck is the result of a check of a database's pages.
type PageCheck struct {
	Checked, Total int    // tables that were checked, with their indexes
	Damage         string // the first that was found; empty for none

	Checksums bool // PostgreSQL compares its pages with checksums, whenever it reads them
}

// CheckPages looks through the pages of the database in the folder or at the URL. On SQLite it checks table by table
// until ctx ends; deep is the whole file at once, and the indexes against their tables. On PostgreSQL it asks for the
// pages that the server itself found to be damaged.
func (s *Store) CheckPages(ctx context.Context, o Options, deep bool) (p PageCheck, err error) {
	if s.dialect.Name != engine.SQLite {
		return s.checksums(ctx)
	}
	db, err := sql.Open("sqlite", sqlite.FileAddress(filepath.Join(o.Folder, sqlite.File))+"?mode=ro&_pragma=busy_timeout(10000)")
	if err != nil {
		return p, fmt.Errorf("store: check pages: %w", err)
	}
	defer db.Close()
	var tables []string
	err = engine.EachRow(db.QueryContext(ctx, "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY random()"))(func(r engine.Row) error {
		var name string
		err := r.Scan(&name)
		tables = append(tables, name)
		return err
	})
	p.Total = len(tables)
	if deep && err == nil {
		p.Damage, err = damageOf(ctx, db, "PRAGMA integrity_check(1)")
		p.Checked = p.Total
		return p, wrapError("check pages", err)
	}
	for _, table := range tables {
		if err != nil || p.Damage != "" || ctx.Err() != nil {
			break
		}
		if p.Damage, err = damageOf(ctx, db, "PRAGMA quick_check("+engine.Quote(table)+")"); err == nil {
			p.Checked++
		}
	}
	if err != nil && ctx.Err() != nil {
		err = nil // the time is over: what was checked by then counts
	}
	if err != nil && sqlite.Dialect.IsDamage(err) {
		p.Damage, err = err.Error(), nil
	}
	return p, wrapError("check pages", err)
}

// damageOf runs a check of SQLite, which answers "ok" or names what is damaged.
func damageOf(ctx context.Context, db *sql.DB, check string) (damage string, err error) {
	err = db.QueryRowContext(ctx, check).Scan(&damage)
	if err != nil && ctx.Err() == nil && sqlite.Dialect.IsDamage(err) {
		return err.Error(), nil
	}
	if damage == "ok" {
		damage = ""
	}
	return damage, err
}

func (s *Store) checksums(ctx context.Context) (p PageCheck, err error) {
	failures := int64(0)
	err = s.viewAll(ctx, func(a allOrgs) error {
		return a.rows("SELECT current_setting('data_checksums') = 'on', COALESCE((SELECT checksum_failures FROM pg_stat_database WHERE datname = current_database()), 0)", nil,
			func(r engine.Row) error { return r.Scan(&p.Checksums, &failures) })
	})
	if failures > 0 {
		p.Damage = fmt.Sprintf("PostgreSQL has found %d damaged pages", failures)
	}
	return p, wrapError("check pages", err)
}

// SetInstallationValue stores a value of the installation, replacing the former one.
func (s *Store) SetInstallationValue(ctx context.Context, name, value string) error {
	return wrapError("set installation value "+name, s.Update(ctx, tenant.Operator, func(t *Tx) error {
		_, err := t.exec("INSERT INTO installation (org_id, name, value) VALUES ($1, $2, $3) ON CONFLICT (org_id, name) DO UPDATE SET value = excluded.value", name, value)
		return err
	}))
}
