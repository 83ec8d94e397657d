package webhook

import (
	"context"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/webhook/destination"
)

// batches reports whether the destination takes deliveries in batches. Then one batch at a time is sent, in the order of the queue.
func (w *endpointWorker) batches() bool {
	return w.target != nil && w.target.broker != nil && w.target.broker.every > 0
}

// hold returns how long the queue waits for more deliveries of its batch; not positive when the batch is full or has waited long
// enough.
func (w *endpointWorker) hold() time.Duration {
	if !w.batches() || len(w.queue) == 0 {
		w.heldAt = time.Time{}
		return renewInterval
	}
	now := w.d.Sender.Now()
	if w.heldAt.IsZero() {
		w.heldAt = now
	}
	if len(w.queue) >= destination.MaxBatch {
		return 0
	}
	return w.heldAt.Add(w.target.broker.every).Sub(now)
}

// startBatch starts the next batch, unless it has to wait. A record may have several deliveries in it, in order.
func (w *endpointWorker) startBatch(sending context.Context) {
	if !w.mayStart() || len(w.queue) == 0 || w.hold() > 0 {
		return
	}
	size := min(len(w.queue), destination.MaxBatch)
	batch := w.queue[:size:size]
	w.queue, w.heldAt = w.queue[size:], time.Time{}
	for _, p := range batch {
		w.records[orderKey(p)] = true
	}
	w.attempt(sending, batch...)
}
