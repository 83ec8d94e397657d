package calendar_test

import (
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
)

// A quarter, month or age that was parsed is written as text that parses to the same, and its times are in order.
func FuzzNames(f *testing.F) {
	for _, text := range []string{"2026-Q4", "0000-Q1", "9999-Q4", "2026-12", "2999-12", "6y", "90 days", " 9999D ", "100 years", "+6y", "-1d", "６y", "2026-q1"} {
		f.Add(text)
	}
	now := time.Date(2026, 3, 29, 1, 30, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, text string) {
		if q, ok := calendar.ParseQuarter(text); ok {
			if again, ok := calendar.ParseQuarter(q.String()); !ok || again != q || q.String() != text {
				t.Errorf("%q is read as the quarter %s", text, q)
			}
		}
		if m, ok := calendar.ParseMonth(text); ok {
			if !m.Start().Before(m.End()) || m.Next().Previous() != m || m.String() != text || len(m.Weeks()) < 4 || len(m.Weeks()) > 6 {
				t.Errorf("%q is read as the month %s", text, m)
			}
		}
		a, err := calendar.ParseAge(text)
		if err != nil {
			return
		}
		if again, err := calendar.ParseAge(a.String()); err != nil || again != a || !a.Before(now).Before(now) {
			t.Errorf("%q is read as the age %s, and that as %s: %v", text, a, again, err)
		}
	})
}
