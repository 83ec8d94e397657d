package store

import (
	"context"
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

// The statements of this file, like those of everywhere.go, see all organisations:
// the operator manages the jobs of all organisations.

// DeadJob is a job that was given up.
type DeadJob struct {
	jobs.Job
	Problem string // of its last attempt
}

// DeadJobs lists jobs that were given up, the oldest first.
func (s *Store) DeadJobs(ctx context.Context, limit int) (all []DeadJob, err error) {
	err = s.viewAll(ctx, func(a allOrgs) error {
		return a.rows("SELECT org_id, id, queue, subject, run_at, attempt, problem FROM jobs WHERE state = 'dead' ORDER BY run_at, id LIMIT $1"+computed, []any{limit},
			func(r engine.Row) error {
				var j DeadJob
				err := r.Scan(&j.Org, &j.ID, &j.Queue, &j.Subject, (*instant)(&j.RunAt), &j.Attempt, &j.Problem)
				all = append(all, j)
				return err
			})
	})
	if err != nil {
		return nil, fmt.Errorf("store: dead jobs: %w", err)
	}
	return all, nil
}

// ReviveJobs makes all jobs of a queue that were given up due again, with a new set of attempts,
// and returns their number.
func (s *Store) ReviveJobs(ctx context.Context, queue string) (n int64, err error) {
	err = s.updateAll(ctx, func(a allOrgs) error {
		n, err = a.exec("UPDATE jobs SET state = 'due', run_at = $2, failures = 0, problem = '' WHERE queue = $1 AND state = 'dead'", queue, instant(a.tx.now))
		if n > 0 {
			a.tx.queued = append(a.tx.queued, queue)
		}
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("store: revive jobs: %w", err)
	}
	return n, nil
}
