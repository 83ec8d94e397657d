package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Limits of what shares a transaction.
const (
	maxCarried  = 64
	carriedTime = time.Second // of those behind the first; then no other is taken along
)

// lines are the changes that wait for others of their organisation. Since one change of an
// organisation happens at a time, those that come meanwhile share the next transaction,
// and its commit with it, each within a savepoint of its own. None of them holds a
// connection while it waits.
type lines struct {
	mu      sync.Mutex
	waiting map[tenant.ID][]*lined // there is a line as long as somebody carries it
}

// lined is a change in a line.
type lined struct {
	request
	carry chan struct{} // closed when it is to carry the line on
}

// join lines a change up, and tells whether it carries those that come behind it.
func (l *lines) join(org tenant.ID, r *lined) (carries bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	line, carried := l.waiting[org]
	if carried {
		l.waiting[org] = append(line, r)
		return false
	}
	if l.waiting == nil {
		l.waiting = map[tenant.ID][]*lined{}
	}
	l.waiting[org] = nil
	return true
}

// leave takes a change out of its line, unless somebody has taken it already.
func (l *lines) leave(org tenant.ID, r *lined) (left bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	at := slices.Index(l.waiting[org], r)
	if at >= 0 {
		l.waiting[org] = slices.Delete(l.waiting[org], at, at+1)
	}
	return at >= 0
}

func (l *lines) empty(org tenant.ID) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.waiting[org]) == 0
}

// next takes the first that waits; nil where none does.
func (l *lines) next(org tenant.ID) *lined {
	l.mu.Lock()
	defer l.mu.Unlock()
	line := l.waiting[org]
	if len(line) == 0 {
		return nil
	}
	l.waiting[org] = line[1:]
	return line[0]
}

// pass has the first that waits carry the line on, or ends the line. When the database
// does not answer, nobody waits to find that out.
func (l *lines) pass(org tenant.ID, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	line := l.waiting[org]
	if down := (unavailable{}); errors.As(err, &down) {
		for _, r := range line {
			r.answer <- err
		}
		line = nil
	}
	if len(line) == 0 {
		delete(l.waiting, org)
		return
	}
	l.waiting[org] = line[1:]
	close(line[0].carry)
}

// lineUp has a change made by whoever carries its organisation's line.
func (e *postgresEngine) lineUp(ctx context.Context, org tenant.ID, fn func(querier, *commit) error) (err error) {
	r := &lined{request: request{ctx: ctx, fn: fn, answer: make(chan error, 1)}, carry: make(chan struct{})}
	if !e.lines.join(org, r) {
		patience := time.NewTimer(databasePatience)
		defer patience.Stop()
		select {
		case err := <-r.answer:
			return err
		case <-patience.C:
			if e.lines.leave(org, r) {
				return unavailable{errLongLine}
			}
			select {
			case err := <-r.answer:
				return err
			case <-r.carry:
			}
		case <-r.carry:
		}
	}
	defer func() { e.lines.pass(org, err) }()
	return e.carry(org, &r.request)
}

var errLongLine = errors.New("store: other changes of the organisation take too long")

// carry makes a change in a transaction, takes those along that wait behind it, and
// answers them.
func (e *postgresEngine) carry(org tenant.ID, first *request) error {
	b := &carried{commit: newCommit()}
	err := e.within(context.WithoutCancel(first.ctx), beginWriting, enterAlone(org), func(in session) error {
		b.session = in
		if err := first.fn(in, b.commit); err != nil {
			return err
		}
		if e.lines.empty(org) {
			return e.complete(in, b.commit)
		}
		if err := e.takeAlong(org, b); err != nil {
			return err
		}
		return e.complete(in, b.commit)
	})
	answer(b.done, err)
	return err
}

// takeAlong makes the changes that wait, and those that come meanwhile.
func (e *postgresEngine) takeAlong(org tenant.ID, b *carried) error {
	if err := b.point(); err != nil {
		return err
	}
	enough := time.NewTimer(carriedTime)
	defer enough.Stop()
	for range maxCarried - 1 {
		select {
		case <-enough.C:
			return nil
		default:
		}
		r := e.lines.next(org)
		if r == nil {
			return nil
		}
		if err := b.beside(&r.request); err != nil {
			b.done = append(b.done, &r.request)
			return unavailable{err}
		}
	}
	return nil
}

// complete adds what a transaction's changes come to.
func (e *postgresEngine) complete(in session, c *commit) error {
	if err := c.tallies.write(in); err != nil {
		return err
	}
	return e.notify(in, c.queued)
}

// carried is what one transaction carries.
type carried struct {
	session
	*commit
	done []*request // besides the first
}

// beside makes one more change. One that fails is answered at once and leaves nothing;
// a savepoint that is gone breaks the whole transaction.
func (b *carried) beside(r *request) (broken error) {
	if err := r.ctx.Err(); err != nil {
		r.answer <- err
		return nil
	}
	own := &commit{heads: b.heads}
	err := protected(func() error { return r.fn(b.session, own) })
	if err == nil {
		err = b.release()
	}
	if err == nil {
		b.done = append(b.done, r)
		b.tallies.take(&own.tallies)
		b.queued = append(b.queued, own.queued...)
		return nil
	}
	clear(b.heads)
	b.forget()
	if _, broken = b.exec("ROLLBACK TO SAVEPOINT change", nil); broken != nil {
		return fmt.Errorf("store: go back: %w", errors.Join(broken, err))
	}
	r.answer <- err
	return nil
}

// point makes the savepoint that the next change goes back to when it fails.
func (b *carried) point() error {
	if err := b.post("SAVEPOINT change", nil); err != nil {
		return err
	}
	return b.flush()
}

// release keeps a change, and makes the savepoint of the next in the same message.
func (b *carried) release() error {
	if err := b.post("RELEASE SAVEPOINT change", nil); err != nil {
		return err
	}
	return b.point()
}
