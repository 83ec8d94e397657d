package sqlite

import (
	"database/sql"
	"errors"
	"runtime"

	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

// maxBatch is the largest number of changes in one commit.
const maxBatch = 256

// maxYields is how often the writer yields to other goroutines before it commits.
const maxYields = 3

// take stores a change if nothing else is written, and otherwise hands it to the writer.
func (e *Engine) take(r *engine.Request) error {
	e.closing.RLock()
	defer e.closing.RUnlock()
	if e.closed {
		return engine.UnavailableError{Err: sql.ErrConnDone}
	}
	if !e.commitAlone(r) {
		e.queue <- r
		select {
		case e.waiting <- struct{}{}:
		default:
		}
	}
	return nil
}

// commitAlone commits a change on the goroutine of its caller unless others wait or are written. A change that comes alone needs no
// switch to the writer and back, some 5 % of the processor time of a creation by one client (test/bench -only y).
func (e *Engine) commitAlone(r *engine.Request) bool {
	if len(e.queue) > 0 || !e.writing.TryLock() {
		return false
	}
	defer e.writing.Unlock()
	e.commit(r)
	return true
}

// write is the writer of the changes that came while another one was stored.
func (e *Engine) write() {
	defer close(e.done)
	for range e.waiting {
		e.writing.Lock() // before it takes a change, so that all that wait are in one group
		for r := e.next(0); r != nil; r = e.next(0) {
			e.commit(r)
		}
		e.writing.Unlock()
	}
}

// commit runs a change and those that wait, up to maxBatch, one after the other, and commits them together.
func (e *Engine) commit(r *engine.Request) {
	if err := e.writeError(); err != nil {
		r.Answer <- err
		return
	}
	if err := e.writer.do("BEGIN IMMEDIATE"); err != nil {
		r.Answer <- e.databaseError(err)
		return
	}
	e.writer.rights = false
	b := e.newBatch()
	g := e.newGroup()
	var done []*engine.Request
	for n := 1; ; n++ {
		stored, broken := g.run(r, b)
		if broken != nil {
			g.end()
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
	g.end()
	err := engine.RecoverPanic(func() error { return b.Write(e.writer) })
	if err == nil {
		err = e.writer.do("COMMIT")
	}
	if e.writer.rights {
		e.rights.change() // also after an error, which does not say what was stored
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
