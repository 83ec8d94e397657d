package sqlite

import (
	"errors"

	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

// carefulCommits is the number of commits in which each change has its own savepoint, after one had to be undone.
const carefulCommits = 64

// group runs the changes of one commit. Each is stored completely or leaves nothing. A savepoint for each would cost a
// tenth of its time, because SQLite copies every page that it changes (go tool pprof, test/bench). A change rarely fails
// after it has written something, so the changes share a savepoint. If one fails then, the group goes back to the
// savepoint and repeats the statements of the changes before it. The first change needs no savepoint.
type group struct {
	engine *Engine
	writer *conn
	kept   bool // a change has been kept
	shared bool // the savepoint that changes share is set
	own    bool // each change has its own savepoint
}

// Statements about savepoints.
const (
	setShared     = "SAVEPOINT changes"
	backToShared  = "ROLLBACK TO changes"
	releaseShared = "RELEASE changes"
	setOwn        = "SAVEPOINT request"
	backToOwn     = "ROLLBACK TO request"
	releaseOwn    = "RELEASE request"
)

func (e *Engine) newGroup() *group {
	g := &group{engine: e, writer: e.writer, own: e.careful > 0}
	e.careful = max(0, e.careful-1)
	g.writer.log.start(false)
	return g
}

// end ends the log: it does not hold what the commit itself writes.
func (g *group) end() { g.writer.log.start(false) }

// run runs one change. A change that fails is answered at once and leaves nothing. An error of a savepoint breaks the
// whole commit.
func (g *group) run(r *engine.Request, b engine.Batch) (stored bool, broken error) {
	if err := r.Ctx.Err(); err != nil {
		r.Answer <- err
		return false, nil
	}
	if err := g.begin(); err != nil {
		return false, err
	}
	err := engine.RecoverPanic(func() error { return r.Fn(g.writer, b) })
	if err == nil {
		return true, g.keep()
	}
	b.Forget()
	if broken := g.undo(); broken != nil {
		return false, errors.Join(err, broken)
	}
	r.Answer <- g.engine.space.check(err)
	return false, nil
}

// begin sets the savepoint of the next change, if it needs another one.
func (g *group) begin() (err error) {
	log := &g.writer.log
	switch {
	case g.own:
		err = g.writer.do(setOwn)
	case !g.kept: // there is nothing to keep
	case !g.shared || log.full:
		err = g.share()
	}
	log.begin()
	return err
}

// share sets the savepoint that the next changes share.
func (g *group) share() error {
	if g.shared {
		if err := g.writer.do(releaseShared); err != nil {
			return err
		}
	}
	g.shared = true
	g.writer.log.start(true)
	return g.writer.do(setShared)
}

func (g *group) keep() error {
	g.kept = true
	if g.own {
		return g.writer.do(releaseOwn)
	}
	return nil
}

// undo removes what the change that runs has written.
func (g *group) undo() error {
	log := &g.writer.log
	switch {
	case g.own:
		return g.doAll(backToOwn, releaseOwn)
	case !log.dirty:
		return nil
	case !g.kept:
		return g.doAll("ROLLBACK", "BEGIN IMMEDIATE")
	}
	log.forget()
	g.own, g.engine.careful = true, carefulCommits
	err := g.writer.do(backToShared)
	if err == nil {
		err = g.writer.repeat()
	}
	log.start(false)
	return err
}

func (g *group) doAll(statements ...string) error {
	for _, s := range statements {
		if err := g.writer.do(s); err != nil {
			return err
		}
	}
	return nil
}
