package retention

import (
	"context"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/filing/timer"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Aged is a row that may have expired.
type Aged struct {
	ID                   string
	RecordID             string // record of a delivery or a notice
	Status               string
	CreatedAt, UpdatedAt time.Time
}

// Position returns the position of the row in the order of creation.
func (a Aged) Position() filing.Position {
	return filing.Position{CreatedAt: a.CreatedAt, ID: a.ID}
}

// Tx is a transaction of one organisation. Lists are in the order of creation and start after a
// position.
type Tx interface {
	audit.Recorder
	Holds() (Holds, error)

	AgedFilings(kind string, before time.Time, after filing.Position, limit int) ([]Aged, error)
	// RemoveFiling deletes a record with its dependent data, except events and statistics.
	RemoveFiling(id string) error
	// DataDeleted reports whether the organisation is closed and the deletion of its data has started.
	DataDeleted() (bool, error)
	// ReopenDeletion makes that deletion run again for data that is no longer protected.
	ReopenDeletion() error

	Truncation() (audit.Truncation, error)
	// TruncationBefore returns the truncation after the last event before a time, but before the
	// first event of each record in spared.
	TruncationBefore(at time.Time, spared Holds) (audit.Truncation, error)
	TruncateTrail(audit.Truncation) error

	AgedDeliveries(endpointID string, before time.Time, after filing.Position, limit int) ([]Aged, error)
	RemoveDelivery(id string) error
	// PendingNotices returns the notices with a pending delivery. If there are limit notices, the
	// list may be incomplete.
	PendingNotices(limit int) (map[string]bool, error)
	AgedNotices(before time.Time, after string, limit int) ([]Aged, error)
	RemoveNotice(id string) error
}

// Endpoint is a webhook endpoint.
type Endpoint struct {
	Org tenant.ID
	ID  string
}

// Store finds old data of all organisations and opens transactions.
type Store interface {
	ViewRetention(ctx context.Context, org tenant.ID, fn func(Tx) error) error
	UpdateRetention(ctx context.Context, org tenant.ID, fn func(Tx) error) error

	// AcquireLease acquires or extends a lease on a task until a time. It returns false if another
	// instance holds it.
	AcquireLease(ctx context.Context, what, turn string, until time.Time) (bool, error)
	// AgedTrails returns organisations that have an audit event before a time.
	AgedTrails(ctx context.Context, before time.Time, after tenant.ID, limit int) ([]tenant.ID, error)
	AgedEndpoints(ctx context.Context, before time.Time, after Endpoint, limit int) ([]Endpoint, error)
	AgedNoticesOf(ctx context.Context, before time.Time, after tenant.ID, limit int) ([]tenant.ID, error)

	// RemoveEvents deletes some events before the truncation of a trail.
	RemoveEvents(ctx context.Context, org tenant.ID, limit int) (int64, error)
	// RemoveMessages examines some processed raw messages from CDS after a position, and deletes
	// those whose submission no longer exists.
	RemoveMessages(ctx context.Context, state string, before time.Time, after filing.Position, limit int, dry bool) (looked []Aged, removed int64, err error)

	// RemoveLeftovers deletes some data that no record's deletion covers: jobs that failed before
	// a time, and submissions to HMRC of deleted drafts. Data of an organisation with a hold stays.
	RemoveLeftovers(ctx context.Context, before time.Time, limit int, dry bool) (int64, error)

	// RemoveVersions deletes some versions of records that were replaced before a time, oldest first. Those of records
	// under a hold stay.
	RemoveVersions(ctx context.Context, before time.Time, limit int, dry bool) (int64, error)

	// TestClocks returns the test organisations whose clock stands, after one of them.
	TestClocks(ctx context.Context, after tenant.ID, limit int) ([]timer.TestClock, error)

	// MakePartitions creates partitions for coming periods, DropPartitions drops expired ones.
	// Both do nothing in a database without partitions.
	MakePartitions(ctx context.Context, now time.Time) (made []string, err error)
	DropPartitions(ctx context.Context, table string, before time.Time) (dropped []string, err error)
}

// Kind is a kind of record with its final states.
type Kind struct {
	Name  string
	Final map[lifecycle.State]bool
}

// KindsOf returns the kinds that have final states.
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
