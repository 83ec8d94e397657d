package official_test

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/store/storetest"
	"github.com/tidewaiter/tidewaiter/internal/tariff"
	"github.com/tidewaiter/tidewaiter/internal/tariff/official"
)

// countingStore is a store in memory with the content of another one; it counts what is read.
type countingStore struct {
	official.Store
	mu        sync.Mutex
	stamp     official.Stamp
	editions  []official.Edition
	rows      map[string][]byte
	parts     map[int64][]official.Part
	stamps    int
	read      int
	corrupted atomic.Bool
}

func newCountingStore(t *testing.T, s official.Store) *countingStore {
	t.Helper()
	r := &countingStore{rows: map[string][]byte{}, parts: map[int64][]official.Part{}}
	var err error
	if r.stamp, err = s.TariffStamp(ctx); err != nil {
		t.Fatal(err)
	}
	if r.editions, err = s.TariffEditions(ctx); err != nil {
		t.Fatal(err)
	}
	for _, e := range r.editions {
		if r.parts[e.Version], err = s.TariffParts(ctx, e.Version); err != nil {
			t.Fatal(err)
		}
		for _, table := range e.Tables {
			if slices.Contains(byChapter, table.Kind) {
				continue
			}
			if r.rows[fmt.Sprint(table.Kind, table.Version)], err = s.TariffRows(ctx, table.Kind, table.Version); err != nil {
				t.Fatal(err)
			}
		}
	}
	return r
}

func (r *countingStore) TariffStamp(context.Context) (official.Stamp, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.stamps++
	return r.stamp, nil
}

func (r *countingStore) TariffEditions(context.Context) ([]official.Edition, error) {
	return r.editions, nil
}

func (r *countingStore) TariffRows(_ context.Context, k official.Kind, version int64) ([]byte, error) {
	r.read++
	rows := r.rows[fmt.Sprint(k, version)]
	if r.corrupted.Load() {
		rows = rows[:len(rows)/2]
	}
	return rows, nil
}

func (r *countingStore) TariffParts(_ context.Context, version int64) ([]official.Part, error) {
	r.read++
	parts := slices.Clone(r.parts[version])
	if r.corrupted.Load() {
		parts[0].Packed = parts[0].Packed[:len(parts[0].Packed)/2]
	}
	return parts, nil
}

// byChapter are the tables that are stored in pieces.
var byChapter = []official.Kind{official.Nomenclature, official.Duties, official.VAT, official.VATHints, official.Units}

func (r *countingStore) put(stamp official.Stamp) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.stamp = stamp
}

// While nothing has changed, a refresh reads only the stamp.
func TestRefreshIsIdle(t *testing.T) {
	s := storetest.SQLite(t).Open(t)
	load(t, s, everything()...)
	r := newCountingStore(t, s)
	var l official.Library
	for range 4 {
		if err := l.Refresh(ctx, r); err != nil {
			t.Fatal(err)
		}
	}
	if r.read != 5 || r.stamps != 4 {
		t.Errorf("read %d times, looked %d times", r.read, r.stamps)
	}
}

// An edition that cannot be read is an error, and the former one stays in force until it can.
func TestCorruptedVersion(t *testing.T) {
	s := storetest.SQLite(t).Open(t)
	load(t, s, file("lines", lines), file("duties", duties))
	var l official.Library
	if err := l.Refresh(ctx, s); err != nil {
		t.Fatal(err)
	}
	load(t, s, file("duties", strings.ReplaceAll(duties, "12.00%", "7.00%")))
	r := newCountingStore(t, s)
	r.corrupted.Store(true)
	if err := l.Refresh(ctx, r); err == nil || l.Current().Version != 1 {
		t.Errorf("%v, version %d", err, l.Current().Version)
	}
	r.corrupted.Store(false)
	if err := l.Refresh(ctx, r); err != nil || l.Current().Version != 2 {
		t.Errorf("%v, version %d", err, l.Current().Version)
	}
}

// A running service uses a new edition within ten seconds, also after a rollback.
func TestWatch(t *testing.T) {
	s := storetest.SQLite(t).Open(t)
	load(t, s, everything()...)
	r := newCountingStore(t, s)
	first := r.stamp
	r.stamp = official.Stamp{}
	tariff.EmbeddedSnapshot() // read once, outside of the bubble
	synctest.Test(t, func(t *testing.T) {
		during, end := context.WithCancel(ctx)
		var l official.Library
		go l.Watch(during, r, slog.New(slog.DiscardHandler))
		for _, stamp := range []official.Stamp{first, {Since: first.Since.Add(time.Second)}, {Version: first.Version, Since: first.Since.Add(time.Minute)}} {
			r.put(stamp)
			time.Sleep(10 * time.Second)
			synctest.Wait()
			if l.Current().Version != stamp.Version {
				t.Errorf("version %d is held, %d in force", l.Current().Version, stamp.Version)
			}
		}
		end()
		synctest.Wait()
		if r.read != 10 {
			t.Errorf("read %d times", r.read)
		}
	})
}

