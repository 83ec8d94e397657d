package calendar_test

import (
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
)

func at(t *testing.T, text string) time.Time {
	t.Helper()
	instant, err := time.Parse(time.RFC3339, text)
	if err != nil {
		t.Fatal(err)
	}
	return instant
}

// A day begins and ends at midnight in London, also when it has 23 or 25 hours.
func TestDay(t *testing.T) {
	for _, c := range []struct{ in, start, end string }{
		{"2026-11-21T09:00:00Z", "2026-11-21T00:00:00Z", "2026-11-21T23:59:59.999Z"},
		{"2026-06-30T22:59:59Z", "2026-06-29T23:00:00Z", "2026-06-30T22:59:59.999Z"},
		{"2026-06-30T23:00:00Z", "2026-06-30T23:00:00Z", "2026-07-01T22:59:59.999Z"},
		{"2026-03-29T12:00:00Z", "2026-03-29T00:00:00Z", "2026-03-29T22:59:59.999Z"},
		{"2026-10-25T12:00:00Z", "2026-10-24T23:00:00Z", "2026-10-25T23:59:59.999Z"},
		{"2026-12-31T23:59:59Z", "2026-12-31T00:00:00Z", "2026-12-31T23:59:59.999Z"},
	} {
		start, end := calendar.StartOfDay(at(t, c.in)), calendar.EndOfDay(at(t, c.in))
		if !start.Equal(at(t, c.start)) || !end.Equal(at(t, c.end)) {
			t.Errorf("%s: from %s to %s", c.in, start.UTC(), end.UTC())
		}
	}
}

// Days are counted by London midnights, not by 24 hours.
func TestDays(t *testing.T) {
	for _, c := range []struct {
		from, to string
		want     int
	}{
		{"2026-11-21T00:00:00Z", "2026-11-21T23:59:59Z", 0},
		{"2026-11-21T23:59:59Z", "2026-11-22T00:00:00Z", 1},
		{"2026-11-22T00:00:00Z", "2026-11-21T23:59:59Z", -1},
		{"2026-03-28T23:30:00Z", "2026-03-29T23:30:00Z", 2},  // 00:30 on the 30th: 23 hours went by on the 29th
		{"2026-10-24T23:30:00Z", "2026-10-25T23:30:00Z", 0},  // 25 hours of one day
		{"2026-06-30T22:30:00Z", "2026-06-30T23:30:00Z", 1},  // midnight is at 23:00 UTC
		{"2026-02-28T12:00:00Z", "2026-03-31T12:00:00Z", 31}, // over the change
		{"2026-12-31T12:00:00Z", "2027-12-31T12:00:00Z", 365},
		{"2028-02-28T12:00:00Z", "2028-03-01T12:00:00Z", 2},
	} {
		if got := calendar.Days(at(t, c.from), at(t, c.to)); got != c.want {
			t.Errorf("from %s to %s: %d, not %d", c.from, c.to, got, c.want)
		}
	}
}

// AddDays keeps the London time of day.
func TestAddDays(t *testing.T) {
	for _, c := range []struct {
		from string
		days int
		want string
	}{
		{"2026-03-28T09:00:00Z", 1, "2026-03-29T08:00:00Z"},
		{"2026-10-24T08:00:00Z", 30, "2026-11-23T09:00:00Z"},
		{"2026-11-21T09:00:00Z", 30, "2026-12-21T09:00:00Z"},
		{"2027-01-30T09:00:00Z", 30, "2027-03-01T09:00:00Z"},
		{"2026-11-21T09:00:00Z", -30, "2026-10-22T08:00:00Z"},
	} {
		if got := calendar.AddDays(at(t, c.from), c.days); !got.Equal(at(t, c.want)) {
			t.Errorf("%d days after %s: %s", c.days, c.from, got.UTC())
		}
	}
}

