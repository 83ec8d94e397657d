package sqlite

import (
	"errors"
	"runtime"

	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

// maxBatch is the largest number of changes in one commit.
const maxBatch = 256

// maxYields is how often the writer yields to other goroutines before it commits.
const maxYields = 3

// write is the one writer. It takes the changes that wait, up to maxBatch, runs each in a
// savepoint, and commits them together.
func (e *Engine) write() {
	defer close(e.done)
	for r := range e.queue {
		e.commit(r)
	}
}

func (e *Engine) commit(r *engine.Request) {
	if err := e.writeError(); err != nil {
		r.Answer <- err
		return
	}
	if err := e.writer.do("BEGIN IMMEDIATE"); err != nil {
		r.Answer <- e.databaseError(err)
		return
	}
	b := e.newBatch()
	var done []*engine.Request
	for n := 1; ; n++ {
		stored, broken := e.run(r, b)
		if broken != nil {
			_ = e.writer.do("ROLLBACK")
			engine.AnswerAll(append(done, r), e.databaseError(broken))
			return
		}
		if stored {
			done = append(done, r)
		}
		if r = e.next(n); r == nil {
			break
		}
	}
	err := b.Write(e.writer)
	if err == nil {
		err = e.writer.do("COMMIT")
	}
	if err != nil {
		_ = e.writer.do("ROLLBACK")
		err = e.databaseError(err)
	} else if gone := e.files.check(); gone != nil {
		err = displaced(gone) // the commit went into a file that has no name
	} else {
		e.space.committed()
	}
	e.wal.measure(e.files.logSize.Load())
	engine.AnswerAll(done, err)
	if e.observeCommit != nil && err == nil {
		e.observeCommit(len(done))
	}
	e.wrote()
}

// databaseError marks an error of the database itself. If the disk is full, it has the log
// truncated, which frees its space.
func (e *Engine) databaseError(err error) error {
	err = e.space.check(err)
	var full engine.DiskFullError
	if errors.As(err, &full) {
		e.wal.requestTruncate()
		return err
	}
	return engine.UnavailableError{Err: err}
}

// next takes a change that waits. If there is none, it first lets other goroutines run,
// because what they add shares the commit and its sync.
func (e *Engine) next(taken int) *engine.Request {
	for yields := 0; taken < maxBatch; yields++ {
		select {
		case r := <-e.queue:
			return r
		default:
		}
		if yields == maxYields {
			break
		}
		runtime.Gosched()
	}
	return nil
}

// run runs one change in its savepoint. A change that fails is answered at once and leaves
// nothing. An error of the savepoint itself breaks the whole commit.
func (e *Engine) run(r *engine.Request, b engine.Batch) (stored bool, broken error) {
	if err := r.Ctx.Err(); err != nil {
		r.Answer <- err
		return false, nil
	}
	if err := e.writer.do("SAVEPOINT request"); err != nil {
		return false, err
	}
	err := engine.RecoverPanic(func() error { return r.Fn(e.writer, b) })
	if err == nil {
		return true, e.writer.do("RELEASE request")
	}
	b.Forget()
	for _, end := range []string{"ROLLBACK TO request", "RELEASE request"} {
		if broken := e.writer.do(end); broken != nil {
			return false, errors.Join(err, broken)
		}
	}
	r.Answer <- e.space.check(err)
	return false, nil
}
