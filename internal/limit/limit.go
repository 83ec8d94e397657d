// Package limit counts requests against budgets. A budget is a number of requests
// in a window that opens with the first of them; when the window closes, the
// budget is whole again. Counting in windows keeps the promise exact: never more
// than the number in any one window.
package limit

import (
	"context"
	"sync"
	"time"
)

// Budget is how many requests a window allows; zero Requests is no limit.
type Budget struct {
	Name     string
	Requests int
	Window   time.Duration
}

// State is what is left of a budget after a request.
type State struct {
	Limit     int
	Remaining int
	Reset     time.Time // when the budget is whole again
	Exceeded  bool
}

// Limiter counts a request of a subject against a budget.
type Limiter interface {
	Take(ctx context.Context, b Budget, subject string) (State, error)
}

// maxSubjects bounds the memory: when so many windows are open, closed ones are dropped.
const maxSubjects = 100_000

// Memory counts in this process.
type Memory struct {
	now     func() time.Time
	mu      sync.Mutex
	windows map[string]*window
}

type window struct {
	used  int
	reset time.Time
}

// NewMemory counts by a clock.
func NewMemory(now func() time.Time) *Memory {
	return &Memory{now: now, windows: map[string]*window{}}
}

// Take counts one request.
func (m *Memory) Take(_ context.Context, b Budget, subject string) (State, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := m.now()
	key := b.Name + " " + subject
	w := m.windows[key]
	if w == nil || !now.Before(w.reset) {
		m.tidy(now)
		w = &window{reset: now.Add(b.Window)}
		m.windows[key] = w
	}
	w.used++
	return stateOf(b, w.used, w.reset), nil
}

func (m *Memory) tidy(now time.Time) {
	if len(m.windows) < maxSubjects {
		return
	}
	for key, w := range m.windows {
		if !now.Before(w.reset) {
			delete(m.windows, key)
		}
	}
}

func stateOf(b Budget, used int, reset time.Time) State {
	return State{Limit: b.Requests, Remaining: max(0, b.Requests-used), Reset: reset, Exceeded: used > b.Requests}
}
