package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"

	"github.com/tidewaiter/tidewaiter/internal/tenant"
)

// Limits of the pool.
const (
	maxConnections  = 32
	connectionAge   = 30 * time.Minute
	idleConnections = 16
)

// postgresEngine runs every transaction under row-level security for its
// organisation, and lets one change of an organisation happen at a time.
type postgresEngine struct{ db *sql.DB }

func openPostgres(ctx context.Context, o Options) (engine, error) {
	config, err := pgx.ParseConfig(o.URL)
	if err != nil {
		return nil, fmt.Errorf("store: database address: %w", err)
	}
	config.RuntimeParams["timezone"] = "UTC"
	db := stdlib.OpenDB(*config)
	db.SetMaxOpenConns(maxConnections)
	db.SetMaxIdleConns(idleConnections)
	db.SetConnMaxLifetime(connectionAge)
	locker, err := lock.NewPostgresSessionLocker()
	if err == nil {
		err = migrate(ctx, db, postgresDialect, goose.WithSessionLocker(locker))
	}
	if err == nil {
		err = refuseBypass(ctx, db, o)
	}
	if err != nil {
		db.Close()
		return nil, err
	}
	return &postgresEngine{db}, nil
}

// refuseBypass warns of a role that row-level security does not hold.
func refuseBypass(ctx context.Context, db *sql.DB, o Options) error {
	var bypass bool
	err := db.QueryRowContext(ctx, "SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user").Scan(&bypass)
	if err != nil {
		return fmt.Errorf("store: database role: %w", err)
	}
	if bypass && o.Log != nil {
		o.Log.Warn("the database role can bypass row-level security; give the service a role of its own", "role", "superuser or bypassrls")
	}
	return nil
}

func (e *postgresEngine) ping(ctx context.Context) error {
	if err := e.db.PingContext(ctx); err != nil {
		return unavailable{err}
	}
	return nil
}

func (e *postgresEngine) close() error { return e.db.Close() }

func (e *postgresEngine) view(ctx context.Context, scope tenant.ID, fn func(querier) error) error {
	return e.within(ctx, &sql.TxOptions{ReadOnly: true, Isolation: sql.LevelRepeatableRead}, enter(scope), func(tx *sql.Tx) error {
		return fn(session{tx})
	})
}

// glance is a view all the same: the organisation is set in a transaction.
func (e *postgresEngine) glance(ctx context.Context, scope tenant.ID, fn func(querier) error) error {
	return e.view(ctx, scope, fn)
}

func (e *postgresEngine) update(ctx context.Context, scope tenant.ID, fn func(querier, map[tenant.ID]head) error) error {
	return e.within(context.WithoutCancel(ctx), nil, enterAlone(scope), func(tx *sql.Tx) error {
		return fn(session{tx}, map[tenant.ID]head{})
	})
}

// statement is a query and its parameters.
type statement struct {
	query string
	args  []any
}

func enter(scope tenant.ID) statement {
	return statement{"SELECT set_config('tidewaiter.org', $1, true)", []any{visible(scope)}}
}

// enterAlone also waits until no other change of the organisation is under way,
// so that its trail is one chain and no two changes can deadlock.
func enterAlone(scope tenant.ID) statement {
	if scope == "" || scope == tenant.Operator {
		return enter(scope)
	}
	return statement{"SELECT set_config('tidewaiter.org', $1, true), pg_advisory_xact_lock(hashtextextended($1, 0))", []any{visible(scope)}}
}

func visible(scope tenant.ID) string {
	if scope == "" {
		return "*"
	}
	return string(scope)
}

func (e *postgresEngine) within(ctx context.Context, o *sql.TxOptions, first statement, fn func(*sql.Tx) error) error {
	tx, err := e.db.BeginTx(ctx, o)
	if err != nil {
		return unavailable{err}
	}
	defer func() { _ = tx.Rollback() }()
	if _, err := tx.ExecContext(ctx, first.query, first.args...); err != nil {
		return unavailable{err}
	}
	if err := protected(func() error { return fn(tx) }); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return unavailable{err}
	}
	return nil
}

// session is a PostgreSQL transaction.
type session struct{ tx *sql.Tx }

func (s session) exec(ctx context.Context, query string, args []any) (sql.Result, error) {
	return s.tx.ExecContext(ctx, query, args...)
}

func (s session) query(ctx context.Context, query string, args []any) (*sql.Rows, error) {
	return s.tx.QueryContext(ctx, query, args...)
}
