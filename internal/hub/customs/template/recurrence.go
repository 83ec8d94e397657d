package template

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
)

// Frequencies of a recurrence.
const (
	Weekly  = "WEEKLY"
	Monthly = "MONTHLY"
)

// Recurrence says on which days a draft is made from a template. Days and times are those of London.
type Recurrence struct {
	Frequency  string   `json:"frequency" enum:"WEEKLY,MONTHLY" doc:"Weeks or months"`
	Interval   int      `json:"interval,omitempty" minimum:"1" maximum:"12" doc:"Every how many weeks or months, counted from those of startsOn; 1 if absent" example:"2"`
	Weekdays   []string `json:"weekdays,omitempty" minItems:"1" maxItems:"7" enum:"MONDAY,TUESDAY,WEDNESDAY,THURSDAY,FRIDAY,SATURDAY,SUNDAY" doc:"Days of the week of WEEKLY" example:"[\"MONDAY\"]"`
	DayOfMonth int      `json:"dayOfMonth,omitempty" minimum:"1" maximum:"31" doc:"Day of MONTHLY; the last day of months that do not have it" example:"31"`
	StartsOn   string   `json:"startsOn" format:"date" doc:"First day that can be a date" example:"2026-11-30"`
	EndsOn     string   `json:"endsOn,omitempty" format:"date" doc:"Last day that can be a date" example:"2027-03-31"`
	Count      int      `json:"count,omitempty" minimum:"1" maximum:"366" doc:"Number of dates from startsOn, instead of endsOn" example:"12"`
	Time       string   `json:"time,omitempty" pattern:"^([01][0-9]|2[0-3]):[0-5][0-9]$" doc:"Time in London; 06:00 if absent" example:"06:00"`
	Paused     bool     `json:"paused,omitempty" doc:"Make no drafts. The dates until it is false again are left out"`
	ShipmentID string   `json:"shipmentId,omitempty" format:"uuid" doc:"A shipment of the client. Each draft gets a new one like it, without vessel, arrival, containers and references. Required if body has no shipmentId, and otherwise absent: all drafts are then of that shipment" example:"0192f3c4-7a10-7c3e-8f00-1f2e3d4c5b6a"`
}

// usualTime is the time of a recurrence that gives none.
const usualTime = "06:00"

// check returns what is wrong with a recurrence, apart from its schema.
func (r *Recurrence) check(hasShipment bool) (details []apierr.Detail) {
	wrong := func(field, message string) {
		details = append(details, apierr.Detail{Field: "recurrence." + field, Message: message})
	}
	for field, day := range map[string]string{"startsOn": r.StartsOn, "endsOn": r.EndsOn} {
		if day != "" && readDay(day).Before(firstDay) {
			wrong(field, "must be a day such as 2026-11-30")
		}
	}
	switch {
	case r.Frequency == Weekly && len(r.Weekdays) == 0:
		wrong("weekdays", "is required for WEEKLY")
	case r.Frequency == Monthly && len(r.Weekdays) > 0:
		wrong("weekdays", "must be absent for MONTHLY")
	}
	switch {
	case r.Frequency == Monthly && r.DayOfMonth == 0:
		wrong("dayOfMonth", "is required for MONTHLY")
	case r.Frequency == Weekly && r.DayOfMonth > 0:
		wrong("dayOfMonth", "must be absent for WEEKLY")
	}
	switch {
	case r.EndsOn != "" && r.Count > 0:
		wrong("count", "must be absent if endsOn is given")
	case r.EndsOn != "" && r.EndsOn < r.StartsOn:
		wrong("endsOn", "must not be before startsOn")
	}
	switch {
	case r.ShipmentID == "" && !hasShipment:
		wrong("shipmentId", "is required, because the template names no shipment")
	case r.ShipmentID != "" && hasShipment:
		wrong("shipmentId", "must be absent, because the template names the shipment of all drafts")
	}
	return details
}

// period returns the dates of a period from startsOn, sorted: the week or month that is n intervals after that of startsOn.
func (r *Recurrence) period(n int) (dates []time.Time) {
	start := readDay(r.StartsOn)
	n *= max(1, r.Interval)
	if r.Frequency == Monthly {
		first := time.Date(start.Year(), start.Month()+time.Month(n), 1, 0, 0, 0, 0, time.UTC)
		dates = append(dates, first.AddDate(0, 0, min(r.DayOfMonth, lastDayOf(first))-1))
	} else {
		monday := mondayOf(start).AddDate(0, 0, 7*n)
		for i := range 7 {
			d := monday.AddDate(0, 0, i)
			if slices.Contains(r.Weekdays, strings.ToUpper(d.Weekday().String())) {
				dates = append(dates, d)
			}
		}
	}
	return slices.DeleteFunc(dates, func(d time.Time) bool { return d.Before(start) })
}

// periodBefore returns the number of a period that is not after that of a day.
func (r *Recurrence) periodBefore(d time.Time) int {
	start := readDay(r.StartsOn)
	n := int(d.Sub(mondayOf(start)).Hours()) / (7 * 24)
	if r.Frequency == Monthly {
		n = (d.Year()-start.Year())*12 + int(d.Month()) - int(start.Month())
	}
	return max(0, n/max(1, r.Interval))
}

// dates returns the first dates on or after a day, at most n.
func (r *Recurrence) dates(from time.Time, n int) (all []time.Time) {
	end, left, at := lastDay, math.MaxInt, r.periodBefore(from)
	if r.EndsOn != "" {
		end = readDay(r.EndsOn)
	}
	if r.Count > 0 {
		left, at = r.Count, 0 // all dates are counted
	}
	for ; left > 0; at++ {
		for _, d := range r.period(at) {
			if left--; left < 0 || d.After(end) || len(all) == n {
				return all
			}
			if !d.Before(from) {
				all = append(all, d)
			}
		}
	}
	return all
}

// instant returns when the draft of a date is made.
func (r *Recurrence) instant(date time.Time) time.Time {
	text := r.Time
	if text == "" {
		text = usualTime
	}
	var hour, minute int
	_, _ = fmt.Sscanf(text, "%d:%d", &hour, &minute) // the schema checked it
	return time.Date(date.Year(), date.Month(), date.Day(), hour, minute, 0, 0, calendar.London())
}

// Days of a recurrence are midnights in UTC, so that a week always has the same number of hours.

// firstDay and lastDay are the first and the last day that can be dates.
var (
	firstDay = time.Date(2000, time.January, 1, 0, 0, 0, 0, time.UTC)
	lastDay  = time.Date(2999, time.December, 31, 0, 0, 0, 0, time.UTC)
)

// readDay reads a day; zero if the text is none.
func readDay(text string) time.Time {
	d, _ := time.Parse(time.DateOnly, text)
	return d
}

// dayOf returns the London day of a time.
func dayOf(t time.Time) time.Time {
	year, month, day := t.In(calendar.London()).Date()
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
}

// mondayOf returns the Monday of the week of a day.
func mondayOf(d time.Time) time.Time { return d.AddDate(0, 0, -(int(d.Weekday())+6)%7) }

// lastDayOf returns the number of days of the month of a day.
func lastDayOf(d time.Time) int {
	return time.Date(d.Year(), d.Month()+1, 0, 0, 0, 0, 0, time.UTC).Day()
}
