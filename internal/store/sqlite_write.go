package store

import (
	"context"
	"errors"
	"runtime"
)

// request is one change that waits for the writer.
type request struct {
	ctx    context.Context
	fn     func(querier, *commit) error
	answer chan error
}

// write is the one writer: it takes what waits, up to a limit, runs each request
// in a savepoint of its own, and commits them together.
func (e *sqliteEngine) write() {
	defer close(e.done)
	for r := range e.queue {
		e.batch(r)
	}
}

func (e *sqliteEngine) batch(r *request) {
	if err := e.refusal(); err != nil {
		r.answer <- err
		return
	}
	if err := e.writer.do("BEGIN IMMEDIATE"); err != nil {
		r.answer <- e.failed(err)
		return
	}
	c := newCommit()
	var done []*request
	for n := 1; ; n++ {
		stored, broken := e.run(r, c)
		if broken != nil {
			_ = e.writer.do("ROLLBACK")
			answer(append(done, r), e.failed(broken))
			return
		}
		if stored {
			done = append(done, r)
		}
		if r = e.next(n); r == nil {
			break
		}
	}
	err := c.tallies.write(e.writer)
	if err == nil {
		err = e.writer.do("COMMIT")
	}
	if err != nil {
		_ = e.writer.do("ROLLBACK")
		err = e.failed(err)
	} else if gone := e.place.check(); gone != nil {
		err = refuseDisplaced(gone) // what was committed went into a file that has no name
	} else {
		e.room.stored()
	}
	e.log.measure(e.place.long.Load())
	answer(done, err)
	if e.group != nil && err == nil {
		e.group(len(done))
	}
	e.wrote()
}

// failed is an error of the database itself, which may come of a full disk: what the log holds is then brought into
// the database, so that its space is free.
func (e *sqliteEngine) failed(err error) error {
	err = e.room.judge(err)
	var full outOfSpace
	if errors.As(err, &full) {
		e.log.ask()
		return err
	}
	return unavailable{err}
}

// next takes what waits. Where nothing does, it first lets those run that are about to
// ask: what they bring shares the commit, and the sync to disk with it.
func (e *sqliteEngine) next(taken int) *request {
	for turn := 0; taken < e.limit; turn++ {
		select {
		case r := <-e.queue:
			return r
		default:
		}
		if turn == turnsGiven {
			break
		}
		runtime.Gosched()
	}
	return nil
}

// run gives one request its savepoint. A request that fails is answered at once
// and leaves nothing; a savepoint that is gone breaks the whole batch.
func (e *sqliteEngine) run(r *request, c *commit) (stored bool, broken error) {
	if err := r.ctx.Err(); err != nil {
		r.answer <- err
		return false, nil
	}
	if err := e.writer.do("SAVEPOINT request"); err != nil {
		return false, err
	}
	err := protected(func() error { return r.fn(e.writer, c) })
	if err == nil {
		return true, e.writer.do("RELEASE request")
	}
	clear(c.heads)
	for _, end := range []string{"ROLLBACK TO request", "RELEASE request"} {
		if broken := e.writer.do(end); broken != nil {
			return false, errors.Join(err, broken)
		}
	}
	r.answer <- e.room.judge(err)
	return false, nil
}

func answer(requests []*request, err error) {
	for _, r := range requests {
		r.answer <- err
	}
}
