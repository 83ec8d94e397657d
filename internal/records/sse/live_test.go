package sse_test

import (
	"context"
	"log/slog"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/records/sse"
)

// trail is that of one organisation, which another process writes.
type trail struct {
	mu     sync.Mutex
	events []audit.Event
	reads  int
}

func (t *trail) write(resource string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.events = append(t.events, audit.Event{ResourceID: resource, Sequence: int64(len(t.events) + 1)})
}

func (t *trail) EventsSince(_ context.Context, _ tenant.ID, sequence int64, limit int) ([]audit.Event, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.reads++
	return t.events[sequence:min(len(t.events), int(sequence)+limit)], nil
}

func (t *trail) looks() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.reads
}

func watch(t *testing.T, h *sse.Hub, org tenant.ID, resource string, seen int64) *sse.Watch {
	t.Helper()
	w, err := h.Watch(org, "u", resource, seen)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func hears(w *sse.Watch) int64 {
	select {
	case sequence := <-w.Changed():
		return sequence
	default:
		return 0
	}
}

// A page hears of its own record, or of all of its organisation, and of nothing that it
// has shown; of many changes that it was too slow for, it hears of the last.
func TestWhoHearsWhat(t *testing.T) {
	var h sse.Hub
	one, all, other := watch(t, &h, "a", "1", 5), watch(t, &h, "a", sse.Everything, 0), watch(t, &h, "b", sse.Everything, 0)
	h.Tell([]sse.Told{{Org: "a", Resource: "1", Sequence: 5}, {Org: "a", Resource: "2", Sequence: 6}})
	if one, all, other := hears(one), hears(all), hears(other); one != 0 || all != 6 || other != 0 {
		t.Errorf("heard %d, %d and %d", one, all, other)
	}
	h.Tell([]sse.Told{{Org: "a", Resource: "1", Sequence: 7}})
	h.Tell([]sse.Told{{Org: "a", Resource: "1", Sequence: 8}})
	if got := hears(one); got != 8 || hears(one) != 0 {
		t.Errorf("heard %d, then more", got)
	}
	one.Close()
	h.Tell([]sse.Told{{Org: "a", Resource: "1", Sequence: 9}})
	if got := hears(one); got != 0 {
		t.Errorf("a closed page heard %d", got)
	}
}

// What another process writes is heard within seconds, with one look at the trail for
// many pages, and with none where no page is open.
func TestOtherProcesses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var h sse.Hub
		ctx, stop := context.WithCancel(t.Context())
		store := &trail{}
		store.write("1")
		go h.Run(ctx, store, slog.New(slog.DiscardHandler))
		time.Sleep(time.Minute)
		if n := store.looks(); n > 0 {
			t.Errorf("%d looks for nobody", n)
		}
		var pages []*sse.Watch
		for range 20 {
			w := watch(t, &h, "a", "1", 1)
			w.Since(1)
			pages = append(pages, w)
		}
		store.write("1")
		time.Sleep(3 * time.Second)
		for _, w := range pages {
			if got := hears(w); got != 2 {
				t.Errorf("heard %d", got)
			}
		}
		if n := store.looks(); n > 2 {
			t.Errorf("%d looks in three seconds", n)
		}
		stop()
	})
}

// A user can open so many pages, and one more when one is closed; a service that stops
// ends all and opens none.
func TestLimits(t *testing.T) {
	var h sse.Hub
	var last *sse.Watch
	for range 20 {
		last = watch(t, &h, "a", "1", 0)
	}
	if _, err := h.Watch("a", "u", "1", 0); !apierr.Is(err, apierr.RateLimited) {
		t.Errorf("one too many: %v", err)
	}
	last.Close()
	last.Close()
	last = watch(t, &h, "a", "1", 0)
	h.Close()
	if _, open := <-last.Changed(); open {
		t.Error("a page is not told that the service stops")
	}
	last.Close()
	if _, err := h.Watch("a", "u", "1", 0); !apierr.Is(err, apierr.ShuttingDown) {
		t.Errorf("opened while stopping: %v", err)
	}
}
