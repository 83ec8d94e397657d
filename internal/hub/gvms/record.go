package gvms

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/gvms"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// maxRoutesNamed is the number of routes in a message about a crossing that several carriers offer.
const maxRoutesNamed = 10

// messageOf decodes the member message: a record under HMRC's names.
func (m *Movement) messageOf() (r gvms.Record, err error) {
	if len(m.Message) == 0 {
		return r, nil
	}
	d := json.NewDecoder(bytes.NewReader(m.Message))
	d.DisallowUnknownFields()
	if err := d.Decode(&r); err != nil {
		return r, fmt.Errorf("gvms: message: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return r, errors.New("gvms: message: more than one object")
	}
	return r, nil
}

// check returns what is wrong with the member message: what is not of a record, and facts that are also in a short member.
func (m *Movement) check() (details []apierr.Detail) {
	if len(m.Message) == 0 {
		return nil
	}
	r, err := m.messageOf()
	if err != nil {
		return []apierr.Detail{{Field: "message", Message: "must be a goods movement record under HMRC’s names: " + strings.TrimPrefix(err.Error(), "gvms: message: ")}}
	}
	for _, c := range []struct {
		twice       bool
		short, long string
	}{
		{m.VehicleReg != "" && r.VehicleRegNum != "", "vehicleReg", "vehicleRegNum"},
		{(m.RouteFrom != "" || m.RouteTo != "" || m.RouteID != "") && r.PlannedCrossing != nil, "routeFrom", "plannedCrossing"},
		{m.CrossingDate != nil && r.PlannedCrossing != nil, "crossingDate", "plannedCrossing"},
		{m.Declarations != nil && r.Customs != nil, "customsDeclarations", "customsDeclarations"},
		{m.Transit != nil && r.Transit != nil, "transitDeclarations", "transitDeclarations"},
	} {
		if c.twice {
			details = append(details, apierr.Detail{Field: c.short, Message: "must be absent, because message." + c.long + " says the same"})
		}
	}
	for _, f := range r.Check() {
		if f.Field == "direction" && r.Direction == "" {
			continue // follows from the route
		}
		details = append(details, apierr.Detail{Field: "message." + f.Field, Message: f.Message})
	}
	return details
}

// Record returns the record that HMRC gets of a movement, by HMRC's reference data. It may be incomplete; details say what keeps it
// from being sent.
func (m *Movement) Record(reference *gvms.Reference) (r gvms.Record, details []apierr.Detail) {
	r, err := m.messageOf()
	if err != nil {
		return r, []apierr.Detail{{Field: "message", Message: "cannot be read"}}
	}
	if r.VehicleRegNum == "" {
		r.VehicleRegNum = capitals(m.VehicleReg)
	}
	for _, d := range m.Declarations {
		r.Customs = append(r.Customs, gvms.Customs{ID: strings.ToUpper(strings.TrimSpace(d))})
	}
	for _, d := range m.Transit {
		r.Transit = append(r.Transit, gvms.Transit{MRN: strings.ToUpper(strings.TrimSpace(d))})
	}
	if r.Direction == "" {
		r.Direction = m.direction(reference)
	}
	if r.Direction == "" {
		return r, []apierr.Detail{{Field: "routeFrom", Message: "The direction is not known: one place must be a port in Great Britain or Northern Ireland, and the other one beyond its customs border"}}
	}
	if r.PlannedCrossing == nil {
		r.PlannedCrossing, details = m.crossing(reference, r.Direction)
	}
	if details == nil {
		for _, f := range r.Check() {
			details = append(details, apierr.Detail{Field: m.fieldOf(f.Field), Message: f.Message})
		}
	}
	return r, details
}

// fieldOf returns the member of a movement that a value of its record comes from.
func (m *Movement) fieldOf(path string) string {
	switch {
	case path == "vehicleRegNum" && m.VehicleReg != "":
		return "vehicleReg"
	case strings.HasPrefix(path, "plannedCrossing") && m.RouteID != "":
		return "routeId"
	case strings.HasPrefix(path, "customsDeclarations") && m.Declarations != nil:
		return strings.TrimSuffix(path, ".customsDeclarationId")
	case strings.HasPrefix(path, "transitDeclarations") && m.Transit != nil:
		return strings.TrimSuffix(path, ".transitDeclarationId")
	}
	return "message." + path
}

// direction returns the direction of a movement: that of its route or, without one, of its places.
func (m *Movement) direction(reference *gvms.Reference) gvms.Direction {
	if at := slices.IndexFunc(reference.Routes, func(o gvms.Route) bool { return o.ID == m.RouteID }); at >= 0 {
		return reference.Routes[at].Direction
	}
	departure, arrival := m.from(), m.to()
	from, to := departure.side(), arrival.side()
	ukFrom, ukTo := from == greatBritain || from == northernIreland, to == greatBritain || to == northernIreland
	switch {
	case from == greatBritain && to == northernIreland:
		return gvms.GBToNI
	case from == northernIreland && to == greatBritain:
		return gvms.NIToGB
	case ukTo && !ukFrom:
		return gvms.Inbound
	case ukFrom && !ukTo:
		return gvms.Outbound
	}
	return ""
}

// crossing returns the planned crossing; nil if HMRC has no route between the two ports, or if there is no time.
func (m *Movement) crossing(reference *gvms.Reference, d gvms.Direction) (*gvms.Crossing, []apierr.Detail) {
	if m.CrossingDate == nil {
		return nil, nil
	}
	routes := m.routes(reference, d)
	switch {
	case len(routes) == 0 && m.RouteID != "":
		return nil, []apierr.Detail{{Field: "routeId", Message: "must be a route of HMRC’s reference data in the direction of the movement, in effect on the day"}}
	case len(routes) == 0:
		return nil, nil
	case len(routes) > 1:
		var choices []string
		for _, o := range routes[:min(len(routes), maxRoutesNamed)] {
			choices = append(choices, choiceOf(reference, o))
		}
		return nil, []apierr.Detail{{Field: "routeId", Message: "is required, because several routes fit: " + strings.Join(choices, ", ")}}
	}
	local, err := reference.LocalDeparture(routes[0], *m.CrossingDate)
	if err != nil {
		return nil, []apierr.Detail{{Field: "crossingDate", Message: "cannot be converted into the local time of the port of departure"}}
	}
	return &gvms.Crossing{RouteID: routes[0].ID, Departure: local}, nil
}

// choiceOf returns the id of a route with its carrier, such as SIM-1 (DFDS).
func choiceOf(reference *gvms.Reference, o gvms.Route) string {
	name := reference.CarrierOf(o.Carrier)
	if name == "" {
		return o.ID
	}
	return o.ID + " (" + name + ")"
}

// routes returns the routes that fit a movement.
func (m *Movement) routes(reference *gvms.Reference, d gvms.Direction) (fit []gvms.Route) {
	day := m.CrossingDate.Format(time.DateOnly)
	from, to := m.from(), m.to()
	for _, o := range reference.Offered(d, day) {
		if m.RouteID != "" && o.ID == m.RouteID || m.RouteID == "" && portOf(reference, o.Departure).is(&from) && portOf(reference, o.Arrival).is(&to) {
			fit = append(fit, o)
		}
	}
	return fit
}

// portOf returns a port of HMRC's reference data as this package knows it.
func portOf(reference *gvms.Reference, id int) *place {
	at := slices.IndexFunc(reference.Ports, func(p gvms.Port) bool { return p.ID == id })
	if at < 0 {
		return &place{}
	}
	p := readPlace("", reference.Ports[at].Name)
	return &p
}

// is reports whether two places are the same port.
func (p *place) is(other *place) bool {
	if p.port() != nil || other.port() != nil {
		return p.port() == other.port()
	}
	return p.text != "" && normalise(p.text) == normalise(other.text)
}
