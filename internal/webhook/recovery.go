package webhook

import (
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

const (
	recoverStep  = 1000 // deliveries that one transaction makes due again
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
			if recovered == 0 {
				event := endpointEvent(s.IDs, call, id, "recovered", map[string]string{"since": audit.Instant(since)})
				if err := tx.Record(event); err != nil {
					return err
				}
			}
			n, err = tx.RecoverDeliveries(id, since, recoverStep)
			return err
		})
		if err != nil {
			return recovered, err
		}
	}
	return recovered, nil
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
