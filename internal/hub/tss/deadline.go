package tss

import (
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
)

// due is what is due of a declaration: the Trader Support Service must have taken
// it before the goods set out, and after a movement into Northern Ireland the goods
// that were declared in simplified form must be declared in full. Whether that was
// done nobody tells this service, so the second lapses.
func due(d *Declaration, m filing.Moment) []filing.Deadline {
	if d.ScheduledDispatchAt == nil {
		return nil
	}
	switch m.Status {
	case lifecycle.Draft:
		return dispatch(d, "Submit the declaration before the goods set out")
	case lifecycle.Submitted:
		return dispatch(d, "Have the declaration accepted before the goods set out")
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

// supplementaryDay ends on the tenth of the month after a movement. It was the
// fourth working day until May 2024, and some of HMRC's manuals still say so.
func supplementaryDay(moved time.Time) time.Time { return calendar.OfNextMonth(moved, 10) }

const supplementarySource = "GOV.UK: Making a final supplementary declaration; NICTA: supplementary declarations by the 10th"
