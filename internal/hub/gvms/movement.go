// Package gvms is the Hub for goods that cross the border of the United Kingdom on a lorry or trailer: the goods movement
// record (GMR) of HMRC's Goods Vehicle Movement Service (GVMS), which the driver shows at check-in, and its rules.
package gvms

import (
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/gvms"
	"github.com/tidewaiter/tidewaiter/internal/hub/shared/declared"
)

// Movement is one crossing of one vehicle.
type Movement struct {
	RouteFrom    string         `json:"routeFrom,omitempty" requiredWithout:"message" minLength:"1" maxLength:"140" doc:"Port or tunnel terminal of departure: its UN/LOCODE or its name" example:"FRCQF"`
	RouteTo      string         `json:"routeTo,omitempty" requiredWithout:"message" minLength:"1" maxLength:"140" doc:"Port or tunnel terminal of arrival: its UN/LOCODE or its name" example:"Dover"`
	VehicleReg   string         `json:"vehicleReg,omitempty" requiredWithout:"message" minLength:"1" maxLength:"70" doc:"Registration of the vehicle that makes the crossing" example:"AB24 CDE"`
	CrossingDate *time.Time     `json:"crossingDate,omitempty" doc:"Departure time of the ferry or shuttle" example:"2026-12-01T06:30:00.000Z"`
	Declarations []string       `json:"customsDeclarations,omitempty" maxItems:"200" nullable:"false" doc:"MRN or DUCR of each customs declaration on the vehicle, or the id of a declaration of the organisation, which is replaced by its MRN, of an outbound crossing by its DUCR" example:"[\"26GB3TTI2CQ1C7FGR4\"]"`
	Transit      []string       `json:"transitDeclarations,omitempty" maxItems:"200" nullable:"false" doc:"MRN of each transit declaration (NCTS) on the vehicle" example:"[\"26FRB0000Q4XJ5M2K7\"]"`
	RouteID      string         `json:"routeId,omitempty" minLength:"1" pattern:"^[A-Z0-9-]+$" maxLength:"200" doc:"HMRC’s route of the crossing, where several carriers offer it" example:"SIM-1"`
	Message      filing.Content `json:"message,omitempty" doc:"The whole goods movement record under HMRC’s names, or the part of it that the other members lack. The direction follows from the route if it is absent"`

	filing.Labels
}

func (m *Movement) from() place { return readPlace("routeFrom", m.RouteFrom) }
func (m *Movement) to() place   { return readPlace("routeTo", m.RouteTo) }

// isOutbound reports whether the vehicle leaves the United Kingdom, as far as the movement itself says that.
func (m *Movement) isOutbound() bool {
	r, err := m.messageOf()
	if err != nil || r.Direction != "" {
		return r.Direction == gvms.Outbound
	}
	return m.direction(&gvms.Reference{}) == gvms.Outbound
}

// numbers returns by which number HMRC knows the customs declarations of the crossing.
func (m *Movement) numbers() declared.Number {
	if m.isOutbound() {
		return declared.DUCR
	}
	return declared.MRN
}

// ends returns the places of departure and arrival.
func (m *Movement) ends() []place { return []place{m.from(), m.to()} }
