// Package calendar counts days by London time, as UK law does. A day has 23 or 25 hours when the clocks change, and in
// summer it begins at 23:00 UTC.
package calendar

import (
	"fmt"
	"sync"
	"time"
	_ "time/tzdata" // does not depend on the machine's time zones
)

const hoursADay = 24 * time.Hour

// London is the time zone Europe/London.
var London = sync.OnceValue(func() *time.Location {
	l, err := time.LoadLocation("Europe/London")
	if err != nil {
		panic(fmt.Sprintf("calendar: %v", err))
	}
	return l
})

// StartOfDay returns the start of the London day of a time.
func StartOfDay(t time.Time) time.Time {
	year, month, day := t.In(London()).Date()
	return time.Date(year, month, day, 0, 0, 0, 0, London())
}

// EndOfDay returns the last millisecond of the London day of a time.
func EndOfDay(t time.Time) time.Time {
	year, month, day := t.In(London()).Date()
	return time.Date(year, month, day+1, 0, 0, 0, 0, London()).Add(-time.Millisecond)
}

// AddDays returns the same London time a number of days later, or earlier if days is negative.
func AddDays(t time.Time, days int) time.Time { return t.In(London()).AddDate(0, 0, days) }

// Days returns the number of London midnights between two times: 0 within a day, negative if to is earlier.
func Days(from, to time.Time) int {
	return int(noon(to).Sub(noon(from)) / hoursADay)
}

// noon makes dates comparable, because in UTC every day has 24 hours.
func noon(t time.Time) time.Time {
	year, month, day := t.In(London()).Date()
	return time.Date(year, month, day, 12, 0, 0, 0, time.UTC)
}

// OfNextMonth returns the end of a day of the London month after that of t.
func OfNextMonth(t time.Time, day int) time.Time {
	year, month, _ := t.In(London()).Date()
	return EndOfDay(time.Date(year, month+1, day, 12, 0, 0, 0, London()))
}

// Quarter is a quarter of the calendar year.
type Quarter struct{ Year, Number int }

// QuarterOf returns the London quarter of a time.
func QuarterOf(t time.Time) Quarter {
	year, month, _ := t.In(London()).Date()
	return Quarter{year, (int(month) + 2) / 3}
}

// ParseQuarter reads the name of a quarter, such as 2027-Q1.
func ParseQuarter(text string) (q Quarter, ok bool) {
	n, _ := fmt.Sscanf(text, "%4d-Q%1d", &q.Year, &q.Number)
	if n != 2 || len(text) != len("2027-Q1") || q.Year < 1 || q.Number < 1 || q.Number > 4 || q.String() != text {
		return Quarter{}, false
	}
	return q, true
}

// UTC returns the start of the quarter and of the next one, in UTC.
func (q Quarter) UTC() (from, until time.Time) {
	return time.Date(q.Year, time.Month(3*q.Number-2), 1, 0, 0, 0, 0, time.UTC), time.Date(q.Year, time.Month(3*q.Number+1), 1, 0, 0, 0, 0, time.UTC)
}

// String returns the name of the quarter, such as 2027-Q1.
func (q Quarter) String() string { return fmt.Sprintf("%04d-Q%d", q.Year, q.Number) }

// End returns the last millisecond of the quarter.
func (q Quarter) End() time.Time {
	return time.Date(q.Year, time.Month(3*q.Number+1), 1, 0, 0, 0, 0, London()).Add(-time.Millisecond)
}

// Next returns the next quarter.
func (q Quarter) Next() Quarter {
	if q.Number == 4 {
		return Quarter{q.Year + 1, 1}
	}
	return Quarter{q.Year, q.Number + 1}
}
