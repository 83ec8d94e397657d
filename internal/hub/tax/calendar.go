package tax

import (
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/deadline"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
)

// Calendar has the days on which VAT returns are due.
var Calendar = deadline.Calendar{Hub: HubID, Kind: "vat_period", Keys: periodKeys, Days: periodDays}

// periodKeys returns the keys of the returns and of HMRC's periods that are due between two instants.
func periodKeys(from, to time.Time) (keys []filing.Key) {
	for _, p := range periodsDue(from, to) {
		keys = append(keys, returnKey(p), periodKey(p))
	}
	return keys
}

func returnKey(p Period) filing.Key { return filing.Key{Name: Kind + ".period", Value: p.Key} }
func periodKey(p Period) filing.Key { return filing.Key{Name: PeriodKind + ".period", Value: p.Key} }

// periodsDue returns the periods whose return is due between two instants, both inclusive.
func periodsDue(from, to time.Time) (all []Period) {
	for p := PeriodAt(from).Previous().Previous(); !p.Due.After(to); p = p.Next() {
		if !p.Due.Before(from) {
			all = append(all, p)
		}
	}
	return all
}

// periodDays returns the days on which VAT returns are due, except for periods whose return was submitted here or,
// according to HMRC, elsewhere.
func periodDays(_ deadline.View, f *deadline.Facts, from, to time.Time) (days []deadline.Day, _ error) {
	for _, p := range periodsDue(from, to) {
		if r, found := f.Keyed[returnKey(p)]; found && r.Status != lifecycle.Draft {
			continue
		}
		day, open, err := periodDay(f, p)
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
func periodDay(f *deadline.Facts, p Period) (day deadline.Day, open bool, err error) {
	record, seen := f.Keyed[periodKey(p)]
	if seen {
		day.ResourceType, day.ResourceID = PeriodKind, record.ID
		if p, err = p.WithDue(record.Body); err != nil {
			return day, false, err
		}
	}
	day.Deadline = p.Deadline()
	day.Name, day.Lapses = p.Key, !seen
	return day, record.Status != Fulfilled, nil
}
