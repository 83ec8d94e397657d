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

// auditLog is the audit trail of an organisation, written by another process.
type auditLog struct {
	mu     sync.Mutex
	events []audit.Event
	reads  int
}

func (t *auditLog) write(resource string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.events = append(t.events, audit.Event{ResourceID: resource, Sequence: int64(len(t.events) + 1)})
}

func (t *auditLog) EventsSince(_ context.Context, _ tenant.ID, sequence int64, limit int) ([]audit.Event, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.reads++
	return t.events[sequence:min(len(t.events), int(sequence)+limit)], nil
}

func (t *auditLog) pollCount() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.reads
}

func subscribe(t *testing.T, h *sse.Hub, org tenant.ID, resource string, seen int64) *sse.Subscription {
	t.Helper()
	w, err := h.Subscribe(org, "u", resource, seen)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func received(w *sse.Subscription) int64 {
	select {
	case sequence := <-w.Changed():
		return sequence
	default:
		return 0
	}
}

// A page is notified of changes of its record, or of all records of its organisation, unless it shows
// them already. Several changes result in one notification of the latest.
func TestNotify(t *testing.T) {
	var h sse.Hub
	one, all, other := subscribe(t, &h, "a", "1", 5), subscribe(t, &h, "a", sse.Everything, 0), subscribe(t, &h, "b", sse.Everything, 0)
	h.Notify([]sse.Change{{Org: "a", Resource: "1", Sequence: 5}, {Org: "a", Resource: "2", Sequence: 6}})
	if one, all, other := received(one), received(all), received(other); one != 0 || all != 6 || other != 0 {
		t.Errorf("notified of %d, %d and %d", one, all, other)
	}
	h.Notify([]sse.Change{{Org: "a", Resource: "1", Sequence: 7}})
	h.Notify([]sse.Change{{Org: "a", Resource: "1", Sequence: 8}})
	if got := received(one); got != 8 || received(one) != 0 {
		t.Errorf("notified of %d, or more than once", got)
	}
	one.Close()
	h.Notify([]sse.Change{{Org: "a", Resource: "1", Sequence: 9}})
	if got := received(one); got != 0 {
		t.Errorf("a closed page was notified of %d", got)
	}
}

// A change by another process arrives within seconds, with one poll for many pages, and without any
// polling if no page is open.
func TestOtherProcesses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var h sse.Hub
		ctx, stop := context.WithCancel(t.Context())
		store := &auditLog{}
		store.write("1")
		go h.Run(ctx, store, slog.New(slog.DiscardHandler))
		time.Sleep(time.Minute)
		if n := store.pollCount(); n > 0 {
			t.Errorf("%d polls without an open page", n)
		}
		var pages []*sse.Subscription
		for range 20 {
			w := subscribe(t, &h, "a", "1", 1)
			w.ShownUpTo(1)
			pages = append(pages, w)
		}
		store.write("1")
		time.Sleep(3 * time.Second)
		for _, w := range pages {
			if got := received(w); got != 2 {
				t.Errorf("notified of %d", got)
			}
		}
		if n := store.pollCount(); n > 2 {
			t.Errorf("%d polls in three seconds", n)
		}
		stop()
	})
}

// The number of pages of a user is limited; closing one allows another. Close ends all subscriptions.
func TestLimits(t *testing.T) {
	var h sse.Hub
	var last *sse.Subscription
	for range 20 {
		last = subscribe(t, &h, "a", "1", 0)
	}
	if _, err := h.Subscribe("a", "u", "1", 0); !apierr.Is(err, apierr.RateLimited) {
		t.Errorf("one page over the limit: %v", err)
	}
	last.Close()
	last.Close()
	last = subscribe(t, &h, "a", "1", 0)
	h.Close()
	if _, open := <-last.Changed(); open {
		t.Error("the channel is still open after Close")
	}
	last.Close()
	if _, err := h.Subscribe("a", "u", "1", 0); !apierr.Is(err, apierr.ShuttingDown) {
		t.Errorf("opened while stopping: %v", err)
	}
}
