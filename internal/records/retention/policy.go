// Package retention removes what has been kept long enough: records with all that
// belongs to them, the oldest events of the trails, messages of customs as they came,
// and the log of deliveries. Nothing that is under a legal hold goes, and nothing that
// is still on its way.
package retention

import (
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
)

// Policy says how long is kept what.
type Policy struct {
	Records    calendar.Age // and events, and messages of customs: from the end of the calendar year
	Deliveries calendar.Age // and what they deliver, from the day
}

// RecordsBefore is the instant before which a record must have changed last, and an
// event have happened, to have been kept long enough. Customs asks for four years from
// the end of the calendar year, VAT and the carbon border adjustment for six: a year
// goes as a whole, six years after its end unless the policy says otherwise.
func (p Policy) RecordsBefore(now time.Time) time.Time {
	return calendar.YearOf(p.Records.Before(now))
}

// RecordsUntil is the instant from which an event that happened at another has been kept long enough.
func (p Policy) RecordsUntil(at time.Time) time.Time {
	return calendar.YearOf(at).AddDate(1+p.Records.Years, 0, p.Records.Days)
}

// DeliveriesBefore is the instant before which a delivery must have been made.
func (p Policy) DeliveriesBefore(now time.Time) time.Time { return p.Deliveries.Before(now) }

// Class is a sort of what is removed.
type Class string

// The classes.
const (
	Records    Class = "records"
	Events     Class = "events"
	Messages   Class = "messages"
	Deliveries Class = "deliveries"
	Notices    Class = "notices"
	Partitions Class = "partitions" // whole, with all rows in them
	Leftovers  Class = "leftovers"  // jobs that were given up, and submissions to HMRC of drafts that were deleted
)

// Classes are all of them, in the order in which they are removed.
func Classes() []Class {
	return []Class{Records, Events, Messages, Deliveries, Notices, Partitions, Leftovers}
}

// Report is how much of each class was removed, or would be.
type Report map[Class]int64
