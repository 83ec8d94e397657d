package audit

import "time"

// Query filters an organisation's trail; empty fields match everything.
type Query struct {
	Hub, Type, ActorUserID string
	ResourceID             string    // one record's whole trail: the three above are not asked then
	From, To               time.Time // occurredAt, both inclusive
	Before                 int64     // events older than this sequence; 0 for the newest
	Limit                  int
}

// View reads an organisation's trail, newest event first.
type View interface {
	Events(Query) ([]Event, error)
	// CountEvents counts what Events would find, the query's limit at most.
	CountEvents(Query) (int, error)
}

// Recorder adds an event to the trail in the transaction of the change that it tells of.
type Recorder interface {
	Record(Event) error
}
