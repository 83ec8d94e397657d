package app

import (
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/records/retention"
	"github.com/tidewaiter/tidewaiter/internal/store/adapter"
)

// newSweeper returns the service that removes records whose retention period is over.
func (a *App) newSweeper() (*retention.Sweeper, error) {
	records, deliveries, err := a.Config.Keep()
	if err != nil {
		return nil, fmt.Errorf("app: %w", err)
	}
	return &retention.Sweeper{
		Store: adapter.Of(a.Store), Kinds: retention.KindsOf(a.allKinds()), Policy: retention.Policy{Records: records, Deliveries: deliveries},
		NewID: a.IDs.UUID, Now: a.deps.Now, Log: a.deps.Log, OnReport: a.metrics.Removed,
	}, nil
}
