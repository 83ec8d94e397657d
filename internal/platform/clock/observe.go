package clock

import (
	"context"
	"fmt"
	"time"
)

// Look is what the database says: the time of its server, zero where it has none of
// its own, and the mark that instances have left there.
type Look struct {
	Reference time.Time
	Mark      string // empty where there is none
}

// Store keeps the mark.
type Store interface {
	LookAtClock(ctx context.Context) (Look, error)
	// MarkClock replaces a mark, unless somebody else has done so since; the first, where
	// there was none.
	MarkClock(ctx context.Context, former, mark string) error
}

const (
	// maxRoundTrip is how long an answer may take that time is told by.
	maxRoundTrip = time.Second
	// markEvery is how old a stored mark becomes: a clock that is put back while nobody
	// runs is found out by it.
	markEvery = time.Minute
)

// Observe compares the clock with the reference and with what the other instances go
// by. The first time, time begins there.
func (c *Clock) Observe(ctx context.Context, s Store) error {
	asked := c.read()
	look, err := s.LookAtClock(ctx)
	if err != nil {
		return fmt.Errorf("clock: %w", err)
	}
	stored, err := readOr(look.Mark)
	if err != nil {
		return err
	}
	mark, wanted := c.compare(asked, look, stored)
	if !wanted {
		return nil
	}
	if err := s.MarkClock(ctx, look.Mark, mark.String()); err != nil {
		return fmt.Errorf("clock: %w", err)
	}
	return nil
}

func readOr(text string) (Mark, error) {
	if text == "" {
		return Mark{}, nil
	}
	return ReadMark(text)
}

// compare judges the reference and the stored mark, and tells the mark that has to be
// stored in its place.
func (c *Clock) compare(asked Reading, look Look, stored Mark) (mark Mark, wanted bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	at, reference := c.refer(asked, look.Reference)
	if news := !stored.equal(c.seen); news {
		c.adopt(at, reference, stored)
	}
	c.seen, c.begun = stored, true
	fresh := reference.Sub(stored.Reference).Abs() < markEvery
	if fresh && c.mark.At(reference).Sub(stored.At(reference)).Abs() < slack {
		return mark, false
	}
	c.mark = Mark{reference, c.mark.At(reference)}
	c.seen = c.mark // unless another instance is quicker: then its mark is news
	return c.mark, true
}

// refer looks at the reference: a distant one is as old as half its way here. An answer
// that took long says nothing once there was a quicker one.
func (c *Clock) refer(asked Reading, distant time.Time) (at Reading, reference time.Time) {
	if distant.IsZero() {
		return c.look()
	}
	at = c.read()
	took := at.Steady - asked.Steady
	reference = distant.Add(took / 2)
	switch {
	case !c.distant:
		c.distant, c.anchor, c.known, c.mark, c.latest = true, at, reference, Mark{reference, reference}, time.Time{}
		return at, reference
	case took > maxRoundTrip:
		return at, c.expected(at)
	}
	machine := at.Wall.Sub(c.anchor.Wall) - (at.Steady - c.anchor.Steady)
	if machine.Abs() >= slack {
		c.note(Change{Machine, machine})
	}
	c.judge(at, c.expected(at), reference)
	return at, reference
}

// adopt goes by the mark of the other instances where it is ahead of ours. One from
// beyond the reference was left before that was put back while we did not look.
func (c *Clock) adopt(at Reading, reference time.Time, stored Mark) {
	theirs := stored.At(reference)
	ours := c.mark.At(reference)
	if theirs.Sub(reference) > maxAhead || theirs.Sub(ours) < slack {
		return
	}
	if back := stored.Reference.Sub(reference); back >= slack && !c.begun {
		c.note(Change{Reference, -back})
		c.steps++
	}
	c.mark = Mark{reference, theirs}
	if c.begun {
		c.forward(at, theirs.Sub(ours))
	}
}
