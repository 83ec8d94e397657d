// Package sse tells pages that are open that something has changed. A change that this
// process commits is told at once; those of other processes are found in the trail, by
// one look for each organisation that has a page open, however many pages that are.
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

// Limits of pages that are told.
const (
	ofUser     = 20
	ofOrg      = 1_000
	ofAll      = 5_000
	look       = 2 * time.Second // how often the trails are looked at for changes of other processes
	eventsRead = 1_000           // of a trail, at a look
)

// Told is a change of a record, by its place in the trail of the organisation.
type Told struct {
	Org      tenant.ID
	Resource string // id of the record
	Sequence int64
}

// Everything is watched by pages that show more than one record.
const Everything = ""

// Hub knows the open pages. The zero value is ready.
type Hub struct {
	mu     sync.Mutex
	orgs   map[tenant.ID]*watched
	open   int
	closed bool
}

// watched are the open pages of an organisation.
type watched struct {
	pages   map[*Watch]bool
	through int64 // up to where the trail has been looked at; 0 while that is not known
}

// Watch is one open page.
type Watch struct {
	hub      *Hub
	org      tenant.ID
	user     string
	resource string
	seen     int64
	changed  chan int64
}

// Watch opens a page of a user that shows a record, or Everything. What was known of it
// when it was shown is the sequence of its last event.
func (h *Hub) Watch(org tenant.ID, user, resource string, seen int64) (*Watch, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return nil, apierr.New(apierr.ShuttingDown, "The service is stopping.")
	}
	o := h.orgs[org]
	if o == nil {
		o = &watched{pages: map[*Watch]bool{}}
	}
	mine := 0
	for w := range o.pages {
		if w.user == user {
			mine++
		}
	}
	if mine >= ofUser || len(o.pages) >= ofOrg || h.open >= ofAll {
		return nil, apierr.New(apierr.RateLimited, "Too many pages are open that follow changes.")
	}
	if h.orgs == nil {
		h.orgs = map[tenant.ID]*watched{}
	}
	w := &Watch{hub: h, org: org, user: user, resource: resource, seen: seen, changed: make(chan int64, 1)}
	h.orgs[org], o.pages[w] = o, true
	h.open++
	return w, nil
}

// Since says that the page was shown with what the trail told up to a sequence, read
// after the watch was opened: from there on nothing is missed.
func (w *Watch) Since(through int64) {
	w.hub.mu.Lock()
	defer w.hub.mu.Unlock()
	if o := w.hub.orgs[w.org]; o != nil && (o.through == 0 || through < o.through) {
		o.through = through
	}
}

// Changed receives the sequence of the latest change; it is closed when the service stops.
func (w *Watch) Changed() <-chan int64 { return w.changed }

// Close ends the watch.
func (w *Watch) Close() {
	w.hub.mu.Lock()
	defer w.hub.mu.Unlock()
	w.hub.drop(w)
}

func (h *Hub) drop(w *Watch) {
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

// Open is how many pages are open.
func (h *Hub) Open() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.open
}

// Close ends all watches, and lets nobody open another.
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

// Tell wakes the pages that changes concern. It never waits for a page.
func (h *Hub) Tell(all []Told) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.open == 0 {
		return
	}
	for _, t := range all {
		if o := h.orgs[t.Org]; o != nil {
			o.tell(t)
		}
	}
}

func (o *watched) tell(t Told) {
	for w := range o.pages {
		if t.Sequence <= w.seen || w.resource != Everything && w.resource != t.Resource {
			continue
		}
		w.seen = t.Sequence
		select {
		case <-w.changed: // a change that the page has not heard of yet is outdone
		default:
		}
		w.changed <- t.Sequence
	}
}

// Store reads trails.
type Store interface {
	// EventsSince reads a part of the trail, oldest first.
	EventsSince(ctx context.Context, org tenant.ID, sequence int64, limit int) ([]audit.Event, error)
}

// Run looks for the changes of other processes until ctx ends.
func (h *Hub) Run(ctx context.Context, s Store, log *slog.Logger) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(look):
		}
		for org, through := range h.followed() {
			if err := h.lookAt(ctx, s, org, through); err != nil && ctx.Err() == nil {
				log.Warn("cannot look for changes to tell open pages of", "organisation", org, "error", err)
			}
		}
	}
}

func (h *Hub) followed() map[tenant.ID]int64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	all := make(map[tenant.ID]int64, len(h.orgs))
	for org, o := range h.orgs {
		if o.through > 0 {
			all[org] = o.through
		}
	}
	return all
}

// lookAt tells of what has come to a trail.
func (h *Hub) lookAt(ctx context.Context, s Store, org tenant.ID, through int64) error {
	events, err := s.EventsSince(ctx, org, through, eventsRead)
	if err != nil || len(events) == 0 {
		return err
	}
	all := make([]Told, len(events))
	for i, e := range events {
		all[i] = Told{org, e.ResourceID, e.Sequence}
	}
	h.Tell(all)
	h.reach(org, events[len(events)-1].Sequence)
	return nil
}

func (h *Hub) reach(org tenant.ID, through int64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if o := h.orgs[org]; o != nil {
		o.through = through
	}
}
