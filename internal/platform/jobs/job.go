// Package jobs runs jobs of queues. Any instance leases, runs and retries a job, or gives it up; its effect is stored
// at most once.
package jobs

import (
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Job is work for an organisation.
type Job struct {
	Org      tenant.ID
	ID       string
	Queue    string    // selects the function that runs it
	Subject  string    // id of the record
	RunAt    time.Time // zero for immediately
	Attempt  int64     // the fencing token: increases with every lease
	Failures int64     // attempts that failed because of the job itself, not because of the store or a crash
	Trace    string    // W3C traceparent of the cause; empty for that of the transaction
}
