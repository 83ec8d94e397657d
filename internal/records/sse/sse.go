// Package sse notifies open pages and feeds of changes. Changes that this process commits
// are sent at once. Changes of other processes are found by polling the audit trail, once
// per organisation with an open page, however many pages it has open.
package sse

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Limits of open subscriptions.
const (
	maxPerUser   = 20
	maxPerOrg    = 1_000
	maxTotal     = 5_000
	pollInterval = 2 * time.Second // poll interval for changes of other processes
	maxEvents    = 1_000           // maximum events per poll
)

// Change is a change of a record with the sequence of its audit event.
type Change struct {
	Org      tenant.ID
	Resource string // ID of the record
	Sequence int64
}

// Everything subscribes to all records of an organisation.
const Everything = ""

// Hub holds the open subscriptions. The zero value is ready to use.
type Hub struct {
	mu     sync.Mutex
	orgs   map[tenant.ID]*subscriptions
	open   int
	closed bool
}

// subscriptions holds the subscriptions of an organisation.
type subscriptions struct {
	pages    map[*Subscription]bool
	polledTo int64 // last sequence that has been polled; 0 if not known yet
}

// Subscription is one subscription.
type Subscription struct {
	hub      *Hub
	org      tenant.ID
	user     string
	resource string
	seen     int64
	changed  chan int64
}

// Subscribe subscribes a user's page to a record, or to Everything. seen is the sequence of the last event
// that the page shows.
func (h *Hub) Subscribe(org tenant.ID, user, resource string, seen int64) (*Subscription, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return nil, apierr.New(apierr.ShuttingDown, "The service is stopping.")
	}
	o := h.orgs[org]
	if o == nil {
		o = &subscriptions{pages: map[*Subscription]bool{}}
	}
	mine := 0
	for w := range o.pages {
		if w.user == user {
			mine++
		}
	}
	if mine >= maxPerUser || len(o.pages) >= maxPerOrg || h.open >= maxTotal {
		return nil, apierr.New(apierr.RateLimited, "Too many pages with live updates are open. Close some of them.")
	}
	if h.orgs == nil {
		h.orgs = map[tenant.ID]*subscriptions{}
	}
	w := &Subscription{hub: h, org: org, user: user, resource: resource, seen: seen, changed: make(chan int64, 1)}
	h.orgs[org], o.pages[w] = o, true
	h.open++
	return w, nil
}

// ShownUpTo reports that the page shows the events up to a sequence, which was read after the subscription
// started. Polling begins there, so no change is missed.
func (w *Subscription) ShownUpTo(through int64) {
	w.hub.mu.Lock()
	defer w.hub.mu.Unlock()
	if o := w.hub.orgs[w.org]; o != nil && (o.polledTo == 0 || through < o.polledTo) {
		o.polledTo = through
	}
}

// Changed returns a channel with the sequence of the latest change. It is closed when the service
// stops.
func (w *Subscription) Changed() <-chan int64 { return w.changed }

// Close ends the subscription.
func (w *Subscription) Close() {
	w.hub.mu.Lock()
	defer w.hub.mu.Unlock()
	w.hub.drop(w)
}

func (h *Hub) drop(w *Subscription) {
	o := h.orgs[w.org]
	if o == nil || !o.pages[w] {
		return
	}
	delete(o.pages, w)
	h.open--
	if len(o.pages) == 0 {
		delete(h.orgs, w.org)
	}
}

// Open returns the number of open subscriptions.
func (h *Hub) Open() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.open
}

// Close ends all subscriptions and allows no new ones.
func (h *Hub) Close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.closed = true
	for _, o := range h.orgs {
		for w := range o.pages {
			h.drop(w)
			close(w.changed)
		}
	}
}

// Notify notifies the affected subscriptions. It does not block.
func (h *Hub) Notify(all []Change) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.open == 0 {
		return
	}
	for _, t := range all {
		if o := h.orgs[t.Org]; o != nil {
			o.notify(t)
		}
	}
}

func (o *subscriptions) notify(t Change) {
	for w := range o.pages {
		if t.Sequence <= w.seen || w.resource != Everything && w.resource != t.Resource {
			continue
		}
		w.seen = t.Sequence
		select {
		case <-w.changed: // replace an unread notification
		default:
		}
		w.changed <- t.Sequence
	}
}

// Store reads audit events.
type Store interface {
	// EventsSince returns the events after a sequence, oldest first.
	EventsSince(ctx context.Context, org tenant.ID, sequence int64, limit int) ([]audit.Event, error)
}

// Run polls for changes of other processes until ctx ends.
func (h *Hub) Run(ctx context.Context, s Store, log *slog.Logger) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(pollInterval):
		}
		for org, through := range h.toPoll() {
			if err := h.poll(ctx, s, org, through); err != nil && ctx.Err() == nil {
				log.Warn("cannot poll for changes of other processes", "organisation", org, "error", err)
			}
		}
	}
}

func (h *Hub) toPoll() map[tenant.ID]int64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	all := make(map[tenant.ID]int64, len(h.orgs))
	for org, o := range h.orgs {
		if o.polledTo > 0 {
			all[org] = o.polledTo
		}
	}
	return all
}

// poll sends the new events of an organisation.
func (h *Hub) poll(ctx context.Context, s Store, org tenant.ID, through int64) error {
	events, err := s.EventsSince(ctx, org, through, maxEvents)
	if err != nil || len(events) == 0 {
		return err
	}
	all := make([]Change, len(events))
	for i, e := range events {
		all[i] = Change{org, e.ResourceID, e.Sequence}
	}
	h.Notify(all)
	h.setPolledTo(org, events[len(events)-1].Sequence)
	return nil
}

func (h *Hub) setPolledTo(org tenant.ID, through int64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if o := h.orgs[org]; o != nil {
		o.polledTo = through
	}
}
