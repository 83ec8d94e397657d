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
	Lease       = 6 * time.Second // how long a job is somebody's after the last sign of life
	renewal     = Lease / 3
	idle        = 500 * time.Millisecond
	finishGrace = 8 * time.Second // running jobs finish within this when the pump stops

	// What the store keeps from being done is tried again after as many seconds as it
	// has been attempted, and no more than these.
	longestWait = 15 * time.Second
)

// ErrLeaseLost says that another instance has taken the job over.
var ErrLeaseLost = errors.New("work: the lease was lost")

// Store keeps the jobs.
type Store interface {
	// LeaseJobs makes due jobs of a queue ours until the lease ends.
	LeaseJobs(ctx context.Context, queue string, limit int, lease time.Duration) ([]Job, error)
	// RenewJob prolongs a lease, RetryLater puts the job off and keeps its Failures,
	// Bury gives it up. All fail with ErrLeaseLost when the job has been taken over.
	RenewJob(ctx context.Context, j Job, lease time.Duration) error
	RetryLater(ctx context.Context, j Job, delay time.Duration, problem string) error
	Bury(ctx context.Context, j Job, problem string) error
	// Wake receives a value when this process has added jobs to a queue.
	Wake(queue string) <-chan struct{}
}

// Queue says how the jobs of one queue are done.
type Queue struct {
	Name    string
	Workers int                              // jobs that run at a time
	Do      func(context.Context, Job) error // does a job and finishes it in the transaction of its effect
	Backoff []time.Duration                  // delays after failures; with one more the job is buried
}

// Outcome is what became of one attempt at a job.
type Outcome string

// The outcomes.
const (
	Done    Outcome = "done"
	PutOff  Outcome = "put_off"
	GivenUp Outcome = "given_up"
	Lost    Outcome = "lost" // another instance has taken the job over
)

// Watch hears of an attempt at a job when it begins and gives the context that it
// runs in; what it returns hears how the attempt ended. Neither may wait.
type Watch func(ctx context.Context, j Job) (context.Context, func(Outcome))

// Pump runs the jobs of one queue until it is stopped. A slow queue does not keep
// another waiting, nor a slow job its neighbours.
type Pump struct {
	Queue
	Store Store
	Log   *slog.Logger
	Watch Watch // nil for nobody
}

// Run pumps until ctx ends, then lets running jobs finish.
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

// Step leases what is due, runs it to the end, and tells how many jobs that were.
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
	stop := p.keep(ctx, j)
	err := safely(func() error { return p.Do(ctx, j) })
	stop() // before the job is settled: a late renewal would bring it back early
	switch {
	case err == nil:
		ended(Done)
	case errors.Is(err, ErrLeaseLost):
		ended(Lost)
	case apierr.Unstored(err):
		p.putOff(ctx, j, min(time.Duration(j.Attempt)*time.Second, longestWait), err)
		ended(PutOff)
	case int(j.Failures) >= len(p.Backoff):
		p.Log.ErrorContext(ctx, "job given up", "queue", j.Queue, "job", j.ID, "subject", j.Subject, "error", err)
		p.settle(j, p.Store.Bury(ctx, j, err.Error()))
		ended(GivenUp)
	default:
		delay := p.Backoff[j.Failures]
		j.Failures++
		p.putOff(ctx, j, delay, err)
		ended(PutOff)
	}
}

func (p *Pump) putOff(ctx context.Context, j Job, delay time.Duration, reason error) {
	p.Log.InfoContext(ctx, "job put off", "queue", j.Queue, "job", j.ID, "subject", j.Subject, "attempt", j.Attempt, "failures", j.Failures, "reason", reason)
	p.settle(j, p.Store.RetryLater(ctx, j, delay, reason.Error()))
}

// keep renews the lease while a job runs.
func (p *Pump) keep(ctx context.Context, j Job) (stop func()) {
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

func (p *Pump) settle(j Job, err error) {
	if err != nil && !errors.Is(err, ErrLeaseLost) {
		p.Log.Error("cannot settle a job; its lease will end", "queue", j.Queue, "job", j.ID, "error", err)
	}
}

func safely(fn func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("work: panic: %v\n%s", r, debug.Stack())
		}
	}()
	return fn()
}
