package search

import (
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
)

// Reach says how far an index that is still being made has come.
type Reach struct {
	// IndexedTo is nil if the search has read everything that was stored before it. Otherwise what was created or changed after this
	// time may be found by references only. It is zero while nothing is indexed.
	IndexedTo *time.Time
}

// Incomplete returns a sentence for users while the index is being made; otherwise "".
func (r Reach) Incomplete() string {
	switch {
	case r.IndexedTo == nil:
		return ""
	case r.IndexedTo.IsZero():
		return "The search index is still being made. Until it is done, records are found by their references only."
	}
	return "The search index is still being made, and has come to " + r.IndexedTo.In(calendar.London()).Format("2 January 2006, 15:04") +
		". Until it is done, records created or changed after that may be found by their references only."
}

// reachOf returns how far the index has come, if it does not include an event.
func reachOf(tx Tx, end int64) (Reach, error) {
	head, err := tx.SearchHead()
	switch {
	case err != nil || head.includes(end):
		return Reach{}, err
	case !head.FirstPassDone:
		return Reach{&head.IndexedTo.CreatedAt}, nil
	}
	next, err := tx.EventsAfter(head.Sequence, 1)
	if err != nil || len(next) == 0 {
		return Reach{}, err
	}
	return Reach{&next[0].OccurredAt}, nil
}
