package app

import (
	"context"
	"net/http"
	"runtime/debug"
	"strings"
	"sync"

	"github.com/tidewaiter/tidewaiter/internal/hub/customs/product"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/jobs"
	"github.com/tidewaiter/tidewaiter/internal/platform/lowmem"
	"github.com/tidewaiter/tidewaiter/internal/records/alert"
	"github.com/tidewaiter/tidewaiter/internal/store/adapter"
	"github.com/tidewaiter/tidewaiter/internal/tariff/official"
)

// watchPublished takes over what operators import while the service runs.
func (a *App) watchPublished(ctx context.Context, all *sync.WaitGroup) {
	all.Go(func() { a.Tables.Watch(ctx, a.Store, a.deps.Log) })
	all.Go(func() { a.Rates.Watch(ctx, a.Store, a.deps.Log) })
	all.Go(func() { a.Origin.Watch(ctx, a.Store, a.deps.Log) })
}

// watchTariff loads the tariff in force, which the start of the service does not wait for, and then takes over imports. The
// returned function stops that.
func (a *App) watchTariff(ctx context.Context) (stop func()) {
	a.Tariff.Begin()
	watching, cancel := context.WithCancel(context.WithoutCancel(ctx))
	var watch sync.WaitGroup
	watch.Go(func() { a.Tariff.Watch(watching, a.Store, a.deps.Log) })
	return func() { cancel(); watch.Wait() }
}

// withTariff runs work that may compute duties once the tariff in force is in memory.
func (a *App) withTariff(ctx context.Context, run func(context.Context)) {
	if a.Tariff.Wait(ctx) == nil {
		run(ctx)
	}
}

// releaseMemory gives back memory that only the start and loading needed.
func (a *App) releaseMemory(ctx context.Context) {
	if a.Tariff.Wait(ctx) == nil {
		_, _ = a.Origin.Await(ctx) // a failure is no reason to keep the memory
		debug.FreeOSMemory()
	}
}

// afterTariff answers requests for pages that show or compute duties once the tariff in force is in memory.
func (a *App) afterTariff(pages http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/declarations") && a.Tariff.Await(r.Context()) != nil {
			w.Header().Set("Retry-After", apierr.RetryAfter)
			http.Error(w, "The tariff is being loaded. Try again in some seconds.", http.StatusServiceUnavailable)
			return
		}
		pages.ServeHTTP(w, r)
	})
}

// tariffQueues tell organisations which of their products an import touches.
func (a *App) tariffQueues() []jobs.Queue {
	alerts := &alert.Service{
		Store: adapter.Of(a.Store), Filings: a.Filings, Products: a.Filings.Types[product.Kind], Note: product.NoteTariff, Accounts: a.Accounts, IDs: a.IDs,
	}
	spread := func(ctx context.Context, j jobs.Job) error { // compares whole editions
		return lowmem.Run(func() error { return alerts.Spread(ctx, j) })
	}
	return []jobs.Queue{
		{Name: official.ImportQueue, Workers: 1, Do: spread, Backoff: sendBackoff},
		{Name: alert.Queue, Workers: 2, Do: alerts.Raise, Backoff: sendBackoff},
	}
}
