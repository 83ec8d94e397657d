package clock

import (
	"context"
	"fmt"
	"time"
)

// Sample is what the database returns: its server's time, zero for SQLite, and the mark that instances stored.
type Sample struct {
	Reference time.Time
	Mark      string // empty if there is none
}

// Store stores the mark.
type Store interface {
	ReadClock(ctx context.Context) (Sample, error)
	// SaveMark replaces a mark unless another instance has replaced it. An empty former mark means that there was
	// none.
	SaveMark(ctx context.Context, former, mark string) error
}

const (
	// maxRoundTrip is the longest answer time at which the database's time is used.
	maxRoundTrip = time.Second
	// markEvery is the age at which a stored mark is replaced. It reveals that a clock was set back while no instance
	// ran.
	markEvery = time.Minute
)

// Observe compares the clock with the reference and with the mark of other instances. Time begins with the first call.
func (c *Clock) Observe(ctx context.Context, s Store) error {
	before := c.read()
	sample, err := s.ReadClock(ctx)
	if err != nil {
		return fmt.Errorf("clock: %w", err)
	}
	stored, err := parseStored(sample.Mark)
	if err != nil {
		return err
	}
	mark, changed := c.compare(before, sample, stored)
	if !changed {
		return nil
	}
	if err := s.SaveMark(ctx, sample.Mark, mark.String()); err != nil {
		return fmt.Errorf("clock: %w", err)
	}
	return nil
}

func parseStored(text string) (Mark, error) {
	if text == "" {
		return Mark{}, nil
	}
	return ReadMark(text)
}

// compare checks the reference and the stored mark, and returns the mark to store.
func (c *Clock) compare(before Reading, sample Sample, stored Mark) (mark Mark, changed bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	at, reference := c.readReference(before, sample.Reference)
	if !stored.equal(c.seen) {
		c.adoptStored(at, reference, stored)
	}
	c.seen, c.observed = stored, true
	fresh := reference.Sub(stored.Reference).Abs() < markEvery
	if fresh && c.mark.At(reference).Sub(stored.At(reference)).Abs() < slack {
		return mark, false
	}
	c.mark = Mark{reference, c.mark.At(reference)}
	c.seen = c.mark // unless another instance is faster: then its mark is new
	return c.mark, true
}

// readReference returns the reference. A database's time is as old as half the round trip; a slow answer is ignored if
// there was a faster one before.
func (c *Clock) readReference(before Reading, external time.Time) (at Reading, reference time.Time) {
	if external.IsZero() {
		return c.readNow()
	}
	at = c.read()
	took := at.Steady - before.Steady
	reference = external.Add(took / 2)
	switch {
	case !c.external:
		c.external, c.anchor, c.anchorReference, c.mark, c.latest = true, at, reference, Mark{reference, reference}, time.Time{}
		return at, reference
	case took > maxRoundTrip:
		return at, c.expected(at)
	}
	machine := at.Wall.Sub(c.anchor.Wall) - (at.Steady - c.anchor.Steady)
	if machine.Abs() >= slack {
		c.addChange(Change{Machine, machine})
	}
	c.checkReference(at, c.expected(at), reference)
	return at, reference
}

// adoptStored uses the mark of other instances if it is ahead. A mark from beyond the reference means that the
// reference was set back while this instance was not running.
func (c *Clock) adoptStored(at Reading, reference time.Time, stored Mark) {
	theirs := stored.At(reference)
	ours := c.mark.At(reference)
	if theirs.Sub(reference) > maxAhead || theirs.Sub(ours) < slack {
		return
	}
	if back := stored.Reference.Sub(reference); back >= slack && !c.observed {
		c.addChange(Change{Reference, -back})
		c.steps++
	}
	c.mark = Mark{reference, theirs}
	if c.observed {
		c.extendLeases(at, theirs.Sub(ours))
	}
}
