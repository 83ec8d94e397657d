package cbam

import (
	"fmt"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// chargeFrom is the registration threshold of UK CBAM: £50,000 of goods in twelve months (Finance Act 2026, Part 5).
var chargeFrom = quantity.MustTotal("50000")

// Chargeable reports whether UK CBAM charges the imports of a quarter. It applies from 2027-Q1, if imports of the last
// twelve months reach £50,000.
func Chargeable(q calendar.Quarter, yearValue quantity.Total) bool {
	return !before(q, ukStart) && yearValue.Cmp(chargeFrom) >= 0
}

// YearBefore returns the start of the twelve months before an instant.
func YearBefore(at time.Time) time.Time { return at.UTC().AddDate(-1, 0, 0) }

// Note explains a submitted report: its reference, what the cost excludes, whether a charge is due and what to do next.
func Note(q calendar.Quarter, chargeable bool) string {
	charge := "There is no UK CBAM charge: the imports of the last 12 months are worth less than £50,000."
	switch {
	case before(q, ukStart):
		charge = fmt.Sprintf("There is no UK CBAM charge for %s: it applies from %s.", q, ukStart)
	case chargeable:
		charge = "UK CBAM applies: the imports of the last 12 months reach £50,000."
	}
	return "The reference is a mock because there is no connection to the registry yet. " + charge +
		" The certificate cost is all emissions times the configured price, without free allocation and carbon prices paid abroad." +
		" Submit the figures to the authority, then mark the report accepted."
}
