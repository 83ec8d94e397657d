package store

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"testing/fstest"

	"github.com/pressly/goose/v3"
)

//go:embed migrations/*.sql
var migrations embed.FS

// migrate brings the schema up to date, unless a newer program has brought it further,
// and gives its version. The caller holds the lock that keeps other processes from doing
// so at the same time.
func migrate(ctx context.Context, db *sql.DB, d dialect, options ...goose.ProviderOption) (schema int64, err error) {
	files, err := migrationsFor(d)
	if err != nil {
		return 0, err
	}
	p, err := goose.NewProvider(d.goose, db, files, options...)
	if err != nil {
		return 0, fmt.Errorf("store: migrations: %w", err)
	}
	current, newest, err := p.GetVersions(ctx)
	if err != nil {
		return 0, fmt.Errorf("store: schema version: %w", err)
	}
	if current > newest {
		return current, bears(ctx, db, current, newest)
	}
	if _, err := p.Up(ctx); err != nil {
		return 0, fmt.Errorf("store: migrate: %w", err)
	}
	return newest, nil
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
		name, own := e.Name(), strings.Count(e.Name(), ".") > 1
		if own && !strings.HasSuffix(name, "."+d.name+".sql") {
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
	files, err := migrationsFor(d)
	if err != nil {
		return 0, err
	}
	names, err := fs.Glob(files, "*.sql")
	if err != nil {
		return 0, err
	}
	for _, name := range names {
		version, err := goose.NumericComponent(name)
		if err != nil {
			return 0, fmt.Errorf("store: migration %s: %w", name, err)
		}
		newest = max(newest, version)
	}
	return newest, nil
}
