package gvms

import (
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/filing"
)

// deadlines returns the crossing of a record that can be corrected. This service may not learn whether it took place, so the
// deadline lapses.
func deadlines(m *Movement, at filing.Metadata) []filing.Deadline {
	if !slices.Contains(before, at.Status) || m.CrossingDate == nil {
		return nil
	}
	return []filing.Deadline{{
		Name: "crossing", Title: "Add every declaration to the GMR before the vehicle checks in for the crossing",
		DueAt: *m.CrossingDate, Lapses: true, Source: whoNeedsOne,
	}}
}
