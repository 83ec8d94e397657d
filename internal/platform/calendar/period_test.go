package calendar

import (
	"testing"
	"time"
)

// A period is added by the calendar of UTC; text in another form is an error.
func TestPeriods(t *testing.T) {
	from := time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC)
	for text, want := range map[string]string{
		"P30D": "2026-03-02T09:00:00Z", "P1Y": "2027-01-31T09:00:00Z", "P2W": "2026-02-14T09:00:00Z", "PT36H": "2026-02-01T21:00:00Z",
		"P1DT1M1S": "2026-02-01T09:01:01Z", "P1M": "2026-03-03T09:00:00Z",
		"": "", "P": "", "PT": "", "P0D": "", "30D": "", "P-1D": "", "P1.5D": "", "p1d": "", "P1D ": "", "P999999D": "", "P1H": "",
	} {
		got := ""
		if p, err := ParsePeriod(text); err == nil {
			got = p.After(from).Format(time.RFC3339)
		}
		if got != want {
			t.Errorf("%q leads to %q, want %q", text, got, want)
		}
	}
}
