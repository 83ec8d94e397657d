package webhook

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Limits of one endpoint.
const (
	firstWindow  = 2  // attempts at a time, at first: an endpoint earns more by answering
	widestWindow = 64 // and at most
	usuallyOpen  = 16 // deliveries begun and not yet stored, unless very many wait
	page         = 256
	veryMany     = 2                  // full pages, one after the other
	failingLimit = 5 * 24 * time.Hour // of nothing but failures; then the endpoint is paused
)

// lane sends the deliveries of one endpoint. All but its calls and the ids that have
// been stored belongs to the goroutine that runs it.
type lane struct {
	d   *Dispatcher
	ref Ref

	endpoint Endpoint
	secrets  []string
	window   int
	heldAt   time.Time
	place    Place              // behind which to read on
	full     int                // pages that were full since it was last at the end
	queue    []*parcel          // read and not yet sent, in order
	known    map[string]bool    // deliveries that are queued, under way, or not yet stored
	records  map[string]bool    // records with a delivery under way, or with a failure that is not yet stored
	failed   map[string]*parcel // failures that are not yet stored
	retried  map[string]string  // records that wait for a delivery that is tried again, until that is stored
	done     chan outcome

	mu      sync.Mutex
	ring    chan struct{}
	again   bool // there is something to read
	changed bool // the endpoint itself has changed
	settled []Delivery
}

// outcome is what one attempt came to.
type outcome struct {
	*parcel
	Result
	cut bool // the service stopped before there was an answer
}

func newLane(d *Dispatcher, ref Ref) *lane {
	return &lane{
		d: d, ref: ref, window: firstWindow, known: map[string]bool{}, records: map[string]bool{}, failed: map[string]*parcel{},
		retried: map[string]string{}, done: make(chan outcome, widestWindow), ring: make(chan struct{}, 1),
	}
}

// call asks the lane to look again.
func (l *lane) call(changed bool) {
	l.mu.Lock()
	l.again, l.changed = true, l.changed || changed
	l.mu.Unlock()
	l.rouse()
}

// stored tells the lane that the result of a delivery is durable.
func (l *lane) stored(d Delivery) {
	l.mu.Lock()
	l.settled = append(l.settled, d)
	l.mu.Unlock()
	l.rouse()
}

func (l *lane) rouse() {
	select {
	case l.ring <- struct{}{}:
	default:
	}
}

func (l *lane) called() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.again || l.changed
}

func (l *lane) outdated() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.changed
}

// take empties the letter box.
func (l *lane) take() (again, changed bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := range l.settled {
		d := &l.settled[i]
		delete(l.known, d.ID)
		l.free(d.ID)
		l.again = l.goBack(d) || l.again
	}
	again, changed = l.again, l.changed
	l.again, l.changed, l.settled = false, false, nil
	return again, changed
}

// run sends until nothing is due, or the endpoint is another's or paused.
func (l *lane) run(ctx, sending context.Context) {
	more := false
	for {
		again, changed := l.take()
		more = more || again
		busy := again || changed || len(l.known) > 0
		if busy && !l.hold(sending, changed) || ctx.Err() != nil {
			l.dropQueue()
			more = false
		}
		if more && len(l.queue) < widestWindow {
			more = l.read(ctx)
		}
		if l.outdated() {
			continue // what was read may be later than the endpoint as it is known
		}
		l.start(sending)
		if len(l.known) == 0 && !more && l.d.leave(l) {
			return
		}
		if more && len(l.queue) < widestWindow && l.mayStart() {
			continue
		}
		select {
		case o := <-l.done:
			l.finish(ctx, o)
		case <-l.ring:
		case <-time.After(renewal):
		}
	}
}

// hold makes sure that the endpoint is this instance's, active, and as it is now.
func (l *lane) hold(ctx context.Context, changed bool) bool {
	now := l.d.Sender.Now()
	if !changed && !l.heldAt.IsZero() && now.Sub(l.heldAt) < renewal {
		return true
	}
	l.heldAt = time.Time{}
	e, held, err := l.d.Store.HoldEndpoint(ctx, l.ref, l.d.holder, Hold)
	if err == nil && held {
		l.secrets, err = secrets(l.d.Sealer, l.ref.Org, &e, now)
	}
	if err != nil {
		if ctx.Err() == nil {
			l.d.Log.Error("cannot take an endpoint on", "endpoint", l.ref.EndpointID, "error", err)
		}
		return false
	}
	if held {
		l.endpoint, l.heldAt = e, now
	}
	return held
}

// dropQueue leaves what has not been sent to a later look, or to another instance.
func (l *lane) dropQueue() {
	for _, p := range l.queue {
		l.forget(p)
	}
	l.queue, l.place, l.full = nil, Place{}, 0
}

// read queues the next page of what is due and tells whether there may be more. At
// the end it begins anew, since what was put off meanwhile lies further ahead.
func (l *lane) read(ctx context.Context) (more bool) {
	due, err := l.d.Store.DueDeliveries(ctx, l.ref, l.place, page)
	if err != nil {
		if ctx.Err() == nil {
			l.d.Log.Error("cannot read due deliveries", "endpoint", l.ref.EndpointID, "error", err)
		}
		return false
	}
	fromStart := l.place == Place{}
	found := false
	for _, w := range due {
		if l.known[w.ID] || l.retried[w.ResourceID] != "" {
			continue
		}
		l.known[w.ID], found = true, true
		l.queue = append(l.queue, &parcel{w.Delivery, w.Body, w.Trace})
		if w.holdsBack() {
			l.retried[w.ResourceID] = w.ID
		}
	}
	if len(due) < page {
		l.place, l.full = Place{}, 0
		return found && !fromStart
	}
	l.full++
	last := due[len(due)-1]
	l.place = Place{last.DueAt, last.Sequence, last.ID}
	return true
}

