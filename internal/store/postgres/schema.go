package postgres

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"

	"github.com/tidewaiter/tidewaiter/internal/store/engine"
	"github.com/tidewaiter/tidewaiter/internal/store/migrations"
)

// How often, in seconds, a process that finds another one migrating tries again, and how many
// times.
const lockInterval, lockAttempts = 1, 600

// migrationPatience is how long a migration waits for the lock of a table. It is less than PostgreSQL's deadlock_timeout of a second: if a
// migration and a change of a running program wait for each other, the migration ends, and is made again when the change is over.
const migrationPatience = "200ms"

// applyLocked migrates under a lock against other processes, and returns the schema version.
func applyLocked(ctx context.Context, by *pgx.ConnConfig) (schema int64, err error) {
	patient := by.Copy()
	patient.RuntimeParams["lock_timeout"] = migrationPatience
	db := stdlib.OpenDB(*patient)
	defer db.Close()
	locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(lockInterval, lockAttempts))
	if err != nil {
		return 0, fmt.Errorf("store: migration lock: %w", err)
	}
	return migrations.Apply(ctx, db, Dialect, goose.WithSessionLocker(locker))
}

// applyAsService migrates with the service's own role, without a time limit.
func applyAsService(ctx context.Context, service *pgx.ConnConfig) error {
	unlimited := service.Copy()
	for name := range serverTimeouts(transactionTimeout) {
		delete(unlimited.RuntimeParams, name)
	}
	_, err := applyLocked(ctx, unlimited)
	return err
}

// prepare migrates as the owner if the owner's address is known, or with the service's role if
// that may. Otherwise it waits until another process has migrated.
func prepare(ctx context.Context, db *sql.DB, service *pgx.ConnConfig, o engine.Options) error {
	if o.OwnerURL != "" {
		owner, err := ParseAddress(o.OwnerURL)
		if err == nil {
			_, err = migrateAsOwner(ctx, owner, serviceRole{name: service.User})
		}
		return err
	}
	var owns bool
	if err := db.QueryRowContext(ctx, ownsSchemaQuery).Scan(&owns); err != nil {
		return fmt.Errorf("store: database role: %w", err)
	}
	if owns {
		return applyAsService(ctx, service)
	}
	return awaitSchema(ctx, db, o)
}

const ownsSchemaQuery = `SELECT COALESCE((SELECT pg_has_role(current_user, c.relowner, 'USAGE') FROM pg_class c WHERE c.oid = to_regclass('goose_db_version')),
	has_schema_privilege(current_schema(), 'CREATE'), false)`

// schemaInterval is the time between two checks of a role that cannot migrate.
const schemaInterval = 500 * time.Millisecond

// awaitSchema waits until the schema is what this program needs, and the role has its rights.
func awaitSchema(ctx context.Context, db *sql.DB, o engine.Options) error {
	newest, err := migrations.Newest(Dialect)
	if err != nil {
		return err
	}
	for began, warned := o.Now(), false; ; {
		schema, err := readableSchema(ctx, db)
		switch {
		case err != nil:
			return fmt.Errorf("store: schema version: %w", err)
		case schema == newest:
			return nil
		case schema > newest:
			return migrations.CheckFloor(ctx, db, schema, newest)
		case o.Now().Sub(began) >= o.SchemaWait:
			return fmt.Errorf("store: the database has schema %d, this program needs %d, and its role may not migrate: "+
				"run `tidewaiter migrate` with the owner's address, or give that to the service", schema, newest)
		case !warned && o.Log != nil:
			o.Log.Warn("waiting until the owner of the database has migrated it", "schema", schema, "needed", newest)
			warned = true
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(schemaInterval):
		}
	}
}

// readableSchema returns the version of the schema, or 0 while the role has no rights to it.
func readableSchema(ctx context.Context, db *sql.DB) (schema int64, err error) {
	var readable bool
	err = db.QueryRowContext(ctx, "SELECT COALESCE(has_table_privilege(to_regclass('goose_db_version'), 'SELECT'), false) AND NOT EXISTS ("+missingRightsQuery+")").Scan(&readable)
	if err == nil && readable {
		schema, err = migrations.SchemaOf(queryOn(ctx, db), Dialect)
	}
	return schema, err
}

// queryOn returns a function that runs queries on a pool of connections.
func queryOn(ctx context.Context, db *sql.DB) engine.QueryFunc {
	return func(query string, args []any, scan func(engine.Row) error) error {
		return engine.EachRow(db.QueryContext(ctx, query, args...))(scan)
	}
}

// CheckAddress reports what is wrong with an address of PostgreSQL. The error shows no password.
func CheckAddress(address string) error {
	_, err := ParseAddress(address)
	return err
}

// ParseAddress reads an address of PostgreSQL, and requires TLS unless the address disables it.
func ParseAddress(address string) (*pgx.ConnConfig, error) {
	config, err := pgx.ParseConfig(address)
	if err != nil {
		return nil, fmt.Errorf("store: database address: %w", err)
	}
	requireTLS(config)
	return config, nil
}
