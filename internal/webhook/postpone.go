package webhook

import "context"

// postpone moves the deliveries of a page that wait for an earlier one of their record, so that they are not read again before that
// is tried. A record may have many of them, and wait for days.
func (w *endpointWorker) postpone(ctx context.Context, page []DueDelivery) {
	now := w.d.Sender.Now()
	if !w.endpoint.TestClock.IsZero() {
		now = w.endpoint.TestClock
	}
	var waiting []string
	for i := range page {
		if page[i].WaitsUntil.After(now) && !w.known[page[i].ID] {
			waiting = append(waiting, page[i].ID)
		}
	}
	if len(waiting) == 0 {
		return
	}
	if err := w.d.Store.Postpone(ctx, w.ref, waiting); err != nil && ctx.Err() == nil {
		w.d.Log.Error("cannot postpone deliveries", "endpoint", w.ref.EndpointID, "error", err)
	}
}
