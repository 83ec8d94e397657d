package gvms

import (
	"fmt"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
)

var crossingRules = ruleSet{
	{Code: "GVMS-027", Severity: rules.Info, Field: "crossingDate", Check: noCrossingDate, Source: haulierAPI + ": plannedCrossing.localDateTimeOfDeparture",
		Title: "The crossing has no time"},
	{Code: "GVMS-028", Severity: rules.Warning, Field: "crossingDate", Check: pastCrossing, Source: haulierAPI + ": plannedCrossing.localDateTimeOfDeparture",
		Title: "The crossing is in the past"},
	{Code: "GVMS-029", Severity: rules.Info, Field: "crossingDate", Check: nearCrossing, Source: whoNeedsOne,
		Title: "The crossing is soon"},
	{Code: "GVMS-030", Severity: rules.Info, Field: "crossingDate", Check: farCrossing, Source: "Plausibility check: more than 30 days ahead",
		Title: "The crossing is far ahead"},
	{Code: "GVMS-031", Severity: rules.Info, Field: "crossingDate", Check: midnightCrossing, Source: "Plausibility check: a date without a time",
		Title: "The crossing is at midnight, as if only the date was known"},
	{Code: "GVMS-032", Severity: rules.Info, Field: "crossingDate", Check: christmasCrossing, Source: "Plausibility check: hardly any ferries sail on Christmas Day",
		Title: "The crossing is on Christmas Day"},
}

// minute is the layout of times in messages, in London time.
const minute = "2 January 2006 15:04 MST"

func shown(at time.Time) string { return at.In(calendar.London()).Format(minute) }

func noCrossingDate(m *Movement, _ rules.Facts) remarks {
	if m.CrossingDate != nil {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("The crossing from %q to %q has no time, so there is no deadline for it.", m.RouteFrom, m.RouteTo),
		"Give the booked time of departure.")
}

func pastCrossing(m *Movement, f rules.Facts) remarks {
	if m.CrossingDate == nil || !m.CrossingDate.Before(f.Now) {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("The crossing was due to leave on %s, which is in the past.", shown(*m.CrossingDate)),
		"Correct the time if the vehicle has not left, otherwise cancel the record. A GMR is for one crossing only.")
}

// Limits of the time between review and crossing.
const (
	checkIn = 2 * time.Hour
	usual   = 30 * 24 * time.Hour
	farOff  = 180 * 24 * time.Hour
)

func nearCrossing(m *Movement, f rules.Facts) remarks {
	if m.CrossingDate == nil || m.CrossingDate.Before(f.Now) || m.CrossingDate.Sub(f.Now) >= checkIn {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("The crossing leaves on %s, in less than two hours.", shown(*m.CrossingDate)),
		"Make sure that every declaration has its reference before check-in, including the entry summary declaration for imports.")
}

func farCrossing(m *Movement, f rules.Facts) remarks {
	if m.CrossingDate == nil || m.CrossingDate.Sub(f.Now) <= usual {
		return nil
	}
	remark := rules.Remark{
		Message:    fmt.Sprintf("The crossing on %s is more than 30 days ahead.", shown(*m.CrossingDate)),
		Suggestion: "Check the month. Declarations made before arrival lapse after 30 days.",
	}
	if m.CrossingDate.Sub(f.Now) > farOff {
		remark.Severity = rules.Warning
		remark.Message = fmt.Sprintf("The crossing on %s is more than half a year ahead.", shown(*m.CrossingDate))
		remark.Suggestion = "Check the year."
	}
	return remarks{remark}
}

func midnightCrossing(m *Movement, _ rules.Facts) remarks {
	if m.CrossingDate == nil || !isMidnight(m.CrossingDate.UTC()) && !isMidnight(m.CrossingDate.In(calendar.London())) {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("The crossing leaves at midnight (%s); perhaps only the date was known.", shown(*m.CrossingDate)),
		"Give the time of departure.")
}

func isMidnight(t time.Time) bool { return t.Hour() == 0 && t.Minute() == 0 && t.Second() == 0 }

// christmasCrossing does not apply to the tunnel, which is open every day of the year.
func christmasCrossing(m *Movement, _ rules.Facts) remarks {
	if m.CrossingDate == nil || m.throughTunnel() {
		return nil
	}
	if _, month, day := m.CrossingDate.In(calendar.London()).Date(); month != time.December || day != 25 {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("The crossing leaves on Christmas Day (%s), when hardly any ferries sail.", shown(*m.CrossingDate)), "Check the booking.")
}
