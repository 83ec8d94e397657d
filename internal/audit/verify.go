package audit

import (
	"context"
	"fmt"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Chain checks the events of one organisation, oldest first.
type Chain struct {
	Org  tenant.ID
	Kept []Checkpoint // heads of this trail that were kept elsewhere
	Last Event        // the newest event that was found good
	Cut  Cut          // what of the trail was removed, for its age

	Erased int64 // personal values that were erased, of the events that were found good

	told bool // an event records the cut
}

// Broken is the error for the first event that differs from what was recorded.
type Broken struct {
	Sequence int64
	EventID  string // empty for an event that is gone
	What     string
}

func (b *Broken) Error() string { return "audit: " + b.What }

// Next checks one more event. The error is a *Broken if the event does not follow.
func (c *Chain) Next(e Event) error {
	switch {
	case e.Sequence != c.Last.Sequence+1:
		return broken(e, "follows event %d: %d missing", c.Last.Sequence, e.Sequence-c.Last.Sequence-1)
	case e.PreviousHash != c.Last.Hash:
		return broken(e, "does not follow the event before it")
	case e.Hash != e.Digest(c.Org), !e.OccurredAt.Equal(e.OccurredAt.Truncate(time.Millisecond)):
		return broken(e, "has been changed")
	}
	for _, kept := range c.Kept {
		if kept.Sequence == e.Sequence && kept.Hash != e.Hash {
			return broken(e, "is another than the checkpoint %s: the trail was rebuilt", kept)
		}
	}
	erased, problem := e.checkPersonal()
	if problem != "" {
		return broken(e, "%s", problem)
	}
	c.Erased += erased
	c.told = c.told || c.Cut.ToldBy(&e)
	c.Last = e
	return nil
}

// Begin makes the chain begin after a cut. If a cut is made while a chain is being read, it
// moves the chain on past events that may be removed.
func (c *Chain) Begin(cut Cut) error {
	if cut.Sequence == c.Cut.Sequence {
		return nil
	}
	c.Cut, c.told = cut, false
	for _, kept := range c.Kept {
		if kept.Sequence == cut.Sequence && kept.Hash != cut.Hash {
			return &Broken{Sequence: cut.Sequence, What: fmt.Sprintf("the trail begins behind another event than the checkpoint %s", kept)}
		}
	}
	if cut.Sequence > c.Last.Sequence {
		c.Last = Event{Sequence: cut.Sequence, Hash: cut.Hash}
	}
	return nil
}

// Good returns the number of valid events.
func (c *Chain) Good() int64 { return max(0, c.Last.Sequence-c.Cut.Sequence) }

// Removed returns the checkpoints whose event has been removed for its age; nothing can be
// compared with them any more.
func (c *Chain) Removed() (before []Checkpoint) {
	for _, kept := range c.Kept {
		if kept.Sequence < c.Cut.Sequence {
			before = append(before, kept)
		}
	}
	return before
}

// VerifyPage is the number of events that one transaction reads, so that a long trail needs no
// long transaction: events that have been read never change, and the start of the trail is read
// again with every page.
const VerifyPage = 2000

// Follow reads the trail along its chain to the end, and reports its progress to tell. The error
// is a *Broken if the trail differs from what was recorded.
func (c *Chain) Follow(ctx context.Context, s Store, tell func(sequence int64)) error {
	for {
		var part []Event
		err := s.ViewTrail(ctx, c.Org, func(t Trail) error {
			cut, err := t.TrailCut()
			if err == nil {
				err = c.Begin(cut)
			}
			if err == nil {
				part, err = t.EventsAfter(c.Last.Sequence, VerifyPage)
			}
			return err
		})
		if err != nil {
			return err
		}
		for _, e := range part {
			if err := c.Next(e); err != nil {
				return err
			}
		}
		tell(c.Last.Sequence)
		if len(part) < VerifyPage {
			return c.End()
		}
	}
}

// End checks that the trail is not shorter than it once was. There is no empty one:
// a trail begins with its organisation.
func (c *Chain) End() error {
	if c.Last.Sequence == 0 {
		return &Broken{Sequence: 1, What: "event 1 and all that followed are missing"}
	}
	if c.Cut.Sequence > 0 && !c.told {
		return &Broken{Sequence: c.Cut.Sequence, What: fmt.Sprintf("event %d and all before it are gone, and no event records their removal", c.Cut.Sequence)}
	}
	for _, kept := range c.Kept {
		if kept.Sequence > c.Last.Sequence {
			what := fmt.Sprintf("the trail ends with event %d, the checkpoint is of event %d: %d missing", c.Last.Sequence, kept.Sequence, kept.Sequence-c.Last.Sequence)
			return &Broken{Sequence: c.Last.Sequence + 1, What: what}
		}
	}
	return nil
}

func broken(e Event, what string, args ...any) error {
	return &Broken{Sequence: e.Sequence, EventID: e.ID, What: fmt.Sprintf("event %d (%s) ", e.Sequence, e.ID) + fmt.Sprintf(what, args...)}
}
