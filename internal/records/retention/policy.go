// Package retention deletes data whose retention period has ended: records with their
// dependent data, the oldest audit events, raw messages from CDS, and the delivery log. It
// deletes nothing that is under a legal hold or still being processed.
package retention

import (
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
)

// Policy holds the retention periods.
type Policy struct {
	Records    calendar.Age // of records, events and messages from CDS, from the end of the calendar year
	Deliveries calendar.Age // of deliveries, notices and former versions of records, from the day
}

// RecordsBefore returns the time before which a record must have changed last, or an event happened,
// to have expired. The law requires four years from the end of the calendar year for customs, and six
// for VAT and CBAM; the default is six for all.
func (p Policy) RecordsBefore(now time.Time) time.Time {
	return calendar.YearOf(p.Records.Before(now))
}

// RecordsUntil returns the time at which an event that happened at another time expires.
func (p Policy) RecordsUntil(at time.Time) time.Time {
	return calendar.YearOf(at).AddDate(1+p.Records.Years, 0, p.Records.Days)
}

// DeliveriesBefore returns the time before which a delivery must have been created to have expired.
func (p Policy) DeliveriesBefore(now time.Time) time.Time { return p.Deliveries.Before(now) }

// Class is a class of deleted data.
type Class string

// Classes of deleted data.
const (
	Records    Class = "records"
	Events     Class = "events"
	Messages   Class = "messages"
	Deliveries Class = "deliveries"
	Notices    Class = "notices"
	Versions   Class = "versions"   // of records, as earlier events show them
	Partitions Class = "partitions" // dropped as a whole
	Leftovers  Class = "leftovers"  // failed jobs, and submissions to HMRC of deleted drafts
)

// Classes returns all classes in the order of deletion.
func Classes() []Class {
	return []Class{Records, Events, Messages, Deliveries, Notices, Versions, Partitions, Leftovers}
}

// Report is the number of deleted items by class.
type Report map[Class]int64
