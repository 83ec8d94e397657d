package search

import (
	"context"
	"log/slog"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Limits of the background indexer.
const (
	roundInterval = 10 * time.Second // interval between rounds
	maxLag        = batchSize        // unindexed events that are left to the next query
	maxOrgs       = 100              // organisations per round
	pauseFactor   = 39               // pause after a step, as a multiple of its duration
	firstFactor   = 1                // the same in a first pass, since searches are incomplete until its end
	maxStep       = time.Second      // maximum duration of a step that is counted
)

// Indexer updates the index of organisations in the background, at once and then at intervals. Each of the two indexers uses a
// fortieth of the time, and half of it for an index that is made again. It runs on one instance at a time.
type Indexer struct {
	Service *Service
	Now     func() time.Time
	Log     *slog.Logger
	Indexed func() // called after every successful update; may be nil
}

// Run updates until ctx ends.
func (k *Indexer) Run(ctx context.Context) {
	for wait := time.Duration(0); pause(ctx, wait); wait = roundInterval {
		if _, err := k.Service.Store.Exclusive(ctx, "search", k.update); err != nil && ctx.Err() == nil {
			k.Log.Warn("cannot update the search index", "error", err)
		}
	}
}

// update updates the organisations whose index lags.
func (k *Indexer) update(ctx context.Context) error {
	orgs, err := k.Service.Store.LaggingIndexes(ctx, maxLag, maxOrgs)
	for _, org := range orgs {
		if err := k.updateOrg(ctx, org); err != nil && ctx.Err() == nil {
			k.Log.Warn("cannot update the search index of an organisation", "organisation", org, "error", err)
		}
		if err == nil && k.Indexed != nil {
			k.Indexed()
		}
	}
	return err
}

func (k *Indexer) updateOrg(ctx context.Context, org tenant.ID) error {
	for {
		began := k.Now()
		done, passed, err := k.Service.step(ctx, org)
		if err != nil || done {
			return err
		}
		factor := time.Duration(firstFactor)
		if passed {
			factor = pauseFactor
		}
		if !pause(ctx, factor*min(k.Now().Sub(began), maxStep)) {
			return ctx.Err()
		}
	}
}

// pause waits and reports false if ctx ended.
func pause(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}
