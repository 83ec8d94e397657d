package tss_test

import (
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/hub/tss"
)

// A declaration is due before dispatch. After its acceptance a movement into Northern Ireland needs a supplementary
// declaration.
func TestDeadlines(t *testing.T) {
	set := time.Date(2026, 11, 30, 22, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		status   lifecycle.State
		movement tss.Movement
		at       *time.Time
		name     string
		due      time.Time
		lapses   bool
	}{
		{lifecycle.Draft, tss.GBToNI, &set, "dispatch", set, false},
		{lifecycle.Draft, tss.NIToGB, &set, "dispatch", set, false},
		{lifecycle.Submitted, tss.ImportToNI, &set, "dispatch", set, false},
		{lifecycle.Accepted, tss.GBToNI, &set, "supplementary", time.Date(2026, 12, 10, 23, 59, 59, 999e6, time.UTC), true},
		{lifecycle.Accepted, tss.ImportToNI, &set, "supplementary", time.Date(2026, 12, 10, 23, 59, 59, 999e6, time.UTC), true},
		{lifecycle.Accepted, tss.NIToGB, &set, "", time.Time{}, false},
		{lifecycle.Rejected, tss.GBToNI, &set, "", time.Time{}, false},
		{lifecycle.Cancelled, tss.GBToNI, &set, "", time.Time{}, false},
		{lifecycle.Draft, tss.GBToNI, nil, "", time.Time{}, false},
		{lifecycle.Accepted, tss.GBToNI, nil, "", time.Time{}, false},
	} {
		got := tss.Declarations.Deadlines(&tss.Declaration{MovementType: c.movement, ScheduledDispatchAt: c.at}, filing.Metadata{Status: c.status})
		if c.name == "" {
			if len(got) != 0 {
				t.Errorf("%s %s: %+v", c.status, c.movement, got)
			}
			continue
		}
		if len(got) != 1 || got[0].Name != c.name || !got[0].DueAt.Equal(c.due) || got[0].Lapses != c.lapses || got[0].WholeDay != c.lapses || got[0].Title == "" || got[0].Source == "" {
			t.Errorf("%s %s: %+v", c.status, c.movement, got)
		}
	}
}
