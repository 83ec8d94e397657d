package tax

import (
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/deadline"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// Calendar has the days on which VAT returns are due.
var Calendar = deadline.Calendar{Hub: HubID, Kind: "vat_period", Days: periodDays}

// periodDays returns the days on which VAT returns are due, except for periods whose return was submitted here or,
// according to HMRC, elsewhere.
func periodDays(v deadline.View, from, to time.Time) (days []deadline.Day, _ error) {
	for p := PeriodAt(from).Previous().Previous(); !p.Due.After(to); p = p.Next() {
		if p.Due.Before(from) {
			continue
		}
		r, err := v.FilingByKey(Kind+".period", p.Key)
		if err != nil && !apierr.Is(err, apierr.NotFound) {
			return nil, err
		}
		if err == nil && r.Status != lifecycle.Draft {
			continue
		}
		day, open, err := periodDay(v, p)
		if err != nil {
			return nil, err
		}
		if open {
			days = append(days, day)
		}
	}
	return days, nil
}

// periodDay returns the due day of a period, as HMRC reported it. If HMRC was never asked, the return may have been
// submitted elsewhere, so the deadline lapses instead of becoming overdue.
func periodDay(v filing.View, p Period) (day deadline.Day, open bool, err error) {
	record, err := v.FilingByKey(PeriodKind+".period", p.Key)
	unseen := apierr.Is(err, apierr.NotFound)
	if err != nil && !unseen {
		return day, false, err
	}
	if !unseen {
		day.ResourceType, day.ResourceID = PeriodKind, record.ID
		if p, err = p.WithDue(record.Body); err != nil {
			return day, false, err
		}
	}
	day.Deadline = p.Deadline()
	day.Name, day.Lapses = p.Key, unseen
	return day, record.Status != Fulfilled, nil
}
