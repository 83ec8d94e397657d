package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
)

// How often, in seconds, whoever finds another migrating looks again, and how many times.
const lockLook, lockLooks = 1, 600

// migrateLocked migrates while no other process does, and gives the schema's version.
func migrateLocked(ctx context.Context, db *sql.DB) (schema int64, err error) {
	locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(lockLook, lockLooks))
	if err != nil {
		return 0, fmt.Errorf("store: migration lock: %w", err)
	}
	return migrate(ctx, db, postgresDialect, goose.WithSessionLocker(locker))
}

// migrateOwn migrates in the service's own name, for as long as that takes.
func migrateOwn(ctx context.Context, service *pgx.ConnConfig) error {
	patient := service.Copy()
	for name := range serverPatience() {
		delete(patient.RuntimeParams, name)
	}
	db := stdlib.OpenDB(*patient)
	_, err := migrateLocked(ctx, db)
	return errors.Join(err, db.Close())
}

// prepare brings the schema up to date by the owner's address, or by the service's own
// role where that may; otherwise it waits until somebody else has.
func prepare(ctx context.Context, db *sql.DB, service *pgx.ConnConfig, o Options) error {
	if o.OwnerURL != "" {
		owner, err := parseAddress(o.OwnerURL)
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
		return migrateOwn(ctx, service)
	}
	return await(ctx, db, o)
}

const ownsSchemaQuery = `SELECT COALESCE((SELECT pg_has_role(current_user, c.relowner, 'USAGE') FROM pg_class c WHERE c.oid = to_regclass('goose_db_version')),
	has_schema_privilege(current_schema(), 'CREATE'), false)`

// schemaLook is how often a role that cannot migrate looks whether somebody has.
const schemaLook = 500 * time.Millisecond

// await waits until the schema is what this program needs, and the role has its rights.
func await(ctx context.Context, db *sql.DB, o Options) error {
	newest, err := newestSchema(postgresDialect)
	if err != nil {
		return err
	}
	for began, told := o.Now(), false; ; {
		schema, err := schemaSeen(ctx, db)
		switch {
		case err != nil:
			return fmt.Errorf("store: schema version: %w", err)
		case schema == newest:
			return nil
		case schema > newest:
			return bears(ctx, db, schema, newest)
		case o.Now().Sub(began) >= o.SchemaWait:
			return fmt.Errorf("store: the database has schema %d, this program needs %d, and its role may not migrate: "+
				"run `tidewaiter migrate` with the owner's address, or give that to the service", schema, newest)
		case !told && o.Log != nil:
			o.Log.Warn("waiting until the owner of the database has migrated it", "schema", schema, "needed", newest)
			told = true
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(schemaLook):
		}
	}
}

// schemaSeen is the version of the schema, or 0 as long as the role has no rights to it.
func schemaSeen(ctx context.Context, db *sql.DB) (schema int64, err error) {
	var readable bool
	err = db.QueryRowContext(ctx, "SELECT COALESCE(has_table_privilege(to_regclass('goose_db_version'), 'SELECT'), false) AND NOT EXISTS ("+lacksQuery+")").Scan(&readable)
	if err == nil && readable {
		schema, err = schemaOf(asking(ctx, db), postgresDialect)
	}
	return schema, err
}

// asking runs queries on a pool of connections.
func asking(ctx context.Context, db *sql.DB) asks {
	return func(query string, args []any, scan func(row) error) error {
		return collect(db.QueryContext(ctx, query, args...))(scan)
	}
}

// CheckAddress reports what is wrong with an address of PostgreSQL. The error shows no password.
func CheckAddress(address string) error {
	_, err := parseAddress(address)
	return err
}

func parseAddress(address string) (*pgx.ConnConfig, error) {
	config, err := pgx.ParseConfig(address)
	if err != nil {
		return nil, fmt.Errorf("store: database address: %w", err)
	}
	requireTLS(config)
	return config, nil
}
