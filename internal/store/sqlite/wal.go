package sqlite

import (
	"errors"
	"sync/atomic"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/store/engine"
)

// SQLite can only restart its write-ahead log when no snapshot needs it. These limits keep a
// long read from letting the log grow without bound. Ticks are watchInterval long.
const (
	truncateAbove = 80 << 20 // bytes of the log above which it is truncated, waiting for readers if needed
	truncateTicks = 8        // 2 s between two attempts
)

// maxSnapshotTicks (10 s) is how long a snapshot may last once the log has half of its limit.
var maxSnapshotTicks int64 = 40

// errSnapshotEnded is the error of a read that kept the log from being truncated for too long.
var errSnapshotEnded = engine.UnavailableError{Err: errors.New("store: the read was ended because it kept the write-ahead log from being emptied")}

// walLimit keeps the write-ahead log within its limit.
type walLimit struct {
	limit    int64 // bytes; 0 for none
	soft     int64 // bytes above which the log is truncated
	exceeded atomic.Bool
	ticks    atomic.Int64
	truncate chan struct{} // requests a truncation
	readers  []*conn
}

func newWALLimit(limit int64) *walLimit {
	w := &walLimit{limit: limit, soft: truncateAbove, truncate: make(chan struct{}, 1)}
	if w.limit > 0 {
		w.soft = min(w.soft, w.limit/2)
	}
	return w
}

// measure compares the size of the log in bytes with its limit.
func (w *walLimit) measure(size int64) { w.exceeded.Store(w.limit > 0 && size > w.limit) }

// tick truncates a log that is too long, and ends snapshots that keep it from being truncated.
func (w *walLimit) tick(size int64) {
	w.measure(size)
	now := w.ticks.Add(1)
	if size > w.soft && now%truncateTicks == 0 {
		w.requestTruncate()
	}
	if w.limit == 0 || size <= w.limit/2 {
		return
	}
	for _, c := range w.readers {
		if began := c.began.Load(); began > 0 && now-began > maxSnapshotTicks {
			c.ended.Store(true)
		}
	}
}

func (w *walLimit) requestTruncate() {
	select {
	case w.truncate <- struct{}{}:
	default:
	}
}

// walFull is the answer to changes while the log is above its limit.
func walFull() *apierr.Error {
	return apierr.New(apierr.StoreUnavailable, "The write-ahead log has reached its limit because a long read keeps it in use. Try again shortly.")
}

// snapshot runs fn in a read transaction, which is ended if it lasts too long.
func (w *walLimit) snapshot(fn func(engine.Conn) error) func(*conn) error {
	return func(c *conn) error {
		c.ended.Store(false)
		c.began.Store(w.ticks.Load() + 1)
		defer c.began.Store(0)
		if err := c.do("BEGIN DEFERRED"); err != nil {
			return engine.UnavailableError{Err: err}
		}
		err := engine.RecoverPanic(func() error { return fn(c) })
		if end := c.do("COMMIT"); end != nil && err == nil {
			return engine.UnavailableError{Err: end}
		}
		return err
	}
}

// snapshotRows are rows of a snapshot that can be ended.
type snapshotRows struct {
	engine.Rows
	conn *conn
}

func (r snapshotRows) Next() bool { return !r.conn.ended.Load() && r.Rows.Next() }

func (r snapshotRows) Err() error {
	if r.conn.ended.Load() {
		return errSnapshotEnded
	}
	return r.Rows.Err()
}
