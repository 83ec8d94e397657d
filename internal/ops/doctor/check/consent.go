package check

import (
	"fmt"
	"time"
)

// consentMonths is how long HMRC accepts a consent. Then it rejects the refresh token, and the user must sign in again.
const consentMonths = 18

// consentWarn leaves time to reach the user.
const consentWarn = 30 * day

// Consent checks when the consent that a user gave at HMRC ends.
func Consent(name string, granted, now time.Time, remedy string) Result {
	ends := granted.AddDate(0, consentMonths, 0)
	until := fmt.Sprintf("given %s, valid until %s", granted.Format(time.DateOnly), ends.Format(time.DateOnly))
	switch {
	case !now.Before(ends):
		return Failed(name, remedy, "%s: it has expired", until)
	case ends.Sub(now) < consentWarn:
		return Warning(name, remedy, "%s", until)
	}
	return Passed(name, "%s", until)
}
