// Package migrations holds the schema of the database as numbered SQL files, and applies them.
package migrations

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing/fstest"
	"time"

	"github.com/pressly/goose/v3"

	"github.com/tidewaiter/tidewaiter/internal/platform/clock"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

//go:embed *.sql
var files embed.FS

// Apply brings the schema up to date and returns its version. It also applies migrations that
// are missing below the newest one, because numbers may land in any order. The caller holds a
// lock against other processes that migrate.
func Apply(ctx context.Context, db *sql.DB, d engine.Dialect, options ...goose.ProviderOption) (schema int64, err error) {
	rendered, err := Files(d)
	if err != nil {
		return 0, err
	}
	if err := repairHistory(ctx, db, d); err != nil {
		return 0, err
	}
	p, err := goose.NewProvider(d.Goose, db, rendered, append(options, goose.WithAllowOutofOrder(true))...)
	if err != nil {
		return 0, fmt.Errorf("store: migrations: %w", err)
	}
	current, newest, err := p.GetVersions(ctx)
	if err != nil {
		return 0, fmt.Errorf("store: schema version: %w", err)
	}
	if current > newest {
		if err := CheckFloor(ctx, db, current, newest); err != nil {
			return current, err
		}
	}
	for attempt := 1; ; attempt++ {
		_, err := p.Up(ctx)
		if err == nil {
			return max(current, newest), nil
		}
		if attempt == mostAttempts || !lacksLock(err) || clock.Pause(ctx, attemptPause) != nil {
			return 0, fmt.Errorf("store: migrate: %w", err)
		}
	}
}

// A migration that cannot get a lock is tried again, for some minutes at most.
const (
	mostAttempts = 600
	attemptPause = 500 * time.Millisecond
)

// lacksLock reports whether PostgreSQL has undone a migration because other programs had locks that it needs.
func lacksLock(err error) bool {
	const lockNotAvailable, deadlockDetected = "55P03", "40P01"
	var server interface{ SQLState() string }
	return errors.As(err, &server) && (server.SQLState() == lockNotAvailable || server.SQLState() == deadlockDetected)
}

// FloorQuery reads the oldest schema whose programs work on the database.
const FloorQuery = "SELECT oldest FROM schema_floor"

// CheckFloor returns an error if a program with schema newest is too old for a database with
// schema current. During an upgrade, or after one was rolled back, older programs work on a
// newer schema down to its floor.
func CheckFloor(ctx context.Context, db *sql.DB, current, newest int64) error {
	var floor int64
	if err := db.QueryRowContext(ctx, FloorQuery).Scan(&floor); err != nil {
		return fmt.Errorf("store: oldest schema that works: %w", err)
	}
	if newest < floor {
		return TooNew(current, newest)
	}
	return nil
}

// TooNew is the error of a schema that this program cannot use.
func TooNew(current, newest int64) error {
	return fmt.Errorf("store: the database has schema %d, this program knows %d: use the newer program", current, newest)
}

// Files returns the migrations for one database: the shared files with its column types, and
// its own files.
func Files(d engine.Dialect) (fs.FS, error) {
	rendered := fstest.MapFS{}
	entries, err := files.ReadDir(".")
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		name := e.Name()
		if !isFor(d, name) {
			continue
		}
		text, err := files.ReadFile(name)
		if err != nil {
			return nil, err
		}
		rendered[strings.Replace(name, "."+d.Name+".sql", ".sql", 1)] = &fstest.MapFile{Data: []byte(d.Types.Replace(string(text)))}
	}
	return rendered, nil
}

// Newest returns the version that the migrations of this program lead to.
func Newest(d engine.Dialect) (newest int64, err error) {
	known, err := versions(d)
	if err != nil {
		return 0, err
	}
	return slices.Max(known), nil
}

// versions returns the numbers of this program's migrations for a database.
func versions(d engine.Dialect) (known []int64, err error) {
	entries, err := files.ReadDir(".")
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if !isFor(d, e.Name()) {
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

// isFor reports whether a migration is for the database: shared, or its own.
func isFor(d engine.Dialect, name string) bool {
	return strings.Count(name, ".") == 1 || strings.HasSuffix(name, "."+d.Name+".sql")
}

// appliedQuery lists the migrations that were applied to a database.
const appliedQuery = "SELECT version_id FROM goose_db_version WHERE is_applied"

// SchemaOf returns the schema version of a database: the newest applied migration or, if one
// that this program knows is missing below it, the last one before the gap.
func SchemaOf(query engine.QueryFunc, d engine.Dialect) (schema int64, err error) {
	known, err := versions(d)
	if err != nil {
		return 0, err
	}
	applied := map[int64]bool{}
	err = query(appliedQuery, nil, func(r engine.Row) error {
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
