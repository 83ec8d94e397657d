package audit

import (
	"context"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Query filters an organisation's trail; empty fields match everything.
type Query struct {
	Hub, Type, ActorUserID string
	Group                  Group     // a group of types
	ResourceID             string    // all events of one record; the four fields above are ignored
	ResourceIDs            []string  // the same for some records
	KeyID, RequestID       string    // without an index: After limits how many events are scanned
	From, To               time.Time // occurredAt, both inclusive
	After                  int64     // events newer than this sequence
	Before                 int64     // events older than this sequence; 0 for the newest
	Limit                  int
}

// Group is a group of event types; the zero Group matches all of them.
type Group struct {
	Name    string
	Matches func(eventType string) bool
}

// NeedsScan reports whether the query filters by a field without an index.
func (q Query) NeedsScan() bool { return q.KeyID != "" || q.RequestID != "" }

// View reads an organisation's trail, newest event first.
type View interface {
	Events(Query) ([]Event, error)
	// CountEvents counts what Events would find, at most up to the query's limit.
	CountEvents(Query) (int, error)
}

// Reader reads a trail along its chain.
type Reader interface {
	Truncation() (Truncation, error)                        // where the trail begins
	EventsAfter(sequence int64, limit int) ([]Event, error) // oldest first
}

// Recorder adds an audit event in the transaction of its change.
type Recorder interface {
	Record(Event) error
}

// Store opens transactions for the trail of one organisation.
type Store interface {
	ViewTrail(ctx context.Context, org tenant.ID, fn func(Trail) error) error
	UpdateTrail(ctx context.Context, org tenant.ID, fn func(Recorder) error) error
}

// Trail reads a trail in either order.
type Trail interface {
	View
	Reader
}
