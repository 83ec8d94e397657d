package official

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/lowmem"
	"github.com/tidewaiter/tidewaiter/internal/tariff"
	"github.com/tidewaiter/tidewaiter/internal/tariff/duty"
	"github.com/tidewaiter/tidewaiter/internal/tariff/texts"
)

// Library holds the tariff in force in memory. A new tariff replaces the old one as a whole,
// so readers need no lock. The zero value holds the embedded table. After Begin, readers wait for the first Refresh, so that
// none takes the embedded table for the imported one.
type Library struct {
	mu      sync.Mutex // for Refresh
	stamp   Stamp
	current atomic.Pointer[held]
	loading atomic.Pointer[chan struct{}] // closed after the first Refresh; nil unless it is waited for
	other   other                         // the one besides it that was asked for last
}

// held is a tariff in memory.
type held struct {
	snapshot *tariff.Snapshot
	duties   duty.Editions
}

// Current returns the tariff in force.
func (l *Library) Current() *tariff.Snapshot {
	if h := l.inForce(); h != nil {
		return h.snapshot
	}
	return tariff.EmbeddedSnapshot()
}

// Editions returns the tariff in force for the duty engine.
func (l *Library) Editions() duty.Editions {
	if h := l.inForce(); h != nil {
		return h.duties
	}
	return embeddedEditions()
}

// embeddedEditions are those of the embedded table.
var embeddedEditions = sync.OnceValue(func() duty.Editions {
	e, _ := new(holdings).editions(tariff.EmbeddedSnapshot()) // without pieces nothing can fail
	return e
})

// Imported returns the tariff in force if it was imported; nil if it is the embedded table.
func (l *Library) Imported() *tariff.Snapshot {
	if h := l.inForce(); h != nil {
		return h.snapshot
	}
	return nil
}

// Estimate charges goods by the tariff in force.
func (l *Library) Estimate(g tariff.Goods) tariff.Charge { return l.Current().Tariff.Estimate(g) }

// Refresh reads the edition in force if it has changed. If it cannot be read, the former one
// stays.
func (l *Library) Refresh(ctx context.Context, from Store) error {
	return l.refresh(ctx, from, func(load func() error) error { return load() })
}

// refresh is Refresh that runs the loading by a function.
func (l *Library) refresh(ctx context.Context, from Store, run func(func() error) error) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	stamp, err := from.TariffStamp(ctx)
	if err != nil {
		return err
	}
	if stamp.Version == l.stamp.Version && stamp.Since.Equal(l.stamp.Since) {
		l.end()
		return nil
	}
	err = run(func() error {
		h, err := load(ctx, from, stamp.Version)
		if err == nil {
			l.current.Store(h)
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("official: version %d: %w", stamp.Version, err)
	}
	l.stamp = stamp
	l.end()
	return nil
}

func load(ctx context.Context, from Store, version int64) (*held, error) {
	if version == 0 {
		return nil, nil // the embedded table, which is read when it is first used
	}
	e, err := edition(ctx, from, version)
	if err != nil {
		return nil, err
	}
	parts, err := from.TariffParts(ctx, version)
	if err != nil {
		return nil, err
	}
	all, pool := tables{}, &texts.Pool{}
	for _, t := range e.Tables {
		if t.Kind.inPieces() {
			continue
		}
		rows, err := rowsOf(ctx, from, t, parts)
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			for i, cell := range row {
				row[i] = pool.Keep(cell)
			}
		}
		all[t.Kind] = rows
	}
	h := &held{}
	if h.snapshot, err = build(e, all); err != nil {
		return nil, err
	}
	maps.DeleteFunc(all, func(k Kind, _ [][]string) bool { return !k.isList() }) // what is built needs no rows
	h.duties, err = (&holdings{Edition: e, rows: all, parts: partsOf(e, parts)}).editions(h.snapshot)
	return h, err
}

// version is the version of the tariff in force; 0 for the embedded table.
func (l *Library) version() int64 {
	if h := l.current.Load(); h != nil {
		return h.snapshot.Version
	}
	return 0
}

// Every is the interval at which a running service checks for a new edition.
const Every = 2 * time.Second

// Watch refreshes at once and then until ctx ends. It logs errors; the service continues with the tariff that
// it has.
func (l *Library) Watch(ctx context.Context, from Store, log *slog.Logger) {
	for {
		before := l.version()
		if err := l.refresh(ctx, from, lowmem.Load); err != nil && ctx.Err() == nil {
			log.Warn("cannot read the tariff", "error", err)
		} else if now := l.version(); now != before {
			log.Info("another tariff is in force", "version", now, "before", before)
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(Every):
		}
	}
}

// ErrNoEdition is the error if an edition is not kept.
var ErrNoEdition = errors.New("official: the edition is not kept")
