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

// Updates runs fn in a transaction of the caller's organisation.
type UpdateFunc func(fn func(Tx) error) error

// Recover makes the deliveries of an endpoint due again that came of events since an
// instant and failed: each that was given up is tried once more, and each that waits
// for its next attempt is tried at once. One whose resending was delivered is left
// alone. It returns how many there are; a hundred thousand at most.
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

// MaxTally is as far as deliveries are counted.
const MaxCount = 1000

// Tally is how many deliveries of an endpoint wait or have failed; MaxTally stands
// for that many and more.
type DeliveryCounts struct {
	Waiting  int // to be sent, with those that are tried again
	Retrying int // of those, the ones that have failed before
	Failed   int // given up
}
