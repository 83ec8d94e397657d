package webhook

import (
	"context"
	"time"
)

// renewal is the result of leasing the endpoint.
type renewal struct {
	endpoint Endpoint
	held     bool
	err      error
	at       time.Time // when it began
}

// lease makes sure that this instance leases the endpoint, and that its settings are current. Deliveries wait for the store only if the
// lease is too old or the settings have changed.
func (w *endpointWorker) lease(ctx context.Context, changed bool) bool {
	now := w.d.Sender.Now()
	age := now.Sub(w.leasedAt)
	current := !changed && !w.leasedAt.IsZero() && age < renewInterval && w.d.alive.at(now)
	if current && age < renewEarly && w.renewed == nil {
		return true
	}
	if changed && w.renewed != nil {
		<-w.renewed // it may have begun before the change
		w.renewed = nil
	}
	if w.renewed == nil {
		w.renew(ctx, now)
	}
	if !current {
		return w.leased(ctx, <-w.renewed)
	}
	select {
	case r := <-w.renewed:
		return w.leased(ctx, r)
	default:
		return true
	}
}

// renew begins to lease the endpoint.
func (w *endpointWorker) renew(ctx context.Context, now time.Time) {
	done := make(chan renewal, 1)
	w.renewed = done
	w.d.running.Go(func() {
		e, held, err := w.leaseAlive(ctx)
		done <- renewal{e, held, err, now}
	})
}

// leased takes the result of leasing the endpoint, and reports whether this instance leases it.
func (w *endpointWorker) leased(ctx context.Context, r renewal) bool {
	w.renewed, w.leasedAt = nil, time.Time{}
	if r.err == nil && r.held {
		r.err = w.open(&r.endpoint, r.at)
	}
	if r.err != nil {
		if ctx.Err() == nil {
			w.d.Log.Error("cannot lease an endpoint", "endpoint", w.ref.EndpointID, "error", r.err)
		}
		return false
	}
	if r.held {
		w.endpoint, w.leasedAt = r.endpoint, r.at
	}
	return r.held
}

// open opens the endpoint. While it does not change it keeps its connections and its access token.
func (w *endpointWorker) open(e *Endpoint, now time.Time) error {
	if w.target != nil && w.endpoint.Version == e.Version && (len(w.target.signers) > 1) == now.Before(e.FormerUntil) {
		return nil
	}
	opened, err := w.d.Sender.target(w.d.Sealer, w.ref.Org, e, now)
	if err == nil {
		w.target = opened
	}
	return err
}

// leaseAlive leases the endpoint to this instance, which must be alive for that.
func (w *endpointWorker) leaseAlive(ctx context.Context) (e Endpoint, held bool, err error) {
	if err := w.d.revive(ctx); err != nil {
		return e, false, err
	}
	return w.d.Store.LeaseEndpoint(ctx, w.ref, w.d.Holder, LeaseTTL)
}
