package move

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"

	"github.com/tidewaiter/tidewaiter/internal/store/engine"
	"github.com/tidewaiter/tidewaiter/internal/store/postgres"
)

// connectPostgres connects as the owner. Row-level security applies to the owner too, so the
// connection asks for all organisations.
func connectPostgres(ctx context.Context, address string) (*lockedDatabase, error) {
	config, err := postgres.ParseAddress(address)
	if err != nil {
		return nil, err
	}
	postgres.FollowPrimary(config)
	for name, value := range map[string]string{
		"timezone": "UTC", "tidewaiter.org": postgres.Scope(""), "jit": "off", "enable_sort": "off", "idle_in_transaction_session_timeout": "0", "statement_timeout": "0",
	} {
		config.RuntimeParams[name] = value
	}
	d := &lockedDatabase{db: stdlib.OpenDB(*config), dialect: postgres.Dialect}
	if d.conn, err = d.db.Conn(ctx); err != nil {
		return nil, errors.Join(err, d.db.Close())
	}
	return d, nil
}

// openPostgresSource reads in one snapshot, and locks all tables against writes.
func openPostgresSource(ctx context.Context, address string) (database, error) {
	d, err := connectPostgres(ctx, address)
	if err != nil {
		return nil, err
	}
	if err = d.checkSchema(ctx); err == nil {
		err = d.awaitUnused(ctx)
	}
	if err == nil {
		err = d.lockAll(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, d.close())
	}
	return d, nil
}

func openPostgresTarget(ctx context.Context, address string) (database, error) {
	d, err := connectPostgres(ctx, address)
	if err != nil {
		return nil, err
	}
	if err := d.awaitUnused(ctx); err != nil {
		return nil, errors.Join(err, d.close())
	}
	return d, nil
}

// lockTimeout is the most time for a lock, for example while autovacuum runs.
const lockTimeout = "10s"

func (d *lockedDatabase) lockAll(ctx context.Context) error {
	tables, err := engine.Tables(d.query(ctx), d.dialect.Name)
	if err != nil {
		return err
	}
	names := make([]string, len(tables))
	for i, t := range tables {
		names[i] = pgx.Identifier{t.Name}.Sanitize()
	}
	for _, statement := range []string{
		"BEGIN ISOLATION LEVEL REPEATABLE READ", "SET LOCAL lock_timeout = '" + lockTimeout + "'", "LOCK TABLE " + strings.Join(names, ", ") + " IN EXCLUSIVE MODE",
	} {
		if _, err := d.conn.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	return nil
}

// A session that has just ended stays visible for a moment, so the check is repeated.
const (
	unusedAttempts = 30
	unusedInterval = 100 * time.Millisecond
)

// awaitUnused returns an error if another session is connected. A role sees only the names of
// the sessions of others, so every session with a name counts.
func (d *lockedDatabase) awaitUnused(ctx context.Context) error {
	for attempt := 1; ; attempt++ {
		var others sql.NullString
		err := d.conn.QueryRowContext(ctx, "SELECT string_agg(DISTINCT usename, ', ') FROM pg_stat_activity "+
			"WHERE datname = current_database() AND pid <> pg_backend_pid() AND COALESCE(backend_type, 'client backend') = 'client backend'").Scan(&others)
		switch {
		case err != nil:
			return err
		case others.String == "":
			return nil
		case attempt == unusedAttempts:
			return fmt.Errorf("%w (connected: %s)", errInUse, others.String)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(unusedInterval):
		}
	}
}
