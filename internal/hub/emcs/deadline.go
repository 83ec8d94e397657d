package emcs

import (
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
)

// deadlines returns the deadlines of a movement: EMCS must validate it before dispatch, and after arrival the consignee
// must send the report of receipt.
func deadlines(m *Movement, at filing.Metadata) []filing.Deadline {
	if len(m.Message) > 0 {
		m = m.Whole()
	}
	switch at.Status {
	case lifecycle.Draft:
		return m.dispatch("Submit the movement before the goods leave")
	case lifecycle.Submitted:
		return m.dispatch("Have the movement accepted before the goods leave")
	case lifecycle.Accepted:
		return m.dispatch("Dispatch the goods, or cancel the movement")
	case InTransit:
		if due, known := m.receiptDue(at); known {
			return []filing.Deadline{{
				Name: "report_of_receipt", Title: "Get the report of receipt for the goods, or explain the delay",
				DueAt: due, WholeDay: true, Source: receiptLaw,
			}}
		}
	}
	return nil
}

// receiptDue returns the day of the report of receipt: the limit of HMRC's reminder, or business days after the arrival that HMRC or the movement expects.
func (m *Movement) receiptDue(at filing.Metadata) (due time.Time, known bool) {
	if due = at.Instant("receiptDueBy"); !due.IsZero() {
		return due, true
	}
	arrival, known := expectedArrival(at)
	if !known {
		arrival, known = m.arrival(at.ChangedAt)
	}
	return receiptDay(arrival), known
}

func (m *Movement) dispatch(title string) []filing.Deadline {
	if m.DispatchAt == nil {
		return nil
	}
	return []filing.Deadline{{Name: "dispatch", Title: title, DueAt: *m.DispatchAt, Source: dispatchLaw}}
}

// arrival returns the expected arrival: the scheduled dispatch plus the journey time, or the actual dispatch plus the
// journey time if none was scheduled. It is unknown if the journey time is longer than EMCS accepts.
func (m *Movement) arrival(setOut time.Time) (at time.Time, known bool) {
	if m.JourneyDays == nil || *m.JourneyDays > longestJourney {
		return time.Time{}, false
	}
	if m.DispatchAt != nil {
		setOut = *m.DispatchAt
	}
	return calendar.AddDays(setOut, int(*m.JourneyDays)), !setOut.IsZero()
}

// receiptDays is the number of business days for the report of receipt.
const receiptDays = 5

func receiptDay(arrival time.Time) time.Time {
	return calendar.EndOfDay(calendar.AddBusinessDays(arrival, receiptDays))
}

const (
	receiptLaw  = "Excise Goods (Holding, Movement and Duty Point) Regulations 2010, regulation 59 (report of receipt within five business days)"
	dispatchLaw = "HMRC EMCS validation rules 8083 and 8084 for IE815: the draft is accepted from seven days before the dispatch to the day of dispatch"
)
