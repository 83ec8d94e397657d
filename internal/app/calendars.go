package app

import (
	"time"

	"github.com/tidewaiter/tidewaiter/internal/deadline"
	"github.com/tidewaiter/tidewaiter/internal/fault"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hub/cbam"
	"github.com/tidewaiter/tidewaiter/internal/hub/tax"
	"github.com/tidewaiter/tidewaiter/internal/lifecycle"
)

// calendars are the deadlines that are no filing's: they follow from the calendar.
func calendars() []deadline.Calendar {
	return []deadline.Calendar{
		{Hub: cbam.HubID, Kind: "quarter_end", Days: cbamQuarters},
		{Hub: tax.HubID, Kind: "vat_period", Days: vatPeriods},
	}
}

// cbamQuarters are the ends of the quarters by which CBAM counts imports.
func cbamQuarters(_ filing.View, from, to time.Time) (days []deadline.Day, _ error) {
	for _, end := range cbam.QuarterEnds(from, to) {
		days = append(days, deadline.Day{Deadline: end})
	}
	return days, nil
}

// vatPeriods are the days on which returns are due, less those of periods whose return
// has been submitted. Where nobody has looked at a period here, its return may well
// be in by another way, so it is not held against anybody when its day is over.
func vatPeriods(v filing.View, from, to time.Time) (days []deadline.Day, _ error) {
	for p := tax.PeriodAt(from).Previous().Previous(); !p.Due.After(to); p = p.Next() {
		if p.Due.Before(from) {
			continue
		}
		r, err := v.FilingByKey(tax.Kind+".period", p.Key)
		if err == nil && r.Status != lifecycle.Draft {
			continue
		}
		day := deadline.Day{Deadline: p.Deadline()}
		day.Name = p.Key
		record, missing := v.FilingByKey(tax.PeriodKind+".period", p.Key)
		if day.Lapses = fault.Is(missing, fault.NotFound); !day.Lapses {
			day.ResourceType, day.ResourceID = tax.PeriodKind, record.ID
		}
		for _, err := range []error{err, missing} {
			if err != nil && !fault.Is(err, fault.NotFound) {
				return nil, err
			}
		}
		days = append(days, day)
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
