package audit

import (
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/tenant"
)

// Chain checks the events of one organisation, oldest first, as they come.
type Chain struct {
	Org  tenant.ID
	Last Event // the newest event that was found good
}

// Next checks one more event. The error names the first broken one.
func (c *Chain) Next(e Event) error {
	switch {
	case e.Sequence != c.Last.Sequence+1:
		return fmt.Errorf("audit: event %d (%s) follows event %d: %d missing", e.Sequence, e.ID, c.Last.Sequence, e.Sequence-c.Last.Sequence-1)
	case e.PreviousHash != c.Last.Hash:
		return fmt.Errorf("audit: event %d (%s) does not follow the event before it", e.Sequence, e.ID)
	case e.Hash != e.Digest(c.Org):
		return fmt.Errorf("audit: event %d (%s) has been changed", e.Sequence, e.ID)
	}
	c.Last = e
	return nil
}
