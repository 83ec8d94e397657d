package search

import (
	"context"
	"log/slog"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Limits of keeping the index of organisations that nobody asks about.
const (
	round    = 10 * time.Second // how often the keeper looks round
	mostLag  = portion          // events that whoever asks first may be left to read
	atATime  = 100              // organisations that one look finds
	leisure  = 19               // how much longer than it has worked the keeper rests
	stepLong = time.Second      // a step that was held up counts as no longer
)

// Keeper brings the index of organisations up to date before somebody asks, at its
// leisure: it takes a twentieth of the time that there is. One instance keeps at a time.
type Keeper struct {
	Service *Service
	Now     func() time.Time
	Log     *slog.Logger
	Swept   func() // hears of every round that came to its end; nil for nobody
}

// Run keeps until ctx ends.
func (k *Keeper) Run(ctx context.Context) {
	for pause(ctx, round) {
		if _, err := k.Service.Store.Alone(ctx, "search", k.look); err != nil && ctx.Err() == nil {
			k.Log.Warn("cannot look for declarations that cannot be found yet", "error", err)
		}
	}
}

// look brings those organisations up to date that are found to lag.
func (k *Keeper) look(ctx context.Context) error {
	orgs, err := k.Service.Store.Unsearched(ctx, mostLag, atATime)
	for _, org := range orgs {
		if err := k.keep(ctx, org); err != nil && ctx.Err() == nil {
			k.Log.Warn("cannot make declarations findable", "organisation", org, "error", err)
		}
		if err == nil && k.Swept != nil {
			k.Swept()
		}
	}
	return err
}

func (k *Keeper) keep(ctx context.Context, org tenant.ID) error {
	for {
		began := k.Now()
		done, err := k.Service.Step(ctx, org)
		if err != nil || done {
			return err
		}
		if !pause(ctx, leisure*min(k.Now().Sub(began), stepLong)) {
			return ctx.Err()
		}
	}
}

// pause waits, and tells whether it was let.
func pause(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}
