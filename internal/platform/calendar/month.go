package calendar

import (
	"fmt"
	"slices"
	"time"
)

// Month is a calendar month in London.
type Month struct {
	Year   int
	Number time.Month
}

// Years of months that can be read.
const firstYear, lastYear = 2000, 2999

// MonthOf returns the London month of a time.
func MonthOf(t time.Time) Month {
	year, month, _ := t.In(London()).Date()
	return Month{year, month}
}

// ParseMonth reads the name of a month, such as 2026-12.
func ParseMonth(text string) (Month, bool) {
	t, err := time.Parse("2006-01", text)
	m := Month{t.Year(), t.Month()}
	return m, err == nil && m.String() == text && m.Year >= firstYear && m.Year <= lastYear
}

// String returns the name of the month, such as 2026-12.
func (m Month) String() string { return fmt.Sprintf("%04d-%02d", m.Year, int(m.Number)) }

// Start returns the start of the month.
func (m Month) Start() time.Time {
	return time.Date(m.Year, m.Number, 1, 0, 0, 0, 0, London())
}

// End returns the last millisecond of the month.
func (m Month) End() time.Time { return m.Next().Start().Add(-time.Millisecond) }

// Next returns the next month.
func (m Month) Next() Month { return m.shift(1) }

// Previous returns the previous month.
func (m Month) Previous() Month { return m.shift(-1) }

func (m Month) shift(months int) Month {
	t := time.Date(m.Year, m.Number+time.Month(months), 1, 12, 0, 0, 0, time.UTC)
	return Month{t.Year(), t.Month()}
}

// Day is a calendar day in London.
type Day struct {
	Start       time.Time // start of the day
	Within      bool      // in the displayed month
	BankHoliday bool      // of England and Wales
}

// Weeks returns the weeks, from Monday to Sunday, that contain a day of the month: four to six.
func (m Month) Weeks() (weeks [][]Day) {
	back := (int(m.Start().Weekday()) + 6) % 7
	for day := 1 - back; ; day += 7 {
		monday := time.Date(m.Year, m.Number, day, 0, 0, 0, 0, London())
		if monday.After(m.End()) {
			return weeks
		}
		weeks = append(weeks, m.week(day))
	}
}

// week returns the week that begins on a day of the month; day may be 0 or negative.
func (m Month) week(day int) []Day {
	days := make([]Day, 7)
	for i := range days {
		start := time.Date(m.Year, m.Number, day+i, 0, 0, 0, 0, London())
		days[i] = Day{Start: start, Within: start.Month() == m.Number, BankHoliday: slices.Contains(bankHolidays, start.Format(time.DateOnly))}
	}
	return days
}
