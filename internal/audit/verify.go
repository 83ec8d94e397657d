package audit

import (
	"context"
	"fmt"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Chain checks the events of one organisation, oldest first.
type Chain struct {
	Org         tenant.ID
	Checkpoints []Checkpoint // heads of this trail that were stored elsewhere
	Last        Event        // the newest valid event
	Truncation  Truncation   // the events that were removed because of their age

	Erased int64 // personal values that were erased, of the valid events

	truncationRecorded bool // an event records the truncation
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
	for _, checkpoint := range c.Checkpoints {
		if checkpoint.Sequence == e.Sequence && checkpoint.Hash != e.Hash {
			return broken(e, "differs from the checkpoint %s: the trail was rebuilt", checkpoint)
		}
	}
	erased, problem := e.checkPersonal()
	if problem != "" {
		return broken(e, "%s", problem)
	}
	c.Erased += erased
	c.truncationRecorded = c.truncationRecorded || c.Truncation.RecordedBy(&e)
	c.Last = e
	return nil
}

// StartAfter makes the chain begin after a truncation. If events are removed while the chain is read, it skips
// them.
func (c *Chain) StartAfter(start Truncation) error {
	if start.Sequence == c.Truncation.Sequence {
		return nil
	}
	c.Truncation, c.truncationRecorded = start, false
	for _, checkpoint := range c.Checkpoints {
		if checkpoint.Sequence == start.Sequence && checkpoint.Hash != start.Hash {
			return &Broken{Sequence: start.Sequence, What: fmt.Sprintf("the trail starts after an event that differs from the checkpoint %s", checkpoint)}
		}
	}
	if start.Sequence > c.Last.Sequence {
		c.Last = Event{Sequence: start.Sequence, Hash: start.Hash}
	}
	return nil
}

// Valid returns the number of valid events.
func (c *Chain) Valid() int64 { return max(0, c.Last.Sequence-c.Truncation.Sequence) }

// Removed returns the checkpoints that cannot be compared any more, because their event was removed after its
// retention period.
func (c *Chain) Removed() (before []Checkpoint) {
	for _, checkpoint := range c.Checkpoints {
		if checkpoint.Sequence < c.Truncation.Sequence {
			before = append(before, checkpoint)
		}
	}
	return before
}

// VerifyPage is the number of events that one transaction reads, so that a long trail needs no
// long transaction: events that have been read never change, and the start of the trail is read
// again with every page.
const VerifyPage = 2000

// Verify reads the trail along its chain to the end, and calls progress after each page. The error
// is a *Broken if the trail differs from what was recorded.
func (c *Chain) Verify(ctx context.Context, s Store, progress func(sequence int64)) error {
	for {
		var part []Event
		err := s.ViewTrail(ctx, c.Org, func(t Trail) error {
			start, err := t.Truncation()
			if err == nil {
				err = c.StartAfter(start)
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
		progress(c.Last.Sequence)
		if len(part) < VerifyPage {
			return c.Finish()
		}
	}
}

// Finish checks that the trail is not shorter than it once was. There is no empty one:
// a trail begins with its organisation.
func (c *Chain) Finish() error {
	if c.Last.Sequence == 0 {
		return &Broken{Sequence: 1, What: "event 1 and all that followed are missing"}
	}
	if c.Truncation.Sequence > 0 && !c.truncationRecorded {
		return &Broken{Sequence: c.Truncation.Sequence, What: fmt.Sprintf("event %d and all before it are gone, and no event records their removal", c.Truncation.Sequence)}
	}
	for _, checkpoint := range c.Checkpoints {
		if checkpoint.Sequence > c.Last.Sequence {
			what := fmt.Sprintf("the trail ends with event %d, the checkpoint is of event %d: %d missing", c.Last.Sequence, checkpoint.Sequence, checkpoint.Sequence-c.Last.Sequence)
			return &Broken{Sequence: c.Last.Sequence + 1, What: what}
		}
	}
	return nil
}

func broken(e Event, what string, args ...any) error {
	return &Broken{Sequence: e.Sequence, EventID: e.ID, What: fmt.Sprintf("event %d (%s) ", e.Sequence, e.ID) + fmt.Sprintf(what, args...)}
}
