// Package lograte limits how often something that others can cause is logged.
package lograte

import (
	"sync"
	"time"
)

// maxKeys limits the memory of a Limiter.
const maxKeys = 10_000

// Limiter lets one line pass for each key and interval.
type Limiter struct {
	Now   func() time.Time
	Every time.Duration

	mu   sync.Mutex
	keys map[string]*entry
}

type entry struct {
	logged     time.Time
	suppressed int
}

// Allow reports whether a line may be logged for a key, such as a client's address, and how
// many were suppressed for it since the last one. If more keys are active than can be kept
// nothing passes for further keys.
func (l *Limiter) Allow(key string) (suppressed int, ok bool) {
	now := l.Now()
	l.mu.Lock()
	defer l.mu.Unlock()
	e := l.keys[key]
	switch {
	case e != nil && now.Sub(e.logged) < l.Every:
		e.suppressed++
		return 0, false
	case e == nil && len(l.keys) >= maxKeys:
		l.forget(now)
		if len(l.keys) >= maxKeys {
			return 0, false
		}
	}
	if e == nil {
		e = &entry{}
		if l.keys == nil {
			l.keys = map[string]*entry{}
		}
		l.keys[key] = e
	}
	suppressed, e.suppressed, e.logged = e.suppressed, 0, now
	return suppressed, true
}

// forget drops the keys whose interval is over.
func (l *Limiter) forget(now time.Time) {
	for key, e := range l.keys {
		if now.Sub(e.logged) >= l.Every {
			delete(l.keys, key)
		}
	}
}
