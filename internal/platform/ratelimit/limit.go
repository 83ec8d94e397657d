// Package ratelimit counts requests against budgets. A budget is a number of requests in a window of time. A window
// begins with its first request and ends after its duration; the next request begins a new one. So no window ever
// exceeds the number.
package ratelimit

import (
	"context"
	"maps"
	"sync"
	"time"
)

// Budget is how many requests a window allows; zero Requests means no limit.
type Budget struct {
	Name     string
	Requests int
	Window   time.Duration
}

// State is the state of a budget after a request.
type State struct {
	Limit     int
	Remaining int
	Reset     time.Time // end of the window
	Exceeded  bool
}

// Limiter counts requests of a subject against a budget. Look returns the state without counting.
type Limiter interface {
	Take(ctx context.Context, b Budget, subject string) (State, error)
	Look(ctx context.Context, b Budget, subject string) (State, error)
}

// Limits of memory. At maxWindows, ended windows are dropped, at most once per interval; if that is not enough, any
// window is dropped.
const (
	maxSubjects = 100_000
	sweepEvery  = 10 * time.Second
)

// Memory counts requests in this process.
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

// NewMemory returns a limiter that uses a clock.
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

// Look returns the state without counting.
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
