package app

import (
	"context"

	"github.com/tidewaiter/tidewaiter/internal/api"
	"github.com/tidewaiter/tidewaiter/internal/console/page"
	"github.com/tidewaiter/tidewaiter/internal/demo"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store"
)

// apiStore is the store with the interface that the API declared.
type apiStore struct{ *store.Store }

func (s apiStore) View(ctx context.Context, org tenant.ID, fn func(api.Tx) error) error {
	return s.Store.View(ctx, org, func(t *store.Tx) error { return fn(t) })
}

func (s apiStore) ViewSingle(ctx context.Context, org tenant.ID, fn func(api.Tx) error) error {
	return s.Store.ViewSingle(ctx, org, func(t *store.Tx) error { return fn(t) })
}

func (s apiStore) Update(ctx context.Context, org tenant.ID, fn func(api.Tx) error) error {
	return s.Store.Update(ctx, org, func(t *store.Tx) error { return fn(t) })
}

// consoleStore is the store with the interface that the console declared.
type consoleStore struct{ *store.Store }

func (s consoleStore) View(ctx context.Context, org tenant.ID, fn func(page.Tx) error) error {
	return s.Store.View(ctx, org, func(t *store.Tx) error { return fn(t) })
}

func (s consoleStore) Update(ctx context.Context, org tenant.ID, fn func(page.Tx) error) error {
	return s.Store.Update(ctx, org, func(t *store.Tx) error { return fn(t) })
}

// demoStore is the store with the interface that the demo declared.
type demoStore struct{ *store.Store }

// UpdateDemo runs fn in a transaction of one organisation.
func (s demoStore) UpdateDemo(ctx context.Context, org tenant.ID, fn func(demo.Tx) error) error {
	return s.Store.Update(ctx, org, func(t *store.Tx) error { return fn(t) })
}
