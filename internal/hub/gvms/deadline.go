package gvms

import (
	"github.com/tidewaiter/tidewaiter/internal/filing"
)

// due is the crossing that lies ahead. Whether the vehicle went nobody tells this
// service, so the deadline lapses.
func due(m *Movement, at filing.Moment) []filing.Deadline {
	if at.Status != Open || m.CrossingDate == nil {
		return nil
	}
	return []filing.Deadline{{
		Name: "crossing", Title: "Have every declaration in the GMR before the vehicle checks in for the crossing",
		DueAt: *m.CrossingDate, Lapses: true, Source: whoNeedsOne,
	}}
}
