package origin

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/lowmem"
)

// Library holds the imported data in memory. An import replaces the data as a whole, so readers need no lock. The zero
// value has none.
type Library struct {
	mu      sync.Mutex // for Refresh
	current atomic.Pointer[Data]
	make    sync.Once
	loaded  chan struct{} // closed after the first Refresh; see whenLoaded
}

var noData = &Data{}

// whenLoaded returns the channel that is closed after the first Refresh.
func (l *Library) whenLoaded() chan struct{} {
	l.make.Do(func() { l.loaded = make(chan struct{}) })
	return l.loaded
}

// MaxWait is how long a question waits for the data after the service has started.
const MaxWait = 10 * time.Second

// Await returns the data that are held, and waits until they have been read once. ok is false if that takes longer than
// MaxWait.
func (l *Library) Await(ctx context.Context) (d *Data, ok bool) {
	ctx, cancel := context.WithTimeout(ctx, MaxWait)
	defer cancel()
	select {
	case <-l.whenLoaded():
		return l.Current(), true
	case <-ctx.Done():
		return nil, false
	}
}

// Current returns the data that are held.
func (l *Library) Current() *Data {
	if d := l.current.Load(); d != nil {
		return d
	}
	return noData
}

// Refresh reads the imports if there was one since the last call. If they cannot be read, the former data stay. A restored
// database may use a version again, but with another instant.
func (l *Library) Refresh(ctx context.Context, from Store) error {
	return l.refresh(ctx, from, func(read func() error) error { return read() })
}

// refresh is Refresh that runs the reading by a function.
func (l *Library) refresh(ctx context.Context, from Store, run func(func() error) error) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	version, at, err := from.OriginStamp(ctx)
	if now := l.Current(); err != nil || version == now.Version && at.Equal(now.ImportedAt) {
		if err == nil {
			l.markLoaded()
		}
		return err
	}
	if version == 0 {
		l.current.Store(noData)
		l.markLoaded()
		return nil
	}
	err = run(func() error {
		_, held, err := load(ctx, from)
		if err != nil {
			return err
		}
		d, err := build(slices.Collect(maps.Values(held)))
		if err == nil {
			d.Version, d.ImportedAt = version, at
			l.current.Store(d)
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("origin: version %d: %w", version, err)
	}
	l.markLoaded()
	return nil
}

// markLoaded is called with mu held.
func (l *Library) markLoaded() {
	select {
	case <-l.whenLoaded():
	default:
		close(l.loaded)
	}
}

// Every is the interval at which a running service checks for new data.
const Every = 2 * time.Second

// Watch refreshes at once, so that the service need not wait for the data when it starts, and then until ctx ends. It logs errors:
// the service continues with the data that it has.
func (l *Library) Watch(ctx context.Context, from Store, log *slog.Logger) {
	for {
		if err := l.refresh(ctx, from, lowmem.Load); err != nil && ctx.Err() == nil {
			log.Warn("cannot read rules of origin", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(Every):
		}
	}
}
