package rates

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"
)

// Library holds the imported rates in memory. An import replaces the table as a whole, so readers need no lock. The zero
// value has no rates.
type Library struct {
	mu      sync.Mutex // for Refresh
	current atomic.Pointer[Table]
}

// noRates is the table before the first import.
var noRates = &Table{}

// Current returns the rates that are held.
func (l *Library) Current() *Table {
	if t := l.current.Load(); t != nil {
		return t
	}
	return noRates
}

// Find returns the rate of a currency on a day (YYYY-MM-DD).
func (l *Library) Find(series, currency, day string) (Rate, bool) {
	return l.Current().Find(series, currency, day)
}

// Refresh reads the imports if there was one since the last call. If they cannot be read, the former rates stay. A restored
// database may use a version again, but with another instant.
func (l *Library) Refresh(ctx context.Context, from Store) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	version, at, err := from.RatesStamp(ctx)
	if now := l.Current(); err != nil || version == now.Version && at.Equal(now.ImportedAt) {
		return err
	}
	t, err := load(ctx, from)
	if err != nil {
		return fmt.Errorf("rates: version %d: %w", version, err)
	}
	l.current.Store(t)
	return nil
}

// Every is the interval at which a running service checks for new rates.
const Every = 2 * time.Second

// Watch refreshes until ctx ends.
func (l *Library) Watch(ctx context.Context, from Store, log *slog.Logger) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(Every):
		}
		l.RefreshOrLog(ctx, from, log)
	}
}

// RefreshOrLog refreshes and logs errors: the service continues with the rates that it has.
func (l *Library) RefreshOrLog(ctx context.Context, from Store, log *slog.Logger) {
	if err := l.Refresh(ctx, from); err != nil && ctx.Err() == nil {
		log.Warn("cannot read exchange rates", "error", err)
	}
}

// TableAt returns the table as it was after an import.
func TableAt(ctx context.Context, from Store, version int64) (*Table, error) {
	all, err := from.RateImports(ctx)
	if err != nil {
		return nil, err
	}
	t := &Table{}
	for n := range all {
		if all[n].Version <= version {
			t = t.with(&all[n])
		}
	}
	return t, nil
}
