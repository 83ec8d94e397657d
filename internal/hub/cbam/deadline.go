package cbam

import (
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
)

// QuarterEnds are the ends of the quarters, by the days of London, from one instant
// to another. Nobody reports the passing of a day, so each lapses when it is over.
func QuarterEnds(from, to time.Time) (all []filing.Deadline) {
	for q := calendar.QuarterOf(from); !q.End().After(to); q = q.Next() {
		all = append(all, filing.Deadline{
			Name: q.String(), Title: "CBAM quarter " + q.String() + " ends: report its imports", DueAt: q.End(), WholeDay: true, Lapses: true,
			Source: "Regulation (EU) 2023/956, Article 22(2): certificates held at the end of each quarter from 2027; UK CBAM from 1 January 2027",
		})
	}
	return all
}

// The first accounting period of the United Kingdom's mechanism is all of 2027, and
// its return and payment are due on 31 May 2028. On which day those of the quarters
// from 2028 will be due is not settled.
const firstPeriod = 2027

var firstReturn = calendar.EndOfDay(time.Date(2028, time.May, 31, 12, 0, 0, 0, time.UTC))

const ukLaw = "Finance Act 2026, Part 5 and Schedule 17 (carbon border adjustment mechanism)"

// Due is when the return that covers a quarter is due, as far as that is settled.
func Due(q calendar.Quarter) (at time.Time, known bool) {
	if q.Year != firstPeriod {
		return time.Time{}, false
	}
	return firstReturn, true
}

// due is what is due of a report until it is accepted.
func due(r *Report, m filing.Moment) []filing.Deadline {
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
