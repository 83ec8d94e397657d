package webhook

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Limits of the dispatcher.
const (
	LeaseTTL      = 6 * time.Second // after which another instance may take an endpoint that was not renewed
	renewInterval = LeaseTTL / 3
	pollInterval  = 750 * time.Millisecond // between two polls for due deliveries
	maxPolled     = 1000                   // endpoints in one poll
	maxResults    = 256                    // results in one transaction, to which those of one more endpoint may be added
	stopTimeout   = 8 * time.Second
	storeRetry    = 200 * time.Millisecond // after a failure to store results
)

// Ref identifies an endpoint of any organisation.
type Ref struct {
	Org        tenant.ID
	EndpointID string
}

// Wakeup tells the dispatcher that an endpoint has new deliveries or was changed itself.
type Wakeup struct {
	Ref
	Changed bool
	Earlier bool // deliveries may be due that come before those that were read, such as retries
}

// And returns a wakeup for what two of an endpoint tell.
func (w Wakeup) And(more Wakeup) Wakeup {
	return Wakeup{w.Ref, w.Changed || more.Changed, w.Earlier || more.Earlier}
}

// DueDelivery is a delivery that is due, with the body of its notice and without the result of its last attempt.
type DueDelivery struct {
	Delivery
	Body  string
	Trace string // W3C traceparent of the change; empty for none
}

// Completed is the result of an attempt, to be stored.
type Completed struct {
	Ref
	Delivery     Delivery
	FailingSince *time.Time // the new FailingSince of the endpoint; nil if it is unchanged
	Ended        time.Time  // when the attempt ended
	Gone         bool       // the receiver wants nothing more
	Consequences bool       // it may pause the endpoint or raise an alert
}

// Store is what the dispatcher needs of the deliveries of all organisations.
type Store interface {
	// DueEndpoints returns active endpoints with due deliveries that no other instance leases.
	DueEndpoints(ctx context.Context, holder string, limit int) ([]Ref, error)
	// LeaseEndpoint leases an active endpoint to this instance, or renews its lease.
	LeaseEndpoint(ctx context.Context, r Ref, holder string, ttl time.Duration) (e Endpoint, held bool, err error)
	// Heartbeat notes that this instance is alive until a time from now. Its leases are worth nothing afterwards.
	Heartbeat(ctx context.Context, holder string, alive time.Duration) error
	// ReleaseEndpoints ends all leases of this instance.
	ReleaseEndpoints(ctx context.Context, holder string) error
	// DueDeliveries returns the due deliveries of an endpoint in order, after a cursor.
	DueDeliveries(ctx context.Context, r Ref, after Cursor, limit int) ([]DueDelivery, error)
	// CompleteDeliveries stores results in one transaction.
	CompleteDeliveries(ctx context.Context, all []Completed) error
	// UpdateWebhooks runs fn in a transaction of one organisation.
	UpdateWebhooks(ctx context.Context, org tenant.ID, fn func(Tx) error) error
	// Wakeups gets a value when TakeWakeups has something to return.
	Wakeups() <-chan struct{}
	TakeWakeups() []Wakeup
}

// Cursor is a position among the due deliveries of an endpoint; the zero Cursor is before all.
type Cursor struct {
	DueAt    time.Time
	Sequence int64
	ID       string
}

// Dispatcher sends due deliveries. One instance at a time leases an endpoint and sends its
// deliveries in order. A slow or dead endpoint does not delay others.
type Dispatcher struct {
	Holder    string // identifies the instance, after a restart too, so that it takes over its own leases; a UUID
	Store     Store
	Sender    *Sender
	Sealer    Sealer
	IDs       *ident.Source
	Log       *slog.Logger
	MailAlert MailAlert // nil for none
	Observe   func(status Status, took time.Duration)

	alive    heart
	reviving sync.Mutex
	slots    slots
	results  chan []result
	mu       sync.Mutex
	workers  map[Ref]*endpointWorker
	running  sync.WaitGroup
}

// result is a result with the worker that waits until it is stored.
type result struct {
	*Completed
	worker *endpointWorker
}

// Run dispatches until ctx ends. Then it gives the attempts in flight stopTimeout to finish,
// stores their results, and releases its endpoints.
func (d *Dispatcher) Run(ctx context.Context) {
	d.slots = newSlots()
	d.results = make(chan []result, maxResults)
	d.workers = map[Ref]*endpointWorker{}
	sending, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stored := make(chan struct{})
	go func() {
		defer close(stored)
		d.storeResults(sending)
	}()
	go d.stayAlive(sending)
	d.dispatch(ctx, sending)
	timeout := time.AfterFunc(stopTimeout, cancel)
	d.running.Wait()
	close(d.results)
	<-stored
	timeout.Stop()
	cancel()
	if err := d.Store.ReleaseEndpoints(context.WithoutCancel(ctx), d.Holder); err != nil {
		d.Log.Warn("cannot release the leases of endpoints; they will expire", "error", err)
	}
}

// dispatch wakes the workers of endpoints that have something due, by wakeups and by polling.
func (d *Dispatcher) dispatch(ctx, sending context.Context) {
	poll := time.NewTimer(0)
	defer poll.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-d.Store.Wakeups():
			for _, w := range d.Store.TakeWakeups() {
				d.wake(ctx, sending, w)
			}
		case <-poll.C:
			refs, err := d.Store.DueEndpoints(ctx, d.Holder, maxPolled)
			if err != nil && ctx.Err() == nil {
				d.Log.Error("cannot look for due deliveries", "error", err)
			}
			for _, r := range refs {
				d.wake(ctx, sending, Wakeup{Ref: r, Earlier: true})
			}
			poll.Reset(pollInterval)
		}
	}
}

// wake wakes the worker of an endpoint, and starts one if there is none.
func (d *Dispatcher) wake(ctx, sending context.Context, wakeup Wakeup) {
	d.mu.Lock()
	defer d.mu.Unlock()
	w, running := d.workers[wakeup.Ref]
	if !running {
		w = newWorker(d, wakeup.Ref)
		d.workers[wakeup.Ref] = w
		d.running.Go(func() { w.run(ctx, sending) })
	}
	w.wake(wakeup)
}

// remove removes a worker, unless it was woken in the meantime.
func (d *Dispatcher) remove(w *endpointWorker) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if w.woken() {
		return false
	}
	delete(d.workers, w.ref)
	return true
}
