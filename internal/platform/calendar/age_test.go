package calendar_test

import (
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
)

// ParseAge reads the usual forms and rejects all other text.
func TestParseAge(t *testing.T) {
	for text, want := range map[string]calendar.Age{
		"6y": {Years: 6}, "90d": {Days: 90}, " 6 Years ": {Years: 6}, "1 year": {Years: 1}, "365 days": {Days: 365},
	} {
		if got, err := calendar.ParseAge(text); err != nil || got != want {
			t.Errorf("%q: %v %v", text, got, err)
		}
	}
	for _, text := range []string{"", "6", "y", "0d", "-6y", "6h", "101y", "10000d", "6.5y", "6y 3d", "720h0m0s"} {
		if got, err := calendar.ParseAge(text); err == nil {
			t.Errorf("%q is read as %v", text, got)
		}
	}
}

// Years are calendar years, and the year of a time is London's.
func TestAges(t *testing.T) {
	at := time.Date(2027, 1, 1, 0, 30, 0, 0, time.UTC)
	if got := (calendar.Age{Years: 6}).Before(at); !got.Equal(time.Date(2021, 1, 1, 0, 30, 0, 0, time.UTC)) {
		t.Errorf("six years before: %v", got)
	}
	if got := calendar.YearOf(at); !got.Equal(time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)) {
		t.Errorf("the year began at %v", got)
	}
	if got := calendar.YearOf(at.Add(-time.Hour)); got.Year() != 2026 {
		t.Errorf("the year before began at %v", got)
	}
	for _, c := range []struct {
		a, b calendar.Age
		want bool
	}{
		{calendar.Age{Years: 3}, calendar.Age{Years: 4}, true}, {calendar.Age{Years: 4}, calendar.Age{Years: 4}, false},
		{calendar.Age{Days: 1460}, calendar.Age{Years: 4}, true}, {calendar.Age{Days: 1464}, calendar.Age{Years: 4}, false},
		{calendar.Age{Days: 6}, calendar.Age{Days: 7}, true}, {calendar.Age{Years: 6}, calendar.Age{Days: 7}, false},
	} {
		if c.a.Shorter(c.b) != c.want {
			t.Errorf("%v shorter than %v: %t", c.a, c.b, !c.want)
		}
	}
}
