package store

import (
	"errors"
	"sync/atomic"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// The write-ahead log can only begin anew when nothing reads what is in it. These bounds keep a reader that takes long
// from letting it grow without limit.
const (
	tidyAbove = 80 << 20 // bytes of the log above which it is emptied, waiting for readers if need be
	tidyEach  = 8        // looks (2 s) between two tries
	endAfter  = 40       // looks (10 s) that a snapshot may last once the log has half of its limit
)

// errEnded is of a read that kept the log from being emptied for too long.
var errEnded = unavailable{errors.New("store: the read was ended because it kept the write-ahead log from being emptied")}

// logCap keeps the write-ahead log of SQLite within its limit.
type logCap struct {
	limit int64 // bytes; 0 for none
	soft  int64 // bytes above which the log is emptied
	end   int64 // looks that a snapshot may last
	over  atomic.Bool
	looks atomic.Int64
	tidy  chan struct{} // asks for the log to be emptied
	lanes []*lane       // which read
}

func newLogCap(o Options) *logCap {
	c := &logCap{limit: o.LogLimit, soft: tidyAbove, end: endAfter, tidy: make(chan struct{}, 1)}
	if c.limit > 0 {
		c.soft = min(c.soft, c.limit/2)
	}
	if o.readLooks > 0 {
		c.end = o.readLooks
	}
	return c
}

// measure compares the size of the log in bytes with its limit.
func (c *logCap) measure(size int64) { c.over.Store(c.limit > 0 && size > c.limit) }

// look has the log emptied, and readers ended, that is too long.
func (c *logCap) look(size int64) {
	c.measure(size)
	now := c.looks.Add(1)
	if size > c.soft && now%tidyEach == 0 {
		c.ask()
	}
	if c.limit == 0 || size <= c.limit/2 {
		return
	}
	for _, l := range c.lanes {
		if began := l.began.Load(); began > 0 && now-began > c.end {
			l.ended.Store(true)
		}
	}
}

// ask has the log emptied soon.
func (c *logCap) ask() {
	select {
	case c.tidy <- struct{}{}:
	default:
	}
}

// refuseOver answers changes while the log has reached its limit.
func refuseOver() *apierr.Error {
	return apierr.New(apierr.StoreUnavailable, "The write-ahead log has reached its limit because something reads the database for long. Try again shortly.")
}

// snapshot runs fn in a transaction that reads, which can be ended if it lasts too long.
func (c *logCap) snapshot(fn func(querier) error) func(*lane) error {
	return func(l *lane) error {
		l.ended.Store(false)
		l.began.Store(c.looks.Load() + 1)
		defer l.began.Store(0)
		if err := l.do("BEGIN DEFERRED"); err != nil {
			return unavailable{err}
		}
		err := protected(func() error { return fn(l) })
		if end := l.do("COMMIT"); end != nil && err == nil {
			return unavailable{end}
		}
		return err
	}
}

// endable are rows of a snapshot that can be ended.
type endable struct {
	rows
	lane *lane
}

func (e endable) Next() bool { return !e.lane.ended.Load() && e.rows.Next() }

func (e endable) Err() error {
	if e.lane.ended.Load() {
		return errEnded
	}
	return e.rows.Err()
}
