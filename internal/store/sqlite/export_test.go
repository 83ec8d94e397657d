package sqlite

import "testing"

// EndSnapshotsAfter sets for the rest of a test how many ticks a snapshot may last.
func EndSnapshotsAfter(t *testing.T, ticks int64) {
	before := maxSnapshotTicks
	maxSnapshotTicks = ticks
	t.Cleanup(func() { maxSnapshotTicks = before })
}

// Waiting returns the number of changes that wait for the writer.
func Waiting(e *Engine) int { return len(e.queue) }

// WithoutNumbers is how a statement is prepared.
var WithoutNumbers = withoutNumbers
