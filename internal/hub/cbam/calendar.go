package cbam

import (
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing/deadline"
)

// Calendar has the ends of the quarters.
var Calendar = deadline.Calendar{Hub: HubID, Kind: "quarter_end", Days: quarterDays}

func quarterDays(_ deadline.View, _ *deadline.Facts, from, to time.Time) (days []deadline.Day, _ error) {
	for _, end := range QuarterEnds(from, to) {
		days = append(days, deadline.Day{Deadline: end})
	}
	return days, nil
}
