// Package waiters wakes callers that wait for something to happen to an item.
package waiters

import (
	"slices"
	"sync"
)

// List holds the callers in this process that wait for an item, by its id. The zero value is ready to use.
type List struct {
	mu       sync.Mutex
	channels map[string][]chan struct{}
}

// Join returns a channel that is closed at the next notification about an item, and a function that gives it up.
func (l *List) Join(id string) (notified <-chan struct{}, leave func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.channels == nil {
		l.channels = map[string][]chan struct{}{}
	}
	c := make(chan struct{})
	l.channels[id] = append(l.channels[id], c)
	return c, func() { l.leave(id, c) }
}

// leave removes one channel. The item's other waiters keep theirs.
func (l *List) leave(id string, c chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	rest := slices.DeleteFunc(l.channels[id], func(other chan struct{}) bool { return other == c })
	if len(rest) == 0 {
		delete(l.channels, id)
		return
	}
	l.channels[id] = rest
}

// Notify wakes all callers that wait for an item.
func (l *List) Notify(id string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, c := range l.channels[id] {
		close(c)
	}
	delete(l.channels, id)
}
