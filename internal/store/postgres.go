package store

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
)

// Limits of the pool.
const (
	maxConnections = 32 // where no other number is wanted
	maxGlances     = 8  // connections for single statements that see all organisations
	maxLocks       = 4  // advisory locks that are held, or tried for, at a time
	connectionAge  = 30 * time.Minute
	connectionIdle = 5 * time.Minute
)

// postgresEngine runs every transaction under row-level security for its
// organisation, and lets one change of an organisation happen at a time.
type postgresEngine struct {
	db  *sql.DB
	all *sql.DB // its connections see all organisations, and are used for glances alone

	locks    *sql.DB // for advisory locks that outlive a transaction
	config   *pgx.ConnConfig
	instance string // tells our own notifications from those of others
	log      *slog.Logger
	lines    lines
	home     *home

	distrusting sync.Mutex
}

func openPostgres(ctx context.Context, o Options) (engine, error) {
	e, err := reachPostgres(o)
	if err != nil {
		return nil, err
	}
	if err = e.foundBefore(ctx, o); err == nil {
		err = prepare(ctx, e.db, e.config, o)
	}
	if err == nil {
		err = e.expected(ctx, o)
	}
	if err != nil {
		_ = e.close()
		return nil, explainTLS(err)
	}
	if hosts := plainHosts(e.config); len(hosts) > 0 && o.Log != nil {
		o.Log.Warn("connections to the database are not encrypted, because its address says sslmode=disable", "hosts", hosts)
	}
	return e, nil
}

// reachPostgres connects when something is asked for, and not before.
func reachPostgres(o Options) (*postgresEngine, error) {
	config, err := parseAddress(o.URL)
	if err != nil {
		return nil, err
	}
	followPrimary(config)
	noticeSilence(config)
	abandon(config)
	config.RuntimeParams["timezone"] = "UTC"
	config.RuntimeParams["jit"] = "off"         // compiling takes longer than any statement here
	config.RuntimeParams["enable_sort"] = "off" // every list has an index in its order, which the planner overlooks while a table has no statistics
	connections := cmp.Or(o.Connections, maxConnections)
	seeing := config.Copy()
	seeing.RuntimeParams["tidewaiter.org"] = visible("")
	at := &home{log: o.Log}
	e := &postgresEngine{
		db: at.pool(config, connections), all: at.pool(seeing, min(connections, maxGlances)), locks: at.pool(config, maxLocks), config: config, log: o.Log, home: at,
	}
	if o.NewID != nil {
		e.instance = o.NewID()
	}
	return e, nil
}

// hostPatience is how long one of several servers may take to let us in before the
// next is asked.
const hostPatience = 2 * time.Second

// followPrimary makes connections to whichever of several servers takes writes, so
// that the service goes over to a standby by itself when it is promoted.
func followPrimary(config *pgx.ConnConfig) {
	several := slices.ContainsFunc(config.Fallbacks, func(f *pgconn.FallbackConfig) bool { return f.Host != config.Host || f.Port != config.Port })
	if !several {
		return
	}
	if config.ValidateConnect == nil {
		config.ValidateConnect = pgconn.ValidateConnectTargetSessionAttrsReadWrite
	}
	if config.ConnectTimeout == 0 {
		config.ConnectTimeout = hostPatience
	}
}

// noticeSilence gives up an idle connection whose other end has not answered for some
// ten seconds.
func noticeSilence(config *pgx.ConnConfig) {
	alive := net.KeepAliveConfig{Enable: true, Idle: 5 * time.Second, Interval: 2 * time.Second, Count: 3}
	config.DialFunc = (&net.Dialer{KeepAliveConfig: alive}).DialContext
}

// patienceOfServer is how long PostgreSQL waits for a client in the middle of a
// transaction, and for a statement: a little longer than any client of ours does.
const patienceOfServer = databasePatience + 2*time.Second

// serverPatience is the settings by which PostgreSQL gives up what nobody waits for any more.
// A client that was lost without a word would else hold its organisation's lock, and an
// instance its turns, until the operating system of the server notices after hours. What
// the address sets itself, it keeps.
func serverPatience() map[string]string {
	limit := strconv.FormatInt(patienceOfServer.Milliseconds(), 10)
	return map[string]string{
		"statement_timeout": limit, "idle_in_transaction_session_timeout": limit, "tcp_keepalives_idle": "5", "tcp_keepalives_interval": "2",
	}
}

func abandon(config *pgx.ConnConfig) {
	for name, value := range serverPatience() {
		if _, set := config.RuntimeParams[name]; !set {
			config.RuntimeParams[name] = value
		}
	}
}

// distrust closes all idle connections when one was silent until a transaction's time
// was over: what has swallowed that may have swallowed all, and each would cost somebody
// as long.
func (e *postgresEngine) distrust(err error) error {
	if !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	// One at a time: SetMaxIdleConns closes what it took out of the idle list in the list's own
	// array, which connections that come back overwrite as soon as the limit is raised again.
	// It would then close one that is in use.
	e.distrusting.Lock()
	defer e.distrusting.Unlock()
	for _, pool := range []*sql.DB{e.db, e.all, e.locks} {
		size := pool.Stats().MaxOpenConnections
		pool.SetMaxIdleConns(0)
		pool.SetMaxIdleConns(size)
	}
	return err
}

