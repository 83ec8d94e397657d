package emcs

import (
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
)

// due is what is due of a movement: EMCS must have validated it before the goods
// set out, and once they have arrived the consignee must report them.
func due(m *Movement, at filing.Moment) []filing.Deadline {
	switch at.Status {
	case lifecycle.Draft:
		return m.dispatch("Submit the movement before the goods set out")
	case lifecycle.Submitted:
		return m.dispatch("Have the movement accepted before the goods set out")
	case lifecycle.Accepted:
		return m.dispatch("Dispatch the goods, or cancel the movement before")
	case InTransit:
		if arrival, known := m.arrival(at.ChangedAt); known {
			return []filing.Deadline{{
				Name: "report_of_receipt", Title: "Have the report of receipt for the goods, or explain the delay",
				DueAt: receiptDay(arrival), WholeDay: true, Source: receiptLaw,
			}}
		}
	}
	return nil
}

func (m *Movement) dispatch(title string) []filing.Deadline {
	if m.DispatchAt == nil {
		return nil
	}
	return []filing.Deadline{{Name: "dispatch", Title: title, DueAt: *m.DispatchAt, Source: dispatchLaw}}
}

// arrival is when the goods are expected: their journey after the dispatch that was
// scheduled, or else after the instant at which they are known to have set out. A
// journey longer than any that EMCS takes says nothing.
func (m *Movement) arrival(setOut time.Time) (at time.Time, known bool) {
	if m.JourneyDays == nil || *m.JourneyDays > longestJourney {
		return time.Time{}, false
	}
	if m.DispatchAt != nil {
		setOut = *m.DispatchAt
	}
	return calendar.AddDays(setOut, int(*m.JourneyDays)), !setOut.IsZero()
}

// receiptDays are the business days that a consignee has for the report of receipt.
const receiptDays = 5

func receiptDay(arrival time.Time) time.Time {
	return calendar.EndOfDay(calendar.AddBusinessDays(arrival, receiptDays))
}

const (
	receiptLaw  = "Excise Goods (Holding, Movement and Duty Point) Regulations 2010, regulation 59 (report of receipt within five business days)"
	dispatchLaw = "HMRC EMCS validation rules 8083 and 8084 for IE815: the draft goes in from seven days before the dispatch until its day"
)
