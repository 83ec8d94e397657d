package cbam

import (
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
)

// QuarterEnds returns the ends of quarters in London between two instants. Nothing confirms a report, so each lapses.
func QuarterEnds(from, to time.Time) (all []filing.Deadline) {
	for q := calendar.QuarterOf(from); !q.End().After(to); q = q.Next() {
		all = append(all, filing.Deadline{
			Name: q.String(), Title: "CBAM quarter " + q.String() + " ends: report its imports", DueAt: q.End(), WholeDay: true, Lapses: true,
			Source: "Regulation (EU) 2023/956, Article 22(2): certificates held at the end of each quarter from 2027; UK CBAM from 1 January 2027",
		})
	}
	return all
}

// The first accounting period of UK CBAM is the year 2027; its return and payment are due on 31 May 2028. The due dates for
// quarters from 2028 are not decided yet.
const firstPeriod = 2027

var firstReturn = calendar.EndOfDay(time.Date(2028, time.May, 31, 12, 0, 0, 0, time.UTC))

const ukLaw = "Finance Act 2026, Part 5 and Schedule 17 (carbon border adjustment mechanism)"

// Due returns the due date of the return for a quarter; known is false if it is not decided yet.
func Due(q calendar.Quarter) (at time.Time, known bool) {
	if q.Year != firstPeriod {
		return time.Time{}, false
	}
	return firstReturn, true
}

// deadlines returns the deadline of a report until it is accepted.
func deadlines(r *Report, m filing.Metadata) []filing.Deadline {
	q, ok := calendar.ParseQuarter(r.Quarter)
	at, known := Due(q)
	if !ok || !known {
		return nil
	}
	title := "Submit the CBAM report of " + r.Quarter
	switch m.Status {
	case lifecycle.Draft:
	case lifecycle.Submitted:
		title = "Have the CBAM report of " + r.Quarter + " accepted"
	default:
		return nil
	}
	return []filing.Deadline{{Name: "return", Title: title + " with the return for 2027", DueAt: at, WholeDay: true, Source: ukLaw}}
}
