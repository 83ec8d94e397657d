package form

import (
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
)

// Formats in which browsers submit a local date and time, by precision.
const (
	minuteLayout = "2006-01-02T15:04"
	secondLayout = "2006-01-02T15:04:05"
	milliLayout  = "2006-01-02T15:04:05.000"
)

// typedLayouts are formats in which people type a date and time if the browser has no control for it.
// The part after the seconds is optional.
var typedLayouts = []string{
	minuteLayout, secondLayout, "2006-01-02 15:04", "2006-01-02 15:04:05",
	"2/1/2006 15:04", "2/1/2006 15:04:05", "2.1.2006 15:04", "2 Jan 2006 15:04", "2 January 2006 15:04",
	time.RFC3339,
}

// localText formats an instant in London time; a text that is not an instant is unchanged.
func localText(text string) string {
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return text
	}
	t = t.In(calendar.London())
	switch {
	case t.Nanosecond() != 0:
		return t.Format(milliLayout)
	case t.Second() != 0:
		return t.Format(secondLayout)
	}
	return t.Format(minuteLayout)
}

// ParseInstant parses a date and time in London and returns it as in a body; empty if it is
// invalid. In the hour that occurs twice when the clocks go back, it is the second.
func ParseInstant(typed string) string {
	typed = strings.Join(strings.Fields(strings.ReplaceAll(typed, ",", " ")), " ")
	for _, spelling := range typedLayouts {
		if t, err := time.ParseInLocation(spelling, typed, calendar.London()); err == nil {
			return t.UTC().Format(time.RFC3339Nano)
		}
	}
	return ""
}

func isDay(text string) bool {
	_, err := time.Parse(time.DateOnly, text)
	return err == nil
}

// parseDay returns typed text as a date of a body, or the text itself if it is not a date.
func parseDay(typed string) string {
	for _, spelling := range []string{"2/1/2006", "2.1.2006", "2 Jan 2006", "2 January 2006"} {
		if t, err := time.Parse(spelling, typed); err == nil {
			return t.Format(time.DateOnly)
		}
	}
	return typed
}
