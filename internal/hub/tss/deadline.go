package tss

import (
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
)

// deadlines returns the deadlines of a declaration. The Trader Support Service must accept it before dispatch. After a
// movement into Northern Ireland a supplementary declaration is due; this service does not learn whether it was made, so
// that deadline lapses.
func deadlines(d *Declaration, m filing.Metadata) []filing.Deadline {
	if d.ScheduledDispatchAt == nil {
		return nil
	}
	switch m.Status {
	case lifecycle.Draft:
		return dispatch(d, "Submit the declaration before the goods leave")
	case lifecycle.Submitted:
		return dispatch(d, "Have the declaration accepted before the goods leave")
	case lifecycle.Accepted:
		if d.MovementType.intoNI() {
			return []filing.Deadline{{
				Name: "supplementary", Title: "Submit the supplementary declaration, unless none is needed", DueAt: supplementaryDay(*d.ScheduledDispatchAt),
				WholeDay: true, Lapses: true, Source: supplementarySource,
			}}
		}
	}
	return nil
}

func dispatch(d *Declaration, title string) []filing.Deadline {
	return []filing.Deadline{{Name: "dispatch", Title: title, DueAt: *d.ScheduledDispatchAt, Source: tssGuidance}}
}

// supplementaryDay returns the tenth day of the month after a movement. Until May 2024 it was the fourth working day, and
// some HMRC manuals still say so.
func supplementaryDay(moved time.Time) time.Time { return calendar.OfNextMonth(moved, 10) }

const supplementarySource = "GOV.UK: Making a final supplementary declaration; NICTA: supplementary declarations by the 10th"
