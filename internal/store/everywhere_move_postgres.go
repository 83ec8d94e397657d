package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
)

// reachEnd connects as the owner, who is held by row-level security as well, and
// therefore has to declare to see all.
func reachEnd(ctx context.Context, address string) (*movingEnd, error) {
	config, err := parseAddress(address)
	if err != nil {
		return nil, err
	}
	followPrimary(config)
	for name, value := range map[string]string{
		"timezone": "UTC", "tidewaiter.org": visible(""), "jit": "off", "enable_sort": "off", "idle_in_transaction_session_timeout": "0", "statement_timeout": "0",
	} {
		config.RuntimeParams[name] = value
	}
	e := &movingEnd{db: stdlib.OpenDB(*config), dialect: postgresDialect}
	if e.conn, err = e.db.Conn(ctx); err != nil {
		return nil, errors.Join(err, e.db.Close())
	}
	return e, nil
}

// openPostgresSource reads in one snapshot, under locks on all tables that let nobody
// else write.
func openPostgresSource(ctx context.Context, address string) (end, error) {
	e, err := reachEnd(ctx, address)
	if err != nil {
		return nil, err
	}
	if err = e.current(ctx); err == nil {
		err = e.empty(ctx)
	}
	if err == nil {
		err = e.lockAll(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, e.close())
	}
	return e, nil
}

func openPostgresTarget(ctx context.Context, address string) (end, error) {
	e, err := reachEnd(ctx, address)
	if err != nil {
		return nil, err
	}
	if err := e.empty(ctx); err != nil {
		return nil, errors.Join(err, e.close())
	}
	return e, nil
}

// lockPatience is how long a lock is waited for, such as behind an autovacuum.
const lockPatience = "10s"

func (e *movingEnd) lockAll(ctx context.Context) error {
	tables, err := shapes(e.ask(ctx), e.dialect.catalogue)
	if err != nil {
		return err
	}
	names := make([]string, len(tables))
	for i, t := range tables {
		names[i] = pgx.Identifier{t.name}.Sanitize()
	}
	for _, statement := range []string{
		"BEGIN ISOLATION LEVEL REPEATABLE READ", "SET LOCAL lock_timeout = '" + lockPatience + "'", "LOCK TABLE " + strings.Join(names, ", ") + " IN EXCLUSIVE MODE",
	} {
		if _, err := e.conn.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	return nil
}

// Whoever has just left is seen for a moment longer.
const (
	emptyLooks = 30
	emptyPause = 100 * time.Millisecond
)

// empty refuses a database that anybody else is connected to. What they do is told to
// nobody but themselves, so that anybody counts who has a name.
func (e *movingEnd) empty(ctx context.Context) error {
	for look := 1; ; look++ {
		var others sql.NullString
		err := e.conn.QueryRowContext(ctx, "SELECT string_agg(DISTINCT usename, ', ') FROM pg_stat_activity "+
			"WHERE datname = current_database() AND pid <> pg_backend_pid() AND COALESCE(backend_type, 'client backend') = 'client backend'").Scan(&others)
		switch {
		case err != nil:
			return err
		case others.String == "":
			return nil
		case look == emptyLooks:
			return fmt.Errorf("%w (connected: %s)", errServed, others.String)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(emptyPause):
		}
	}
}
