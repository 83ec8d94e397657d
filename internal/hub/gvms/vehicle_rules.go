package gvms

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/platform/calendar"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
)

var vehicleRules = ruleSet{
	{Code: "GVMS-019", Severity: rules.Blocker, Field: "vehicleReg", Check: noVehicle, Source: haulierAPI + ": vehicleRegNum",
		Title: "The vehicle registration is missing or a placeholder"},
	{Code: "GVMS-020", Severity: rules.Blocker, Field: "vehicleReg", Check: severalVehicles, Source: haulierAPI + ": a GMR is for one vehicle",
		Title: "There is more than one registration"},
	{Code: "GVMS-021", Severity: rules.Blocker, Field: "vehicleReg", Check: refusedRegistration, Source: haulierAPI + ": vehicleRegNum of up to 30 of A-Z, 0-9, space and dash",
		Title: "GVMS does not accept the registration as written"},
	{Code: "GVMS-022", Severity: rules.Warning, Field: "vehicleReg", Check: container, Source: haulierAPI + ": containerReferenceNums; ISO 6346",
		Title: "The registration is a container number"},
	{Code: "GVMS-023", Severity: rules.Info, Field: "vehicleReg", Check: trailer, Source: haulierAPI + ": trailerRegistrationNums; Trailer Registration Regulations 2018",
		Title: "The registration belongs to a trailer"},
	{Code: "GVMS-024", Severity: rules.Warning, Field: "vehicleReg", Check: noRegistration, Source: haulierAPI + ": vehicleRegNum",
		Title: "The text is probably not a registration"},
	{Code: "GVMS-025", Severity: rules.Warning, Field: "vehicleReg", Check: letterForDigit, Source: "DVLA: INF104, vehicle registration numbers and number plates",
		Title: "There is a letter where a British registration has a digit"},
	{Code: "GVMS-026", Severity: rules.Info, Field: "vehicleReg", Check: unissuedAge, Source: "DVLA: INF104, vehicle registration numbers and number plates",
		Title: "The age identifier of a British registration has not been issued yet"},
}

// capitals converts only a to z. Unicode case mapping would convert the Turkish ı to I, which is another letter on a plate.
func capitals(text string) string {
	return strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' {
			return r - 'a' + 'A'
		}
		return r
	}, strings.TrimSpace(text))
}

// removeGaps removes spaces and dashes, which do not distinguish registrations.
var removeGaps = strings.NewReplacer(" ", "", "-", "")

// withoutGaps returns a registration in capitals without spaces and dashes.
func withoutGaps(reg string) string { return removeGaps.Replace(capitals(reg)) }

// placeholderRegistrations lists placeholders for a registration that is not known yet.
var placeholderRegistrations = strings.Fields("TBC TBA TBD NA N/A NONE NIL NULL UNKNOWN NOTKNOWN TOBECONFIRMED TOBEADVISED PENDING TEST VEHICLE LORRY TRUCK TRAILER TRACTOR VAN UNACCOMPANIED ?")

func noVehicle(m *Movement, _ rules.Facts) remarks {
	if !isAbsent(m.VehicleReg) {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("%q is not a registration; the GMR must contain one at check-in.", m.VehicleReg),
		"Give the registration as soon as the vehicle is known; the record can be corrected while it is OPEN.")
}

func isAbsent(reg string) bool {
	text := strings.Trim(withoutGaps(reg), ".")
	return slices.Contains(placeholderRegistrations, strings.ReplaceAll(text, ".", "")) || strings.Trim(text, text[:min(1, len(text))]) == ""
}

var (
	between   = lazyregexp.New(`[/+,;&|]|\s(?:AND|UND|ET|PLUS)\s`)
	plausible = lazyregexp.New(`^[A-Z0-9]*(?:[A-Z][0-9]|[0-9][A-Z])[A-Z0-9]*$`)
	inARow    = lazyregexp.New(`^[A-Z]{2}[0-9]{2} ?[A-Z]{3}[ -]+(?:[A-Z]{2}[0-9]{2} ?[A-Z]{3}|[A-Z][0-9]{7})$`)
)

// minRegistration is the minimum length of a part that can be a registration.
const minRegistration = 4

func isSeveral(reg string) bool {
	reg = capitals(reg)
	several := 0
	for _, part := range between.Split(reg, -1) {
		if part = withoutGaps(strings.TrimSpace(part)); len(part) >= minRegistration && plausible.MatchString(part) {
			several++
		}
	}
	return several > 1 || inARow.MatchString(reg)
}

func severalVehicles(m *Movement, _ rules.Facts) remarks {
	if !isSeveral(m.VehicleReg) {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("%q contains more than one registration.", m.VehicleReg),
		"Give only the registration of the tractor or rigid vehicle, and create a record for each other vehicle.")
}

var accepted = lazyregexp.New(`^[A-Z0-9 -]{1,30}$`)

// maxShownMarks is the maximum number of rejected characters in a message.
const maxShownMarks = 5

func refusedRegistration(m *Movement, _ rules.Facts) remarks {
	reg := capitals(m.VehicleReg)
	if accepted.MatchString(reg) || isAbsent(m.VehicleReg) || isSeveral(m.VehicleReg) {
		return nil
	}
	var marks []string
	for _, r := range reg {
		if mark := fmt.Sprintf("%+q", r); !accepted.MatchString(string(r)) && !slices.Contains(marks, mark) && len(marks) < maxShownMarks {
			marks = append(marks, mark)
		}
	}
	if marks == nil {
		return rules.Remarks(fmt.Sprintf("%q has %d characters; GVMS accepts at most 30.", m.VehicleReg, len([]rune(reg))), "Give only the registration of the vehicle.")
	}
	return rules.Remarks(fmt.Sprintf("%q contains %s; GVMS accepts A to Z, digits, spaces and dashes.", m.VehicleReg, strings.Join(marks, ", ")),
		"Write letters without diacritics (Ü as U), and use the Latin letters on the plate.")
}

