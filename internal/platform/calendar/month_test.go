package calendar_test

import (
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
)

func month(t *testing.T, name string) calendar.Month {
	t.Helper()
	m, ok := calendar.ParseMonth(name)
	if !ok {
		t.Fatalf("%s is no month", name)
	}
	return m
}

// The weeks of a month begin on Monday, have consecutive days, and contain every day of the month once.
func TestWeeks(t *testing.T) {
	for name, want := range map[string]struct {
		weeks, days int
		first       string
	}{
		"2026-02": {5, 28, "2026-01-26"}, // begins on a Sunday
		"2027-02": {4, 28, "2027-02-01"}, // exactly four weeks
		"2028-02": {5, 29, "2028-01-31"}, // a leap year
		"2100-02": {4, 28, "2100-02-01"}, // not a leap year
		"2400-02": {5, 29, "2400-01-31"},
		"2026-03": {6, 31, "2026-02-23"}, // six weeks, and the clocks go forward
		"2026-10": {5, 31, "2026-09-28"}, // the clocks go back
		"2026-11": {6, 30, "2026-10-26"},
		"2026-12": {5, 31, "2026-11-30"},
		"2999-12": {6, 31, "2999-11-25"},
	} {
		m := month(t, name)
		weeks, within := m.Weeks(), 0
		if len(weeks) != want.weeks || weeks[0][0].Start.Format(time.DateOnly) != want.first {
			t.Errorf("%s: %d weeks from %s", name, len(weeks), weeks[0][0].Start)
		}
		last := weeks[0][0].Start.AddDate(0, 0, -1)
		for _, week := range weeks {
			if len(week) != 7 || week[0].Start.Weekday() != time.Monday {
				t.Errorf("%s: a week of %d days begins on %s", name, len(week), week[0].Start)
			}
			for _, day := range week {
				if calendar.Days(last, day.Start) != 1 || !day.Start.Equal(calendar.StartOfDay(day.Start)) {
					t.Errorf("%s: %s follows %s", name, day.Start, last)
				}
				if day.Within != (calendar.MonthOf(day.Start) == m) {
					t.Errorf("%s has %s: %t", name, day.Start, day.Within)
				}
				if day.Within {
					within++
				}
				last = day.Start
			}
		}
		if within != want.days {
			t.Errorf("%s has %d days", name, within)
		}
	}
}

// A month begins and ends in London time, and months follow each other over the end of a year.
func TestMonth(t *testing.T) {
	for name, want := range map[string][4]string{
		"2026-12": {"2026-12-01T00:00:00Z", "2026-12-31T23:59:59.999Z", "2026-11", "2027-01"},
		"2027-01": {"2027-01-01T00:00:00Z", "2027-01-31T23:59:59.999Z", "2026-12", "2027-02"},
		"2026-03": {"2026-03-01T00:00:00Z", "2026-03-31T22:59:59.999Z", "2026-02", "2026-04"},
		"2026-07": {"2026-06-30T23:00:00Z", "2026-07-31T22:59:59.999Z", "2026-06", "2026-08"},
	} {
		m := month(t, name)
		got := [4]string{m.Start().UTC().Format(time.RFC3339Nano), m.End().UTC().Format(time.RFC3339Nano), m.Previous().String(), m.Next().String()}
		if got != want || m.String() != name || calendar.MonthOf(m.Start()) != m || calendar.MonthOf(m.End()) != m {
			t.Errorf("%s: %v", name, got)
		}
	}
	if m := calendar.MonthOf(at(t, "2026-06-30T23:30:00Z")); m.String() != "2026-07" {
		t.Errorf("in London it is July, not %s", m)
	}
}

// Text that is not a month is rejected.
func TestNoMonth(t *testing.T) {
	for _, text := range []string{"", "2026", "2026-13", "2026-00", "2026-1", "26-01", "1999-12", "3000-01", "2026-12-01", "2026-12 ", "+026-01", "２０２６-01"} {
		if m, ok := calendar.ParseMonth(text); ok {
			t.Errorf("%q is read as %s", text, m)
		}
	}
}

// Bank holidays are marked in every month that shows them.
func TestBankHolidaysOfMonths(t *testing.T) {
	shown := map[string]bool{}
	for _, name := range []string{"2026-12", "2027-01"} {
		for _, week := range month(t, name).Weeks() {
			for _, day := range week {
				if day.BankHoliday {
					shown[name+" "+day.Start.Format(time.DateOnly)] = true
				}
			}
		}
	}
	for _, want := range []string{"2026-12 2026-12-25", "2026-12 2026-12-28", "2026-12 2027-01-01", "2027-01 2026-12-28", "2027-01 2027-01-01"} {
		if !shown[want] {
			t.Errorf("%s is not shown: %v", want, shown)
		}
	}
	if len(shown) != 5 {
		t.Errorf("shown: %v", shown)
	}
}
