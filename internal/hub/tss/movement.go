package tss

import (
	"fmt"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hub/shared/party"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
)

var movementRules = ruleSet{
	{Code: "TSS-033", Severity: rules.Warning, Field: "transportDocNumber", Check: transportDocument, Source: tssGuidance,
		Title: "The transport document number is missing, a placeholder or too long"},
	{Code: "TSS-034", Severity: rules.Warning, Field: "vehicleReg", Check: vehicle, Source: "GOV.UK: Get a goods movement reference; Goods Vehicle Movement Service API",
		Title: "The vehicle registration is missing or malformed"},
	{Code: "TSS-035", Severity: rules.Warning, Field: "scheduledDispatchAt", Check: dispatchTime, Source: "Delegated Regulation (EU) 2015/2446, Articles 105 to 109 (entry summary declaration: two hours for short sea crossings); Regulation (EU) No 952/2013 (Union Customs Code), Article 129(2): 200 days",
		Title: "The dispatch time is in the past, too soon or too far ahead"},
	{Code: "TSS-036", Severity: rules.Info, Field: "scheduledDispatchAt", Check: supplementaryDue, Source: supplementarySource,
		Title: "A supplementary declaration will be due"},
}

// Layouts of times in messages, in UTC.
const (
	day    = "2 January 2006"
	minute = "2 January 2006 15:04 UTC"
)

const longestTransportDocument = 35

func transportDocument(d *Declaration, _ rules.Facts) remarks {
	switch n := len([]rune(d.TransportDocNumber)); {
	case n > longestTransportDocument:
		return rules.Remarks(fmt.Sprintf("%q has %d characters; the Trader Support Service accepts at most %d.", d.TransportDocNumber, n, longestTransportDocument),
			"Give only the number, without the type of document.")
	case n == 0 && d.MovementType.intoNI():
		return remarks{{
			Severity:   rules.Info,
			Message:    "There is no transport document number, and the entry summary declaration needs one.",
			Suggestion: "Give the number of the consignment note, bill of lading or air waybill.",
		}}
	case n > 0 && !strings.ContainsAny(d.TransportDocNumber, "0123456789") && party.Placeholder(d.TransportDocNumber):
		return rules.Remarks(fmt.Sprintf("%q is not a transport document number.", d.TransportDocNumber),
			"Give the number of the consignment note, bill of lading or air waybill.")
	}
	return nil
}

var registration = lazyregexp.New(`^[A-Z0-9 -]{2,30}$`)

func vehicle(d *Declaration, _ rules.Facts) remarks {
	reg := strings.ToUpper(strings.TrimSpace(d.VehicleReg))
	switch {
	case reg == "" && d.MovementType == GBToNI:
		return remarks{{
			Severity:   rules.Info,
			Message:    "There is no vehicle or trailer registration; for a ferry the declaration needs one.",
			Suggestion: "Give the registration as soon as you know it, unless the goods travel in a container without a vehicle.",
		}}
	case reg != "" && (!registration.MatchString(reg) || !strings.ContainsAny(reg, "0123456789")):
		return rules.Remarks(fmt.Sprintf("%q is not a registration: it must be up to 30 letters, digits, spaces or dashes.", d.VehicleReg),
			"Copy the registration from the vehicle or trailer.")
	}
	return nil
}

// Limits of the time between review and dispatch.
const (
	entryNotice = 2 * time.Hour
	farAhead    = 200 * 24 * time.Hour // a declaration lapses after that
)

func dispatchTime(d *Declaration, f rules.Facts) remarks {
	if d.ScheduledDispatchAt == nil {
		return nil
	}
	at := d.ScheduledDispatchAt.UTC().Format(minute)
	switch ahead := d.ScheduledDispatchAt.Sub(f.Now); {
	case ahead < 0:
		return rules.Remarks(fmt.Sprintf("The dispatch on %s is in the past; the declaration must be made before it.", at),
			"Correct the time, or inform the Trader Support Service that the goods have moved.")
	case ahead < entryNotice && d.MovementType.intoNI():
		return rules.Remarks(fmt.Sprintf("The dispatch on %s is less than two hours away; the entry summary declaration is due two hours before arrival.", at),
			"Submit now, and let the vehicle wait for the acceptance.")
	case ahead > farAhead:
		return rules.Remarks(fmt.Sprintf("The dispatch on %s is more than 200 days away, and an entry summary declaration lapses after 200.", at), "Check the year, or declare closer to the date.")
	}
	return nil
}

// supplementaryNotice is the time before the due date in which the finding is a warning.
const supplementaryNotice = 5 * 24 * time.Hour

// supplementaryDue applies after the goods have left: the full declaration is due by the tenth day of the following month.
func supplementaryDue(d *Declaration, f rules.Facts) remarks {
	if d.ScheduledDispatchAt == nil || !d.MovementType.intoNI() || d.ScheduledDispatchAt.After(f.Now) {
		return nil
	}
	moved := d.ScheduledDispatchAt.In(calendar.London())
	due := calendar.StartOfDay(supplementaryDay(moved))
	remark := rules.Remark{
		Message:    fmt.Sprintf("The goods left on %s; their supplementary declaration is due by %s.", moved.Format(day), due.Format(day)),
		Suggestion: "Have value, origin, procedure and valuation method ready, or make sure that no supplementary declaration is needed.",
	}
	if due.Sub(f.Now) < supplementaryNotice {
		remark.Severity = rules.Warning
	}
	return remarks{remark}
}
