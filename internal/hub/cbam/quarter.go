package cbam

import (
	"fmt"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
)

// QuarterOf is the quarter that an instant lies in, by UTC: that of an import is
// the quarter of its creation.
func QuarterOf(t time.Time) calendar.Quarter {
	year, month, _ := t.UTC().Date()
	return calendar.Quarter{Year: year, Number: (int(month) + 2) / 3}
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

// CheckQuarter reads the quarter that a report is asked for, and refuses one that
// has not begun, or that lies before there was anything to report.
func CheckQuarter(text string, now time.Time) (calendar.Quarter, []apierr.Detail) {
	q, ok := calendar.ParseQuarter(text)
	switch {
	case !ok:
		return q, []apierr.Detail{{Field: "quarter", Message: "must be a quarter such as 2026-Q4"}}
	case before(QuarterOf(now), q):
		return q, []apierr.Detail{{Field: "quarter", Message: fmt.Sprintf("%s has not begun", q)}}
	case before(q, firstQuarter):
		return q, []apierr.Detail{{Field: "quarter", Message: fmt.Sprintf("%s lies before %s, the first quarter of any carbon border adjustment", q, firstQuarter)}}
	}
	return q, nil
}
