package app

import (
	"context"

	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/evidence"
	"github.com/tidewaiter/tidewaiter/internal/store"
)

// evidence packs what is known of a record.
func (a *App) evidence() *evidence.Service {
	return &evidence.Service{
		Store: wide{a.Store}, Customs: a.Customs, Filings: a.Filings, Judge: a.analyst().Review, Notary: a.notary, NewID: a.IDs.UUID, Turns: a.exports, Version: a.deps.Version,
	}
}

// ViewEvidence reads what a pack is made of.
func (w wide) ViewEvidence(ctx context.Context, org tenant.ID, fn func(evidence.Tx) error) error {
	return w.Store.View(ctx, org, func(t *store.Tx) error { return fn(t) })
}
