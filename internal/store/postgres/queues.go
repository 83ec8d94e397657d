package postgres

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

// Limits of a shared transaction. The first change waits until all are committed, and so do its deliveries. A smaller limit makes events
// arrive sooner while many clients write, and costs more commits.
const (
	maxShared  = 6
	sharedTime = time.Second // after the first change; then no other is added
)

// queues hold the changes that wait for others of their organisation. One change of an
// organisation runs at a time, so changes that arrive meanwhile share the next transaction and
// its commit, each in its own savepoint. They hold no connection while they wait.
type queues struct {
	mu      sync.Mutex
	waiting map[tenant.ID][]*queued // has an entry while a leader works for the organisation
}

// queued is a change that waits in a queue.
type queued struct {
	*engine.Request
	lead chan struct{} // closed when this change becomes the leader
}

// join adds a change to its queue, and reports whether it is the leader, who runs the changes
// behind it too.
func (q *queues) join(org tenant.ID, r *queued) (leads bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	waiting, led := q.waiting[org]
	if led {
		q.waiting[org] = append(waiting, r)
		return false
	}
	if q.waiting == nil {
		q.waiting = map[tenant.ID][]*queued{}
	}
	q.waiting[org] = nil
	return true
}

// leave removes a change from its queue, and reports whether it was still there.
func (q *queues) leave(org tenant.ID, r *queued) (left bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	at := slices.Index(q.waiting[org], r)
	if at >= 0 {
		q.waiting[org] = slices.Delete(q.waiting[org], at, at+1)
	}
	return at >= 0
}

// Waiting returns the number of changes that wait behind the running one of an organisation.
func (e *Engine) Waiting(org tenant.ID) int {
	e.queues.mu.Lock()
	defer e.queues.mu.Unlock()
	return len(e.queues.waiting[org])
}

// next takes the first change that waits; nil if there is none.
func (q *queues) next(org tenant.ID) *queued {
	q.mu.Lock()
	defer q.mu.Unlock()
	waiting := q.waiting[org]
	if len(waiting) == 0 {
		return nil
	}
	q.waiting[org] = waiting[1:]
	return waiting[0]
}

// passOn makes the first change that waits the leader, or removes the empty queue. If the
// database is unavailable, all that wait get the error at once.
func (q *queues) passOn(org tenant.ID, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	waiting := q.waiting[org]
	if down := (engine.UnavailableError{}); errors.As(err, &down) {
		for _, r := range waiting {
			r.Answer <- err
		}
		waiting = nil
	}
	if len(waiting) == 0 {
		delete(q.waiting, org)
		return
	}
	q.waiting[org] = waiting[1:]
	close(waiting[0].lead)
}

// enqueue runs a change as the leader of its organisation's queue, or waits until a leader has.
func (e *Engine) enqueue(ctx context.Context, org tenant.ID, fn func(engine.Conn, engine.Batch) error) (err error) {
	r := &queued{Request: engine.NewRequest(ctx, fn), lead: make(chan struct{})}
	if !e.queues.join(org, r) {
		timeout := time.NewTimer(e.timeout)
		defer timeout.Stop()
		select {
		case err := <-r.Answer:
			return err
		case <-timeout.C:
			if e.queues.leave(org, r) {
				return engine.UnavailableError{Err: errQueueTimeout}
			}
			select {
			case err := <-r.Answer:
				return err
			case <-r.lead:
			}
		case <-r.lead:
		}
	}
	defer func() { e.queues.passOn(org, err) }()
	return e.lead(org, r.Request)
}

var errQueueTimeout = errors.New("store: other changes of the organisation take too long")

// lead runs a change in a transaction with the changes that wait behind it, and answers those.
func (e *Engine) lead(org tenant.ID, first *engine.Request) error {
	t := &sharedTransaction{batch: e.newBatch()}
	err := e.transact(context.WithoutCancel(first.Ctx), beginWriting, setScopeAndLock(org), true, func(s session) error {
		t.session = s
		if err := first.Fn(s, t.batch); err != nil {
			return err
		}
		if e.Waiting(org) == 0 {
			return e.complete(s, t.batch)
		}
		if err := e.addWaiting(org, t); err != nil {
			return err
		}
		return e.complete(s, t.batch)
	})
	engine.AnswerAll(t.done, err)
	return err
}

// addWaiting runs the changes that wait, and those that arrive meanwhile.
func (e *Engine) addWaiting(org tenant.ID, t *sharedTransaction) error {
	if err := t.savepoint(); err != nil {
		return err
	}
	enough := time.NewTimer(sharedTime)
	defer enough.Stop()
	for range maxShared - 1 {
		select {
		case <-enough.C:
			return nil
		default:
		}
		r := e.queues.next(org)
		if r == nil {
			return nil
		}
		if err := t.add(r.Request); err != nil {
			t.done = append(t.done, r.Request)
			return engine.UnavailableError{Err: err}
		}
	}
	return nil
}

// complete writes what the changes of a transaction have collected, and notifies instances.
func (e *Engine) complete(s session, b engine.Batch) error {
	if err := b.Write(s); err != nil {
		return err
	}
	return e.notify(s, b.Queues())
}

// sharedTransaction is a transaction with the changes of several requests.
type sharedTransaction struct {
	session
	batch engine.Batch
	done  []*engine.Request // without the first
}

// add runs one more change. A change that fails is answered at once and leaves nothing. An
// error of its savepoint breaks the whole transaction.
func (t *sharedTransaction) add(r *engine.Request) (broken error) {
	if err := r.Ctx.Err(); err != nil {
		r.Answer <- err
		return nil
	}
	fork := t.batch.Fork()
	err := engine.RecoverPanic(func() error { return r.Fn(t.session, fork) })
	if err == nil {
		err = t.release()
	}
	if err == nil {
		t.done = append(t.done, r)
		t.batch.Join(fork)
		return nil
	}
	t.batch.Forget()
	t.dropDeferred()
	if _, broken = t.Exec("ROLLBACK TO SAVEPOINT change", nil); broken != nil {
		return fmt.Errorf("store: go back: %w", errors.Join(broken, err))
	}
	r.Answer <- err
	return nil
}

// savepoint sets the savepoint that the next change is rolled back to if it fails.
func (t *sharedTransaction) savepoint() error {
	if err := t.ExecDeferred("SAVEPOINT change", nil); err != nil {
		return err
	}
	return t.flush()
}

// release keeps a change, and sets the savepoint of the next in the same message.
func (t *sharedTransaction) release() error {
	if err := t.ExecDeferred("RELEASE SAVEPOINT change", nil); err != nil {
		return err
	}
	return t.savepoint()
}
