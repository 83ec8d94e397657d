package emcs_test

import (
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/hub/emcs"
)

// A movement is due before dispatch. In transit, the report of receipt is due five business days after the expected day
// of arrival.
func TestDeadlines(t *testing.T) {
	set := time.Date(2026, 12, 21, 8, 0, 0, 0, time.UTC)
	marked := set.Add(24 * time.Hour)
	for _, c := range []struct {
		status lifecycle.State
		at     *time.Time
		days   *int64
		name   string
		due    time.Time
	}{
		{lifecycle.Draft, &set, count(2), "dispatch", set},
		{lifecycle.Submitted, &set, nil, "dispatch", set},
		{lifecycle.Accepted, &set, nil, "dispatch", set},
		{emcs.InTransit, &set, count(2), "report_of_receipt", time.Date(2027, 1, 4, 23, 59, 59, 999e6, time.UTC)}, // over Christmas and New Year
		{emcs.InTransit, nil, count(2), "report_of_receipt", time.Date(2027, 1, 5, 23, 59, 59, 999e6, time.UTC)},  // from the actual dispatch
		{emcs.InTransit, &set, nil, "", time.Time{}},
		{emcs.InTransit, &set, count(999_999), "", time.Time{}},
		{emcs.Delivered, &set, count(2), "", time.Time{}},
		{lifecycle.Rejected, &set, count(2), "", time.Time{}},
		{lifecycle.Cancelled, &set, count(2), "", time.Time{}},
		{lifecycle.Draft, nil, count(2), "", time.Time{}},
	} {
		got := emcs.Movements.Deadlines(&emcs.Movement{DispatchAt: c.at, JourneyDays: c.days}, filing.Metadata{Status: c.status, ChangedAt: marked})
		if c.name == "" {
			if len(got) != 0 {
				t.Errorf("%s: %+v", c.status, got)
			}
			continue
		}
		wholeDay := c.name == "report_of_receipt"
		if len(got) != 1 || got[0].Name != c.name || !got[0].DueAt.Equal(c.due) || got[0].Lapses || got[0].WholeDay != wholeDay || got[0].Title == "" || got[0].Source == "" {
			t.Errorf("%s: %+v", c.status, got)
		}
	}
}