// registration returns the registration, and whether GVMS accepts it and it belongs to one vehicle.
func (m *Movement) registration() (reg string, ok bool) {
	upper := capitals(m.VehicleReg)
	return withoutGaps(upper), accepted.MatchString(upper) && !isAbsent(upper) && !isSeveral(upper)
}

func container(m *Movement, _ rules.Facts) remarks {
	reg, ok := m.registration()
	if _, err := ident.ParseContainer(reg); !ok || err != nil {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("%q is a container number.", m.VehicleReg),
		"Give the registration of the vehicle that carries it. In GVMS, declare a container without a vehicle as an unaccompanied container.")
}

var trailerNumber = lazyregexp.New(`^[A-Z][0-9]{7}$`)

// trailer is only a note, because half of the trailers cross without a driver. In the tunnel every trailer has a tractor.
func trailer(m *Movement, _ rules.Facts) remarks {
	reg, ok := m.registration()
	if !ok || !trailerNumber.MatchString(reg) {
		return nil
	}
	remark := rules.Remark{
		Message:    fmt.Sprintf("%q has the form of a UK trailer registration.", m.VehicleReg),
		Suggestion: "If there is a driver, give the registration of the tractor. Otherwise GVMS accepts the trailer as an unaccompanied crossing.",
	}
	if m.throughTunnel() {
		remark.Severity = rules.Warning
		remark.Message += " In the tunnel every trailer has a tractor."
	}
	return remarks{remark}
}

func (m *Movement) throughTunnel() bool {
	return slices.ContainsFunc(m.ends(), func(p place) bool {
		port := p.port()
		return port != nil && (port.code() == "GBFOL" || port.code() == "FRCQS" || port.code() == "FRFHN")
	})
}

// longestPlate is the length of the longest European registration, without spaces.
const longestPlate = 12

var (
	chassis = lazyregexp.New(`^[A-HJ-NPR-Z0-9]{17}$`)
	fleet   = lazyregexp.New(`^(?:TRAILER|TRAILOR|TRL|TRLR|TRUCK|LORRY|FLEET|UNIT|VEHICLE|VEH|TRACTOR|DRIVER|CAB)[ -]*(?:NO|NR)?[ -]*[0-9]+$`)
)

func noRegistration(m *Movement, _ rules.Facts) remarks {
	reg, ok := m.registration()
	_, errContainer := ident.ParseContainer(reg)
	switch {
	case !ok || errContainer == nil:
		return nil
	case fleet.MatchString(capitals(m.VehicleReg)):
		return rules.Remarks(fmt.Sprintf("%q is a fleet number.", m.VehicleReg), "Give the registration on the vehicle's plate.")
	case chassis.MatchString(reg):
		return rules.Remarks(fmt.Sprintf("%q has the form of a chassis number (VIN).", m.VehicleReg), "Give the registration on the vehicle's plate.")
	case len(reg) > longestPlate:
		return rules.Remarks(fmt.Sprintf("%q has %d letters and digits, more than any registration.", m.VehicleReg, len(reg)), "Give only the registration of the vehicle.")
	case len(reg) < 2 || !strings.ContainsAny(reg, "0123456789"):
		return rules.Remarks(fmt.Sprintf("%q is too short or has no digit, unlike almost every registration.", m.VehicleReg), "Copy the registration from the plate.")
	}
	return nil
}

// digitsForLetters replaces letters that are confused with digits.
var digitsForLetters = strings.NewReplacer("O", "0", "I", "1")

var mistyped = lazyregexp.New(`^[A-Z]{2}(?:[OI][0-9]|[0-9][OI]|[OI]{2})[A-Z]{3}$`)

func letterForDigit(m *Movement, _ rules.Facts) remarks {
	reg, ok := m.registration()
	if !ok || !mistyped.MatchString(reg) {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("%q has the letter O or I where a British registration has a digit.", m.VehicleReg),
		fmt.Sprintf("Write %s if the plate says so. Cameras at the port read the plate.", reg[:2]+digitsForLetters.Replace(reg[2:4])+reg[4:]))
}

var british = lazyregexp.New(`^([A-Z]{2})([0-9]{2})[A-Z]{3}$`)

// romanian lists the county codes of Romania, whose registrations look like British ones.
const romanian = "AB AG AR BC BH BN BR BT BV BZ CJ CL CS CT CV DB DJ GJ GL GR HD HR IF IL IS MH MM MS NT OT PH SB SJ SM SV TL TM TR VL VN VS"

// unissuedAge checks the two digits of a British registration: the year from March (02 for 2002), plus 50 from September.
func unissuedAge(m *Movement, f rules.Facts) remarks {
	reg, ok := m.registration()
	parts := british.FindStringSubmatch(reg)
	if !ok || parts == nil || strings.Contains(romanian, parts[1]) {
		return nil
	}
	age, _ := strconv.Atoi(parts[2])
	issued := time.Date(2000+age%50, time.March, 1, 0, 0, 0, 0, calendar.London())
	if age > 50 {
		issued = issued.AddDate(0, 6, 0)
	}
	if age >= 51 && !issued.After(f.Now) || age >= 2 && age < 50 && !issued.After(f.Now) {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("%q would be a British registration with the age identifier %s, which has not been issued.", m.VehicleReg, parts[2]),
		"Copy the registration from the plate. A foreign registration may look like this.")
}
