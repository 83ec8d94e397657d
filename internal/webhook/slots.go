package webhook

import (
	"context"
	"sync"
	"time"
)

// Limits of attempts at a time, over all endpoints.
const (
	maxInFlight  = 512                    // that began lately
	maxWaiting   = 2048                   // whose receivers have not answered for a while
	waitingAfter = 250 * time.Millisecond // far more than most receivers need
)

// slots limits attempts. One that waits for its receiver gives its slot to others, so that receivers that hang take none from those
// that answer.
type slots struct{ begun, waiting chan struct{} }

func newSlots() slots {
	return slots{make(chan struct{}, maxInFlight), make(chan struct{}, maxWaiting)}
}

// take waits for a slot. It reports false if ctx ends before there is one.
func (s slots) take(ctx context.Context) (release func(), taken bool) {
	select {
	case s.begun <- struct{}{}:
	case <-ctx.Done():
		return nil, false
	}
	var mu sync.Mutex
	held, ended := s.begun, false
	timer := time.AfterFunc(waitingAfter, func() {
		mu.Lock()
		defer mu.Unlock()
		if ended {
			return
		}
		select {
		case s.waiting <- struct{}{}:
			<-held
			held = s.waiting
		default: // too many wait: it keeps its slot
		}
	})
	return func() {
		timer.Stop()
		mu.Lock()
		defer mu.Unlock()
		ended = true
		<-held
	}, true
}
