package outbox

import (
	"slices"
	"sync"
)

// Waiters wakes the callers in this process that wait for an item. The zero value is ready to use.
type Waiters struct {
	mu       sync.Mutex
	channels map[string][]chan struct{}
}

// join returns a channel that is closed at the next notification about an item, and a function that gives it up.
func (w *Waiters) join(id string) (notified <-chan struct{}, leave func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.channels == nil {
		w.channels = map[string][]chan struct{}{}
	}
	c := make(chan struct{})
	w.channels[id] = append(w.channels[id], c)
	return c, func() { w.leave(id, c) }
}

// leave removes one channel. The item's other waiters keep theirs.
func (w *Waiters) leave(id string, c chan struct{}) {
	w.mu.Lock()
	defer w.mu.Unlock()
	rest := slices.DeleteFunc(w.channels[id], func(other chan struct{}) bool { return other == c })
	if len(rest) == 0 {
		delete(w.channels, id)
		return
	}
	w.channels[id] = rest
}

// Notify wakes all callers that wait for an item.
func (w *Waiters) Notify(id string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, c := range w.channels[id] {
		close(c)
	}
	delete(w.channels, id)
}
