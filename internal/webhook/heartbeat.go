package webhook

import (
	"context"
	"sync"
	"time"
)

// An instance that sends says so at each interval. Another one that polls every pollInterval takes over what a dead one
// leased within two seconds of its last heartbeat.
const (
	AliveTTL     = 1200 * time.Millisecond // after a heartbeat
	beatInterval = AliveTTL / 3
)

// heart is when this instance last said that it is alive.
type heart struct {
	mu    sync.Mutex
	until time.Time
}

// at reports whether the leases of this instance count at a time.
func (h *heart) at(now time.Time) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return now.Before(h.until)
}

func (h *heart) extend(until time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.until = until
}

// revive stores a heartbeat unless this instance is alive. Of many workers that begin at once, one does it.
func (d *Dispatcher) revive(ctx context.Context) error {
	d.reviving.Lock()
	defer d.reviving.Unlock()
	if d.alive.at(d.Sender.Now()) {
		return nil
	}
	return d.beat(ctx)
}

// beat stores a heartbeat. It counts from before it was stored, so that no other instance sees an earlier end.
func (d *Dispatcher) beat(ctx context.Context) error {
	began := d.Sender.Now()
	if err := d.Store.Heartbeat(ctx, d.Holder, AliveTTL); err != nil {
		return err
	}
	d.alive.extend(began.Add(AliveTTL))
	return nil
}

// stayAlive stores heartbeats while endpoints are sent to. An instance that has nothing to send writes nothing.
func (d *Dispatcher) stayAlive(ctx context.Context) {
	tick := time.NewTicker(beatInterval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if !d.sends() {
			continue
		}
		if err := d.beat(ctx); err != nil && ctx.Err() == nil {
			d.Log.Warn("cannot store a heartbeat; other instances may take over", "error", err)
		}
	}
}

// sends reports whether an endpoint has something to send.
func (d *Dispatcher) sends() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.workers) > 0
}
