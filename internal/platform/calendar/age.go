package calendar

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Age is a retention period: calendar years or days.
type Age struct{ Years, Days int }

// mostAge is the longest age in either unit. It keeps times within the years that the databases support.
const mostAge = 9999

// ParseAge reads an age: 6y, 90d, "6 years", "90 days".
func ParseAge(text string) (Age, error) {
	text = strings.ToLower(strings.TrimSpace(text))
	digits := strings.TrimRight(text, "abcdefghijklmnopqrstuvwxyz ")
	n, err := strconv.Atoi(digits)
	if err == nil && n > 0 && n <= mostAge {
		switch strings.TrimSpace(text[len(digits):]) {
		case "y", "year", "years":
			if n <= 100 {
				return Age{Years: n}, nil
			}
		case "d", "day", "days":
			return Age{Days: n}, nil
		}
	}
	return Age{}, fmt.Errorf("%q is not an age, such as 6y or 90d", text)
}

// Before returns the time that is the age before t.
func (a Age) Before(t time.Time) time.Time { return t.AddDate(-a.Years, 0, -a.Days) }

// Shorter reports whether an age is shorter than another, whatever its start.
func (a Age) Shorter(other Age) bool {
	const longYear = 366
	return a.Days+a.Years*(longYear-1) < other.Days+other.Years*longYear && a != other
}

// String returns the short form, such as 6y.
func (a Age) String() string {
	if a.Years > 0 {
		return fmt.Sprintf("%dy", a.Years)
	}
	return fmt.Sprintf("%dd", a.Days)
}

// YearOf returns the start of the London calendar year of a time.
func YearOf(t time.Time) time.Time {
	return time.Date(t.In(London()).Year(), time.January, 1, 0, 0, 0, 0, London())
}
