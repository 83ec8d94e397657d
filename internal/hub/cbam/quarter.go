package cbam

import (
	"fmt"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/calendar"
	"github.com/tidewaiter/tidewaiter/internal/fault"
)

// QuarterOf is the quarter that an instant lies in, by UTC: that of an import is
// the quarter of its creation.
func QuarterOf(t time.Time) calendar.Quarter {
	year, month, _ := t.UTC().Date()
	return calendar.Quarter{Year: year, Number: (int(month) + 2) / 3}
}

// Bounds are the first instant of a quarter and the first one after it, UTC.
func Bounds(q calendar.Quarter) (from, until time.Time) {
	return firstOf(q), firstOf(q.Next())
}

func firstOf(q calendar.Quarter) time.Time {
	return time.Date(q.Year, time.Month(3*q.Number-2), 1, 0, 0, 0, 0, time.UTC)
}

// before tells which of two quarters comes first.
func before(a, b calendar.Quarter) bool {
	return a.Year < b.Year || a.Year == b.Year && a.Number < b.Number
}

var (
	// firstQuarter is the first that the Union's mechanism asked a report for.
	firstQuarter = calendar.Quarter{Year: 2023, Number: 4}
	// ukStart is the first quarter of the United Kingdom's mechanism (Finance Act 2026, Part 5).
	ukStart = calendar.Quarter{Year: 2027, Number: 1}
)

// ParseQuarter reads a quarter such as 2026-Q4.
func ParseQuarter(text string) (calendar.Quarter, bool) {
	var q calendar.Quarter
	n, _ := fmt.Sscanf(text, "%4d-Q%1d", &q.Year, &q.Number)
	if n != 2 || len(text) != len("2026-Q4") || q.String() != text || q.Number < 1 || q.Number > 4 {
		return calendar.Quarter{}, false
	}
	return q, true
}

// CheckQuarter reads the quarter that a report is asked for, and refuses one that
// has not begun, or that lies before there was anything to report.
func CheckQuarter(text string, now time.Time) (calendar.Quarter, []fault.Detail) {
	q, ok := ParseQuarter(text)
	switch {
	case !ok:
		return q, []fault.Detail{{Field: "quarter", Message: "must be a quarter such as 2026-Q4"}}
	case before(QuarterOf(now), q):
		return q, []fault.Detail{{Field: "quarter", Message: fmt.Sprintf("%s has not begun", q)}}
	case before(q, firstQuarter):
		return q, []fault.Detail{{Field: "quarter", Message: fmt.Sprintf("%s lies before %s, the first quarter of any carbon border adjustment", q, firstQuarter)}}
	}
	return q, nil
}
