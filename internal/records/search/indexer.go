package search

import (
	"context"
	"log/slog"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/clock"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Limits of the background indexer.
const (
	roundInterval = 10 * time.Second // interval between rounds
	maxLag        = 64               // unindexed events that are left to the next query, which opens fewer than maxSteps*maxOpened blocks for them
	maxOrgs       = 100              // organisations per round
	maxTurn       = 64               // steps for an organisation, then others have their turn
	pauseFactor   = 39               // pause after a step, as a multiple of its duration
	firstFactor   = 1                // the same in a first pass
	maxStep       = time.Second      // maximum duration of a step that is counted
)

// Indexer updates the index of organisations in the background, at once and then at intervals. While an index lags it uses about a
// fortieth of the time, so that both indexes together use a twentieth, and half of it for a first pass. It runs on one instance at a time.
type Indexer struct {
	Service *Service
	Now     func() time.Time
	Log     *slog.Logger
	Indexed func() // called after every successful update; may be nil
}

// Run updates until ctx ends.
func (k *Indexer) Run(ctx context.Context) {
	for wait := time.Duration(0); clock.Pause(ctx, wait) == nil; {
		wait = roundInterval
		_, err := k.Service.Store.Exclusive(ctx, "search", func(ctx context.Context) error {
			more, err := k.update(ctx)
			if more {
				wait = 0
			}
			return err
		})
		if err != nil && ctx.Err() == nil {
			k.Log.Warn("cannot update the search index", "error", err)
		}
	}
}

// update gives a turn to organisations whose index lags. It reports whether more is to be done at once.
func (k *Indexer) update(ctx context.Context) (more bool, err error) {
	orgs, err := k.Service.Store.LaggingIndexes(ctx, maxLag, maxOrgs)
	for _, org := range orgs {
		done, err := k.updateOrg(ctx, org)
		if err != nil {
			if ctx.Err() == nil {
				k.Log.Warn("cannot update the search index of an organisation", "organisation", org, "error", err)
			}
			continue
		}
		if more = more || !done || len(orgs) == maxOrgs; done && k.Indexed != nil {
			k.Indexed()
		}
	}
	return more, err
}

// updateOrg makes the steps of a turn, and reports whether the index of an organisation is up to date.
func (k *Indexer) updateOrg(ctx context.Context, org tenant.ID) (done bool, err error) {
	for range maxTurn {
		began := k.Now()
		p, err := k.Service.step(ctx, org)
		if err != nil || p.done() {
			return err == nil, err
		}
		factor := time.Duration(firstFactor)
		if p.head.FirstPassDone {
			factor = pauseFactor
		}
		if clock.Pause(ctx, factor*min(k.Now().Sub(began), maxStep)) != nil {
			return false, ctx.Err()
		}
	}
	return false, nil
}