// A reader always sees one complete edition while others come and go.
func TestReadersSeeOneVersion(t *testing.T) {
	s := storetest.SQLite(t).Open(t)
	load(t, s, file("lines", lines), file("duties", duties))
	load(t, s, file("duties", strings.ReplaceAll(duties, "12.00%", "7.00%")))
	var l official.Library
	want := map[int64]string{0: "12.0%", 1: "12.00%", 2: "7.00%"}
	var readers sync.WaitGroup
	done := make(chan struct{})
	for range 4 {
		readers.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				now := l.Current()
				if c := charge(now, "6109100010", "2026-11-21"); c.Expression != want[now.Version] {
					t.Errorf("version %d has %s", now.Version, c.Expression)
					return
				}
			}
		})
	}
	for _, to := range []int64{1, 2, 0, 2, 1, 0} {
		if _, err := official.Rollback(ctx, s, &to); err != nil {
			t.Fatal(err)
		}
		if err := l.Refresh(ctx, s); err != nil || l.Current().Version != to {
			t.Errorf("%v: version %d, want %d", err, l.Current().Version, to)
		}
	}
	close(done)
	readers.Wait()
}

// slowStore has a tariff that takes a time to read.
type slowStore struct {
	*countingStore
	takes time.Duration
}

func (s slowStore) TariffParts(ctx context.Context, version int64) ([]official.Part, error) {
	time.Sleep(s.takes)
	return s.countingStore.TariffParts(ctx, version)
}

// After Begin, every reader of the tariff waits for the imported one. A question gives up after ten seconds, and the next one can
// be answered once the tariff is there.
func TestLoading(t *testing.T) {
	s := storetest.SQLite(t).Open(t)
	load(t, s, everything()...)
	r := newCountingStore(t, s)
	tariff.EmbeddedSnapshot() // read once, outside of the bubble
	for _, c := range []struct {
		takes time.Duration
		fails bool
	}{{0, false}, {9 * time.Second, false}, {11 * time.Second, true}} {
		synctest.Test(t, func(t *testing.T) {
			during, end := context.WithCancel(ctx)
			var l official.Library
			l.Begin()
			begun := time.Now()
			go l.Watch(during, slowStore{r, c.takes}, slog.New(slog.DiscardHandler))
			var read sync.WaitGroup
			for _, version := range []func() int64{
				func() int64 { return l.Current().Version }, func() int64 { return l.Editions().ID }, func() int64 { return l.Imported().Version },
			} {
				read.Go(func() {
					if got := version(); got != 1 || time.Since(begun) < c.takes {
						t.Errorf("%v: version %d after %v", c.takes, got, time.Since(begun))
					}
				})
			}
			err := l.Await(ctx)
			if waited := time.Since(begun); (err != nil) != c.fails || c.fails && waited != official.MaxWait || !c.fails && waited != c.takes {
				t.Errorf("%v: waited %v: %v", c.takes, waited, err)
			}
			read.Wait()
			if err := l.Await(ctx); err != nil {
				t.Errorf("%v: after loading: %v", c.takes, err)
			}
			end()
			synctest.Wait()
		})
	}
}

// A tariff that cannot be read stays awaited, and is there once it can.
func TestLoadingFails(t *testing.T) {
	s := storetest.SQLite(t).Open(t)
	load(t, s, everything()...)
	r := newCountingStore(t, s)
	r.corrupted.Store(true)
	tariff.EmbeddedSnapshot()
	synctest.Test(t, func(t *testing.T) {
		during, end := context.WithCancel(ctx)
		var l official.Library
		l.Begin()
		go l.Watch(during, r, slog.New(slog.DiscardHandler))
		if err := l.Await(ctx); err == nil {
			t.Error("a corrupted tariff is there")
		}
		r.corrupted.Store(false)
		if err := l.Await(ctx); err != nil || l.Current().Version != 1 {
			t.Errorf("%v, version %d", err, l.Current().Version)
		}
		end()
		synctest.Wait()
	})
}
