package gvms

import (
	"fmt"
	"slices"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
)

// Limits of a record. HMRC's port API and the second-hand contract name the first two; the third is this service's own.
const (
	MaxTrailers   = 2
	MaxSafetyRefs = 2500
	MaxListed     = 1000 // of any other list
)

// Forms of the values, as the second-hand contract has them.
var (
	gmrForm     = lazyregexp.New(`^GMR[A-Z][0-9A-Z]{8}$`)
	vehicleForm = lazyregexp.New(`^[A-Z0-9-](?:[A-Z0-9 -]{1,30})?$`)
	routeForm   = lazyregexp.New(`^[A-Z0-9-]{1,200}$`)
	numberForm  = lazyregexp.New(`^[A-Z0-9\-)(/]{1,200}$`)
	transitForm = lazyregexp.New(`^\d{2}[A-Z]{2}[A-Z0-9]{14}$`)
	carnetForm  = lazyregexp.New(`^.{1,200}$`)
	eoriForm    = lazyregexp.New(`^[A-Z]{2}[0-9A-Z]{1,15}$`)
)

// IsID reports whether a text has the form of the id of a goods movement record.
func IsID(text string) bool { return gmrForm.MatchString(text) }

// Fault is a value that HMRC's schema does not allow.
type Fault struct {
	Field   string // as a path in the JSON, such as transitDeclarations[0].transitDeclarationId
	Message string
}

// checker collects faults.
type checker struct{ faults []Fault }

func (c *checker) match(field, value string, form *lazyregexp.Regexp) {
	if !form.MatchString(value) {
		c.faults = append(c.faults, Fault{field, fmt.Sprintf("%q does not have the form that GVMS requires", value)})
	}
}

// optional is match for a value that may be absent.
func (c *checker) optional(field, value string, form *lazyregexp.Regexp) {
	if value != "" {
		c.match(field, value, form)
	}
}

func (c *checker) length(field string, n, most int) {
	if n > most {
		c.faults = append(c.faults, Fault{field, fmt.Sprintf("has %d entries, at most %d are allowed", n, most)})
	}
}

// Check returns what HMRC would refuse in the answer to a record; nil for nothing. Whether the record is complete is
// decided later, by HMRC's rules.
func (r *Record) Check() []Fault {
	c := &checker{}
	if !slices.Contains([]Direction{Inbound, Outbound, GBToNI, NIToGB}, r.Direction) {
		c.faults = append(c.faults, Fault{"direction", fmt.Sprintf("%q is not a direction", r.Direction)})
	}
	c.optional("vehicleRegNum", r.VehicleRegNum, vehicleForm)
	c.length("trailerRegistrationNums", len(r.Trailers), MaxTrailers)
	c.length("containerReferenceNums", len(r.Containers), MaxListed)
	c.length("sAndSMasterRefNums", len(r.SafetyRefs), MaxSafetyRefs)
	if p := r.PlannedCrossing; p != nil {
		c.match("plannedCrossing.routeId", p.RouteID, routeForm)
		if _, err := time.Parse(LocalMinute, p.Departure); p.Departure != "" && err != nil {
			c.faults = append(c.faults, Fault{"plannedCrossing.localDateTimeOfDeparture", fmt.Sprintf("%q is not a local time such as 2026-12-01T06:30", p.Departure)})
		}
	}
	c.declarations(r)
	return c.faults
}

// declarations checks the lists of declarations.
func (c *checker) declarations(r *Record) {
	for name, n := range map[string]int{
		"customsDeclarations": len(r.Customs), "transitDeclarations": len(r.Transit), "tirDeclarations": len(r.TIR), "ataDeclarations": len(r.ATA),
		"eidrDeclarations": len(r.EIDR), "indirectExportDeclarations": len(r.IndirectExports),
	} {
		c.length(name, n, MaxListed)
	}
	for i, d := range r.SafetyRefs {
		c.match(fmt.Sprintf("sAndSMasterRefNums[%d].masterRefNum", i), d.MRN, numberForm)
	}
	for i, d := range r.Customs {
		c.match(fmt.Sprintf("customsDeclarations[%d].customsDeclarationId", i), d.ID, numberForm)
		c.optional(fmt.Sprintf("customsDeclarations[%d].sAndSMasterRefNum", i), d.SafetyMRN, numberForm)
	}
	for i, d := range r.Transit {
		c.match(fmt.Sprintf("transitDeclarations[%d].transitDeclarationId", i), d.MRN, transitForm)
	}
	for i, d := range r.TIR {
		c.match(fmt.Sprintf("tirDeclarations[%d].tirCarnetId", i), d.Carnet, carnetForm)
	}
	for i, d := range r.ATA {
		c.match(fmt.Sprintf("ataDeclarations[%d].ataCarnetId", i), d.Carnet, carnetForm)
	}
	for i, d := range r.EIDR {
		c.match(fmt.Sprintf("eidrDeclarations[%d].traderEORI", i), d.EORI, eoriForm)
	}
	for i, d := range r.IndirectExports {
		c.match(fmt.Sprintf("indirectExportDeclarations[%d].eadMasterRefNum", i), d.EAD, transitForm)
	}
}
