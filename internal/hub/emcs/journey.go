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
	{Code: "EMCS-039", Severity: rules.Warning, Field: "expectedJourneyTime", Judge: noJourney, Source: "EMCS rule R054 (form of the journey time)",
		Title: "The journey has no time"},
	{Code: "EMCS-040", Severity: rules.Blocker, Field: "expectedJourneyTime", Judge: longJourney, Source: "EMCS rules BR007 and R054 (journey time by mode of transport)",
		Title: "The journey is longer than EMCS takes for any mode of transport"},
	{Code: "EMCS-041", Severity: rules.Warning, Field: "expectedJourneyTime", Judge: diversionRisk, Source: "House rule: journey time and risk of diversion; " + movementLaw + " (irregularity of a movement)",
		Title: "The journey takes longer than its route explains, and goods may be diverted on the way"},
	{Code: "EMCS-042", Severity: rules.Warning, Field: "vehicleReg", Judge: vehicle, Source: ernGuidance + ": 8081; " + messageForm + ", identity of transport units",
		Title: "The registration of the vehicle is missing or none"},
	{Code: "EMCS-043", Severity: rules.Warning, Field: "scheduledDispatchAt", Judge: dispatchTime, Source: dispatchLaw,
		Title: "The dispatch is missing, past or too far ahead"},
	{Code: "EMCS-044", Severity: rules.Info, Field: "expectedJourneyTime", Judge: receiptDue, Source: receiptLaw,
		Title: "The goods should have arrived, and their report of receipt is due"},
}

// Layouts of the instants in messages.
const (
	day    = "2 January 2006"
	minute = "2 January 2006 15:04 UTC"
)

func noJourney(m *Movement, _ rules.Facts) remarks {
	switch {
	case m.JourneyDays == nil:
		return rules.Say("There is no journey time, and the e-AD needs one.", "Give the days that the goods will be under way in expectedJourneyTime.")
	case *m.JourneyDays == 0:
		return remarks{{
			Severity:   rules.Info,
			Message:    "The journey takes 0 days; a journey of less than a day goes into the e-AD in hours.",
			Suggestion: "Have the hours at hand for the e-AD, or give 1 day.",
		}}
	}
	return nil
}

// longestJourney is what EMCS takes by sea; by road and rail it is 35 days, by air 20.
const longestJourney = 45

func longJourney(m *Movement, _ rules.Facts) remarks {
	if m.JourneyDays == nil || *m.JourneyDays <= longestJourney {
		return nil
	}
	return rules.Say(fmt.Sprintf("The journey takes %d days; EMCS takes %d at the most, and that by sea.", *m.JourneyDays, longestJourney),
		"Check that expectedJourneyTime is in days, and give the time until the goods arrive or leave the territory.")
}

// Days that a journey takes when nothing holds it up, with some to spare.
const (
	daysAtHome  = 5  // the islands of Scotland included
	daysToIE    = 5  // from Great Britain by ferry
	daysOverNI  = 3  // from Northern Ireland by road
	daysInReach = 10 // of Europe, by road
	daysByRoad  = 35 // what EMCS takes by road
)

// reached are the countries besides the Union's that goods go to by road.
var reached = strings.Fields("AD AL BA CH FO GG GI IS JE LI MC MD ME MK NO RS SM TR UA VA XK")

// usual is how many days a journey may take before somebody asks why.
func (m *Movement) usual() (days int64, route string) {
	country := m.ConsigneeCountry
	switch {
	case m.Route == Domestic:
		return daysAtHome, "within the United Kingdom"
	case m.Route == FromUnion:
		return daysInReach, "from the European Union"
	case country == "IE" && m.fromNI():
		return daysOverNI, "from Northern Ireland to Ireland"
	case country == "IE":
		return daysToIE, "to Ireland"
	case inUnion(country) || slices.Contains(reached, country):
		return daysInReach, "to " + country
	}
	return daysByRoad, "by road"
}

