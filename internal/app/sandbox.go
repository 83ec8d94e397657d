package app

import (
	"context"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store/adapter"
)

// sandboxes creates test organisations.
func (a *App) sandboxes() *access.Sandboxes {
	return &access.Sandboxes{Store: adapter.Of(a.Store), Access: a.Access}
}

// makeDue makes the transitions of a test organisation that are due by its clock.
func (a *App) makeDue(ctx context.Context, org tenant.ID) error {
	_, err := a.sweeper().SweepOrganisation(ctx, org)
	return err
}