// mayStart tells whether the window has room for an attempt. What has been begun and is
// not yet stored is sent again after a kill: so only where very many wait is as much of
// it open as the endpoint takes.
func (l *lane) mayStart() bool {
	open := len(l.known) - len(l.queue)
	return len(l.records) < l.window && (open < usuallyOpen || l.full >= veryMany)
}

// start begins as many attempts as the window has room for, one a record.
func (l *lane) start(sending context.Context) {
	for i := 0; i < len(l.queue) && l.mayStart(); {
		p := l.queue[i]
		if l.records[key(p)] {
			i++
			continue
		}
		l.queue = slices.Delete(l.queue, i, i+1)
		l.records[key(p)] = true
		l.attempt(sending, p)
	}
}

// key is what a record's deliveries share; what is repeated by hand keeps no order.
func key(p *parcel) string {
	if p.Cause != ByEvent {
		return p.ID
	}
	return p.ResourceID
}

func (l *lane) attempt(sending context.Context, p *parcel) {
	url, keys := l.endpoint.URL, l.secrets
	go func() {
		o := outcome{parcel: p}
		select {
		case l.d.slots <- struct{}{}:
			o.Result = l.d.Sender.send(sending, url, keys, p)
			<-l.d.slots
		case <-sending.Done():
		}
		o.cut = sending.Err() != nil && o.HTTPStatus == 0
		l.done <- o
	}()
}

// finish takes the outcome of an attempt over and sends it to be stored.
func (l *lane) finish(ctx context.Context, o outcome) {
	if o.cut {
		delete(l.records, key(o.parcel))
		l.forget(o.parcel)
		return
	}
	delivery := o.Delivery
	delivery.settle(o.Result)
	l.d.Observe(delivery.Status, o.Duration)
	settled := Settled{Ref: l.ref, Delivery: delivery}
	if o.Error == "" {
		delete(l.records, key(o.parcel))
		l.window = min(l.window+1, widestWindow)
		settled.Failing = l.answering()
	} else {
		l.window = max(1, l.window/2)
		l.failed[o.ID] = o.parcel
		settled.Failing = l.failing(o.Ended)
	}
	l.d.results <- result{settled, l}
	switch {
	case o.Gone:
		l.pause(ctx, "the receiver answered 410 Gone")
	case o.Error != "" && o.Ended.Sub(l.endpoint.FailingSince) >= failingLimit:
		l.pause(ctx, "nothing but failures for five days")
	}
}

// answering and failing give the endpoint's FailingSince when it changes.
func (l *lane) answering() *time.Time {
	if l.endpoint.FailingSince.IsZero() {
		return nil
	}
	l.endpoint.FailingSince = time.Time{}
	return &time.Time{}
}

func (l *lane) failing(since time.Time) *time.Time {
	if !l.endpoint.FailingSince.IsZero() {
		return nil
	}
	l.endpoint.FailingSince = since
	return &since
}

// free lets the record of a failed delivery go on. Until the failure was stored the
// store gave the later deliveries of the record as if nothing were in their way: they
// are taken out of the queue, and the store gives them again when their time has come.
func (l *lane) free(id string) {
	failed, waits := l.failed[id]
	if !waits {
		return
	}
	delete(l.failed, id)
	delete(l.records, key(failed))
	l.queue = slices.DeleteFunc(l.queue, func(p *parcel) bool {
		if key(p) == key(failed) {
			l.forget(p)
			return true
		}
		return false
	})
}

// forget makes a delivery one that the store may give again.
func (l *lane) forget(p *parcel) {
	delete(l.known, p.ID)
	if l.retried[p.ResourceID] == p.ID {
		delete(l.retried, p.ResourceID)
	}
}

// goBack reads from the beginning when a delivery holds its record back no longer:
// what waited for it may lie behind the place, and comes before what lies ahead.
// Until then nothing of the record is taken, since the store frees it a moment earlier.
func (l *lane) goBack(d *Delivery) bool {
	if l.retried[d.ResourceID] != d.ID {
		return false
	}
	delete(l.retried, d.ResourceID)
	if d.holdsBack() {
		return false
	}
	l.place = Place{}
	return true
}

// pause pauses the endpoint, with an event in the trail, and begins no other attempt.
func (l *lane) pause(ctx context.Context, reason string) {
	defer l.call(true)
	err := l.d.Store.UpdateWebhooks(context.WithoutCancel(ctx), l.ref.Org, func(tx Tx) error {
		e, err := tx.Endpoint(l.ref.EndpointID)
		if apierr.Is(err, apierr.NotFound) || err == nil && !e.Active {
			return nil
		} else if err != nil {
			return err
		}
		e.Active, e.PausedReason, e.UpdatedAt = false, reason, tx.Now()
		if err := tx.SaveEndpoint(e); err != nil {
			return err
		}
		system := tenant.Call{Principal: tenant.System(l.ref.Org)}
		return tx.Record(endpointEvent(l.d.IDs, system, e.ID, pausedEvent, map[string]string{"reason": reason}))
	})
	if err != nil {
		l.d.Log.Error("cannot pause an endpoint", "endpoint", l.ref.EndpointID, "error", err)
	}
}
