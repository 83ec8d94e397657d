package store

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
)

// Attach opens a database as it is, for whoever examines it: nothing is made, and
// nothing is migrated. The error is fs.ErrNotExist where SQLite has no file yet.
func Attach(ctx context.Context, o Options) (*Store, error) {
	o.Connections = attached
	return open(ctx, o, attachPostgres, attachSQLite)
}

// attached is how many connections whoever examines a database takes from the others,
// of each kind.
const attached = 2

func attachPostgres(ctx context.Context, o Options) (engine, error) {
	e, err := reachPostgres(o)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, databasePatience)
	defer cancel()
	if err := e.ping(ctx); err != nil {
		_ = e.close()
		return nil, err
	}
	return e, nil
}

func attachSQLite(ctx context.Context, o Options) (engine, error) {
	file := filepath.Join(o.Folder, "tidewaiter.db")
	if _, err := os.Stat(file); err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	db, err := sql.Open("sqlite", sqliteAddress(file))
	if err != nil {
		return nil, fmt.Errorf("store: open sqlite: %w", err)
	}
	return runSQLite(ctx, file, db, o, func() {})
}
