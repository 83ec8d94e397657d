package gvmssim

import (
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/gvms"
)

// Codes of rules. The first two are HMRC's; the others are the simulator's own.
const (
	notForDirection = "001_1"
	alreadyUsed     = "BR011"
	noDeclaration   = "SIM_NO_DECLARATION"
	notEmpty        = "SIM_NOT_EMPTY"
	noVehicle       = "SIM_NO_VEHICLE"
	noTrailer       = "SIM_NO_TRAILER"
	noCrossing      = "SIM_NO_CROSSING"
	wrongRoute      = "SIM_WRONG_ROUTE"
)

// failures returns the rules that a record breaks; nil for none.
func (s *Simulator) failures(g *goodsRecord) (all []gvms.RuleFailure) {
	r := &g.Movement.Record
	fail := func(broken bool, code, field, value, message string) {
		if broken {
			all = append(all, gvms.RuleFailure{Code: code, Message: message, Field: field, Value: value})
		}
	}
	declared := len(r.IDs()) + len(r.EIDR)
	fail(declared == 0 && r.EmptyVehicle == nil, noDeclaration, "$.customsDeclarations", "", "The record has no declaration, and the vehicle is not empty.")
	fail(declared > 0 && r.EmptyVehicle != nil, notEmpty, "$.emptyVehicle", "", "The vehicle is empty, but the record has declarations.")
	fail(!r.Unaccompanied && r.VehicleRegNum == "", noVehicle, "$.vehicleRegNum", "", "An accompanied movement needs the registration number of the vehicle.")
	fail(r.Unaccompanied && len(r.Trailers)+len(r.Containers) == 0, noTrailer, "$.trailerRegistrationNums", "", "An unaccompanied movement needs a trailer or a container.")
	fail(len(r.IndirectExports) > 0 && r.Direction != gvms.NIToGB, notForDirection, "$.indirectExportDeclarations", string(r.Direction), "The declaration type is not allowed for this direction.")
	if _, timed := departureOf(r); timed {
		route := r.PlannedCrossing.RouteID
		fail(!serves(route, r.Direction), wrongRoute, "$.plannedCrossing.routeId", route, "The route does not go in this direction.")
	} else {
		fail(true, noCrossing, "$.plannedCrossing", "", "The crossing has no route of the reference data, or no time of departure.")
	}
	for _, id := range r.IDs() {
		fail(s.usedElsewhere(g, id), alreadyUsed, "$.customsDeclarations", id, "The declaration is in another record.")
	}
	return all
}

// serves reports whether a route goes in a direction.
func serves(route string, d gvms.Direction) bool {
	return slices.ContainsFunc(reference.Routes, func(o gvms.Route) bool { return o.ID == route && o.Direction == d })
}

// usedElsewhere reports whether another record of the organisation that is not completed has a declaration.
func (s *Simulator) usedElsewhere(g *goodsRecord, id string) bool {
	return slices.ContainsFunc(s.records, func(o *goodsRecord) bool {
		return o != g && o.Organisation == g.Organisation && !o.Deleted && o.Movement.Metadata.State != gvms.Completed && slices.Contains(o.Movement.IDs(), id)
	})
}
