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
	{Code: "GVMS-019", Severity: rules.Blocker, Field: "vehicleReg", Judge: noVehicle, Source: haulierAPI + ": vehicleRegNum",
		Title: "No vehicle is named"},
	{Code: "GVMS-020", Severity: rules.Blocker, Field: "vehicleReg", Judge: severalVehicles, Source: haulierAPI + ": a GMR is for one vehicle",
		Title: "Several registrations are named"},
	{Code: "GVMS-021", Severity: rules.Blocker, Field: "vehicleReg", Judge: refusedRegistration, Source: haulierAPI + ": vehicleRegNum of up to 30 of A-Z, 0-9, space and dash",
		Title: "The service does not take the registration as it is written"},
	{Code: "GVMS-022", Severity: rules.Warning, Field: "vehicleReg", Judge: container, Source: haulierAPI + ": containerReferenceNums; ISO 6346",
		Title: "The number is that of a container"},
	{Code: "GVMS-023", Severity: rules.Info, Field: "vehicleReg", Judge: trailer, Source: haulierAPI + ": trailerRegistrationNums; Trailer Registration Regulations 2018",
		Title: "The registration is that of a trailer"},
	{Code: "GVMS-024", Severity: rules.Warning, Field: "vehicleReg", Judge: noRegistration, Source: haulierAPI + ": vehicleRegNum",
		Title: "The text is hardly a registration"},
	{Code: "GVMS-025", Severity: rules.Warning, Field: "vehicleReg", Judge: letterForDigit, Source: "DVLA: INF104, vehicle registration numbers and number plates",
		Title: "A letter stands where a British registration has a digit"},
	{Code: "GVMS-026", Severity: rules.Info, Field: "vehicleReg", Judge: unissuedAge, Source: "DVLA: INF104, vehicle registration numbers and number plates",
		Title: "A British registration bears an age that has not been issued"},
}

// capitals makes capitals of the small letters of English alone: of the Turkish ı
// unicode would make an I, which is another letter on a plate.
func capitals(text string) string {
	return strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' {
			return r - 'a' + 'A'
		}
		return r
	}, strings.TrimSpace(text))
}

// gaps are what registrations are written with and do not differ by.
var gaps = strings.NewReplacer(" ", "", "-", "")

// squeezed is a registration in capitals without spaces and dashes.
func squeezed(reg string) string { return gaps.Replace(capitals(reg)) }

// absent are texts that stand for a registration that is not known yet.
var absent = strings.Fields("TBC TBA TBD NA N/A NONE NIL NULL UNKNOWN NOTKNOWN TOBECONFIRMED TOBEADVISED PENDING TEST VEHICLE LORRY TRUCK TRAILER TRACTOR VAN UNACCOMPANIED ?")

func noVehicle(m *Movement, _ rules.Facts) remarks {
	if !isAbsent(m.VehicleReg) {
		return nil
	}
	return rules.Say(fmt.Sprintf("%q is no registration; at check-in the GMR must name the vehicle.", m.VehicleReg),
		"Give the registration as soon as the vehicle is known; the record can be corrected while it is OPEN.")
}

func isAbsent(reg string) bool {
	text := strings.Trim(squeezed(reg), ".")
	return slices.Contains(absent, strings.ReplaceAll(text, ".", "")) || strings.Trim(text, text[:min(1, len(text))]) == ""
}

var (
	between   = lazyregexp.New(`[/+,;&|]|\s(?:AND|UND|ET|PLUS)\s`)
	plausible = lazyregexp.New(`^[A-Z0-9]*(?:[A-Z][0-9]|[0-9][A-Z])[A-Z0-9]*$`)
	inARow    = lazyregexp.New(`^[A-Z]{2}[0-9]{2} ?[A-Z]{3}[ -]+(?:[A-Z]{2}[0-9]{2} ?[A-Z]{3}|[A-Z][0-9]{7})$`)
)

// leastRegistration is how short a part may be that still is a registration of its own.
const leastRegistration = 4

func isSeveral(reg string) bool {
	reg = capitals(reg)
	several := 0
	for _, part := range between.Split(reg, -1) {
		if part = squeezed(strings.TrimSpace(part)); len(part) >= leastRegistration && plausible.MatchString(part) {
			several++
		}
	}
	return several > 1 || inARow.MatchString(reg)
}

func severalVehicles(m *Movement, _ rules.Facts) remarks {
	if !isSeveral(m.VehicleReg) {
		return nil
	}
	return rules.Say(fmt.Sprintf("%q names more than one registration.", m.VehicleReg),
		"Give the registration of the tractor or rigid vehicle alone, and make a record for every other vehicle that crosses.")
}

var accepted = lazyregexp.New(`^[A-Z0-9 -]{1,30}$`)

// shownMarks is how many of the characters that are refused a message names.
const shownMarks = 5

func refusedRegistration(m *Movement, _ rules.Facts) remarks {
	reg := capitals(m.VehicleReg)
	if accepted.MatchString(reg) || isAbsent(m.VehicleReg) || isSeveral(m.VehicleReg) {
		return nil
	}
	var marks []string
	for _, r := range reg {
		if mark := fmt.Sprintf("%+q", r); !accepted.MatchString(string(r)) && !slices.Contains(marks, mark) && len(marks) < shownMarks {
			marks = append(marks, mark)
		}
	}
	if marks == nil {
		return rules.Say(fmt.Sprintf("%q has %d characters, and the service takes 30.", m.VehicleReg, len([]rune(reg))), "Give the registration of the vehicle and nothing else.")
	}
	return rules.Say(fmt.Sprintf("%q has %s; the service takes A to Z, digits, spaces and dashes.", m.VehicleReg, strings.Join(marks, ", ")),
		"Write letters with marks without them (Ü as U), and letters of other alphabets as those of the Latin one that the plate shows.")
}