// pool keeps its connections open while there is work: opening one costs
// PostgreSQL more than a transaction.
func (h *home) pool(config *pgx.ConnConfig, size int) *sql.DB {
	db := stdlib.OpenDB(*config, stdlib.OptionAfterConnect(h.connected))
	db.SetMaxOpenConns(size)
	db.SetMaxIdleConns(size)
	db.SetConnMaxLifetime(connectionAge)
	db.SetConnMaxIdleTime(connectionIdle)
	return db
}

func (e *postgresEngine) ping(ctx context.Context) error {
	if err := e.db.PingContext(ctx); err != nil {
		return unavailable{err}
	}
	return nil
}

func (e *postgresEngine) close() error {
	return errors.Join(e.db.Close(), e.all.Close(), e.locks.Close())
}

func (e *postgresEngine) view(ctx context.Context, scope tenant.ID, fn func(querier) error) error {
	return e.within(ctx, beginReading, enter(scope), func(in session) error { return fn(in) })
}

// scan is a view all the same: the server has its own ways to keep its memory.
func (e *postgresEngine) scan(ctx context.Context, scope tenant.ID, fn func(querier) error) error {
	return e.view(ctx, scope, fn)
}

// glance needs no transaction but the one that a message is: what lets a statement see its
// organisation goes before it in the same message.
func (e *postgresEngine) glance(ctx context.Context, scope tenant.ID, fn func(querier) error) error {
	ctx, cancel := context.WithTimeout(ctx, databasePatience)
	defer cancel()
	pool, before := e.all, []statement(nil)
	if scope != "" {
		pool, before = e.db, []statement{enter(scope)}
	}
	return e.distrust(connected(ctx, pool, func(conn *pgx.Conn) error {
		return protected(func() error { return fn(session{ctx, conn, &pgx.Batch{}, before}) })
	}))
}

func (e *postgresEngine) update(ctx context.Context, scope tenant.ID, fn func(querier, *commit) error) error {
	if scope != "" && scope != tenant.Operator {
		return e.lineUp(ctx, scope, fn)
	}
	return e.within(context.WithoutCancel(ctx), beginWriting, enter(scope), func(in session) error {
		c := newCommit()
		if err := fn(in, c); err != nil {
			return err
		}
		return e.complete(in, c)
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
	return statement{"SELECT set_config('tidewaiter.org', $1, true), pg_advisory_xact_lock(hashtextextended($1, 0))", []any{visible(scope)}}
}

func visible(scope tenant.ID) string {
	if scope == "" {
		return "*"
	}
	return string(scope)
}

// databasePatience is how long a transaction may take, a silent database included.
const databasePatience = 8 * time.Second

// How transactions begin and end.
const (
	beginReading = "begin isolation level repeatable read read only"
	beginWriting = "begin"
	endWell      = "commit"
	endNone      = "rollback"
)

// within runs fn in a transaction. It begins, sees its organisation and takes its turn in
// one message, and ends in one with the statements that wait.
func (e *postgresEngine) within(ctx context.Context, begin string, first statement, fn func(session) error) error {
	ctx, cancel := context.WithTimeout(ctx, databasePatience)
	defer cancel()
	return e.distrust(connected(ctx, e.db, func(conn *pgx.Conn) error {
		in := session{ctx, conn, &pgx.Batch{}, nil}
		err := in.transact(begin, first, fn)
		if err != nil {
			in.undo()
		}
		return err
	}))
}

// connected runs fn on a connection of a pool, which does not take one back that is broken
// or in the middle of a transaction.
func connected(ctx context.Context, pool *sql.DB, fn func(*pgx.Conn) error) error {
	conn, err := pool.Conn(ctx)
	if err != nil {
		return unavailable{err}
	}
	defer conn.Close()
	return lostOr(conn.Raw(func(c any) error {
		own := c.(*stdlib.Conn).Conn()
		err := fn(own)
		if err != nil && own.IsClosed() && ctx.Err() == nil {
			return unavailable{err}
		}
		return err
	}))
}

// lostOr marks an error that comes of a lost or silent connection, not of a statement.
func lostOr(err error) error {
	if err == nil {
		return nil
	}
	var network net.Error
	var server *pgconn.PgError
	switch {
	case errors.Is(err, driver.ErrBadConn), errors.Is(err, sql.ErrConnDone), errors.Is(err, sql.ErrTxDone),
		errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, context.DeadlineExceeded), errors.As(err, &network):
		return unavailable{err}
	case errors.Is(err, errNotCommitted):
		return unavailable{err}
	case errors.As(err, &server) && slices.Contains(lostClasses, server.Code[:2]):
		return unavailable{err}
	}
	return err
}

// lostClasses are the classes of errors (appendix A of PostgreSQL's manual) that say
// that the server cannot serve: connection, resources, intervention, system.
var lostClasses = []string{"08", "53", "57", "58"}
