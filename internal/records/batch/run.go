package batch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
	"github.com/tidewaiter/tidewaiter/internal/platform/secret"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Limits of a run.
const (
	inFlight  = 256                    // rows that run at the same time and share commits of SQLite; 64 are a tenth slower, 512 no faster (make bench)
	flushSize = 64                     // results that are stored together, at most
	interval  = 200 * time.Millisecond // between looks at the batch, and until results are counted
	queueWait = time.Second            // of a batch while others of its organisation run
)

// Backoff are the delays after failures of a batch itself, before it is FAILED.
var Backoff = []time.Duration{time.Second, 5 * time.Second, 30 * time.Second}

// Call is one row that runs.
type Call struct {
	Operation
	Sender Sender
	Batch  string
	Index  int
	Fault  error // why the row cannot run: the answer is this error
}

// NotBegun is the error of a row that must run later.
type NotBegun struct {
	Until time.Time // when to try again; zero for soon
}

func (NotBegun) Error() string { return "batch: the row has not begun" }

// Service makes and runs batches.
type Service struct {
	Store  Store
	Sealer secret.Sealer // encrypts bodies that hold a secret while they wait
	NewID  func() string
	// RunRow runs one row and returns its answer, or NotBegun. The same row may run again after a crash, and must have
	// its effect once.
	RunRow func(ctx context.Context, c Call) (Answer, error)

	running sync.Map // ID of a batch to the function that stops it in this process
}

// interrupt makes a run in this process notice at once that its batch was cancelled.
func (s *Service) interrupt(id string) {
	if stop, ok := s.running.Load(id); ok {
		stop.(context.CancelFunc)()
	}
}

// Run runs the rows of a batch that have not run, and finishes its job. It can be repeated after a crash.
func (s *Service) Run(ctx context.Context, j jobs.Job) error {
	err := s.run(ctx, j)
	if err == nil || errors.Is(err, jobs.ErrLeaseLost) || apierr.CannotStore(err) || ctx.Err() != nil || int(j.Failures) < len(Backoff) {
		return err
	}
	failed := s.Store.UpdateBatch(context.WithoutCancel(ctx), j.Org, func(tx Tx) error {
		if _, err := tx.EndBatch(j.Subject, Failed); err != nil {
			return err
		}
		return tx.FinishJob(j)
	})
	return errors.Join(err, failed)
}

func (s *Service) run(ctx context.Context, j jobs.Job) error {
	r := &run{Service: s, job: j, answers: make(chan Result, inFlight), operations: map[int]string{}}
	started, err := r.begin(ctx)
	if err != nil || !started {
		return err
	}
	begun, stop := context.WithCancel(ctx)
	defer stop()
	s.running.Store(j.Subject, stop)
	defer s.running.Delete(j.Subject)
	if err := r.all(ctx, begun); err != nil {
		return err
	}
	return r.finish(ctx)
}

// begin leases the batch and reads its rows. It reports whether there is something to run.
func (r *run) begin(ctx context.Context) (started bool, err error) {
	var states []State
	err = r.Store.UpdateBatch(ctx, r.job.Org, func(tx Tx) error {
		started = false
		if r.batch, err = tx.Batch(r.job.Subject); apierr.Is(err, apierr.NotFound) {
			return tx.FinishJob(r.job) // deleted
		} else if err != nil {
			return err
		}
		if r.batch.Status != Queued && r.batch.Status != Running {
			return tx.FinishJob(r.job)
		}
		if busy, err := tx.BatchesIn(Running, Running, r.batch.ID); err != nil {
			return err
		} else if busy >= maxRunning && r.batch.Status == Queued {
			return tx.RetryJob(r.job, tx.Now().Add(queueWait), "")
		}
		if err := errors.Join(tx.LeaseBatch(r.batch.ID, r.job.Attempt), tx.CountBatch(r.batch.ID)); err != nil {
			return err
		}
		started = true
		states, err = tx.BatchStates(r.batch.ID)
		return err
	})
	if err == nil && started {
		r.load(states)
	}
	return started, err
}

// finish ends the batch if all rows ran, or else gives the job back for later.
func (r *run) finish(ctx context.Context) error {
	return r.Store.UpdateBatch(ctx, r.job.Org, func(tx Tx) error {
		if err := tx.CountBatch(r.batch.ID); err != nil {
			return err
		}
		b, err := tx.Batch(r.batch.ID)
		if err != nil {
			return err
		}
		switch {
		case b.Attempt != r.job.Attempt:
			return jobs.ErrLeaseLost
		case b.Status != Running:
			return tx.FinishJob(r.job)
		case r.left > 0:
			return tx.RetryJob(r.job, tx.Now().Add(r.wait(tx.RealNow())), "")
		}
		if _, err := tx.EndBatch(b.ID, Done); err != nil {
			return err
		}
		call := b.Sender.Call
		call.Principal = tenant.System(r.job.Org)
		if err := tx.Record(r.event(call, FinishedEvent, b)); err != nil {
			return err
		}
		return tx.FinishJob(r.job)
	})
}

// wait returns how long the next try waits: a moment, if no later time is known.
func (r *run) wait(now time.Time) time.Duration { return max(time.Second, r.until.Sub(now)) }

// call returns the call of a row, with IDs in place of its references.
func (r *run) call(index int, o Operation) Call {
	c := Call{Sender: r.batch.Sender, Batch: r.batch.ID, Index: index}
	var missing []string
	if c.Operation, missing = o.resolve(&r.ids); missing != nil {
		var details []apierr.Detail
		for _, name := range missing {
			details = append(details, apierr.Detail{Field: name, Message: "is a row that made no record"})
		}
		c.Fault = apierr.Invalid(details...)
	}
	return c
}

// Limits of the operations that are read together.
const (
	readRows  = 256
	readBytes = 4 << 20
)

// operation returns the stored operation of a row. It reads those of the next rows with it.
func (r *run) operation(ctx context.Context, index int) (string, error) {
	if _, ok := r.operations[index]; !ok {
		err := r.Store.ViewBatch(ctx, r.job.Org, func(tx Tx) error {
			rows, err := tx.BatchOperations(r.batch.ID, index, readRows, readBytes)
			for _, row := range rows {
				r.operations[row.Index] = row.Operation
			}
			return err
		})
		if err != nil {
			return "", err
		}
	}
	text, ok := r.operations[index]
	if !ok {
		return "", jobs.ErrLeaseLost // another run has stored its result
	}
	delete(r.operations, index)
	return text, nil
}

// runRow runs a row, beside others.
func (r *run) runRow(ctx context.Context, index int, stored string) (Result, error) {
	var o Operation
	if err := json.Unmarshal([]byte(stored), &o); err != nil {
		return Result{}, fmt.Errorf("batch: row %d: %w", index, err)
	}
	o, err := r.openBody(r.job.Org, r.batch.ID, o)
	if err != nil {
		return Result{}, err
	}
	c := r.call(index, o)
	a, err := r.RunRow(ctx, c)
	return NewResult(index, c.Reference, a), err
}
