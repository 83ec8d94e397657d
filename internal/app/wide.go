package app

import (
	"context"

	"github.com/tidewaiter/tidewaiter/internal/api"
	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing/statement"
	"github.com/tidewaiter/tidewaiter/internal/filing/timer"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/bulk"
	"github.com/tidewaiter/tidewaiter/internal/records/integrity"
	"github.com/tidewaiter/tidewaiter/internal/records/portability"
	"github.com/tidewaiter/tidewaiter/internal/records/search"
	"github.com/tidewaiter/tidewaiter/internal/store"
)

// wide gives each service the store in the form that it declared.
type wide struct{ *store.Store }

func (w wide) ViewCustoms(ctx context.Context, org tenant.ID, fn func(customs.Tx) error) error {
	return w.Store.View(ctx, org, func(t *store.Tx) error { return fn(t) })
}

func (w wide) UpdateCustoms(ctx context.Context, org tenant.ID, fn func(customs.Tx) error) error {
	return w.Store.Update(ctx, org, func(t *store.Tx) error { return fn(t) })
}

func (w wide) ScanBulk(ctx context.Context, org tenant.ID, fn func(bulk.Tx) error) error {
	return w.Store.Scan(ctx, org, func(t *store.Tx) error { return fn(t) })
}

func (w wide) UpdateBulk(ctx context.Context, org tenant.ID, fn func(bulk.Tx) error) error {
	return w.Store.Update(ctx, org, func(t *store.Tx) error { return fn(t) })
}

// ScanBooks reads one organisation's books.
func (w wide) ScanBooks(ctx context.Context, org tenant.ID, fn func(statement.View) error) error {
	return w.Store.Scan(ctx, org, func(t *store.Tx) error { return fn(t) })
}

// ViewTrail reads one organisation's trail.
func (w wide) ViewTrail(ctx context.Context, org tenant.ID, fn func(audit.Trail) error) error {
	return w.Store.View(ctx, org, func(t *store.Tx) error { return fn(t) })
}

// ViewVerified reads one organisation's records and events in a snapshot.
func (w wide) ViewVerified(ctx context.Context, org tenant.ID, fn func(integrity.Tx) error) error {
	return w.Store.View(ctx, org, func(t *store.Tx) error { return fn(t) })
}

// ViewExport reads what is exported of one organisation.
func (w wide) ViewExport(ctx context.Context, org tenant.ID, fn func(portability.Tx) error) error {
	return w.Store.View(ctx, org, func(t *store.Tx) error { return fn(t) })
}

// UpdateExport stores an export of one organisation.
func (w wide) UpdateExport(ctx context.Context, org tenant.ID, fn func(portability.Tx) error) error {
	return w.Store.Update(ctx, org, func(t *store.Tx) error { return fn(t) })
}

// portability gives an organisation its data.
func (a *App) portability() *portability.Service {
	s := &portability.Service{Store: wide{a.Store}, NewID: a.IDs.UUID, Version: a.deps.Version}
	for _, t := range a.everyKind() {
		s.Kinds = append(s.Kinds, t.Kind)
	}
	return s
}

// UpdateTrail adds to one organisation's trail.
func (w wide) UpdateTrail(ctx context.Context, org tenant.ID, fn func(audit.Recorder) error) error {
	return w.Store.Update(ctx, org, func(t *store.Tx) error { return fn(t) })
}

// UpdateTimed runs fn in a transaction of one organisation.
func (w wide) UpdateTimed(ctx context.Context, org tenant.ID, fn func(timer.Tx) error) error {
	return w.Store.Update(ctx, org, func(t *store.Tx) error { return fn(t) })
}

// ViewSearch reads the index of one organisation and what it is made of.
func (w wide) ViewSearch(ctx context.Context, org tenant.ID, fn func(search.Tx) error) error {
	return w.Store.View(ctx, org, func(t *store.Tx) error { return fn(t) })
}

// search finds declarations.
func (a *App) search() *search.Service { return &search.Service{Store: wide{a.Store}} }

// forAPI is the store as the API declared it.
type forAPI struct{ *store.Store }

func (f forAPI) View(ctx context.Context, org tenant.ID, fn func(api.Tx) error) error {
	return f.Store.View(ctx, org, func(t *store.Tx) error { return fn(t) })
}

func (f forAPI) Glance(ctx context.Context, org tenant.ID, fn func(api.Tx) error) error {
	return f.Store.Glance(ctx, org, func(t *store.Tx) error { return fn(t) })
}

func (f forAPI) Update(ctx context.Context, org tenant.ID, fn func(api.Tx) error) error {
	return f.Store.Update(ctx, org, func(t *store.Tx) error { return fn(t) })
}