func diversionRisk(m *Movement, _ rules.Facts) remarks {
	if m.JourneyDays == nil || *m.JourneyDays > longestJourney { // else EMCS-040
		return nil
	}
	days, route := m.usual()
	if *m.JourneyDays <= days {
		return nil
	}
	remark := rules.Remark{
		Message:    fmt.Sprintf("The journey takes %d days; %s it takes %d at the most.", *m.JourneyDays, route, days),
		Suggestion: "Give the time that the journey really takes, and have route and stops explained: a long window lets goods be diverted, or one e-AD cover two loads.",
	}
	if days == daysByRoad {
		remark.Severity = rules.Info
		remark.Suggestion = "See that the goods go by sea, for which EMCS takes up to 45 days."
	}
	return remarks{remark}
}

// longestIdentity is what the identity of a transport unit holds.
const longestIdentity = 35

func vehicle(m *Movement, _ rules.Facts) remarks {
	reg := strings.TrimSpace(m.VehicleReg)
	switch n := len([]rune(reg)); {
	case reg == "" && m.Route != Export && m.Category != EnergyOils:
		return remarks{{
			Severity:   rules.Info,
			Message:    "There is no vehicle or trailer; the e-AD names its registration.",
			Suggestion: "Give the registration as soon as the haulier has told it.",
		}}
	case reg == "":
		return nil
	case n > longestIdentity:
		return rules.Say(fmt.Sprintf("%q has %d characters; EMCS takes %d.", reg, n, longestIdentity),
			"Give one registration, of the vehicle or trailer that the goods are in.")
	case party.Placeholder(reg) && !strings.ContainsAny(reg, "0123456789"):
		return rules.Say(fmt.Sprintf("%q is not a registration.", reg), "Copy the registration from the vehicle or trailer.")
	case !strings.ContainsAny(reg, "0123456789"):
		return remarks{{
			Severity:   rules.Info,
			Message:    fmt.Sprintf("%q has no digit, as registrations of vehicles have.", reg),
			Suggestion: "Copy the registration from the vehicle or trailer; a ship goes by its name or IMO number.",
		}}
	}
	return nil
}

// Spans between the review and the dispatch.
const (
	draftDays = 7
	farAhead  = 365 * 24 * time.Hour
)

func dispatchTime(m *Movement, f rules.Facts) remarks {
	if m.DispatchAt == nil {
		return remarks{{
			Severity:   rules.Info,
			Message:    "There is no time of dispatch, and the e-AD needs one.",
			Suggestion: "Give it in scheduledDispatchAt once it is known: EMCS takes a draft from seven days before.",
		}}
	}
	at := m.DispatchAt.UTC().Format(minute)
	switch ahead := m.DispatchAt.Sub(f.Now); {
	case calendar.Days(f.Now, *m.DispatchAt) < 0:
		return rules.Say(fmt.Sprintf("The dispatch on %s is past; EMCS takes a draft until the day of its dispatch.", at),
			"Correct the time, or record that the goods have moved.")
	case ahead > farAhead:
		return rules.Say(fmt.Sprintf("The dispatch on %s is more than a year away.", at), "Check the year.")
	case calendar.Days(f.Now, *m.DispatchAt) > draftDays:
		return remarks{{
			Severity:   rules.Info,
			Message:    fmt.Sprintf("The dispatch on %s is more than seven days away; EMCS takes the draft from %s on.", at, calendar.AddDays(*m.DispatchAt, -draftDays).Format(day)),
			Suggestion: "Submit the movement in the week before the dispatch.",
		}}
	}
	return nil
}

func receiptDue(m *Movement, f rules.Facts) remarks {
	arrival, known := m.arrival(time.Time{})
	if !known || !arrival.Before(f.Now) {
		return nil
	}
	remark := rules.Remark{
		Message:    fmt.Sprintf("The goods were to arrive on %s; their report of receipt is due by %s.", arrival.Format(day), receiptDay(arrival).Format(day)),
		Suggestion: "Unless it is in, ask the consignee for it, or explain the delay to EMCS.",
	}
	if receiptDay(arrival).Before(f.Now) {
		remark.Severity = rules.Warning
	}
	return remarks{remark}
}
