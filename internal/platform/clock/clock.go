// Package clock is what time it is for the service: a time that all instances agree
// on, that never goes back, and that comes right by itself after a clock was wrong.
//
// The authority is a reference: the clock of the database's server where instances
// share one, else the clock of this machine. Between two looks at it time goes on by
// this machine's steady clock, which nobody can set, so that setting the clock of one
// instance changes nothing for the fleet.
//
// When the reference is put forward, time follows at once, and leases that were given
// before count as if it had not, until their holders have renewed them. When it is put
// back, time goes on at half its speed until the reference has caught up: records keep
// their order, waits take twice as long, and nothing waits for an hour to come again.
package clock

import (
	"sync"
	"time"
)

const (
	// slack is how far two looks at a clock may lie apart before it has been set.
	slack = time.Second
	// maxAhead is how far time may run ahead of the reference. A clock that was wrong by
	// more is followed back in one step.
	maxAhead = 24 * time.Hour
	// renewed is when every living holder of a lease has renewed it by the new time: a
	// look of each instance at the reference, and a lease.
	renewed = 15 * time.Second
)

// Reading is one look at the clocks of this machine.
type Reading struct {
	Wall   time.Time     // which anybody may set
	Steady time.Duration // which only goes on
}

// Clock gives the time. It is safe for concurrent use.
type Clock struct {
	read func() Reading

	mu      sync.Mutex
	distant bool // the reference is told by Observe; else it is the wall
	anchor  Reading
	known   time.Time // the reference at the anchor
	mark    Mark
	begun   bool
	seen    Mark      // as it was last stored
	latest  time.Time // that was given
	doubt   doubt
	steps   int
	changes []Change
}

// doubt is how much older leases seem than they are, and for how long.
type doubt struct {
	by    time.Duration
	until time.Duration // by the steady clock
}

// Change is a clock that was set: by how much, forward or back.
type Change struct {
	Of string // Reference or Machine
	By time.Duration
}

// What can be set.
const (
	Reference = "reference"
	Machine   = "machine" // beside a reference elsewhere: nothing follows from it
)

// New goes by the clock of this machine, until Observe tells of another.
func New(read func() Reading) *Clock {
	at := read()
	return &Clock{read: read, anchor: at, known: at.Wall, mark: Mark{at.Wall, at.Wall}}
}

// Now is the time of the service. It never goes back, but by a step of more than a day.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, reference := c.look()
	return c.now(reference)
}

// Right is the time as the reference has it, for all that strangers compare with a clock
// of theirs: signatures, tokens, dates in answers. It may go back.
func (c *Clock) Right() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, reference := c.look()
	return reference
}

// Doubt is how much older than they are leases of others may seem just now.
func (c *Clock) Doubt() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	if at, _ := c.look(); at.Steady < c.doubt.until {
		return c.doubt.by
	}
	return 0
}

// look reads the reference, and judges it where it is this machine's clock.
func (c *Clock) look() (at Reading, reference time.Time) {
	at = c.read()
	expected := c.expected(at)
	if c.distant {
		return at, expected
	}
	c.judge(at, expected, at.Wall)
	return at, at.Wall
}

// expected is the reference if nobody has set it since it was looked at.
func (c *Clock) expected(at Reading) time.Time { return c.known.Add(at.Steady - c.anchor.Steady) }

// judge goes on from a look at the reference, and notices that it was set.
func (c *Clock) judge(at Reading, expected, reference time.Time) {
	if by := reference.Sub(expected); by.Abs() >= slack {
		c.note(Change{Reference, by})
		c.steps++
		c.move(at, c.mark.At(expected), reference)
	}
	c.anchor, c.known = at, reference
}

// move goes on with the time as it was before a step of the reference.
func (c *Clock) move(at Reading, before, reference time.Time) {
	if before.Sub(reference) > maxAhead {
		before, c.latest = reference, time.Time{}
	}
	c.mark = Mark{reference, before}
	if forward := reference.Sub(before); forward > 0 {
		c.mark.Time = reference
		c.forward(at, forward)
	}
}

// forward lets what was leased until now count as if time had not moved.
func (c *Clock) forward(at Reading, by time.Duration) {
	if at.Steady < c.doubt.until {
		by += c.doubt.by
	}
	c.doubt = doubt{by, at.Steady + renewed}
}

func (c *Clock) now(reference time.Time) time.Time {
	if now := c.mark.At(reference); now.After(c.latest) {
		c.latest = now
	}
	return c.latest
}

const maxChanges = 16 // that nobody has asked for

func (c *Clock) note(n Change) {
	if len(c.changes) < maxChanges {
		c.changes = append(c.changes, n)
	}
}

// Standing is how the clocks stand.
type Standing struct {
	Ahead   time.Duration // of the service's time to the reference
	Machine time.Duration // of this machine's clock to the reference; behind it where negative
	Steps   int           // how often the reference was set
}

// Standing tells it.
func (c *Clock) Standing() Standing {
	c.mu.Lock()
	defer c.mu.Unlock()
	at, reference := c.look()
	return Standing{c.now(reference).Sub(reference), at.Wall.Sub(reference), c.steps}
}

// Changes are the clocks that were set since it was asked last.
func (c *Clock) Changes() []Change {
	c.mu.Lock()
	defer c.mu.Unlock()
	all := c.changes
	c.changes = nil
	return all
}
