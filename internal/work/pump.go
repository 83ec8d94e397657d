package work

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"
)

// Limits of the pump.
const (
	Lease       = 30 * time.Second // how long a job is somebody's before others take it over
	batch       = 64               // jobs leased at a time
	workers     = 16               // jobs run at a time
	idle        = 500 * time.Millisecond
	finishGrace = 30 * time.Second // running jobs finish within this when the pump stops
)

// ErrLeaseLost says that another instance has taken the job over.
var ErrLeaseLost = errors.New("work: the lease was lost")

// Store keeps the jobs.
type Store interface {
	// LeaseJobs makes due jobs ours until the lease ends.
	LeaseJobs(ctx context.Context, limit int, lease time.Duration) ([]Job, error)
	// RetryLater puts a job off; Bury gives it up. Both fail with ErrLeaseLost.
	RetryLater(ctx context.Context, j Job, delay time.Duration, problem string) error
	Bury(ctx context.Context, j Job, problem string) error
	// Wake receives a value when this process has added jobs.
	Wake() <-chan struct{}
}

// Handler does a job, and finishes it in the transaction of its effect.
type Handler struct {
	Do      func(context.Context, Job) error
	Backoff []time.Duration // delays between attempts; after the last the job is buried
}

// Pump runs jobs until it is stopped.
type Pump struct {
	Store    Store
	Handlers map[string]Handler // by queue
	Log      *slog.Logger
}

// Run pumps until ctx ends, then lets running jobs finish.
func (p *Pump) Run(ctx context.Context) {
	for ctx.Err() == nil {
		n, err := p.Step(ctx)
		if err != nil && ctx.Err() == nil {
			p.Log.Error("cannot lease jobs", "error", err)
		}
		if n > 0 {
			continue
		}
		select {
		case <-ctx.Done():
		case <-p.Store.Wake():
		case <-time.After(idle):
		}
	}
}

// Step leases what is due, runs it, and tells how many jobs that were.
func (p *Pump) Step(ctx context.Context) (int, error) {
	jobs, err := p.Store.LeaseJobs(ctx, batch, Lease)
	if err != nil {
		return 0, err
	}
	running, cancel := context.WithTimeout(context.WithoutCancel(ctx), finishGrace)
	defer cancel()
	var done sync.WaitGroup
	slots := make(chan struct{}, workers)
	for _, j := range jobs {
		slots <- struct{}{}
		done.Go(func() {
			defer func() { <-slots }()
			p.run(running, j)
		})
	}
	done.Wait()
	return len(jobs), nil
}

func (p *Pump) run(ctx context.Context, j Job) {
	h, ok := p.Handlers[j.Queue]
	if !ok {
		p.settle(j, p.Store.Bury(ctx, j, "no handler for this queue"))
		return
	}
	err := safely(func() error { return h.Do(ctx, j) })
	switch {
	case err == nil || errors.Is(err, ErrLeaseLost):
	case int(j.Attempt) > len(h.Backoff):
		p.Log.Error("job given up", "queue", j.Queue, "job", j.ID, "subject", j.Subject, "error", err)
		p.settle(j, p.Store.Bury(ctx, j, err.Error()))
	default:
		p.Log.Info("job put off", "queue", j.Queue, "job", j.ID, "subject", j.Subject, "attempt", j.Attempt, "reason", err)
		p.settle(j, p.Store.RetryLater(ctx, j, h.Backoff[j.Attempt-1], err.Error()))
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
			err = fmt.Errorf("work: panic: %v", r)
		}
	}()
	return fn()
}
