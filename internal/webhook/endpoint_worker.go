package webhook

import (
	"context"
	"slices"
	"sync"
	"time"
)

// Limits of one endpoint.
const (
	initialWindow = 2  // records in flight at first; every success adds one, a failure halves it
	maxWindow     = 64 // records in flight
	maxUnstored   = 64 // deliveries that were begun and are not yet stored; a crash repeats them
	pageSize      = 256
	failingLimit  = 5 * 24 * time.Hour // of failures without a success; then the endpoint is paused

	// So many results are stored beside attempts under way if storing takes a while, but no longer than an attempt. With simulated times,
	// answers after 3 to 19 ms and 2 to 5 ms to store, 1,000 deliveries took 5 to 18 % less. A receiver that answers at once gains nothing.
	halfUnstored = maxUnstored / 2
	minStoring   = time.Millisecond

	renewEarly = renewInterval * 3 / 4  // age of a lease at which it is renewed while deliveries go on
	gatherTime = 10 * time.Millisecond  // that a result waits for those of attempts under way, to be stored with them
	lingerTime = 500 * time.Millisecond // that a worker without deliveries waits for the next one; without it, each would lease the endpoint
)

// endpointWorker sends the deliveries of one endpoint. Only the fields below mu are shared
// with other goroutines.
type endpointWorker struct {
	d   *Dispatcher
	ref Ref

	endpoint Endpoint
	target   *target
	window   int // records in flight, at most
	leasedAt time.Time
	renewed  chan renewal         // gets the result of the renewal under way; nil if there is none
	cursor   Cursor               // after which the next page begins
	ended    bool                 // the page before was the last one
	earlier  bool                 // deliveries before the cursor may be due
	queue    []*delivery          // read but not sent, in order
	known    map[string]bool      // IDs of deliveries that are queued, in flight, or not yet stored
	records  map[string]bool      // keys of records with a delivery in flight, or with a failure that is not yet stored
	failed   map[string]*delivery // failures that are not yet stored, by ID
	retried  map[string]string    // records that wait for a retried delivery, by its ID
	attempts chan attempt         // to goroutines that have made an attempt before
	underWay int                  // deliveries whose attempts have no outcome yet
	done     chan outcome
	finished []result      // results that are not yet passed on to be stored
	gathered *time.Timer   // ends the wait of results for others
	answered time.Duration // that the newest attempt took
	pausing  string        // ID of a delivery whose result pauses the endpoint when it is stored; empty for none
	heldAt   time.Time     // since when the queue waits for a batch to be full; zero if it does not

	signal  chan struct{}
	mu      sync.Mutex
	woke    *Wakeup // since the worker has looked; nil for none
	results []result
	storing time.Duration // that the newest stored results took
}

func newWorker(d *Dispatcher, ref Ref) *endpointWorker {
	return &endpointWorker{
		d: d, ref: ref, window: initialWindow, known: map[string]bool{}, records: map[string]bool{}, failed: map[string]*delivery{},
		retried: map[string]string{}, attempts: make(chan attempt), done: make(chan outcome, maxWindow), signal: make(chan struct{}, 1),
		gathered: stoppedTimer(),
	}
}

// stoppedTimer returns a timer that has not been set.
func stoppedTimer() *time.Timer {
	t := time.NewTimer(time.Hour)
	t.Stop()
	return t
}

// wake makes the worker read again.
func (w *endpointWorker) wake(wakeup Wakeup) {
	w.mu.Lock()
	if w.woke != nil {
		wakeup = wakeup.And(*w.woke)
	}
	w.woke = &wakeup
	w.mu.Unlock()
	w.notify()
}

// stored tells the worker that results are durable, and how long that took.
func (w *endpointWorker) stored(results []result, took time.Duration) {
	w.mu.Lock()
	w.results = append(w.results, results...)
	w.storing = took
	w.mu.Unlock()
	w.notify()
}

func (w *endpointWorker) notify() {
	select {
	case w.signal <- struct{}{}:
	default:
	}
}

func (w *endpointWorker) woken() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.woke != nil
}

func (w *endpointWorker) outdated() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.woke != nil && w.woke.Changed
}

// take handles stored results, and returns and resets the signals of wake.
func (w *endpointWorker) take() (again, changed bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.woke != nil {
		again, changed = true, w.woke.Changed
		w.earlier = w.earlier || w.woke.Earlier || changed
	}
	for i := range w.results {
		d := &w.results[i].Delivery
		delete(w.known, d.ID)
		w.unblock(d.ID)
		again = w.rewind(d) || again
		if d.ID == w.pausing {
			w.pausing, changed = "", true
		}
	}
	w.woke, w.results = nil, nil
	return again, changed
}

