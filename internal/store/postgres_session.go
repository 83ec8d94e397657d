package store

import (
	"cmp"
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// session is a connection to PostgreSQL in the hands of one caller. Its statements end
// with its patience.
type session struct {
	ctx    context.Context
	conn   *pgx.Conn
	posted *pgx.Batch  // goes to the server in one message with the next statement
	before []statement // of each statement, outside of a transaction
}

// transact runs fn in a transaction. A change takes its turn before anything else; what
// only reads begins with its first statement, and may come to none.
func (s session) transact(begin string, first statement, fn func(session) error) error {
	s.posted.Queue(begin)
	s.posted.Queue(first.query, first.args...)
	if begin != beginReading {
		if err := s.flush(); err != nil {
			return unavailable{err}
		}
	}
	if err := protected(func() error { return fn(s) }); err != nil || s.idle() {
		return err
	}
	s.posted.Queue(endWell)
	return s.flush()
}

// idle tells whether there is no transaction.
func (s session) idle() bool { return s.conn.PgConn().TxStatus() == 'I' }

// undoPatience is how long it may take to roll back.
const undoPatience = 2 * time.Second

// undo rolls back. A connection on which that fails is not used again.
func (s session) undo() {
	if s.idle() || s.conn.IsClosed() {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(s.ctx), undoPatience)
	defer cancel()
	if _, err := s.conn.Exec(ctx, endNone); err != nil {
		_ = s.conn.Close(ctx)
	}
}

// exec runs a statement, and tells how many rows it changed.
func (s session) exec(query string, args []any) (changed int64, err error) {
	if s.alone() {
		tag, err := s.conn.Exec(s.ctx, query, plain(args)...)
		return tag.RowsAffected(), err
	}
	results, err := s.send(query, args)
	if err != nil {
		return 0, err
	}
	tag, err := results.Exec()
	return tag.RowsAffected(), over(results, err)
}

// query asks for rows.
func (s session) query(query string, args []any) (rows, error) {
	if s.alone() {
		found, err := s.conn.Query(s.ctx, query, plain(args)...)
		return answered{found, nil}, err
	}
	results, err := s.send(query, args)
	if err != nil {
		return nil, err
	}
	found, err := results.Query()
	if err != nil {
		return nil, over(results, err)
	}
	return answered{found, results}, nil
}

func (s session) exists(query string, args []any) (bool, error) {
	found, err := s.query(query, args)
	if err != nil {
		return false, err
	}
	defer found.Close()
	return found.Next(), found.Err()
}

// answered are rows that may be the last answer to a message.
type answered struct {
	pgx.Rows
	results pgx.BatchResults
}

func (a answered) Close() error {
	a.Rows.Close()
	if a.results == nil {
		return a.Rows.Err()
	}
	return a.results.Close()
}

// maxPosted is how many statements wait, at most, to be sent together.
const maxPosted = 1000

// post puts a statement behind those that wait: the server gets them in one message with
// the next statement whose answer is wanted, or with the commit.
func (s session) post(query string, args []any) error {
	s.posted.Queue(query, plain(args)...)
	if s.posted.Len() >= maxPosted {
		return s.flush()
	}
	return nil
}

// flush sends what waits.
func (s session) flush() error {
	if s.posted.Len() == 0 {
		return nil
	}
	batch := *s.posted
	s.forget()
	results := s.conn.SendBatch(s.ctx, &batch)
	return over(results, passed(results, batch.QueuedQueries))
}

// alone tells whether a statement goes to the server by itself.
func (s session) alone() bool { return s.posted.Len() == 0 && len(s.before) == 0 }

// send sends what goes before a statement, and the statement, whose answer is the next.
func (s session) send(query string, args []any) (pgx.BatchResults, error) {
	batch := *s.posted
	s.forget()
	for _, b := range s.before {
		batch.Queue(b.query, b.args...)
	}
	ahead := batch.Len()
	batch.Queue(query, plain(args)...)
	results := s.conn.SendBatch(s.ctx, &batch)
	if err := passed(results, batch.QueuedQueries[:ahead]); err != nil {
		return nil, over(results, err)
	}
	return results, nil
}

// over takes what is left of the answers to a message; the first fault of it is told of.
func over(results pgx.BatchResults, err error) error {
	return cmp.Or(err, results.Close())
}

// forget drops what waits.
func (s session) forget() { *s.posted = pgx.Batch{} }

// errNotCommitted is of a transaction that the server did not make durable, or that
// nobody knows of whether it did.
var errNotCommitted = errors.New("store: not committed")

// passed takes the answers to statements of which nothing is wanted but that they did not
// fail, up to the first that did.
func passed(results pgx.BatchResults, sent []*pgx.QueuedQuery) error {
	for _, q := range sent {
		tag, err := results.Exec()
		if err == nil && q.SQL == endWell && tag.String() != "COMMIT" {
			err = pgx.ErrTxCommitRollback
		}
		if err != nil && q.SQL == endWell {
			err = fmt.Errorf("%w: %w", errNotCommitted, err)
		}
		if err != nil {
			return fmt.Errorf("store: %.40s…: %w", q.SQL, err)
		}
	}
	return nil
}

// plain makes parameters what any driver knows how to send. What PostgreSQL alone has,
// such as lists, stays as it is.
func plain(args []any) []any {
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
