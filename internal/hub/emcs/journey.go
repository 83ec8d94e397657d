package emcs

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hub/shared/party"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
)

var journeyRules = ruleSet{
	{Code: "EMCS-039", Severity: rules.Warning, Field: "expectedJourneyTime", Check: noJourney, Source: "EMCS rule R054 (form of the journey time)",
		Title: "The journey time is missing"},
	{Code: "EMCS-040", Severity: rules.Blocker, Field: "expectedJourneyTime", Check: longJourney, Source: "EMCS rules BR007 and R054 (journey time by mode of transport)",
		Title: "The journey time is longer than EMCS accepts for any mode of transport"},
	{Code: "EMCS-041", Severity: rules.Warning, Field: "expectedJourneyTime", Check: diversionRisk, Source: "Plausibility check: journey time and risk of diversion; " + movementLaw + " (irregularity of a movement)",
		Title: "The journey takes longer than the route needs, which is a risk of diversion"},
	{Code: "EMCS-042", Severity: rules.Warning, Field: "vehicleReg", Check: vehicle, Source: ernGuidance + ": 8081; " + messageSchema + ", identity of transport units",
		Title: "The vehicle registration is missing or not a registration"},
	{Code: "EMCS-043", Severity: rules.Warning, Field: "scheduledDispatchAt", Check: dispatchTime, Source: dispatchLaw,
		Title: "The dispatch time is missing, in the past or too far ahead"},
	{Code: "EMCS-044", Severity: rules.Info, Field: "expectedJourneyTime", Check: receiptDue, Source: receiptLaw,
		Title: "The goods should have arrived, and the report of receipt is due"},
}

// Layouts of times in messages.
const (
	day    = "2 January 2006"
	minute = "2 January 2006 15:04 UTC"
)

func noJourney(m *Movement, _ rules.Facts) remarks {
	switch {
	case m.JourneyDays == nil:
		return rules.Remarks("There is no journey time, but the e-AD needs one.", "Give the journey time in days in expectedJourneyTime.")
	case *m.JourneyDays == 0:
		return remarks{{
			Severity:   rules.Info,
			Message:    "The journey time is 0 days; the e-AD gives a journey of less than a day in hours.",
			Suggestion: "Prepare the hours for the e-AD, or give 1 day.",
		}}
	}
	return nil
}

// longestJourney is the maximum in EMCS, in days, by sea. By road and rail it is 35 days, by air 20.
const longestJourney = 45

func longJourney(m *Movement, _ rules.Facts) remarks {
	if m.JourneyDays == nil || *m.JourneyDays <= longestJourney {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("The journey time is %d days; EMCS accepts at most %d, by sea.", *m.JourneyDays, longestJourney),
		"Check that expectedJourneyTime is in days, and give the time until the goods arrive or leave the territory.")
}

// Days that a normal journey takes, with a margin.
const (
	daysDomestic = 5  // including the Scottish islands
	daysToIE     = 5  // from Great Britain by ferry
	daysOverNI   = 3  // from Northern Ireland by road
	daysInEurope = 10 // in Europe, by road
	daysByRoad   = 35 // the maximum in EMCS by road
)

// roadCountries lists the countries outside the EU that goods reach by road.
var roadCountries = strings.Fields("AD AL BA CH FO GG GI IS JE LI MC MD ME MK NO RS SM TR UA VA XK")

// usualDays returns the days that a journey normally takes at most, and its route for messages.
func (m *Movement) usualDays() (days int64, route string) {
	country := m.ConsigneeCountry
	switch {
	case m.Route == Domestic:
		return daysDomestic, "within the United Kingdom"
	case m.Route == FromUnion:
		return daysInEurope, "from the European Union"
	case country == "IE" && m.fromNI():
		return daysOverNI, "from Northern Ireland to Ireland"
	case country == "IE":
		return daysToIE, "to Ireland"
	case inUnion(country) || slices.Contains(roadCountries, country):
		return daysInEurope, "to " + country
	}
	return daysByRoad, "by road"
}

