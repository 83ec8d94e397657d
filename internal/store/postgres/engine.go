// Package postgres runs the store on PostgreSQL: pools of connections, transactions under
// row-level security, shared commits, notifications between instances, and roles.
package postgres

import (
	"cmp"
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"log/slog"
	"net"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"

	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

// Limits of the pools.
const (
	defaultConnections = 32
	maxSingles         = 8 // connections for single statements over all organisations
	maxLocks           = 4 // advisory locks that are held, or tried for, at a time
	connectionAge      = 30 * time.Minute
	connectionIdle     = 5 * time.Minute
)

// Engine runs every transaction under row-level security for its organisation, and lets one
// change of an organisation happen at a time.
type Engine struct {
	db  *sql.DB
	all *sql.DB // its connections see all organisations; for single statements only

	locks    *sql.DB // for advisory locks that outlive a transaction
	config   *pgx.ConnConfig
	timeout  time.Duration // of a transaction
	instance string        // distinguishes this instance's notifications from those of others
	log      *slog.Logger
	queues   queues
	identity *identityCheck
	newBatch func() engine.Batch

	dropIdle sync.Mutex
}

// RightsMark returns none: other instances change the same tables.
func (e *Engine) RightsMark() (mark string, ok bool) { return "", false }

// Open opens a database, and migrates it or waits until another process has.
func Open(ctx context.Context, o engine.Options) (*Engine, error) {
	e, err := connect(o)
	if err != nil {
		return nil, err
	}
	if err = e.checkExists(ctx, o); err == nil {
		err = prepare(ctx, e.db, e.config, o)
	}
	if err == nil {
		err = e.checkIdentity(ctx, o)
	}
	if err != nil {
		_ = e.Close()
		return nil, explainTLS(err)
	}
	if hosts := e.PlainHosts(); len(hosts) > 0 && o.Log != nil {
		o.Log.Warn("connections to the database are not encrypted, because its address says sslmode=disable", "hosts", hosts)
	}
	return e, nil
}

// connect prepares the pools. Connections are made when they are needed.
func connect(o engine.Options) (*Engine, error) {
	config, err := ParseAddress(o.URL)
	if err != nil {
		return nil, err
	}
	FollowPrimary(config)
	setKeepAlive(config)
	timeout := cmp.Or(o.Patience, transactionTimeout)
	setServerTimeouts(config, timeout)
	config.RuntimeParams["timezone"] = "UTC"
	config.RuntimeParams["jit"] = "off"                            // compiling takes longer than any statement here
	config.RuntimeParams["enable_sort"] = "off"                    // every list has an index in its order, which the planner ignores while a table has no statistics
	config.RuntimeParams["plan_cache_mode"] = "force_generic_plan" // a plan for all parameters: the keys of a statement match its index, whatever the values
	connections := cmp.Or(o.Connections, defaultConnections)
	forAll := config.Copy()
	forAll.RuntimeParams["tidewaiter.org"] = Scope("")
	check := &identityCheck{log: o.Log}
	e := &Engine{
		db: check.pool(config, connections), all: check.pool(forAll, min(connections, maxSingles)), locks: check.pool(config, maxLocks),
		config: config, timeout: timeout, log: o.Log, identity: check, newBatch: o.NewBatch,
	}
	if o.NewID != nil {
		e.instance = o.NewID()
	}
	return e, nil
}

// hostTimeout is the most time for connecting to one of several servers.
const hostTimeout = 2 * time.Second

// FollowPrimary makes connections go to the one of several servers that accepts writes, so
// that the service changes to a standby by itself when that is promoted.
func FollowPrimary(config *pgx.ConnConfig) {
	several := slices.ContainsFunc(config.Fallbacks, func(f *pgconn.FallbackConfig) bool { return f.Host != config.Host || f.Port != config.Port })
	if !several {
		return
	}
	if config.ValidateConnect == nil {
		config.ValidateConnect = pgconn.ValidateConnectTargetSessionAttrsReadWrite
	}
	if config.ConnectTimeout == 0 {
		config.ConnectTimeout = hostTimeout
	}
}

// setKeepAlive closes an idle connection whose server has not answered for about 10 s.
func setKeepAlive(config *pgx.ConnConfig) {
	alive := net.KeepAliveConfig{Enable: true, Idle: 5 * time.Second, Interval: 2 * time.Second, Count: 3}
	config.DialFunc = (&net.Dialer{KeepAliveConfig: alive}).DialContext
}

// serverGrace is how much longer PostgreSQL waits for a client within a transaction, and for a statement, than the client
// itself waits.
const serverGrace = 2 * time.Second

// serverTimeouts are the settings by which PostgreSQL ends abandoned sessions. Without them
// the lock of a lost client would block its organisation until the server's operating system
// notices, which takes hours. Settings in the address have priority.
func serverTimeouts(timeout time.Duration) map[string]string {
	limit := strconv.FormatInt((timeout + serverGrace).Milliseconds(), 10)
	return map[string]string{
		"statement_timeout": limit, "idle_in_transaction_session_timeout": limit, "tcp_keepalives_idle": "5", "tcp_keepalives_interval": "2",
	}
}

func setServerTimeouts(config *pgx.ConnConfig, timeout time.Duration) {
	for name, value := range serverTimeouts(timeout) {
		if _, set := config.RuntimeParams[name]; !set {
			config.RuntimeParams[name] = value
		}
	}
}

// closeIdleAfter closes all idle connections after a timeout. What made one connection silent
// may have affected all, and each would cost another request its whole timeout.
func (e *Engine) closeIdleAfter(err error) error {
	if !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	// One at a time: SetMaxIdleConns closes connections in the array of the idle list itself,
	// which connections that return overwrite as soon as the limit is raised again. It would
	// then close one that is in use.
	e.dropIdle.Lock()
	defer e.dropIdle.Unlock()
	for _, pool := range []*sql.DB{e.db, e.all, e.locks} {
		size := pool.Stats().MaxOpenConnections
		pool.SetMaxIdleConns(0)
		pool.SetMaxIdleConns(size)
	}
	return err
}

// pool keeps its connections open while there is work: opening one costs PostgreSQL more
// than a transaction.
func (c *identityCheck) pool(config *pgx.ConnConfig, size int) *sql.DB {
	db := stdlib.OpenDB(*config, stdlib.OptionAfterConnect(c.connected))
	db.SetMaxOpenConns(size)
	db.SetMaxIdleConns(size)
	db.SetConnMaxLifetime(connectionAge)
	db.SetConnMaxIdleTime(connectionIdle)
	return db
}

// Ping returns an error if the server does not answer.
func (e *Engine) Ping(ctx context.Context) error {
	if err := e.db.PingContext(ctx); err != nil {
		return engine.UnavailableError{Err: err}
	}
	return nil
}

// Close closes the pools.
func (e *Engine) Close() error {
	return errors.Join(e.db.Close(), e.all.Close(), e.locks.Close())
}

// Figures returns the state of the pools.
func (e *Engine) Figures() engine.Figures {
	return engine.Figures{Pools: []engine.Pool{{Name: "transactions", DBStats: e.db.Stats()}, {Name: "glances", DBStats: e.all.Stats()}}}
}

// View runs fn in a read-only snapshot.
func (e *Engine) View(ctx context.Context, scope tenant.ID, fn func(engine.Conn) error) error {
	return e.transact(ctx, beginReading, setScope(scope), false, func(s session) error { return fn(s) })
}

// Scan is View: the server limits memory by itself.
func (e *Engine) Scan(ctx context.Context, scope tenant.ID, fn func(engine.Conn) error) error {
	return e.View(ctx, scope, fn)
}

// ViewSingle needs no transaction but the implicit one of a message. The statement that sets
// the organisation goes ahead in the same message. Of several statements in one message, each
// sees what is committed when it begins.
func (e *Engine) ViewSingle(ctx context.Context, scope tenant.ID, fn func(engine.Conn) error) error {
	ctx, cancel := context.WithTimeout(ctx, e.timeout)
	defer cancel()
	pool, before := e.all, []engine.Statement(nil)
	if scope != "" {
		pool, before = e.db, []engine.Statement{setScope(scope)}
	}
	return e.closeIdleAfter(withConn(ctx, pool, func(conn *pgx.Conn) error {
		return engine.RecoverPanic(func() error { return fn(session{ctx, conn, &pgx.Batch{}, before}) })
	}))
}

// Update runs a change. Changes of an organisation wait in a queue.
func (e *Engine) Update(ctx context.Context, scope tenant.ID, fn func(engine.Conn, engine.Batch) error) error {
	if scope != "" && scope != tenant.Operator {
		return e.enqueue(ctx, scope, fn)
	}
	return e.transact(context.WithoutCancel(ctx), beginWriting, setScope(scope), false, func(s session) error {
		b := e.newBatch()
		if err := fn(s, b); err != nil {
			return err
		}
		return e.complete(s, b)
	})
}

func setScope(scope tenant.ID) engine.Statement {
	return engine.Statement{Query: "SELECT set_config('tidewaiter.org', $1, true)", Args: []any{Scope(scope)}}
}

// setScopeAndLock also waits until no other change of the organisation is running, so that its
// audit events form one chain and no two changes can deadlock.
func setScopeAndLock(scope tenant.ID) engine.Statement {
	return engine.Statement{Query: "SELECT set_config('tidewaiter.org', $1, true), pg_advisory_xact_lock(hashtextextended($1, 0))", Args: []any{Scope(scope)}}
}

// Scope returns the value of the setting tidewaiter.org, by which row-level security filters.
func Scope(scope tenant.ID) string {
	if scope == "" {
		return "*"
	}
	return string(scope)
}

// transactionTimeout is the most time for a transaction, even if the database is silent, unless the options say another.
const transactionTimeout = 8 * time.Second

// Statements that begin and end transactions.
const (
	beginReading = "begin isolation level repeatable read read only"
	beginWriting = "begin"
	commit       = "commit"
	rollback     = "rollback"
)

// transact runs fn in a transaction. Its begin, scope and lock go in one message, and its
// commit goes in one message with the deferred statements. Without a lock, all of them may go in one.
func (e *Engine) transact(ctx context.Context, begin string, first engine.Statement, locks bool, fn func(session) error) error {
	ctx, cancel := context.WithTimeout(ctx, e.timeout)
	defer cancel()
	return e.closeIdleAfter(withConn(ctx, e.db, func(conn *pgx.Conn) error {
		s := session{ctx, conn, &pgx.Batch{}, nil}
		err := s.transact(begin, first, locks, fn)
		if err != nil {
			s.rollback()
		}
		return err
	}))
}

// withConn runs fn on a connection of a pool. The pool discards a connection that is broken
// or within a transaction afterwards.
func withConn(ctx context.Context, pool *sql.DB, fn func(*pgx.Conn) error) error {
	conn, err := pool.Conn(ctx)
	if err != nil {
		return engine.UnavailableError{Err: err}
	}
	defer conn.Close()
	return asUnavailable(conn.Raw(func(c any) error {
		pgxConn := c.(*stdlib.Conn).Conn()
		err := fn(pgxConn)
		if err != nil && pgxConn.IsClosed() && ctx.Err() == nil {
			return engine.UnavailableError{Err: err}
		}
		return err
	}))
}

// asUnavailable marks an error of a lost or silent connection.
func asUnavailable(err error) error {
	if err == nil {
		return nil
	}
	var network net.Error
	var server *pgconn.PgError
	switch {
	case errors.Is(err, driver.ErrBadConn), errors.Is(err, sql.ErrConnDone), errors.Is(err, sql.ErrTxDone),
		errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, context.DeadlineExceeded), errors.As(err, &network):
		return engine.UnavailableError{Err: err}
	case errors.Is(err, errNotCommitted):
		return engine.UnavailableError{Err: err}
	case errors.As(err, &server) && slices.Contains(unavailableClasses, server.Code[:2]):
		return engine.UnavailableError{Err: err}
	}
	return err
}

// unavailableClasses are the error classes (PostgreSQL manual, appendix A) of a server that
// cannot serve: connection, resources, operator intervention, system error.
var unavailableClasses = []string{"08", "53", "57", "58"}
