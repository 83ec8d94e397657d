package template_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/template"
)

// of is a stored template whose drafts are of one shipment.
func of(added string) *filing.Filing {
	return &filing.Filing{Status: lifecycle.Active, Added: []byte(added), Body: []byte(`{"body":{"shipmentId":"01900000-0000-7000-8000-000000000009"}}`)}
}

// The next dates follow weeks and months from the first day, end with the last day or the last of a number of dates, and begin
// with the London day on which the recurrence is saved.
func TestDates(t *testing.T) {
	for name, c := range map[string]struct {
		recurrence template.Recurrence
		now, added string
		want       string
	}{
		"weekdays": {template.Recurrence{Frequency: "WEEKLY", Weekdays: []string{"MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY"}, StartsOn: "2026-11-26"},
			"2026-11-26T09:00:00Z", "{}", "[2026-11-26 2026-11-27 2026-11-30 2026-12-01 2026-12-02]"},
		"every second week, from the week of the first day": {template.Recurrence{Frequency: "WEEKLY", Interval: 2, Weekdays: []string{"MONDAY", "FRIDAY"}, StartsOn: "2026-12-02"},
			"2026-11-26T09:00:00Z", "{}", "[2026-12-04 2026-12-14 2026-12-18 2026-12-28 2027-01-01]"},
		"the last day of short months": {template.Recurrence{Frequency: "MONTHLY", DayOfMonth: 31, StartsOn: "2027-12-31"},
			"2026-11-26T09:00:00Z", "{}", "[2027-12-31 2028-01-31 2028-02-29 2028-03-31 2028-04-30]"},
		"every quarter": {template.Recurrence{Frequency: "MONTHLY", Interval: 3, DayOfMonth: 1, StartsOn: "2026-11-15"},
			"2026-11-26T09:00:00Z", "{}", "[2027-02-01 2027-05-01 2027-08-01 2027-11-01 2028-02-01]"},
		"until a day": {template.Recurrence{Frequency: "MONTHLY", DayOfMonth: 15, StartsOn: "2026-12-01", EndsOn: "2027-01-15"},
			"2026-11-26T09:00:00Z", "{}", "[2026-12-15 2027-01-15]"},
		"the rest of three": {template.Recurrence{Frequency: "WEEKLY", Weekdays: []string{"MONDAY"}, StartsOn: "2026-11-16", Count: 3},
			"2026-11-26T09:00:00Z", "{}", "[2026-11-30]"},
		"all have passed": {template.Recurrence{Frequency: "WEEKLY", Weekdays: []string{"MONDAY"}, StartsOn: "2026-11-02", Count: 3},
			"2026-11-26T09:00:00Z", "{}", "[]"},
		"the day in London, an hour after midnight there": {template.Recurrence{Frequency: "WEEKLY", Weekdays: []string{"MONDAY", "TUESDAY"}, StartsOn: "2026-06-01", Count: 10},
			"2026-06-01T23:30:00Z", "{}", "[2026-06-02 2026-06-08 2026-06-09 2026-06-15 2026-06-16]"},
		"not again on the day of the last draft": {template.Recurrence{Frequency: "WEEKLY", Weekdays: []string{"THURSDAY"}, StartsOn: "2026-11-26", Count: 2},
			"2026-11-26T09:00:00Z", `{"repeated":{"date":"2026-11-26","at":"2026-11-26T06:00:00.000Z"}}`, "[2026-12-03]"},
		"paused": {template.Recurrence{Frequency: "MONTHLY", DayOfMonth: 1, StartsOn: "2026-11-15", Paused: true}, "2026-11-26T09:00:00Z", "{}", "[]"},
	} {
		now, err := time.Parse(time.RFC3339, c.now)
		if err != nil {
			t.Fatal(err)
		}
		got, details := template.Preview(of(c.added), c.recurrence, now)
		if fmt.Sprint(got) != c.want || details != nil {
			t.Errorf("%s: %v %v, not %s", name, got, details, c.want)
		}
	}
}

// Everything that is wrong with a recurrence is named.
func TestWrongRecurrence(t *testing.T) {
	for want, r := range map[string]template.Recurrence{
		"[recurrence.weekdays]":                       {Frequency: "WEEKLY", StartsOn: "2026-11-26"},
		"[recurrence.dayOfMonth]":                     {Frequency: "MONTHLY", StartsOn: "2026-11-26"},
		"[recurrence.weekdays recurrence.dayOfMonth]": {Frequency: "WEEKLY", DayOfMonth: 1, StartsOn: "2026-11-26"},
		"[recurrence.startsOn recurrence.shipmentId]": {Frequency: "MONTHLY", DayOfMonth: 1, StartsOn: "soon", ShipmentID: "x"},
		"[recurrence.endsOn]":                         {Frequency: "MONTHLY", DayOfMonth: 1, StartsOn: "2026-11-26", EndsOn: "2026-11-25"},
		"[recurrence.count]":                          {Frequency: "MONTHLY", DayOfMonth: 1, StartsOn: "2026-11-26", EndsOn: "2026-12-25", Count: 2},
		"[recurrence.endsOn recurrence.endsOn]":       {Frequency: "MONTHLY", DayOfMonth: 1, StartsOn: "2026-11-26", EndsOn: "1999-02-30"},
	} {
		_, details := template.Preview(of("{}"), r, time.Now())
		var fields []string
		for _, d := range details {
			fields = append(fields, d.Field)
		}
		if fmt.Sprint(fields) != want {
			t.Errorf("%+v: %v, not %s", r, fields, want)
		}
	}
}
