package retention

import (
	"context"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Aged is a row that may have been kept long enough.
type Aged struct {
	ID                   string
	RecordID             string // that a delivery or a notice is about
	Status               string
	CreatedAt, UpdatedAt time.Time
}

// Position is where the row stands in the order of creation.
func (a Aged) Position() filing.Position {
	return filing.Position{CreatedAt: a.CreatedAt, ID: a.ID}
}

// Tx is a transaction of one organisation. What it lists is in the order of creation,
// behind a position.
type Tx interface {
	audit.Recorder
	Holds() (Holds, error)

	AgedFilings(kind string, before time.Time, after filing.Position, limit int) ([]Aged, error)
	// RemoveFiling takes a record away with all that belongs to it, but for its events
	// and what it has been counted in.
	RemoveFiling(id string) error
	// DataDeleted reports whether the organisation was closed and the deletion of its data has begun.
	DataDeleted() (bool, error)
	// ReopenDeletion makes that deletion look again for what need not be kept.
	ReopenDeletion() error

	TrailCut() (audit.Cut, error)
	// CutBefore is the cut behind the last event before an instant; none of the records
	// that are spared may have an event before it.
	CutBefore(at time.Time, spared Holds) (audit.Cut, error)
	CutTrail(audit.Cut) error

	AgedDeliveries(endpointID string, before time.Time, after filing.Position, limit int) ([]Aged, error)
	RemoveDelivery(id string) error
	// Awaited are the notices that are still to be delivered; fewer than the limit, or
	// there are too many to tell.
	Awaited(limit int) (map[string]bool, error)
	AgedNotices(before time.Time, after string, limit int) ([]Aged, error)
	RemoveNotice(id string) error
}

// Endpoint is one that deliveries were made to.
type Endpoint struct {
	Org tenant.ID
	ID  string
}

// Store finds what is old, whoever it belongs to, and opens transactions.
type Store interface {
	ViewAged(ctx context.Context, org tenant.ID, fn func(Tx) error) error
	UpdateAged(ctx context.Context, org tenant.ID, fn func(Tx) error) error

	// TakeTurn makes one instance the only one that does something, until an instant.
	TakeTurn(ctx context.Context, what, turn string, until time.Time) (bool, error)
	// AgedTrails are organisations whose trail still has an event before an instant.
	AgedTrails(ctx context.Context, before time.Time, after tenant.ID, limit int) ([]tenant.ID, error)
	AgedEndpoints(ctx context.Context, before time.Time, after Endpoint, limit int) ([]Endpoint, error)
	AgedNoticesOf(ctx context.Context, before time.Time, after tenant.ID, limit int) ([]tenant.ID, error)

	// RemoveEvents removes some events before the cut of a trail.
	RemoveEvents(ctx context.Context, org tenant.ID, limit int) (int64, error)
	// RemoveMessages looks through some settled messages of customs, as they came, behind
	// a position, and removes those of no submission that there still is.
	RemoveMessages(ctx context.Context, state string, before time.Time, after filing.Position, limit int, dry bool) (looked []Aged, removed int64, err error)

	// RemoveLeftovers removes some of what hangs on no record that will go: jobs that were
	// given up before an instant, and submissions to HMRC of drafts that are gone. What
	// belongs to an organisation with a hold stays.
	RemoveLeftovers(ctx context.Context, before time.Time, limit int, dry bool) (int64, error)

	// MakePartitions makes ready for what is to come, DropPartitions takes away what is
	// past as a whole. A database without partitions does nothing.
	MakePartitions(ctx context.Context, now time.Time) (made []string, err error)
	DropPartitions(ctx context.Context, table string, before time.Time) (dropped []string, err error)
}

// Kind is a kind of record, and in which states it has come to its end.
type Kind struct {
	Name  string
	Final map[lifecycle.State]bool
}

// KindsOf are those of which a record can come to its end.
func KindsOf(types []*filing.Type) (kinds []Kind) {
	for _, t := range types {
		k := Kind{t.Kind, map[lifecycle.State]bool{}}
		for _, s := range t.Lifecycle.States {
			if t.Lifecycle.Final(s) {
				k.Final[s] = true
			}
		}
		if len(k.Final) > 0 {
			kinds = append(kinds, k)
		}
	}
	return kinds
}