// The tenth of the next month is found from every day, and the month is London's.
func TestOfNextMonth(t *testing.T) {
	for moved, want := range map[string]string{
		"2026-11-01T00:00:00Z": "2026-12-10T23:59:59.999Z",
		"2026-11-30T23:59:59Z": "2026-12-10T23:59:59.999Z",
		"2026-12-31T12:00:00Z": "2027-01-10T23:59:59.999Z",
		"2027-01-31T12:00:00Z": "2027-02-10T23:59:59.999Z",
		"2026-06-30T22:59:59Z": "2026-07-10T22:59:59.999Z",
		"2026-06-30T23:00:00Z": "2026-08-10T22:59:59.999Z", // already July in London
		"2026-03-15T12:00:00Z": "2026-04-10T22:59:59.999Z",
	} {
		if got := calendar.OfNextMonth(at(t, moved), 10); !got.Equal(at(t, want)) {
			t.Errorf("moved %s: %s, not %s", moved, got.UTC(), want)
		}
	}
}

// Quarters are those of the calendar year, in London.
func TestQuarter(t *testing.T) {
	for instant, want := range map[string]string{
		"2026-11-21T09:00:00Z": "2026-Q4 2026-12-31T23:59:59.999Z 2027-Q1",
		"2027-01-01T00:00:00Z": "2027-Q1 2027-03-31T22:59:59.999Z 2027-Q2",
		"2027-06-30T22:59:59Z": "2027-Q2 2027-06-30T22:59:59.999Z 2027-Q3",
		"2027-06-30T23:00:00Z": "2027-Q3 2027-09-30T22:59:59.999Z 2027-Q4",
	} {
		q := calendar.QuarterOf(at(t, instant))
		if got := q.String() + " " + q.End().UTC().Format(time.RFC3339Nano) + " " + q.Next().String(); got != want {
			t.Errorf("%s: %s, not %s", instant, got, want)
		}
	}
}

// Business days exclude weekends, bank holidays and their substitute days.
func TestAddBusinessDays(t *testing.T) {
	for _, c := range []struct {
		from string
		days int
		want string
	}{
		{"2026-11-23T09:00:00Z", 5, "2026-11-30T09:00:00Z"}, // Monday to Monday
		{"2026-11-21T09:00:00Z", 5, "2026-11-27T09:00:00Z"}, // from a Saturday
		{"2026-12-23T09:00:00Z", 5, "2027-01-04T09:00:00Z"}, // over Christmas, its substitute day and New Year
		{"2027-12-24T09:00:00Z", 1, "2027-12-29T09:00:00Z"}, // Christmas at a weekend
		{"2027-03-25T09:00:00Z", 1, "2027-03-30T08:00:00Z"}, // over Easter and the change of the clocks
		{"2026-08-30T23:30:00Z", 1, "2026-08-31T23:30:00Z"}, // the bank holiday has begun in London
		{"2026-11-23T09:00:00Z", 0, "2026-11-23T09:00:00Z"},
	} {
		if got := calendar.AddBusinessDays(at(t, c.from), c.days); !got.Equal(at(t, c.want)) {
			t.Errorf("%d business days after %s: %s", c.days, c.from, got.UTC())
		}
	}
}

// All bank holidays on weekdays from 2026 to 2028 are not business days.
func TestBankHolidays(t *testing.T) {
	closed := map[int]int{}
	for day := at(t, "2026-01-01T12:00:00Z"); day.Year() < 2029; day = day.AddDate(0, 0, 1) {
		if weekday := day.Weekday(); weekday != time.Saturday && weekday != time.Sunday && !calendar.IsBusinessDay(day) {
			closed[day.Year()]++
		}
	}
	for year := 2026; year < 2029; year++ {
		if closed[year] != 8 {
			t.Errorf("%d has %d bank holidays", year, closed[year])
		}
	}
	for _, weekend := range []string{"2026-11-21T12:00:00Z", "2026-11-22T12:00:00Z"} {
		if calendar.IsBusinessDay(at(t, weekend)) {
			t.Errorf("%s is a business day", weekend)
		}
	}
}

// Away returns common phrases.
func TestAway(t *testing.T) {
	for days, want := range map[int]string{0: "today", 1: "tomorrow", -1: "yesterday", 2: "in 2 days", -30: "30 days ago"} {
		if got := calendar.Away(days); got != want {
			t.Errorf("%d: %q, not %q", days, got, want)
		}
	}
}
