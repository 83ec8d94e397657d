package app

import (
	"context"
	"sync"
)

// watchPublished takes over what operators import while the service runs.
func (a *App) watchPublished(ctx context.Context, all *sync.WaitGroup) {
	all.Go(func() { a.Tables.Watch(ctx, a.Store, a.deps.Log) })
	all.Go(func() { a.Tariff.Watch(ctx, a.Store, a.deps.Log) })
	all.Go(func() { a.Rates.Watch(ctx, a.Store, a.deps.Log) })
	all.Go(func() { a.Origin.Watch(ctx, a.Store, a.deps.Log) })
}
