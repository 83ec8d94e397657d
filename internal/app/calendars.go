package app

import (
	"time"

	"github.com/tidewaiter/tidewaiter/internal/deadline"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hub/cbam"
)

// calendars are the deadlines that are no filing's: they follow from the calendar.
func calendars() []deadline.Calendar {
	return []deadline.Calendar{{Hub: cbam.HubID, Kind: "quarter_end", Days: cbamQuarters}}
}

// cbamQuarters are the ends of the quarters by which CBAM counts imports.
func cbamQuarters(_ filing.View, from, to time.Time) (days []deadline.Day, _ error) {
	for _, end := range cbam.QuarterEnds(from, to) {
		days = append(days, deadline.Day{Deadline: end})
	}
	return days, nil
}

// paths are where the records of each kind are.
func paths(types []*filing.Type) map[string]string {
	all := map[string]string{}
	for _, t := range types {
		all[t.Kind] = t.Path
	}
	return all
}
