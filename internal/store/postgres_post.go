package store

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
)

// maxPosted is how many statements wait, at most, to be sent together.
const maxPosted = 1000

// post puts a statement behind those that wait: the server gets them in one message,
// before the next statement whose answer is wanted, and before the commit.
func (s session) post(query string, args []any) error {
	values := make([]any, len(args))
	for i, arg := range args {
		value, err := driver.DefaultParameterConverter.ConvertValue(arg)
		if err != nil {
			return fmt.Errorf("store: parameter %d: %w", i+1, err)
		}
		values[i] = value
	}
	s.posted.Queue(query, values...)
	if s.posted.Len() >= maxPosted {
		return s.flush()
	}
	return nil
}

// flush sends what waits. The first statement that fails is told of.
func (s session) flush() error {
	if s.posted.Len() == 0 {
		return nil
	}
	batch := *s.posted
	s.forget()
	return s.conn.Raw(func(conn any) error { return send(s.ctx, conn.(*stdlib.Conn).Conn(), &batch) })
}

// forget drops what waits.
func (s session) forget() { *s.posted = pgx.Batch{} }

// undoPatience is how long it may take to roll back.
const undoPatience = 2 * time.Second

// undo rolls back. A connection on which that fails is not used again.
func (s session) undo() {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(s.ctx), undoPatience)
	defer cancel()
	if _, err := s.on.ExecContext(ctx, endNone); err != nil {
		_ = s.conn.Raw(func(any) error { return driver.ErrBadConn })
	}
}

// errNotCommitted is of a transaction that the server did not make durable, or that
// nobody knows of whether it did.
var errNotCommitted = errors.New("store: not committed")

func send(ctx context.Context, conn *pgx.Conn, batch *pgx.Batch) error {
	results := conn.SendBatch(ctx, batch)
	for _, q := range batch.QueuedQueries {
		tag, err := results.Exec()
		if err == nil && q.SQL == endWell && tag.String() != "COMMIT" {
			err = pgx.ErrTxCommitRollback
		}
		if err != nil && q.SQL == endWell {
			err = fmt.Errorf("%w: %w", errNotCommitted, err)
		}
		if err != nil {
			_ = results.Close()
			return fmt.Errorf("store: %.40s…: %w", q.SQL, err)
		}
	}
	return results.Close()
}
