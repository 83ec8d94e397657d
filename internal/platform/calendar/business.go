package calendar

import (
	"slices"
	"time"
)

// bankHolidays of England and Wales from 2026 to 2028, with substitute days, from GOV.UK or computed from the Banking
// and Financial Dealings Act 1971. In other years only weekends are not business days, so a period ends too early
// rather than too late.
var bankHolidays = []string{
	"2026-01-01", "2026-04-03", "2026-04-06", "2026-05-04", "2026-05-25", "2026-08-31", "2026-12-25", "2026-12-28",
	"2027-01-01", "2027-03-26", "2027-03-29", "2027-05-03", "2027-05-31", "2027-08-30", "2027-12-27", "2027-12-28",
	"2028-01-03", "2028-04-14", "2028-04-17", "2028-05-01", "2028-05-29", "2028-08-28", "2028-12-25", "2028-12-26",
}

// IsBusinessDay reports whether a time is on a London day that is neither at a weekend nor a bank holiday of England
// and Wales.
func IsBusinessDay(t time.Time) bool {
	day := t.In(London())
	weekend := day.Weekday() == time.Saturday || day.Weekday() == time.Sunday
	return !weekend && !slices.Contains(bankHolidays, day.Format(time.DateOnly))
}

// AddBusinessDays returns the same London time a number of business days later. The first day does not count.
func AddBusinessDays(t time.Time, days int) time.Time {
	for days > 0 {
		t = AddDays(t, 1)
		if IsBusinessDay(t) {
			days--
		}
	}
	return t
}
