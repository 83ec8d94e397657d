package store

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"testing/fstest"

	"github.com/pressly/goose/v3"
)

//go:embed migrations/*.sql
var migrations embed.FS

// migrate brings the schema up to date and returns its version. Migrations that are missing
// below the newest one are applied too: numbers may land in any order. The caller holds the
// lock that keeps other processes from migrating at the same time.
func migrate(ctx context.Context, db *sql.DB, d dialect, options ...goose.ProviderOption) (schema int64, err error) {
	files, err := migrationsFor(d)
	if err != nil {
		return 0, err
	}
	if err := mendHistory(ctx, db, d); err != nil {
		return 0, err
	}
	p, err := goose.NewProvider(d.goose, db, files, append(options, goose.WithAllowOutofOrder(true))...)
	if err != nil {
		return 0, fmt.Errorf("store: migrations: %w", err)
	}
	current, newest, err := p.GetVersions(ctx)
	if err != nil {
		return 0, fmt.Errorf("store: schema version: %w", err)
	}
	if current > newest {
		if err := bears(ctx, db, current, newest); err != nil {
			return current, err
		}
	}
	if _, err := p.Up(ctx); err != nil {
		return 0, fmt.Errorf("store: migrate: %w", err)
	}
	return max(current, newest), nil
}

// floorQuery asks for the oldest schema whose programs work on that of the database.
const floorQuery = "SELECT oldest FROM schema_floor"

// bears refuses a schema that has come further than a program of schema newest can go
// along with. Beside all others it works, as in an upgrade, and after one that was taken
// back.
func bears(ctx context.Context, db *sql.DB, current, newest int64) error {
	var floor int64
	if err := db.QueryRowContext(ctx, floorQuery).Scan(&floor); err != nil {
		return fmt.Errorf("store: oldest schema that works: %w", err)
	}
	if newest < floor {
		return newerSchema(current, newest)
	}
	return nil
}

func newerSchema(current, newest int64) error {
	return fmt.Errorf("store: the database has schema %d, this program knows %d: use the newer program", current, newest)
}

// migrationsFor renders the one set of migrations for a database: the shared
// files with its column types, and those that are its own.
func migrationsFor(d dialect) (fs.FS, error) {
	rendered := fstest.MapFS{}
	entries, err := migrations.ReadDir("migrations")
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		name := e.Name()
		if !d.has(name) {
			continue
		}
		text, err := migrations.ReadFile(path.Join("migrations", name))
		if err != nil {
			return nil, err
		}
		rendered[strings.Replace(name, "."+d.name+".sql", ".sql", 1)] = &fstest.MapFile{Data: []byte(d.types.Replace(string(text)))}
	}
	return rendered, nil
}

// newestSchema is the version that this program's migrations lead to.
func newestSchema(d dialect) (newest int64, err error) {
	known, err := knownVersions(d)
	if err != nil {
		return 0, err
	}
	return slices.Max(known), nil
}

// knownVersions are the numbers of this program's migrations for a database.
func knownVersions(d dialect) (known []int64, err error) {
	entries, err := migrations.ReadDir("migrations")
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if !d.has(e.Name()) {
			continue
		}
		version, err := goose.NumericComponent(e.Name())
		if err != nil {
			return nil, fmt.Errorf("store: migration %s: %w", e.Name(), err)
		}
		known = append(known, version)
	}
	return known, nil
}

// has reports whether a migration is for the database: shared, or its own.
func (d dialect) has(name string) bool {
	return strings.Count(name, ".") == 1 || strings.HasSuffix(name, "."+d.name+".sql")
}

// appliedQuery lists the migrations that have run on a database.
const appliedQuery = "SELECT version_id FROM goose_db_version WHERE is_applied"

// schemaOf returns the version of a database's schema: the newest migration that has run or,
// where one that this program knows is missing below it, the last one before the gap.
func schemaOf(ask asks, d dialect) (schema int64, err error) {
	known, err := knownVersions(d)
	if err != nil {
		return 0, err
	}
	applied := map[int64]bool{}
	err = ask(appliedQuery, nil, func(r row) error {
		var version int64
		err := r.Scan(&version)
		applied[version] = true
		schema = max(schema, version)
		return err
	})
	slices.Sort(known)
	before := int64(0)
	for _, version := range known {
		if !applied[version] && version < schema {
			return before, err
		}
		before = version
	}
	return schema, err
}
