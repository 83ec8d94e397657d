package access

import (
	"time"

	"github.com/tidewaiter/tidewaiter/internal/audit"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// maxYearsAhead is how far a test clock may be ahead of real time.
const maxYearsAhead = 10

// ErrNotTest is the error of an operation for test organisations in a live one.
var ErrNotTest = apierr.New(apierr.SandboxOnly, "This operation needs a key of a test organisation. POST /api/sandbox/keys creates one.")

// OnlyTest returns an error unless a transaction belongs to a test organisation.
func OnlyTest(tx Tx) error {
	if tx.Test().Test {
		return nil
	}
	return ErrNotTest
}

// SetClock freezes the test clock at a time, which must not be before the present one. The field is that of the request.
func (s *Service) SetClock(tx Tx, call tenant.Call, field string, at time.Time) error {
	if err := OnlyTest(tx); err != nil {
		return err
	}
	at = at.UTC().Truncate(time.Millisecond)
	switch latest := tx.RealNow().AddDate(maxYearsAhead, 0, 0); {
	case at.Before(tx.Now()):
		return apierr.Invalid(apierr.Detail{Field: field, Message: "must not be before the time of the test organisation, " + audit.Instant(tx.Now())})
	case at.After(latest):
		return apierr.Invalid(apierr.Detail{Field: field, Message: "must be at most 10 years ahead, until " + audit.Instant(latest)})
	}
	if err := tx.SetTestClock(at); err != nil {
		return err
	}
	return s.record(tx, call, TestClockSet, "organisation", string(call.Org), map[string]any{"now": audit.Instant(at)})
}

// ResetClock returns a test organisation to real time. Without a test clock it changes nothing.
func (s *Service) ResetClock(tx Tx, call tenant.Call) error {
	if err := OnlyTest(tx); err != nil || tx.Test().Clock.IsZero() {
		return err
	}
	if err := tx.SetTestClock(time.Time{}); err != nil {
		return err
	}
	return s.record(tx, call, TestClockReset, "organisation", string(call.Org), nil)
}
