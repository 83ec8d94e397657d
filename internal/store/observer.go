package store

import (
	"context"
	"errors"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
	"time"
)

// Kind is a way to use the database.
type Kind string

// The kinds of transactions.
const (
	KindView       Kind = "view"   // a snapshot of one organisation
	KindScan       Kind = "scan"   // one that reads very many records
	KindViewSingle Kind = "glance" // one statement
	KindUpdate     Kind = "update"
)

// Transaction is a transaction that has ended, as observers get it.
type Transaction struct {
	Kind    Kind
	Began   time.Time // when it was requested
	Entered time.Time // when it could begin; Ended if it never could
	Worked  time.Time // when its statements were done
	Ended   time.Time // when it was durable, or undone
	Err     error
}

// The outcomes of a transaction.
const (
	Done        = "done"
	Refused     = "refused"     // rolled back by the caller
	Unavailable = "unavailable" // the database failed
)

// Outcome returns how the transaction ended.
func (t *Transaction) Outcome() string {
	var down engine.UnavailableError
	switch {
	case t.Err == nil:
		return Done
	case errors.As(t.Err, &down):
		return Unavailable
	}
	return Refused
}

// Observer is notified of what the store does. Its functions must not block, and each may
// be nil.
type Observer struct {
	Transaction func(context.Context, *Transaction)
	Group       func(changes int)            // number of changes in one commit of SQLite
	Trace       func(context.Context) string // W3C traceparent, written beside the jobs and deliveries of a change
	Statement   func(query string)           // every statement of a transaction, before it is sent; tests check their plans
}

// observedConn reports the statements of a connection.
type observedConn struct {
	engine.Conn
	statement func(query string)
}

func (c observedConn) Exec(query string, args []any) (int64, error) {
	c.statement(query)
	return c.Conn.Exec(query, args)
}

func (c observedConn) ExecDeferred(query string, args []any) error {
	c.statement(query)
	return c.Conn.ExecDeferred(query, args)
}

func (c observedConn) Query(query string, args []any) (engine.Rows, error) {
	c.statement(query)
	return c.Conn.Query(query, args)
}

func (c observedConn) QueryAll(queries []engine.Statement, scan func(int, engine.Row) error) error {
	for _, q := range queries {
		c.statement(q.Query)
	}
	return c.Conn.QueryAll(queries, scan)
}

func (c observedConn) Exists(query string, args []any) (bool, error) {
	c.statement(query)
	return c.Conn.Exists(query, args)
}

func (o *Observer) trace(ctx context.Context) string {
	if o.Trace == nil {
		return ""
	}
	return o.Trace(ctx)
}

// observed runs a transaction, and reports it to the observer if there is one.
func (s *Store) observed(ctx context.Context, k Kind, run func(enter, work func()) error) error {
	if s.observer.Transaction == nil {
		return run(func() {}, func() {})
	}
	t := Transaction{Kind: k, Began: s.now()}
	t.Err = run(func() { t.Entered = s.now() }, func() { t.Worked = s.now() })
	t.Ended = s.now()
	if t.Entered.IsZero() {
		t.Entered = t.Ended
	}
	if t.Worked.IsZero() {
		t.Worked = t.Ended
	}
	s.observer.Transaction(ctx, &t)
	return t.Err
}

// reading runs a transaction that only reads, and reports it to the observer.
func (s *Store) reading(ctx context.Context, k Kind, open func(func(engine.Conn) error) error, fn func(engine.Conn) error) error {
	return s.observed(ctx, k, func(enter, work func()) error {
		return open(func(q engine.Conn) error {
			enter()
			err := fn(q)
			work()
			return err
		})
	})
}
