package outbox

import "github.com/tidewaiter/tidewaiter/internal/platform/apierr"

// Withdraw ends an item that was certainly not sent yet, with the problem that its callers get, and reports whether it did. The caller stores
// the item in the same transaction. An item that a worker has taken once is not withdrawn, because the authority may have it.
func (q *Queue[E, A, X]) Withdraw(tx X, e E, why string) (withdrawn bool, err error) {
	item := e.OutboxItem()
	if item.State != Pending || item.Attempts > 0 || item.Repeated {
		return false, nil
	}
	if withdrawn, err = tx.WithdrawJob(q.Name, item.ID); err != nil || !withdrawn {
		return false, err
	}
	item.State, item.Problem, item.CompletedAt = Refused, Problem{Code: apierr.InvalidState, Message: why}, tx.Now()
	item.Attempts++ // so that a caller who waits gets the problem
	return true, nil
}
