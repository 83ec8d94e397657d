package app

import (
	"context"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/store/adapter"
)

// sandboxes creates test organisations.
func (a *App) sandboxes() *access.Sandboxes {
	return &access.Sandboxes{Store: adapter.Of(a.Store), Access: a.Access}
}

// makeDue makes the transitions of a test organisation that are due by its clock, takes over what simulators of authorities have
// sent until then, and deletes what has expired by it.
func (a *App) makeDue(ctx context.Context, org tenant.ID, now time.Time) error {
	if _, err := a.Sweeper().SweepOrganisation(ctx, org); err != nil {
		return err
	}
	if err := a.Exchange.CatchUp(ctx, org); err != nil {
		return err
	}
	return a.retention.SweepTest(ctx, org, now)
}
