package store

import (
	"context"

	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// directWriters are the connections that write at a time without group commit.
const directWriters = 8

// directEngine is SQLite without group commit, for measuring what grouping gains:
// every change has a transaction of its own on one of a few connections, and waits
// for the others' by SQLite's busy timeout.
type directEngine struct {
	*sqliteEngine
	writers chan *lane
}

func direct(ctx context.Context, e *sqliteEngine) (engine, error) {
	d := directEngine{e, make(chan *lane, directWriters)}
	for range directWriters {
		l, err := newLane(ctx, e.db)
		if err != nil {
			return nil, err
		}
		d.writers <- l
	}
	return d, nil
}

func (d directEngine) close() error {
	err := d.sqliteEngine.close()
	drain(d.writers)
	return err
}

func (d directEngine) update(ctx context.Context, _ tenant.ID, fn func(querier, *commit) error) error {
	var l *lane
	select {
	case l = <-d.writers:
		defer func() { d.writers <- l }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if err := l.do("BEGIN IMMEDIATE"); err != nil {
		return unavailable{err}
	}
	c := newCommit()
	err := protected(func() error { return fn(l, c) })
	if err == nil {
		err = c.tallies.write(l)
	}
	if err != nil {
		_ = l.do("ROLLBACK")
		return err
	}
	if err := l.do("COMMIT"); err != nil {
		_ = l.do("ROLLBACK")
		return d.failed(err)
	}
	d.wrote()
	if err := d.place.check(); err != nil {
		return refuseDisplaced(err)
	}
	return nil
}
