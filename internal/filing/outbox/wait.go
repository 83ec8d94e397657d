package outbox

import (
	"context"
	"errors"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

const (
	waitTimeout  = 45 * time.Second       // of a caller
	pollInterval = 200 * time.Millisecond // for an outcome that another process stores
)

// Wait returns an entry once an attempt after the first known ones is complete, or if it is held. If then is not nil, it runs in the
// transaction that read the entry.
func (q *Queue[E, A, X]) Wait(ctx context.Context, org tenant.ID, id string, known int64, then func(X, E) error) (e E, err error) {
	ctx, cancel := context.WithTimeout(ctx, waitTimeout)
	defer cancel()
	for {
		found, err := q.poll(ctx, org, id, known, func(tx X, found E) error {
			e = found
			if then == nil {
				return nil
			}
			return then(tx, found)
		})
		if err != nil {
			return e, q.timeoutError(ctx, err)
		}
		if found {
			return e, nil
		}
	}
}

// poll looks for the outcome. If there is none, it returns after a notification or the poll interval.
func (q *Queue[E, A, X]) poll(ctx context.Context, org tenant.ID, id string, known int64, then func(X, E) error) (found bool, err error) {
	notified, leave := q.Waiters.Join(id) // before looking, so that no notification is missed
	defer leave()
	err = q.View(ctx, org, func(tx X) error {
		e, err := q.Load(tx, id)
		if found = err == nil && (e.OutboxItem().Attempts > known || e.OutboxItem().IsHeld()); !found {
			return err
		}
		return then(tx, e)
	})
	if found || err != nil {
		return found, err
	}
	select {
	case <-notified:
	case <-time.After(pollInterval):
	case <-ctx.Done():
		err = ctx.Err()
	}
	return false, err
}

// timeoutError is the error for a caller whose time has ended. An error of the store stays as it is.
func (q *Queue[E, A, X]) timeoutError(ctx context.Context, err error) error {
	if ctx.Err() == nil || !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, context.Canceled) {
		return err
	}
	return apierr.New(q.TimeoutCode, "%s has not answered yet; the service continues to try. Read the %s later to see its status.", q.Authority, q.Document).WithCause(err)
}
