package doctor

import (
	"fmt"
	"time"
)

// consentMonths is how long HMRC takes a consent after it was given; then its refresh
// token is refused, and the person must sign in again.
const consentMonths = 18

// consentWorry leaves time to find the person.
const consentWorry = 30 * day

// Consent judges the consent that somebody gave at HMRC.
func Consent(name string, granted, now time.Time, renew string) Check {
	ends := granted.AddDate(0, consentMonths, 0)
	until := fmt.Sprintf("given %s, good until %s", granted.Format(time.DateOnly), ends.Format(time.DateOnly))
	switch {
	case !now.Before(ends):
		return Ill(name, renew, "%s: it has run out", until)
	case ends.Sub(now) < consentWorry:
		return Worry(name, renew, "%s", until)
	}
	return Well(name, "%s", until)
}
