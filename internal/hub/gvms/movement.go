// Package gvms is the Hub of goods that cross the border of the United Kingdom on a
// lorry or trailer: the goods movement record (GMR) of HMRC's Goods Vehicle Movement
// Service, which the driver shows at check-in, and the rules that judge it.
package gvms

import "time"

// Movement is one crossing of one vehicle.
type Movement struct {
	RouteFrom    string     `json:"routeFrom" minLength:"1" maxLength:"140" doc:"Port or tunnel terminal that the vehicle sets out from, as a UN/LOCODE or by its name" example:"FRCQF"`
	RouteTo      string     `json:"routeTo" minLength:"1" maxLength:"140" doc:"Port or tunnel terminal that the vehicle arrives at, as a UN/LOCODE or by its name" example:"Dover"`
	VehicleReg   string     `json:"vehicleReg" minLength:"1" maxLength:"70" doc:"Registration of the vehicle that makes the crossing" example:"AB24 CDE"`
	CrossingDate *time.Time `json:"crossingDate,omitempty" doc:"When the ferry or shuttle leaves" example:"2026-12-01T06:30:00.000Z"`
}

func (m *Movement) from() place { return read("routeFrom", m.RouteFrom) }
func (m *Movement) to() place   { return read("routeTo", m.RouteTo) }

// ends are both places.
func (m *Movement) ends() []place { return []place{m.from(), m.to()} }
