package postgres

import (
	"context"
	"database/sql/driver"
	"time"
)

// unlockTimeout is the most time for releasing a lock.
const unlockTimeout = 2 * time.Second

// Exclusive holds an advisory lock. Its seed differs from that of the locks on organisations.
func (e *Engine) Exclusive(ctx context.Context, name string, fn func(context.Context) error) (ran bool, err error) {
	conn, err := e.locks.Conn(ctx)
	if err != nil {
		return false, asUnavailable(err)
	}
	defer conn.Close()
	if err := conn.QueryRowContext(ctx, "SELECT pg_try_advisory_lock(hashtextextended($1, 1))", name).Scan(&ran); err != nil || !ran {
		return false, asUnavailable(err)
	}
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), unlockTimeout)
		defer cancel()
		if _, err := conn.ExecContext(ctx, "SELECT pg_advisory_unlock(hashtextextended($1, 1))", name); err != nil {
			_ = conn.Raw(func(any) error { return driver.ErrBadConn }) // closing the connection releases the lock
		}
	}()
	return true, fn(ctx)
}
