package cbam

import (
	"fmt"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// chargeFrom is the value of goods in twelve months from which a person must
// register for the United Kingdom's mechanism: £50,000 (Finance Act 2026, Part 5).
var chargeFrom = quantity.MustTotal("50000")

// Chargeable tells whether the United Kingdom's mechanism charges the imports of a
// quarter: it applies from 2027-Q1, to whoever's imports of the last twelve months
// reach £50,000.
func Chargeable(q calendar.Quarter, yearValue quantity.Total) bool {
	return !before(q, ukStart) && yearValue.Cmp(chargeFrom) >= 0
}

// YearBefore is the first instant of the twelve months up to another.
func YearBefore(at time.Time) time.Time { return at.UTC().AddDate(-1, 0, 0) }

// Note says of a submitted report what its reference is, what the cost leaves out,
// whether a charge arises and what to do next.
func Note(q calendar.Quarter, chargeable bool) string {
	charge := "UK CBAM charges nothing here: the imports of the last 12 months are worth less than £50,000."
	switch {
	case before(q, ukStart):
		charge = fmt.Sprintf("UK CBAM charges nothing for %s: it applies from %s.", q, ukStart)
	case chargeable:
		charge = "UK CBAM applies: the imports of the last 12 months reach £50,000."
	}
	return "The reference is a mock until a live connection to the registry exists. " + charge +
		" The certificate cost is all emissions times the configured price: free allocation and carbon prices paid abroad are out of its scope." +
		" Lodge the figures with the authority, then mark the report accepted."
}
