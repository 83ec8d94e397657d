package webhook

import (
	"slices"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

const (
	recoverStep  = 1000 // deliveries that one transaction makes due again
	recordedStep = 100  // events of these that one event of the audit trail names
	maxRecovered = 100_000
)

// UpdateFunc runs fn in a transaction of the caller's organisation.
type UpdateFunc func(fn func(Tx) error) error

// Recover makes the failed deliveries of an endpoint due again whose events are not older than
// an instant. A delivery that was given up gets one more attempt, and one that waits for its
// next attempt is tried at once. A delivery that was resent successfully is left alone. It
// returns the number of deliveries, at most 100,000.
func (s *Service) Recover(update UpdateFunc, call tenant.Call, id string, since time.Time) (recovered int, err error) {
	for n := recoverStep; n >= recoverStep && recovered < maxRecovered; recovered += n {
		err := update(func(tx Tx) error {
			if _, err := activeEndpoint(tx, id); err != nil {
				return err
			}
			events, err := tx.RecoverDeliveries(id, since, recoverStep)
			if err != nil {
				return err
			}
			n = len(events)
			return s.recordRecovered(tx, call, id, since, events, recovered == 0)
		})
		if err != nil {
			return recovered, err
		}
	}
	return recovered, nil
}

// recordRecovered records which events are sent again, in events of the audit trail that are not too large. Without any it records
// the call if that is asked for.
func (s *Service) recordRecovered(tx Tx, call tenant.Call, id string, since time.Time, events []string, always bool) error {
	slices.Sort(events) // their ids rise with time
	for always || len(events) > 0 {
		some := events[:min(recordedStep, len(events))]
		data := map[string]any{"since": audit.Instant(since)}
		if len(some) > 0 {
			data[eventIDsMember] = some
		}
		if err := tx.Record(endpointEvent(s.IDs, call, id, recovered, data)); err != nil {
			return err
		}
		events, always = events[len(some):], false
	}
	return nil
}

// MaxCount is the limit up to which deliveries are counted.
const MaxCount = 1000

// DeliveryCounts holds the numbers of deliveries of an endpoint that wait or have failed;
// MaxCount means that many or more.
type DeliveryCounts struct {
	Waiting  int // to be sent, with those that are tried again
	Retrying int // of those, the ones that have failed before
	Failed   int // given up
}
