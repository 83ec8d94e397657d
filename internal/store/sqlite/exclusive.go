package sqlite

import (
	"context"

	"github.com/gofrs/flock"
)

// Exclusive holds a lock on a file beside the database.
func (e *Engine) Exclusive(ctx context.Context, name string, fn func(context.Context) error) (ran bool, err error) {
	lock := flock.New(e.file + "." + name + ".lock")
	if ran, err = lock.TryLock(); err != nil || !ran {
		return false, err
	}
	defer func() { _ = lock.Unlock() }()
	return true, fn(ctx)
}
