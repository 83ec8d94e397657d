package calendar

import (
	"fmt"
	"slices"
	"time"
)

// Month is a month of the calendar in London.
type Month struct {
	Year   int
	Number time.Month
}

// Years that a month can lie in when it is read: those of deadlines.
const firstYear, lastYear = 2000, 2999

// MonthOf is the month, in London, that an instant lies in.
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

// String is the name of the month, such as 2026-12.
func (m Month) String() string { return fmt.Sprintf("%04d-%02d", m.Year, int(m.Number)) }

// Start is the first instant of the month.
func (m Month) Start() time.Time {
	return time.Date(m.Year, m.Number, 1, 0, 0, 0, 0, London())
}

// End is the last millisecond of the month.
func (m Month) End() time.Time { return m.Next().Start().Add(-time.Millisecond) }

// Next is the month after.
func (m Month) Next() Month { return m.shift(1) }

// Previous is the month before.
func (m Month) Previous() Month { return m.shift(-1) }

func (m Month) shift(months int) Month {
	t := time.Date(m.Year, m.Number+time.Month(months), 1, 12, 0, 0, 0, time.UTC)
	return Month{t.Year(), t.Month()}
}

// Day is a day of the calendar in London.
type Day struct {
	Start       time.Time // its first instant
	Within      bool      // of the month that is shown, and not of one beside it
	BankHoliday bool      // of England and Wales
}

// Weeks are the weeks, from Monday to Sunday, that have a day of the month: four in
// a February that begins with one, six at most.
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

// week is the one that begins with a day of the month, counted on from its first.
func (m Month) week(day int) []Day {
	days := make([]Day, 7)
	for i := range days {
		start := time.Date(m.Year, m.Number, day+i, 0, 0, 0, 0, London())
		days[i] = Day{Start: start, Within: start.Month() == m.Number, BankHoliday: slices.Contains(bankHolidays, start.Format(time.DateOnly))}
	}
	return days
}
