// Package outbox sends filings to an authority. A caller stores the exact bytes and a job in one transaction; the job
// sends them outside of any transaction, and stores the outcome together with the change of state. Callers wait for
// the outcome, in whichever process the job runs.
//
// A process may crash between sending and storing. The next attempt then knows that the bytes may have been sent
// before, and the Hub decides how to find out: CDS rejects a second submission with the same LRN, and HMRC's VAT API
// returns the return that it has.
package outbox

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/platform/waiters"
)

// Tx is the part of a transaction that the outbox needs.
type Tx interface {
	Now() time.Time
	Organisation() (access.Organisation, error)
	Enqueue(jobs.Job) error
	FinishJob(jobs.Job) error
	// RunJobNow makes the job of a subject due at once, also if it was given up, and reports whether there is one.
	// It does not interrupt a running job.
	RunJobNow(queue, subject string) (found bool, err error)
	// WithdrawJob deletes the job of a subject that no worker has taken yet, and reports whether there was one.
	WithdrawJob(queue, subject string) (withdrawn bool, err error)
}

// Entry is a pointer to a Hub's type that embeds [Item].
type Entry interface{ OutboxItem() *Item }

// Result is the outcome of an attempt. A is the authority's answer to an item that it accepted.
type Result[A any] struct {
	State   State   // Sent, Refused, Unknown or Held
	Problem Problem // of a refusal, or why the item is held
	Cause   error   // of a refusal or an unknown outcome, for the log
	Answer  A       // of an accepted item
}

// Queue sends the entries of one Hub. All fields but RetryDelays, UnknownProblem and Continues are required.
type Queue[E Entry, A any, X Tx] struct {
	Name           string          // of the job queue
	Authority      string          // as it begins a sentence, such as HMRC
	Document       string          // what is sent, such as declaration
	LogKey         string          // of the item's ID
	TimeoutCode    apierr.Code     // of the error for a caller whose time ends before the outcome is known
	UnknownProblem Problem         // of an item whose outcome is unknown
	RetryDelays    []time.Duration // delays after an unknown outcome, the last one repeated; empty: the outcome stays unknown
	View           func(ctx context.Context, org tenant.ID, fn func(X) error) error
	Update         func(ctx context.Context, org tenant.ID, fn func(X) error) error
	Load           func(tx X, id string) (E, error)
	// Send makes one attempt, outside of any transaction. Repeated means that the authority may have received the
	// entry before. An error means that nothing was sent and nothing is to be stored; the job is retried.
	Send func(ctx context.Context, j jobs.Job, e E, repeated bool) (Result[A], error)
	// Store stores an entry whose Item is up to date, with everything that follows from the result.
	Store func(tx X, e E, r Result[A]) error
	// Continues reports whether what a held entry waits for is there: it may have come while the attempt was made.
	// Nil if Send holds nothing.
	Continues func(tx X, e E) (bool, error)
	Waiters   *waiters.List
	IDs       *ident.Source
	Log       *slog.Logger
}

const (
	// heldDelay is the time until a held item is looked at again, if its Hub does not make the job due before.
	heldDelay = time.Hour
	// continuing is that time if what the item waits for is there already.
	continuing = time.Second
)

var errClosed = errors.New("outbox: the organisation is closed")

var errNotCleared = errors.New("outbox: nothing is sent without a clearance of filing.Service.Clear")

// Enqueue adds the job that sends an item. The Hub stores the item in the same transaction, in which it was cleared.
func (q *Queue[E, A, X]) Enqueue(tx X, id string, c filing.Clearance) error {
	return q.EnqueueAt(tx, id, tx.Now(), c)
}

// EnqueueAt is Enqueue for a job that runs later.
func (q *Queue[E, A, X]) EnqueueAt(tx X, id string, at time.Time, c filing.Clearance) error {
	if !c.Given() {
		return errNotCleared
	}
	return q.enqueue(tx, id, at)
}

