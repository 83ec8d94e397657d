package app

import (
	"context"
	"net/http"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/ops/installation"
	"github.com/tidewaiter/tidewaiter/internal/ops/metrics"
	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
	"github.com/tidewaiter/tidewaiter/internal/platform/tracing"
	"github.com/tidewaiter/tidewaiter/internal/store"
)

// traceGrace is how long the last spans may take when the service stops.
const traceGrace = 3 * time.Second

// newTracer returns nil if traces are not configured.
func (a *App) newTracer() (*tracing.Tracer, error) {
	if a.Config.TracesURL == "" {
		return nil, nil
	}
	return tracing.New(tracing.Settings{
		URL: a.Config.TracesURL, Share: a.Config.TracesShare, Version: a.deps.Version, Instance: a.IDs.UUID(), Log: a.deps.Log, Sent: a.metrics.Spans,
	})
}

// observeRequest measures an answered request.
func (a *App) observeRequest(ctx context.Context, operation string, status int, took time.Duration) {
	if operation == "" {
		operation = metrics.Unknown
	}
	a.metrics.Request(operation, status, took)
	a.tracer.Name(ctx, operation, status)
}

// jobObserver measures the store.
func (a *App) jobObserver() store.Observer {
	o := store.Observer{
		Group: a.metrics.Group, Statement: a.deps.Statement,
		Transaction: func(ctx context.Context, t *store.Transaction) {
			a.metrics.Transaction(t)
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

// observeJob measures an attempt at a job, in the trace of what caused the job.
func (a *App) observeJob(ctx context.Context, j jobs.Job) (context.Context, func(jobs.Outcome)) {
	ended := a.metrics.Job(j.Queue)
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

// middleware measures requests to a peer.
func (a *App) middleware(peer string) func(http.RoundTripper) http.RoundTripper {
	return func(through http.RoundTripper) http.RoundTripper {
		return a.metrics.Transport(peer, a.tracer.Transport(peer, through))
	}
}

// serveMetrics serves metrics and Go profiles on their own listener, if it is configured.
func (a *App) serveMetrics() (stop func(), err error) {
	if a.Config.MetricsAddr == "" {
		return func() {}, nil
	}
	s := metrics.Sources{
		Folder: a.Config.Data, Store: a.Store, Times: a.lastTimes, OpenBreakers: a.openBreakers, OpenPages: a.pages.Open, Clock: a.deps.clock, BodyBudget: a.bodyBudget,
		Now: a.deps.Now, Log: a.deps.Log,
	}
	for _, q := range a.queues() {
		s.Queues = append(s.Queues, q.Name)
	}
	return a.metrics.Serve(a.Config.MetricsAddr, s)
}

// lastTimes returns when the last backup was made and the last verification found no fault; zero if unknown.
func (a *App) lastTimes(ctx context.Context) (backup, verification time.Time, err error) {
	if backup, err = installation.BackupTime(ctx, a.Store, a.Config); err != nil {
		return backup, verification, err
	}
	verification, err = installation.Time(ctx, a.Store, installation.LastVerification)
	return backup, verification, err
}

// openBreakers reports for each peer whether its circuit breaker is open.
func (a *App) openBreakers() map[string]bool {
	all := map[string]bool{metrics.Customs: a.cds.client.BreakerOpen()}
	if a.VAT.IsEnabled() {
		all[metrics.HMRC] = a.VAT.Client.BreakerOpen()
	}
	if a.model != nil {
		all[metrics.Model] = a.model.BreakerOpen()
	}
	return all
}
