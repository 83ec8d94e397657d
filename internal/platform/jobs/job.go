// Package jobs is the pump: jobs that are leased, run, tried again and given
// up, by any instance of the service, each job's effect at most once.
package jobs

import (
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Job is something to be done for an organisation.
type Job struct {
	Org      tenant.ID
	ID       string
	Queue    string    // says who does it
	Subject  string    // what it is about: the id of a record
	RunAt    time.Time // not before; the zero time means at once
	Attempt  int64     // the fencing token: rises with every lease
	Failures int64     // attempts that failed by the job's own fault, not by the store's or a death
	Trace    string    // W3C traceparent of what caused it; that of the transaction when empty
}
