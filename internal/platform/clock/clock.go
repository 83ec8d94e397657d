// Package clock is the service's time. All instances agree on it, it never goes back, and it corrects itself after a
// clock was wrong.
//
// The reference is the clock of the database server if instances share one, otherwise this machine's clock. Between two
// reads of the reference, time follows this machine's monotonic clock, so that setting the clock of one instance
// changes nothing.
//
// If the reference is set forward, time follows at once; leases that were given before are extended until their holders
// have renewed them. If it is set back, time runs at half speed until the reference has caught up: records keep their
// order, and waits take twice as long instead of an hour longer.
package clock

import (
	"sync"
	"time"
)

const (
	// slack is the difference from which a clock counts as set.
	slack = time.Second
	// maxAhead is how far time may be ahead of the reference. Beyond it, time goes back in one step.
	maxAhead = 24 * time.Hour
	// renewalTime is how long it takes until every running instance has renewed its leases by the new time: one read of the
	// reference, and a lease.
	renewalTime = 15 * time.Second
)

// Reading is one reading of this machine's clocks.
type Reading struct {
	Wall   time.Time     // can be set
	Steady time.Duration // monotonic
}

// Clock returns the service's time. It is safe for concurrent use.
type Clock struct {
	read func() Reading

	mu              sync.Mutex
	external        bool // the reference comes from Observe; otherwise it is the wall clock
	anchor          Reading
	anchorReference time.Time // the reference at the anchor
	mark            Mark
	observed        bool
	seen            Mark      // as last stored
	latest          time.Time // newest time returned
	extension       extension
	steps           int
	changes         []Change
}

// extension is the extension of older leases, and until when it applies.
type extension struct {
	by    time.Duration
	until time.Duration // by the monotonic clock
}

// Change is a clock that was set forward, or back if By is negative.
type Change struct {
	Of string // Reference or Machine
	By time.Duration
}

// The clocks that can be set.
const (
	Reference = "reference"
	Machine   = "machine" // if the reference is another clock; this changes nothing
)

// New uses this machine's clock as the reference until Observe reports another one.
func New(read func() Reading) *Clock {
	at := read()
	return &Clock{read: read, anchor: at, anchorReference: at.Wall, mark: Mark{at.Wall, at.Wall}}
}

// Now returns the service's time. It goes back only if the reference was wrong by more than a day.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, reference := c.readNow()
	return c.now(reference)
}

// TrueTime returns the reference, for what other systems compare with their clocks: signatures, tokens, dates in
// answers. It may go back.
func (c *Clock) TrueTime() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, reference := c.readNow()
	return reference
}

// LeaseExtension returns by how much leases of other instances are extended now.
func (c *Clock) LeaseExtension() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	if at, _ := c.readNow(); at.Steady < c.extension.until {
		return c.extension.by
	}
	return 0
}

// readNow reads the reference, and checks it if it is this machine's clock.
func (c *Clock) readNow() (at Reading, reference time.Time) {
	at = c.read()
	expected := c.expected(at)
	if c.external {
		return at, expected
	}
	c.checkReference(at, expected, at.Wall)
	return at, at.Wall
}

// expected returns the reference if it was not set since the last reading.
func (c *Clock) expected(at Reading) time.Time {
	return c.anchorReference.Add(at.Steady - c.anchor.Steady)
}

// checkReference continues from a reading of the reference, and notices if it was set.
func (c *Clock) checkReference(at Reading, expected, reference time.Time) {
	if by := reference.Sub(expected); by.Abs() >= slack {
		c.addChange(Change{Reference, by})
		c.steps++
		c.shift(at, c.mark.At(expected), reference)
	}
	c.anchor, c.anchorReference = at, reference
}

// shift continues with the time before a step of the reference.
func (c *Clock) shift(at Reading, before, reference time.Time) {
	if before.Sub(reference) > maxAhead {
		before, c.latest = reference, time.Time{}
	}
	c.mark = Mark{reference, before}
	if forward := reference.Sub(before); forward > 0 {
		c.mark.Time = reference
		c.extendLeases(at, forward)
	}
}

// extendLeases extends existing leases as if time had not moved.
func (c *Clock) extendLeases(at Reading, by time.Duration) {
	if at.Steady < c.extension.until {
		by += c.extension.by
	}
	c.extension = extension{by, at.Steady + renewalTime}
}

func (c *Clock) now(reference time.Time) time.Time {
	if now := c.mark.At(reference); now.After(c.latest) {
		c.latest = now
	}
	return c.latest
}

const maxChanges = 16 // that were not fetched

func (c *Clock) addChange(n Change) {
	if len(c.changes) < maxChanges {
		c.changes = append(c.changes, n)
	}
}

// Status is the state of the clocks.
type Status struct {
	Ahead   time.Duration // of the service's time before the reference
	Machine time.Duration // of this machine's clock before the reference; negative if it is behind
	Steps   int           // how often the reference was set
}

// Status returns the state of the clocks.
func (c *Clock) Status() Status {
	c.mu.Lock()
	defer c.mu.Unlock()
	at, reference := c.readNow()
	return Status{c.now(reference).Sub(reference), at.Wall.Sub(reference), c.steps}
}

// Changes returns the clocks that were set since the last call.
func (c *Clock) Changes() []Change {
	c.mu.Lock()
	defer c.mu.Unlock()
	all := c.changes
	c.changes = nil
	return all
}
