package calendar

import (
	"fmt"
	"strconv"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
)

// Period is an ISO 8601 duration such as P30D or PT90M.
type Period struct {
	Years, Months, Days int
	Time                time.Duration // hours, minutes and seconds
}

var periodText = lazyregexp.New(`^P(?:(\d{1,5})Y)?(?:(\d{1,5})M)?(?:(\d{1,5})W)?(?:(\d{1,5})D)?(T(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,6})S)?)?$`)

// ParsePeriod reads an ISO 8601 duration in whole numbers that is longer than nothing.
func ParsePeriod(text string) (p Period, err error) {
	parts := periodText.FindStringSubmatch(text)
	if parts == nil || parts[5] == "T" {
		return p, fmt.Errorf("%q is not an ISO 8601 duration such as P30D or PT6H", text)
	}
	number := func(i int) int {
		n, _ := strconv.Atoi(parts[i]) // digits, or empty for 0
		return n
	}
	p = Period{
		Years: number(1), Months: number(2), Days: 7*number(3) + number(4),
		Time: time.Duration(number(6))*time.Hour + time.Duration(number(7))*time.Minute + time.Duration(number(8))*time.Second,
	}
	if p == (Period{}) {
		return p, fmt.Errorf("%q is no time", text)
	}
	return p, nil
}

// After returns the time a period after another one, by the calendar of UTC.
func (p Period) After(t time.Time) time.Time {
	return t.UTC().AddDate(p.Years, p.Months, p.Days).Add(p.Time)
}
