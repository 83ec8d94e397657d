package app

import (
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/deadline"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/hub/cbam"
	"github.com/tidewaiter/tidewaiter/internal/hub/tax"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// calendars are the deadlines that follow from the calendar and belong to no filing.
func calendars() []deadline.Calendar {
	return []deadline.Calendar{
		{Hub: cbam.HubID, Kind: "quarter_end", Days: cbamQuarters},
		{Hub: tax.HubID, Kind: "vat_period", Days: vatPeriods, UsesView: true},
	}
}

// cbamQuarters returns the ends of CBAM's quarters.
func cbamQuarters(_ filing.View, from, to time.Time) (days []deadline.Day, _ error) {
	for _, end := range cbam.QuarterEnds(from, to) {
		days = append(days, deadline.Day{Deadline: end})
	}
	return days, nil
}

// vatPeriods returns the days on which VAT returns are due, except for periods whose return was submitted here or,
// according to HMRC, elsewhere.
func vatPeriods(v filing.View, from, to time.Time) (days []deadline.Day, _ error) {
	for p := tax.PeriodAt(from).Previous().Previous(); !p.Due.After(to); p = p.Next() {
		if p.Due.Before(from) {
			continue
		}
		r, err := v.FilingByKey(tax.Kind+".period", p.Key)
		if err != nil && !apierr.Is(err, apierr.NotFound) {
			return nil, err
		}
		if err == nil && r.Status != lifecycle.Draft {
			continue
		}
		day, open, err := vatDay(v, p)
		if err != nil {
			return nil, err
		}
		if open {
			days = append(days, day)
		}
	}
	return days, nil
}

// vatDay returns the due day of a period, as HMRC reported it. If HMRC was never asked, the return may have been
// submitted elsewhere, so the deadline lapses instead of becoming overdue.
func vatDay(v filing.View, p tax.Period) (day deadline.Day, open bool, err error) {
	record, err := v.FilingByKey(tax.PeriodKind+".period", p.Key)
	unseen := apierr.Is(err, apierr.NotFound)
	if err != nil && !unseen {
		return day, false, err
	}
	if !unseen {
		day.ResourceType, day.ResourceID = tax.PeriodKind, record.ID
		if p, err = p.WithDue(record.Body); err != nil {
			return day, false, err
		}
	}
	day.Deadline = p.Deadline()
	day.Name, day.Lapses = p.Key, unseen
	return day, record.Status != tax.Fulfilled, nil
}

// paths returns the API path of each kind.
func paths(types []*filing.Type) map[string]string {
	all := map[string]string{}
	for _, t := range types {
		all[t.Kind] = t.Path
	}
	return all
}
