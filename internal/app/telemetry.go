package app

import (
	"context"
	"net/http"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
	"github.com/tidewaiter/tidewaiter/internal/platform/tracing"
	"github.com/tidewaiter/tidewaiter/internal/store"
)

// traceGrace is how long the last spans may take when the service stops.
const traceGrace = 3 * time.Second

// newTracer is nil where no collector is configured.
func (a *App) newTracer() (*tracing.Tracer, error) {
	if a.Config.TracesURL == "" {
		return nil, nil
	}
	return tracing.New(tracing.Settings{
		URL: a.Config.TracesURL, Share: a.Config.TracesShare, Version: a.deps.Version, Instance: a.IDs.UUID(), Log: a.deps.Log, Sent: a.metrics.sent,
	})
}

// answered hears of every request that has been answered.
func (a *App) answered(ctx context.Context, operation string, status int, took time.Duration) {
	if operation == "" {
		operation = unknownLabel
	}
	a.metrics.observe(operation, status, took)
	a.tracer.Name(ctx, operation, status)
}

// observer hears of what the store does.
func (a *App) observer() store.Observer {
	o := store.Observer{
		Group: a.metrics.store.group,
		Transaction: func(ctx context.Context, t *store.Transaction) {
			a.metrics.store.transaction(t)
			if a.tracer != nil {
				a.tracer.Note(ctx, "store "+string(t.Kind), t.Began, t.Ended,
					[]tracing.Moment{{Name: "entered", At: t.Entered}, {Name: "worked", At: t.Worked}}, tracing.Text("outcome", t.Outcome()))
			}
		},
	}
	if a.tracer != nil {
		o.Trace = a.tracer.Parent
	}
	return o
}

// watch hears of every attempt at a job, which is part of the trace of what caused it.
func (a *App) watch(ctx context.Context, j jobs.Job) (context.Context, func(jobs.Outcome)) {
	ended := a.metrics.job(j.Queue)
	ctx, end := a.tracer.Begin(a.tracer.Follow(ctx, j.Trace), "job "+j.Queue, tracing.Number("attempt", int(j.Attempt)))
	return ctx, func(o jobs.Outcome) {
		ended(o)
		if o == jobs.Done {
			end("")
		} else {
			end(string(o))
		}
	}
}

// around sees every exchange with a peer.
func (a *App) around(peer string) func(http.RoundTripper) http.RoundTripper {
	return func(through http.RoundTripper) http.RoundTripper {
		return a.metrics.transport(peer, a.tracer.Transport(peer, through))
	}
}
