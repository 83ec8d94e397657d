package jobs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// Limits of the pump.
const (
	Lease       = 6 * time.Second // from the last renewal
	renewal     = Lease / 3
	idle        = 500 * time.Millisecond
	finishGrace = 8 * time.Second // for running jobs when the pump stops

	// After an error of the store, a job is tried again after as many seconds as it had attempts, up to this limit.
	longestWait = 15 * time.Second
)

// ErrLeaseLost is the error if another instance has leased the job.
var ErrLeaseLost = errors.New("jobs: the lease was lost")

// Store stores the jobs.
type Store interface {
	// LeaseJobs leases due jobs of a queue to this instance.
	LeaseJobs(ctx context.Context, queue string, limit int, lease time.Duration) ([]Job, error)
	// RenewJob extends a lease. RetryLater postpones the job and counts its Failures. GiveUp marks it as given up. All return
	// ErrLeaseLost if another instance has leased it.
	RenewJob(ctx context.Context, j Job, lease time.Duration) error
	RetryLater(ctx context.Context, j Job, delay time.Duration, problem string) error
	GiveUp(ctx context.Context, j Job, problem string) error
	// Wake receives a value when this process has added jobs to a queue.
	Wake(queue string) <-chan struct{}
}

// Queue describes how the jobs of a queue are run.
type Queue struct {
	Name    string
	Workers int                              // jobs that run at the same time
	Do      func(context.Context, Job) error // runs a job, and finishes it in the transaction of its effect
	Backoff []time.Duration                  // delays after failures; after one more failure the job is given up
}

// Outcome is the result of one attempt at a job.
type Outcome string

// The outcomes.
const (
	Done      Outcome = "done"
	Postponed Outcome = "put_off"
	GivenUp   Outcome = "given_up"
	Lost      Outcome = "lost" // another instance has leased the job
)

// Watch is called when an attempt begins. It returns the context of the attempt and a function that is called at its
// end. Neither may block.
type Watch func(ctx context.Context, j Job) (context.Context, func(Outcome))

// Pump runs the jobs of one queue. A slow queue delays no other queue, and a slow job no other job.
type Pump struct {
	Queue
	Store Store
	Log   *slog.Logger
	Watch Watch // may be nil
}

// Run runs jobs until ctx ends, and then waits for running jobs.
func (p *Pump) Run(ctx context.Context) {
	running, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	var jobs sync.WaitGroup
	slots := make(chan struct{}, p.Workers)
	for ctx.Err() == nil {
		n, err := p.step(ctx, running, slots, &jobs)
		if err != nil && ctx.Err() == nil {
			p.Log.Error("cannot lease jobs", "queue", p.Name, "error", err)
		}
		if n > 0 {
			continue
		}
		select {
		case <-ctx.Done():
		case <-p.Store.Wake(p.Name):
		case <-time.After(idle):
		}
	}
	grace := time.AfterFunc(finishGrace, cancel)
	defer grace.Stop()
	jobs.Wait()
}

// Step leases due jobs, runs them to the end, and returns their number.
func (p *Pump) Step(ctx context.Context) (int, error) {
	var jobs sync.WaitGroup
	defer jobs.Wait()
	return p.step(ctx, ctx, make(chan struct{}, p.Workers), &jobs)
}

// step leases as many jobs as there are free workers, at least one, and starts them.
func (p *Pump) step(ctx, running context.Context, slots chan struct{}, jobs *sync.WaitGroup) (int, error) {
	free := 0
	for free == 0 || free < p.Workers && len(slots) < cap(slots) {
		select {
		case slots <- struct{}{}:
			free++
		case <-ctx.Done():
			return 0, ctx.Err()
		}
	}
	leased, err := p.Store.LeaseJobs(ctx, p.Name, free, Lease)
	for range free - len(leased) {
		<-slots
	}
	for _, j := range leased {
		jobs.Go(func() {
			defer func() { <-slots }()
			p.run(running, j)
		})
	}
	return len(leased), err
}

func (p *Pump) run(ctx context.Context, j Job) {
	ended := func(Outcome) {}
	if p.Watch != nil {
		ctx, ended = p.Watch(ctx, j)
	}
	stop := p.renewLease(ctx, j)
	err := recoverPanic(func() error { return p.Do(ctx, j) })
	stop() // before the job is updated: a late renewal would make it due early
	switch {
	case err == nil:
		ended(Done)
	case errors.Is(err, ErrLeaseLost):
		ended(Lost)
	case apierr.CannotStore(err):
		p.postpone(ctx, j, min(time.Duration(j.Attempt)*time.Second, longestWait), err)
		ended(Postponed)
	case int(j.Failures) >= len(p.Backoff):
		p.Log.ErrorContext(ctx, "job given up", "queue", j.Queue, "job", j.ID, "subject", j.Subject, "error", err)
		p.logUpdateError(j, p.Store.GiveUp(ctx, j, err.Error()))
		ended(GivenUp)
	default:
		delay := p.Backoff[j.Failures]
		j.Failures++
		p.postpone(ctx, j, delay, err)
		ended(Postponed)
	}
}

func (p *Pump) postpone(ctx context.Context, j Job, delay time.Duration, reason error) {
	p.Log.InfoContext(ctx, "job postponed", "queue", j.Queue, "job", j.ID, "subject", j.Subject, "attempt", j.Attempt, "failures", j.Failures, "reason", reason)
	p.logUpdateError(j, p.Store.RetryLater(ctx, j, delay, reason.Error()))
}

// renewLease renews the lease while a job runs.
func (p *Pump) renewLease(ctx context.Context, j Job) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for {
			select {
			case <-ctx.Done():
				return
			case <-time.After(renewal):
				if err := p.Store.RenewJob(ctx, j, Lease); err != nil && ctx.Err() == nil {
					p.Log.Warn("cannot renew a lease", "queue", j.Queue, "job", j.ID, "error", err)
				}
			}
		}
	}()
	return func() {
		cancel()
		<-ended
	}
}

func (p *Pump) logUpdateError(j Job, err error) {
	if err != nil && !errors.Is(err, ErrLeaseLost) {
		p.Log.Error("cannot update a job; it runs again when its lease ends", "queue", j.Queue, "job", j.ID, "error", err)
	}
}

func recoverPanic(fn func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("jobs: panic: %v\n%s", r, debug.Stack())
		}
	}()
	return fn()
}
