package store

import (
	"cmp"
	"fmt"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

// Enqueue adds a job in this transaction, so the job exists if and only if the change does. RunAt is computed from Now;
// jobs themselves run by real time.
func (t *Tx) Enqueue(j jobs.Job) error {
	at := t.real
	if !j.RunAt.IsZero() {
		at = t.inRealTime(j.RunAt)
	}
	err := t.execDeferred("INSERT INTO jobs (org_id, id, queue, subject, run_at, attempt, failures, state, problem, trace) VALUES ($1, $2, $3, $4, $5, 0, 0, 'due', '', $6)",
		j.ID, j.Queue, j.Subject, instant(at), nullable(cmp.Or(j.Trace, t.trace)))
	if err != nil {
		return fmt.Errorf("store: enqueue: %w", err)
	}
	if !at.After(t.real) {
		t.queued = append(t.queued, j.Queue)
	}
	return nil
}

// ReviveJob makes a job due again that was given up. It does nothing to other jobs.
func (t *Tx) ReviveJob(queue, subject string) error {
	n, err := t.exec("UPDATE jobs SET state = 'due', run_at = $4, failures = 0, problem = '' WHERE org_id = $1 AND queue = $2 AND subject = $3 AND state = 'dead'",
		queue, subject, instant(t.real))
	if err != nil {
		return fmt.Errorf("store: revive job: %w", err)
	}
	if n > 0 {
		t.queued = append(t.queued, queue)
	}
	return nil
}

// RunJobNow makes the job of a subject due at once, also one that was given up, and reports
// whether there is one. A leased job stays with its worker.
func (t *Tx) RunJobNow(queue, subject string) (found bool, err error) {
	if err := t.ReviveJob(queue, subject); err != nil {
		return false, err
	}
	n, err := t.exec("UPDATE jobs SET run_at = $4 WHERE org_id = $1 AND queue = $2 AND subject = $3 AND attempt = 0", queue, subject, instant(t.real))
	if err != nil {
		return false, fmt.Errorf("store: run job now: %w", err)
	}
	if n > 0 {
		t.queued = append(t.queued, queue)
		return true, nil
	}
	return t.exists("SELECT 1 FROM jobs WHERE org_id = $1 AND queue = $2 AND subject = $3", queue, subject)
}

// RunJobBy makes the job of a subject due at a time that is computed from Now, unless it is due before, and reports whether
// there is one. A leased job stays with its worker.
func (t *Tx) RunJobBy(queue, subject string, at time.Time) (found bool, err error) {
	if err := t.ReviveJob(queue, subject); err != nil {
		return false, err
	}
	at = t.inRealTime(at)
	n, err := t.exec("UPDATE jobs SET run_at = $4 WHERE org_id = $1 AND queue = $2 AND subject = $3 AND attempt = 0 AND run_at > $4", queue, subject, instant(at))
	if err != nil {
		return false, fmt.Errorf("store: run job by: %w", err)
	}
	if n > 0 {
		if !at.After(t.real) {
			t.queued = append(t.queued, queue)
		}
		return true, nil
	}
	return t.exists("SELECT 1 FROM jobs WHERE org_id = $1 AND queue = $2 AND subject = $3", queue, subject)
}

// WithdrawJob deletes the job of a subject that no worker has taken yet, and reports whether there was one. A worker takes a job in a
// transaction of its own, so either the job is deleted or its worker has begun.
func (t *Tx) WithdrawJob(queue, subject string) (withdrawn bool, err error) {
	n, err := t.exec("DELETE FROM jobs WHERE org_id = $1 AND queue = $2 AND subject = $3 AND state = 'due' AND attempt = 0", queue, subject)
	return n > 0, wrapError("withdraw job", err)
}

// SubjectsOf lists the subjects of jobs of a queue, the first due first.
func (t *Tx) SubjectsOf(queue string, limit int) (all []string, err error) {
	err = t.rows("SELECT subject FROM jobs WHERE org_id = $1 AND queue = $2 AND state = 'due' ORDER BY run_at, id LIMIT $3"+computed, []any{queue, limit}, func(r engine.Row) error {
		var subject string
		err := r.Scan(&subject)
		all = append(all, subject)
		return err
	})
	return all, wrapError("subjects of a queue", err)
}

// RunQueueNow makes all jobs of a queue due that wait for the time of their first attempt, the first at once and each
// other one a gap after the one before.
func (t *Tx) RunQueueNow(queue string, gap time.Duration) error {
	var ids []string
	err := t.rows("SELECT id FROM jobs WHERE org_id = $1 AND queue = $2 AND state = 'due' AND attempt = 0 AND run_at > $3 ORDER BY run_at, id", []any{queue, instant(t.real)}, func(r engine.Row) error {
		var id string
		err := r.Scan(&id)
		ids = append(ids, id)
		return err
	})
	for i := range ids {
		if err == nil {
			_, err = t.exec("UPDATE jobs SET run_at = $3 WHERE org_id = $1 AND id = $2", ids[i], instant(t.real.Add(time.Duration(i)*gap)))
		}
	}
	if err == nil && len(ids) > 0 {
		t.queued = append(t.queued, queue)
	}
	return wrapError("run queue now", err)
}

// LastJob returns the latest time until an instant at which a job of a queue waits for its first attempt; zero for none.
func (t *Tx) LastJob(queue string, until time.Time) (at time.Time, err error) {
	_, err = t.row("SELECT run_at FROM jobs WHERE org_id = $1 AND queue = $2 AND state = 'due' AND attempt = 0 AND run_at <= $3 ORDER BY run_at DESC LIMIT 1",
		[]any{queue, instant(until)}, (*instant)(&at))
	return at, wrapError("last job", err)
}

// Attempts returns how often the job of a subject has been leased.
func (t *Tx) Attempts(queue, subject string) (n int64, err error) {
	if _, err = t.row("SELECT attempt FROM jobs WHERE org_id = $1 AND queue = $2 AND subject = $3", []any{queue, subject}, &n); err != nil {
		return 0, fmt.Errorf("store: attempts: %w", err)
	}
	return n, nil
}

// FinishJob removes a job. It fails if the lease was lost, so that the effect in this
// transaction happens once.
func (t *Tx) FinishJob(j jobs.Job) error {
	n, err := t.exec("DELETE FROM jobs WHERE org_id = $1 AND id = $2 AND attempt = $3 AND state = 'due'", j.ID, j.Attempt)
	return fenced(n, err)
}

// RetryJob postpones a job to a time that is computed from Now.
func (t *Tx) RetryJob(j jobs.Job, at time.Time, problem string) error {
	n, err := t.exec("UPDATE jobs SET run_at = $4, problem = $5, failures = $6 WHERE org_id = $1 AND id = $2 AND attempt = $3",
		j.ID, j.Attempt, instant(t.inRealTime(at)), problem, j.Failures)
	return fenced(n, err)
}

// GiveUpJob marks a job as given up, for the operator to see.
func (t *Tx) GiveUpJob(j jobs.Job, problem string) error {
	n, err := t.exec("UPDATE jobs SET state = 'dead', problem = $4 WHERE org_id = $1 AND id = $2 AND attempt = $3", j.ID, j.Attempt, problem)
	return fenced(n, err)
}

func fenced(n int64, err error) error {
	if err != nil {
		return fmt.Errorf("store: update job: %w", err)
	}
	if n != 1 {
		return jobs.ErrLeaseLost
	}
	return nil
}
