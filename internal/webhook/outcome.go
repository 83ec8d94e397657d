package webhook

import (
	"context"
	"time"
)

// attempt is an attempt to be made; only destinations with batches get several deliveries.
type attempt struct {
	to         *target
	clock      time.Time // of a test organisation; zero for real time
	deliveries []*delivery
}

// outcome is the outcome of one attempt.
type outcome struct {
	*delivery
	Result
	interrupted bool // the service stopped before there was an answer
}

// attempt begins an attempt, in a goroutine that has made one before if one is free: its stack has grown already.
func (w *endpointWorker) attempt(sending context.Context, all ...*delivery) {
	w.underWay += len(all)
	a := attempt{w.target, w.endpoint.TestClock, all}
	select {
	case w.attempts <- a:
	default:
		go w.makeAttempts(sending, a)
	}
}

// makeAttempts makes attempts until the worker ends.
func (w *endpointWorker) makeAttempts(sending context.Context, first attempt) {
	for a, more := first, true; more; a, more = <-w.attempts {
		w.makeAttempt(sending, a)
	}
}

// makeAttempt makes an attempt; for several deliveries, the outcome of each is that of their batch.
func (w *endpointWorker) makeAttempt(sending context.Context, a attempt) {
	var r Result
	release, made := w.d.slots.take(sending)
	if made {
		r = w.d.Sender.send(sending, a.to, a.deliveries...).by(a.clock)
		release()
	}
	interrupted := sending.Err() != nil && r.HTTPStatus == 0 && (!made || r.Error != "")
	for _, p := range a.deliveries {
		w.done <- outcome{delivery: p, Result: r, interrupted: interrupted}
	}
}

// finishReady handles the outcomes that are there.
func (w *endpointWorker) finishReady() {
	for {
		select {
		case o := <-w.done:
			w.finish(o)
		default:
			return
		}
	}
}

// finish handles the outcome of an attempt, and keeps its result to be stored.
func (w *endpointWorker) finish(o outcome) {
	w.underWay--
	if o.interrupted {
		delete(w.records, orderKey(o.delivery))
		w.forget(o.delivery)
		return
	}
	completed := &Completed{Ref: w.ref, Delivery: o.Delivery, Ended: o.Ended, Gone: o.Gone}
	completed.Delivery.complete(o.Result, w.endpoint.own())
	w.answered = o.Duration
	w.d.Observe(completed.Delivery.Status, o.Duration)
	if o.Error == "" {
		delete(w.records, orderKey(o.delivery))
		w.window = min(w.window+1, maxWindow)
		completed.FailingSince = w.endFailing()
	} else {
		w.window = max(1, w.window/2)
		w.failed[o.ID] = o.delivery
		completed.FailingSince = w.beginFailing(o.Ended)
		completed.Consequences = w.follow(completed)
	}
	if len(w.finished) == 0 {
		w.gathered.Reset(gatherTime)
	}
	w.finished = append(w.finished, result{completed, w})
}

// passOn passes results on to be stored. Those of attempts that end together share a transaction: each of its own costs a sync of the
// disk.
func (w *endpointWorker) passOn() {
	if len(w.finished) == 0 {
		return
	}
	w.gathered.Stop()
	w.d.results <- w.finished
	w.finished = nil
}

// overlaps reports whether half of what may be unstored is stored now, while the other half is under way.
func (w *endpointWorker) overlaps() bool {
	if len(w.finished) < halfUnstored {
		return false
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.storing >= minStoring && w.storing <= w.answered
}

// follow reports whether a failure may pause the endpoint or raise an alert. No attempt starts until one that pauses is stored.
func (w *endpointWorker) follow(c *Completed) bool {
	share := shareOf(c.Ended.Sub(w.endpoint.FailingSince))
	if c.Gone || share == 100 {
		w.pausing = c.Delivery.ID
	}
	more := share > w.endpoint.FailingShare
	if more && !IsAlert(c.Delivery.EventType) {
		w.endpoint.FailingShare = share
	}
	return c.Gone || more || share == 100 || c.Delivery.gaveUp()
}

// endFailing and beginFailing return the new FailingSince of the endpoint; nil if it is
// unchanged.
func (w *endpointWorker) endFailing() *time.Time {
	if w.endpoint.FailingSince.IsZero() {
		return nil
	}
	w.endpoint.recover()
	return &time.Time{}
}

func (w *endpointWorker) beginFailing(since time.Time) *time.Time {
	if !w.endpoint.FailingSince.IsZero() {
		return nil
	}
	w.endpoint.recover()
	w.endpoint.FailingSince = since
	return &since
}
