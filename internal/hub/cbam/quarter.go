package cbam

import (
	"fmt"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
)

// QuarterOf returns the UTC quarter of an instant. The quarter of an import is that of its creation.
func QuarterOf(t time.Time) calendar.Quarter {
	year, month, _ := t.UTC().Date()
	return calendar.Quarter{Year: year, Number: (int(month) + 2) / 3}
}

// before reports whether a is earlier than b.
func before(a, b calendar.Quarter) bool {
	return a.Year < b.Year || a.Year == b.Year && a.Number < b.Number
}

var (
	// firstQuarter is the first quarter with a report under EU CBAM.
	firstQuarter = calendar.Quarter{Year: 2023, Number: 4}
	// ukStart is the first quarter of UK CBAM (Finance Act 2026, Part 5).
	ukStart = calendar.Quarter{Year: 2027, Number: 1}
)

// CheckQuarter parses the quarter of a requested report. It rejects a quarter that has not begun or is before the first CBAM
// quarter.
func CheckQuarter(text string, now time.Time) (calendar.Quarter, []apierr.Detail) {
	q, ok := calendar.ParseQuarter(text)
	switch {
	case !ok:
		return q, []apierr.Detail{{Field: "quarter", Message: "must be a quarter such as 2026-Q4"}}
	case before(QuarterOf(now), q):
		return q, []apierr.Detail{{Field: "quarter", Message: fmt.Sprintf("%s has not begun", q)}}
	case before(q, firstQuarter):
		return q, []apierr.Detail{{Field: "quarter", Message: fmt.Sprintf("%s is before %s, the first quarter of any carbon border adjustment", q, firstQuarter)}}
	}
	return q, nil
}
