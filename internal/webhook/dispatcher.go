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
	Hold        = 6 * time.Second // how long an endpoint is an instance's after the last sign of life
	renewal     = Hold / 3
	sweep       = time.Second // how often it looks for what has become due
	maxSweep    = 1000        // endpoints that one look finds
	maxAttempts = 512         // at a time, over all endpoints
	maxSettling = 256         // results that share one transaction
	stopGrace   = 8 * time.Second
	storeDelay  = 200 * time.Millisecond // before a store that failed is asked again
)

// Ref names an endpoint of any organisation.
type Ref struct {
	Org        tenant.ID
	EndpointID string
}

// Call says that an endpoint has something to do: deliveries, or a change of its own.
type Call struct {
	Ref
	Changed bool
}

// Waiting is a delivery that is due, with its notice.
type Waiting struct {
	Delivery
	Body  string
	Trace string // W3C traceparent of what caused it; empty for none
}

// Settled is what became of an attempt, to be stored.
type Settled struct {
	Ref
	Delivery Delivery
	Failing  *time.Time // the endpoint's FailingSince from now on; nil to leave it
}

// Store is what the dispatcher needs of all organisations' deliveries.
type Store interface {
	// DueEndpoints finds active endpoints with something due that no other instance holds.
	DueEndpoints(ctx context.Context, holder string, limit int) ([]Ref, error)
	// HoldEndpoint makes an active endpoint this instance's for a while, or keeps it so.
	HoldEndpoint(ctx context.Context, r Ref, holder string, hold time.Duration) (e Endpoint, held bool, err error)
	// DropEndpoints gives all back.
	DropEndpoints(ctx context.Context, holder string) error
	// DueDeliveries reads what is due of an endpoint in order, behind a place.
	DueDeliveries(ctx context.Context, r Ref, behind Place, limit int) ([]Waiting, error)
	// SettleDeliveries stores results, in one transaction.
	SettleDeliveries(ctx context.Context, all []Settled) error
	// UpdateWebhooks runs fn in a transaction of one organisation.
	UpdateWebhooks(ctx context.Context, org tenant.ID, fn func(Tx) error) error
	// Called receives a value when endpoints have been called; Calls takes the calls.
	Called() <-chan struct{}
	Calls() []Call
}

// Place is a place among the due deliveries of an endpoint.
type Place struct {
	DueAt    time.Time
	Sequence int64
	ID       string
}

// Dispatcher sends what is due. An endpoint is one instance's at a time, which sends
// its deliveries in order; a slow or dead endpoint keeps no other waiting.
type Dispatcher struct {
	Store   Store
	Sender  *Sender
	Sealer  Sealer
	IDs     *ident.Source
	Log     *slog.Logger
	Observe func(status Status, took time.Duration)

	holder  string
	slots   chan struct{}
	results chan result
	mu      sync.Mutex
	lanes   map[Ref]*lane
	running sync.WaitGroup
}

// result is a settled attempt with the lane that waits to hear that it is stored.
type result struct {
	Settled
	lane *lane
}

// Run dispatches until ctx ends, then lets attempts under way finish.
func (d *Dispatcher) Run(ctx context.Context) {
	d.holder = d.IDs.UUID()
	d.slots = make(chan struct{}, maxAttempts)
	d.results = make(chan result, maxSettling)
	d.lanes = map[Ref]*lane{}
	sending, cut := context.WithCancel(context.WithoutCancel(ctx))
	settling := make(chan struct{})
	go func() {
		defer close(settling)
		d.settle(sending)
	}()
	d.look(ctx, sending)
	grace := time.AfterFunc(stopGrace, cut)
	d.running.Wait()
	close(d.results)
	<-settling
	grace.Stop()
	cut()
	if err := d.Store.DropEndpoints(context.WithoutCancel(ctx), d.holder); err != nil {
		d.Log.Warn("cannot give endpoints back; their hold will end", "error", err)
	}
}

// look wakes the lanes of endpoints that have been called, or have something due.
func (d *Dispatcher) look(ctx, sending context.Context) {
	next := time.NewTimer(0)
	defer next.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-d.Store.Called():
			for _, c := range d.Store.Calls() {
				d.wake(ctx, sending, c)
			}
		case <-next.C:
			refs, err := d.Store.DueEndpoints(ctx, d.holder, maxSweep)
			if err != nil && ctx.Err() == nil {
				d.Log.Error("cannot look for due deliveries", "error", err)
			}
			for _, r := range refs {
				d.wake(ctx, sending, Call{Ref: r})
			}
			next.Reset(sweep)
		}
	}
}

// wake tells the lane of an endpoint to look again, and starts one where there is none.
func (d *Dispatcher) wake(ctx, sending context.Context, c Call) {
	d.mu.Lock()
	defer d.mu.Unlock()
	l, running := d.lanes[c.Ref]
	if !running {
		l = newLane(d, c.Ref)
		d.lanes[c.Ref] = l
		d.running.Go(func() { l.run(ctx, sending) })
	}
	l.call(c.Changed)
}

// leave ends a lane, unless it has been called in the meantime.
func (d *Dispatcher) leave(l *lane) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if l.called() {
		return false
	}
	delete(d.lanes, l.ref)
	return true
}

// settle stores results, as many in one transaction as have come in the meantime.
func (d *Dispatcher) settle(ctx context.Context) {
	for first := range d.results {
		batch := []result{first}
		for len(batch) < maxSettling {
			select {
			case r, ok := <-d.results:
				if ok {
					batch = append(batch, r)
					continue
				}
			default:
			}
			break
		}
		d.store(ctx, batch)
	}
}

func (d *Dispatcher) store(ctx context.Context, batch []result) {
	all := make([]Settled, len(batch))
	for i, r := range batch {
		all[i] = r.Settled
	}
	for ctx.Err() == nil {
		err := d.Store.SettleDeliveries(ctx, all)
		if err == nil {
			break
		}
		d.Log.Error("cannot store what became of deliveries", "error", err)
		select {
		case <-ctx.Done():
		case <-time.After(storeDelay):
		}
	}
	for _, r := range batch {
		r.lane.stored(r.Delivery)
	}
}
