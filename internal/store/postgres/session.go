package postgres

import (
	"cmp"
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

// session is a connection that one caller uses. Its statements end with its context.
type session struct {
	ctx      context.Context
	conn     *pgx.Conn
	deferred *pgx.Batch         // goes to the server in one message with the next statement
	before   []engine.Statement // sent ahead of each statement, outside of a transaction
}

// transact runs fn in a transaction. One that locks takes its lock before anything else. Any other begins with its first statement, or
// goes in one message with its commit if all of its statements are deferred; without statements it costs nothing.
func (s session) transact(begin string, first engine.Statement, locks bool, fn func(session) error) error {
	s.deferred.Queue(begin)
	s.deferred.Queue(first.Query, first.Args...)
	if locks {
		if err := s.flush(); err != nil {
			return engine.UnavailableError{Err: err}
		}
	}
	beginning := s.deferred.Len()
	if err := engine.RecoverPanic(func() error { return fn(s) }); err != nil || s.idle() && s.deferred.Len() == beginning {
		return err
	}
	s.deferred.Queue(commit)
	return s.flush()
}

// idle reports whether no transaction is open.
func (s session) idle() bool { return s.conn.PgConn().TxStatus() == 'I' }

// rollbackTimeout is the most time for a rollback.
const rollbackTimeout = 2 * time.Second

// rollback rolls back. It closes the connection if that fails.
func (s session) rollback() {
	if s.idle() || s.conn.IsClosed() {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(s.ctx), rollbackTimeout)
	defer cancel()
	if _, err := s.conn.Exec(ctx, rollback); err != nil {
		_ = s.conn.Close(ctx)
	}
}

func (s session) Exec(query string, args []any) (changed int64, err error) {
	if s.sendsAlone() {
		tag, err := s.conn.Exec(s.ctx, query, driverValues(args)...)
		return tag.RowsAffected(), err
	}
	results, err := s.send(engine.Statement{Query: query, Args: args})
	if err != nil {
		return 0, err
	}
	tag, err := results.Exec()
	return tag.RowsAffected(), closeResults(results, err)
}

func (s session) Query(query string, args []any) (engine.Rows, error) {
	if s.sendsAlone() {
		found, err := s.conn.Query(s.ctx, query, driverValues(args)...)
		return resultRows{found, nil}, err
	}
	results, err := s.send(engine.Statement{Query: query, Args: args})
	if err != nil {
		return nil, err
	}
	found, err := results.Query()
	if err != nil {
		return nil, closeResults(results, err)
	}
	return resultRows{found, results}, nil
}

func (s session) QueryAll(queries []engine.Statement, scan func(int, engine.Row) error) error {
	results, err := s.send(queries...)
	if err != nil {
		return err
	}
	for n := range queries {
		rows, err := results.Query()
		err = engine.EachRow(resultRows{rows, nil}, err)(func(r engine.Row) error { return scan(n, r) })
		if err != nil {
			return closeResults(results, err)
		}
	}
	return results.Close()
}

func (s session) Exists(query string, args []any) (bool, error) {
	found, err := s.Query(query, args)
	if err != nil {
		return false, err
	}
	defer found.Close()
	return found.Next(), found.Err()
}

// resultRows are rows that may be the last result of a message.
type resultRows struct {
	pgx.Rows
	results pgx.BatchResults
}

func (r resultRows) Close() error {
	r.Rows.Close()
	if r.results == nil {
		return r.Rows.Err()
	}
	return r.results.Close()
}

// maxDeferred is the largest number of statements that are sent together.
const maxDeferred = 1000

// ExecDeferred adds a statement to the message of the next statement or of the commit.
func (s session) ExecDeferred(query string, args []any) error {
	s.deferred.Queue(query, driverValues(args)...)
	if s.deferred.Len() >= maxDeferred {
		return s.flush()
	}
	return nil
}

// flush sends the deferred statements.
func (s session) flush() error {
	if s.deferred.Len() == 0 {
		return nil
	}
	batch := *s.deferred
	s.dropDeferred()
	results := s.conn.SendBatch(s.ctx, &batch)
	return closeResults(results, checkResults(results, batch.QueuedQueries))
}

// sendsAlone reports whether the next statement is a message by itself.
func (s session) sendsAlone() bool { return s.deferred.Len() == 0 && len(s.before) == 0 }

// send sends statements after those that go before them. Their results are the next ones to read.
func (s session) send(statements ...engine.Statement) (pgx.BatchResults, error) {
	batch := *s.deferred
	s.dropDeferred()
	for _, b := range s.before {
		batch.Queue(b.Query, b.Args...)
	}
	ahead := batch.Len()
	for _, q := range statements {
		batch.Queue(q.Query, driverValues(q.Args)...)
	}
	results := s.conn.SendBatch(s.ctx, &batch)
	if err := checkResults(results, batch.QueuedQueries[:ahead]); err != nil {
		return nil, closeResults(results, err)
	}
	return results, nil
}

// closeResults reads the remaining results of a message. It returns the first error.
func closeResults(results pgx.BatchResults, err error) error {
	return cmp.Or(err, results.Close())
}

func (s session) dropDeferred() { *s.deferred = pgx.Batch{} }

// errNotCommitted is the error of a transaction that was not committed, or may not have been.
var errNotCommitted = errors.New("store: not committed")

// checkResults reads the results of statements up to the first error.
func checkResults(results pgx.BatchResults, sent []*pgx.QueuedQuery) error {
	for _, q := range sent {
		tag, err := results.Exec()
		if err == nil && q.SQL == commit && tag.String() != "COMMIT" {
			err = pgx.ErrTxCommitRollback
		}
		if err != nil && q.SQL == commit {
			err = fmt.Errorf("%w: %w", errNotCommitted, err)
		}
		if err != nil {
			return fmt.Errorf("store: %.40s…: %w", q.SQL, err)
		}
	}
	return nil
}

// driverValues converts arguments to values that any driver can send. Values that only
// PostgreSQL knows, such as lists, stay as they are.
func driverValues(args []any) []any {
	values := make([]any, len(args))
	for i, arg := range args {
		value, err := driver.DefaultParameterConverter.ConvertValue(arg)
		if err != nil {
			value = arg
		}
		values[i] = value
	}
	return values
}