// readable tells whether the service takes a registration and it stands for one vehicle.
func (m *Movement) readable() (reg string, ok bool) {
	upper := capitals(m.VehicleReg)
	return squeezed(upper), accepted.MatchString(upper) && !isAbsent(upper) && !isSeveral(upper)
}

func container(m *Movement, _ rules.Facts) remarks {
	reg, ok := m.readable()
	if _, err := ident.ParseContainer(reg); !ok || err != nil {
		return nil
	}
	return rules.Say(fmt.Sprintf("%q is the number of a container.", m.VehicleReg),
		"Give the registration of the vehicle that carries it; a container that crosses without one is named in GVMS as an unaccompanied container.")
}

var trailerNumber = lazyregexp.New(`^[A-Z][0-9]{7}$`)

// trailer is a note alone, since half of what crosses the sea goes without a driver;
// on the shuttle through the tunnel every trailer has its tractor.
func trailer(m *Movement, _ rules.Facts) remarks {
	reg, ok := m.readable()
	if !ok || !trailerNumber.MatchString(reg) {
		return nil
	}
	remark := rules.Remark{
		Message:    fmt.Sprintf("%q has the form of a trailer's registration in the United Kingdom.", m.VehicleReg),
		Suggestion: "With a driver give the registration of the tractor. Without one GVMS takes the trailer, as an unaccompanied crossing.",
	}
	if m.throughTunnel() {
		remark.Severity = rules.Warning
		remark.Message += " Through the tunnel trailers go with their tractors."
	}
	return remarks{remark}
}

func (m *Movement) throughTunnel() bool {
	return slices.ContainsFunc(m.ends(), func(p place) bool {
		port := p.port()
		return port != nil && (port.code() == "GBFOL" || port.code() == "FRCQS" || port.code() == "FRFHN")
	})
}

// longestPlate is longer than any registration of Europe without its spaces.
const longestPlate = 12

var (
	chassis = lazyregexp.New(`^[A-HJ-NPR-Z0-9]{17}$`)
	fleet   = lazyregexp.New(`^(?:TRAILER|TRAILOR|TRL|TRLR|TRUCK|LORRY|FLEET|UNIT|VEHICLE|VEH|TRACTOR|DRIVER|CAB)[ -]*(?:NO|NR)?[ -]*[0-9]+$`)
)

func noRegistration(m *Movement, _ rules.Facts) remarks {
	reg, ok := m.readable()
	_, errContainer := ident.ParseContainer(reg)
	switch {
	case !ok || errContainer == nil:
		return nil
	case fleet.MatchString(capitals(m.VehicleReg)):
		return rules.Say(fmt.Sprintf("%q is a number of the fleet.", m.VehicleReg), "Give the registration that the vehicle's plate shows.")
	case chassis.MatchString(reg):
		return rules.Say(fmt.Sprintf("%q has the form of a chassis number (VIN).", m.VehicleReg), "Give the registration that the vehicle's plate shows.")
	case len(reg) > longestPlate:
		return rules.Say(fmt.Sprintf("%q has %d letters and digits, more than any registration.", m.VehicleReg, len(reg)), "Give the registration of the vehicle and nothing else.")
	case len(reg) < 2 || !strings.ContainsAny(reg, "0123456789"):
		return rules.Say(fmt.Sprintf("%q has no digit, as almost every registration has, or is too short.", m.VehicleReg), "Copy the registration from the plate.")
	}
	return nil
}

// digits are those that letters are taken for.
var digits = strings.NewReplacer("O", "0", "I", "1")

var mistyped = lazyregexp.New(`^[A-Z]{2}(?:[OI][0-9]|[0-9][OI]|[OI]{2})[A-Z]{3}$`)

func letterForDigit(m *Movement, _ rules.Facts) remarks {
	reg, ok := m.readable()
	if !ok || !mistyped.MatchString(reg) {
		return nil
	}
	return rules.Say(fmt.Sprintf("%q has the letter O or I where a British registration has a digit.", m.VehicleReg),
		fmt.Sprintf("Write %s if that is on the plate; cameras at the port read the plate.", reg[:2]+digits.Replace(reg[2:4])+reg[4:]))
}

var british = lazyregexp.New(`^([A-Z]{2})([0-9]{2})[A-Z]{3}$`)

// romanian are the counties of Romania, whose registrations look like British ones.
const romanian = "AB AG AR BC BH BN BR BT BV BZ CJ CL CS CT CV DB DJ GJ GL GR HD HR IF IL IS MH MM MS NT OT PH SB SJ SM SV TL TM TR VL VN VS"

// unissuedAge knows the two figures of a British registration: those of the year
// from March (02 for 2002) and, from September, 50 more.
func unissuedAge(m *Movement, f rules.Facts) remarks {
	reg, ok := m.readable()
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
	return rules.Say(fmt.Sprintf("%q would be a British registration of the age %s, which has not been issued.", m.VehicleReg, parts[2]),
		"Copy the registration from the plate; a foreign one may look like this.")
}