func (q *Queue[E, A, X]) enqueue(tx X, id string, at time.Time) error {
	return tx.Enqueue(jobs.Job{ID: q.IDs.UUID(), Queue: q.Name, Subject: id, RunAt: at})
}

// SendNow makes the next attempt for an item in doubt due at once.
func (q *Queue[E, A, X]) SendNow(tx X, id string) error {
	found, err := tx.RunJobNow(q.Name, id)
	if err != nil || found {
		return err
	}
	return q.enqueue(tx, id, tx.Now())
}

// RunJob sends one item. It sends nothing for an organisation that is closed.
func (q *Queue[E, A, X]) RunJob(ctx context.Context, j jobs.Job) error {
	var e E
	var org access.Organisation
	err := q.View(ctx, j.Org, func(tx X) (err error) {
		if e, err = q.Load(tx, j.Subject); err == nil {
			org, err = tx.Organisation()
		}
		return err
	})
	if err != nil {
		return err
	}
	item := e.OutboxItem()
	if q.isFinal(item.State) {
		return q.Update(ctx, j.Org, func(tx X) error { return tx.FinishJob(j) })
	}
	repeated := item.Attempts > 0 || item.Repeated || j.Attempt > 1
	result := closedResult[A](repeated)
	if !org.Closing.Closed() {
		if result, err = q.Send(ctx, j, e, repeated); err != nil {
			return err
		}
	}
	defer q.Waiters.Notify(j.Subject)
	return q.Update(context.WithoutCancel(ctx), j.Org, func(tx X) error { return q.complete(ctx, tx, j, result, repeated) })
}

// isFinal reports whether no further attempt follows.
func (q *Queue[E, A, X]) isFinal(s State) bool {
	return s == Sent || s == Refused || s == Unknown && len(q.RetryDelays) == 0
}

// closedResult is the result for an organisation that is closed.
func closedResult[A any](repeated bool) Result[A] {
	if repeated {
		return Result[A]{State: Unknown, Cause: errClosed}
	}
	return Result[A]{State: Refused, Cause: errClosed, Problem: Problem{Code: apierr.InvalidState, Message: "The organisation is closed; nothing was sent."}}
}

// complete stores the result of an attempt and ends its job. A process that has lost its lease stores an acceptance
// only: acceptance is certain, while any other result is for the process that holds the lease now.
func (q *Queue[E, A, X]) complete(ctx context.Context, tx X, j jobs.Job, r Result[A], repeated bool) error {
	e, err := q.Load(tx, j.Subject)
	if err != nil {
		return err
	}
	item := e.OutboxItem()
	if err := tx.FinishJob(j); err != nil && !(r.State == Sent && errors.Is(err, jobs.ErrLeaseLost)) {
		return err
	}
	if item.State == Sent || item.State == Refused && r.State != Sent {
		return nil
	}
	if r.State == Held {
		item.Problem, item.Repeated = r.Problem, item.Repeated || repeated
		q.Log.WarnContext(ctx, q.Document+" waits", q.LogKey, item.ID, "reason", r.Problem.Message)
		if err := q.Store(tx, e, r); err != nil {
			return err
		}
		delay := heldDelay
		if there, err := q.Continues(tx, e); err != nil {
			return err
		} else if there {
			delay = continuing
		}
		return q.enqueue(tx, item.ID, tx.Now().Add(delay))
	}
	item.State, item.Problem, item.CompletedAt = r.State, r.Problem, tx.Now()
	item.Attempts++
	item.Repeated = item.Repeated || repeated && r.State != Refused
	if r.State == Unknown {
		item.Problem = q.UnknownProblem
	}
	if r.State != Sent {
		q.Log.WarnContext(ctx, q.Authority+" did not accept the "+q.Document, q.LogKey, item.ID, "state", r.State, "error", r.Cause)
	}
	if err := q.Store(tx, e, r); err != nil || r.State != Unknown || q.isFinal(Unknown) {
		return err
	}
	return q.enqueue(tx, item.ID, tx.Now().Add(q.RetryDelays[min(int(item.Attempts), len(q.RetryDelays))-1]))
}