func diversionRisk(m *Movement, _ rules.Facts) remarks {
	if m.JourneyDays == nil || *m.JourneyDays > longestJourney { // else EMCS-040
		return nil
	}
	days, route := m.usualDays()
	if *m.JourneyDays <= days {
		return nil
	}
	remark := rules.Remark{
		Message:    fmt.Sprintf("The journey time is %d days; %s it is normally at most %d.", *m.JourneyDays, route, days),
		Suggestion: "Give the real journey time, or ask for an explanation of route and stops. With a long journey time goods can be diverted, or one e-AD used for two loads.",
	}
	if days == daysByRoad {
		remark.Severity = rules.Info
		remark.Suggestion = "Check that the goods go by sea, for which EMCS accepts up to 45 days."
	}
	return remarks{remark}
}

// longestIdentity is the maximum length of the identity of a transport unit.
const longestIdentity = 35

func vehicle(m *Movement, _ rules.Facts) remarks {
	reg := strings.TrimSpace(m.VehicleReg)
	switch n := len([]rune(reg)); {
	case reg == "" && m.Route != Export && m.Category != EnergyOils:
		return remarks{{
			Severity:   rules.Info,
			Message:    "There is no vehicle or trailer registration, but the e-AD needs one.",
			Suggestion: "Give the registration as soon as you know it.",
		}}
	case reg == "":
		return nil
	case n > longestIdentity:
		return rules.Remarks(fmt.Sprintf("%q has %d characters; EMCS accepts at most %d.", reg, n, longestIdentity),
			"Give one registration: that of the vehicle or trailer with the goods.")
	case party.Placeholder(reg) && !strings.ContainsAny(reg, "0123456789"):
		return rules.Remarks(fmt.Sprintf("%q is not a registration.", reg), "Copy the registration from the vehicle or trailer.")
	case !strings.ContainsAny(reg, "0123456789"):
		return remarks{{
			Severity:   rules.Info,
			Message:    fmt.Sprintf("%q has no digit, unlike vehicle registrations.", reg),
			Suggestion: "Copy the registration from the vehicle or trailer. For a ship, give its name or IMO number.",
		}}
	}
	return nil
}

// Limits of the time between review and dispatch.
const (
	draftDays = 7
	farAhead  = 365 * 24 * time.Hour
)

func dispatchTime(m *Movement, f rules.Facts) remarks {
	if m.DispatchAt == nil {
		return remarks{{
			Severity:   rules.Info,
			Message:    "There is no dispatch time, but the e-AD needs one.",
			Suggestion: "Give it in scheduledDispatchAt when you know it. EMCS accepts a draft from seven days before dispatch.",
		}}
	}
	at := m.DispatchAt.UTC().Format(minute)
	switch ahead := m.DispatchAt.Sub(f.Now); {
	case calendar.Days(f.Now, *m.DispatchAt) < 0:
		return rules.Remarks(fmt.Sprintf("The dispatch on %s is in the past; EMCS accepts a draft until the day of dispatch.", at),
			"Correct the time, or mark the movement dispatched.")
	case ahead > farAhead:
		return rules.Remarks(fmt.Sprintf("The dispatch on %s is more than a year away.", at), "Check the year.")
	case calendar.Days(f.Now, *m.DispatchAt) > draftDays:
		return rules.Remarks(fmt.Sprintf("The dispatch on %s is more than seven days away; EMCS accepts the draft from %s.", at, calendar.AddDays(*m.DispatchAt, -draftDays).Format(day)),
			"Submit the movement in the week before the dispatch.")
	}
	return nil
}

func receiptDue(m *Movement, f rules.Facts) remarks {
	arrival, known := m.arrival(time.Time{})
	if !known || !arrival.Before(f.Now) {
		return nil
	}
	remark := rules.Remark{
		Message:    fmt.Sprintf("The goods were expected on %s; their report of receipt is due by %s.", arrival.Format(day), receiptDay(arrival).Format(day)),
		Suggestion: "If there is none, ask the consignee for it, or explain the delay in EMCS.",
	}
	if receiptDay(arrival).Before(f.Now) {
		remark.Severity = rules.Warning
	}
	return remarks{remark}
}
