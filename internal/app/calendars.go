package app

import (
	"time"

	"github.com/tidewaiter/tidewaiter/internal/calendar"
	"github.com/tidewaiter/tidewaiter/internal/deadline"
	"github.com/tidewaiter/tidewaiter/internal/filing"
)

// calendars are the deadlines that are no filing's: they follow from the calendar.
func calendars() []deadline.Calendar {
	return []deadline.Calendar{{Hub: "cbam", Kind: "quarter_end", Days: cbamQuarters}}
}

// cbamQuarters are the ends of the quarters by which CBAM counts imports. Nobody
// reports the passing of a day, so each lapses when it is over. The first return
// for the United Kingdom's CBAM covers all of 2027 and is due on 31 May 2028; on
// which day those of the quarters from 2028 will be due is not settled.
func cbamQuarters(_ filing.View, from, to time.Time) (days []deadline.Day, _ error) {
	for q := calendar.QuarterOf(from); !q.End().After(to); q = q.Next() {
		days = append(days, deadline.Day{Deadline: filing.Deadline{
			Name: q.String(), Title: "CBAM quarter " + q.String() + " ends: report its imports", DueAt: q.End(), WholeDay: true, Lapses: true,
			Source: "Regulation (EU) 2023/956, Article 22(2): certificates held at the end of each quarter from 2027; UK CBAM from 1 January 2027",
		}})
	}
	return days, nil
}

// paths are where the records of each kind are.
func paths(types []*filing.Type) map[string]string {
	all := map[string]string{}
	for _, t := range types {
		all[t.Kind] = t.Path
	}
	return all
}