// run sends until nothing is due, or until the endpoint is paused or leased by another
// instance. When ctx ends it starts no more attempts; sending ends those in flight.
func (w *endpointWorker) run(ctx, sending context.Context) {
	defer close(w.attempts)
	more, rested := false, false
	for {
		again, changed := w.take()
		more = more || again
		busy := again || changed || len(w.known) > 0
		if busy && !w.lease(sending, changed) || ctx.Err() != nil {
			w.dropQueue()
			more = false
		}
		if more && len(w.queue) < maxWindow {
			w.start(sending) // so that these are sent while the page is read
			more = w.read(ctx)
			w.finishReady()
		}
		if w.outdated() {
			continue // the deliveries may be newer than the known endpoint
		}
		w.start(sending)
		if w.underWay == 0 || w.overlaps() {
			w.passOn()
		}
		idle := len(w.known) == 0 && !more
		if idle && (rested || ctx.Err() != nil || w.leasedAt.IsZero()) && w.d.remove(w) {
			return
		}
		if more && len(w.queue) < maxWindow && w.mayStart() {
			continue
		}
		rested = w.wait(ctx, idle)
	}
}

// wait waits for something to do. It reports whether there was nothing until a time was over.
func (w *endpointWorker) wait(ctx context.Context, idle bool) (rested bool) {
	limit, ended := min(renewInterval, w.hold()), ctx.Done()
	if idle {
		limit = lingerTime
	}
	if ctx.Err() != nil {
		ended = nil // what is in flight is waited for
	}
	timeout := time.NewTimer(limit)
	defer timeout.Stop()
	select {
	case o := <-w.done:
		w.finish(o)
		w.finishReady()
	case <-w.gathered.C:
		w.passOn()
	case <-w.signal:
	case <-ended:
	case <-timeout.C:
		return true
	}
	return false
}

// dropQueue leaves the deliveries that were not sent to a later poll, or to another instance.
func (w *endpointWorker) dropQueue() {
	for _, p := range w.queue {
		w.forget(p)
	}
	w.queue, w.cursor, w.heldAt = nil, Cursor{}, time.Time{}
}

// read queues the next page of due deliveries, and reports whether there may be more. New events are due after all others, so it
// goes on where it ended, unless it was told that earlier deliveries may be due: then it starts from the beginning.
func (w *endpointWorker) read(ctx context.Context) (more bool) {
	if w.ended && w.earlier {
		w.cursor = Cursor{}
	}
	fromStart := w.cursor == Cursor{}
	due, err := w.d.Store.DueDeliveries(ctx, w.ref, w.cursor, pageSize)
	if err != nil {
		if ctx.Err() == nil {
			w.d.Log.Error("cannot read due deliveries", "endpoint", w.ref.EndpointID, "error", err)
		}
		return false
	}
	for _, next := range due {
		if w.known[next.ID] || w.retried[next.ResourceID] != "" {
			continue
		}
		w.known[next.ID] = true
		w.queue = append(w.queue, &delivery{next.Delivery, next.Body, next.Trace})
		if next.blocksRecord() {
			w.retried[next.ResourceID] = next.ID
		}
	}
	if len(due) > 0 {
		last := &due[len(due)-1]
		w.cursor = Cursor{last.DueAt, last.Sequence, last.ID}
	}
	w.ended, w.earlier = len(due) < pageSize, w.earlier && !fromStart
	return !w.ended || w.earlier
}

// mayStart reports whether another attempt may start.
func (w *endpointWorker) mayStart() bool {
	unstored := len(w.known) - len(w.queue)
	if w.pausing != "" {
		return false
	}
	if w.batches() {
		return unstored == 0
	}
	return len(w.records) < w.window && unstored < maxUnstored
}

// start starts attempts while mayStart allows, one per record.
func (w *endpointWorker) start(sending context.Context) {
	if w.batches() {
		w.startBatch(sending)
		return
	}
	for i := 0; i < len(w.queue) && w.mayStart(); {
		p := w.queue[i]
		if w.records[orderKey(p)] {
			i++
			continue
		}
		w.queue = slices.Delete(w.queue, i, i+1)
		w.records[orderKey(p)] = true
		w.attempt(sending, p)
	}
}

// orderKey is the same for deliveries that must be sent in order: those of one record's
// events. Tests and resends have no order.
func orderKey(p *delivery) string {
	if p.Cause != ByEvent {
		return p.ID
	}
	return p.ResourceID
}

// unblock lets the record of a failed delivery continue after the failure was stored. The
// queued deliveries of the record were read before that, when the store did not know that they
// have to wait. They are removed, and the store returns them again when they may be sent.
func (w *endpointWorker) unblock(id string) {
	failed, found := w.failed[id]
	if !found {
		return
	}
	delete(w.failed, id)
	delete(w.records, orderKey(failed))
	w.queue = slices.DeleteFunc(w.queue, func(p *delivery) bool {
		if orderKey(p) == orderKey(failed) {
			w.forget(p)
			return true
		}
		return false
	})
}

// forget lets a delivery be read again.
func (w *endpointWorker) forget(p *delivery) {
	delete(w.known, p.ID)
	if w.retried[p.ResourceID] == p.ID {
		delete(w.retried, p.ResourceID)
	}
}

// rewind moves the cursor to the beginning when a retried delivery no longer blocks its record:
// the deliveries that waited for it may be before the cursor. It reports whether it did. Until
// then no delivery of the record is read, because the store returns them a moment too early.
func (w *endpointWorker) rewind(d *Delivery) bool {
	if w.retried[d.ResourceID] != d.ID {
		return false
	}
	delete(w.retried, d.ResourceID)
	if d.blocksRecord() {
		return false
	}
	w.cursor = Cursor{}
	return true
}
