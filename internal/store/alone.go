package store

import (
	"context"
	"database/sql/driver"
	"time"

	"github.com/gofrs/flock"
)

// Alone runs fn unless another instance is just running what has this name, and tells
// whether it did. A lock that is lost with its connection does not stop fn, so two may
// run for once: fn must bear that.
func (s *Store) Alone(ctx context.Context, name string, fn func(context.Context) error) (ran bool, err error) {
	ran, err = s.engine.alone(ctx, name, fn)
	return ran, answerable(err)
}

// unlockPatience is how long giving a lock back may take.
const unlockPatience = 2 * time.Second

// alone holds an advisory lock, with another seed than those of organisations.
func (e *postgresEngine) alone(ctx context.Context, name string, fn func(context.Context) error) (ran bool, err error) {
	conn, err := e.locks.Conn(ctx)
	if err != nil {
		return false, lostOr(err)
	}
	defer conn.Close()
	if err := conn.QueryRowContext(ctx, "SELECT pg_try_advisory_lock(hashtextextended($1, 1))", name).Scan(&ran); err != nil || !ran {
		return false, lostOr(err)
	}
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), unlockPatience)
		defer cancel()
		if _, err := conn.ExecContext(ctx, "SELECT pg_advisory_unlock(hashtextextended($1, 1))", name); err != nil {
			_ = conn.Raw(func(any) error { return driver.ErrBadConn }) // the lock ends with its connection
		}
	}()
	return true, fn(ctx)
}

// alone holds a lock on a file beside the database.
func (e *sqliteEngine) alone(ctx context.Context, name string, fn func(context.Context) error) (ran bool, err error) {
	lock := flock.New(e.file + "." + name + ".lock")
	if ran, err = lock.TryLock(); err != nil || !ran {
		return false, err
	}
	defer func() { _ = lock.Unlock() }()
	return true, fn(ctx)
}
