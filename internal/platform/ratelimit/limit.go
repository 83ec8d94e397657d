// Package ratelimit counts requests against budgets. A budget is a number of requests
// in a window that opens with the first of them; when the window closes, the
// budget is whole again. Counting in windows keeps the promise exact: never more
// than the number in any one window.
package ratelimit

import (
	"context"
	"maps"
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

// Limiter counts a request of a subject against a budget, and tells without counting
// what is left of one.
type Limiter interface {
	Take(ctx context.Context, b Budget, subject string) (State, error)
	Look(ctx context.Context, b Budget, subject string) (State, error)
}

// Limits of the memory. When so many windows are kept, closed ones are dropped, at
// most once in a while; when that is not enough, any one makes room for the new.
const (
	maxSubjects = 100_000
	sweepEvery  = 10 * time.Second
)

// Memory counts in this process.
type Memory struct {
	now     func() time.Time
	mu      sync.Mutex
	windows map[string]*window
	swept   time.Time
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

// Look tells what is left; the budget of a window that is not open is whole.
func (m *Memory) Look(_ context.Context, b Budget, subject string) (State, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := m.now()
	if w := m.windows[b.Name+" "+subject]; w != nil && now.Before(w.reset) {
		return stateOf(b, w.used, w.reset), nil
	}
	return stateOf(b, 0, now.Add(b.Window)), nil
}

// tidy makes room for one more window.
func (m *Memory) tidy(now time.Time) {
	if len(m.windows) < maxSubjects {
		return
	}
	if now.Sub(m.swept) >= sweepEvery {
		maps.DeleteFunc(m.windows, func(_ string, w *window) bool { return !now.Before(w.reset) })
		m.swept = now
	}
	for key := range m.windows {
		if len(m.windows) < maxSubjects {
			return
		}
		delete(m.windows, key)
	}
}

func stateOf(b Budget, used int, reset time.Time) State {
	return State{Limit: b.Requests, Remaining: max(0, b.Requests-used), Reset: reset, Exceeded: used > b.Requests}
}
