package gvms

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/client"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator"
)

// Reference is HMRC's reference data, with the members that this service uses. HMRC notifies of new data.
type Reference struct {
	Routes          []Route          `json:"routes"`
	Ports           []Port           `json:"ports"`
	Carriers        []Carrier        `json:"carriers"`
	Locations       []Location       `json:"locations,omitempty"`
	InspectionTypes []InspectionType `json:"inspectionTypes,omitempty"`
	Rules           []Rule           `json:"ruleFailures,omitempty"`
}

// Route is a crossing of a carrier between two ports. The last day is included; empty means no end.
type Route struct {
	ID        string    `json:"routeId"`
	Direction Direction `json:"routeDirection"`
	Departure int       `json:"departurePortId"`
	Arrival   int       `json:"arrivalPortId"`
	Carrier   int       `json:"carrierId"`
	From      string    `json:"routeEffectiveFrom"`
	To        string    `json:"routeEffectiveTo,omitempty"`
}

// Port is a port or a terminal of the tunnel.
type Port struct {
	ID      int    `json:"portId"`
	Name    string `json:"portDescription"`
	Country string `json:"portCountryCode"`
	Zone    string `json:"timezoneId"` // such as Europe/London
}

// Carrier operates routes.
type Carrier struct {
	ID      int    `json:"carrierId"`
	Name    string `json:"carrierName"`
	Country string `json:"countryCode,omitempty"`
}

// Location is a place of inspections.
type Location struct {
	ID   string `json:"locationId"`
	Name string `json:"locationDescription"`
}

// InspectionType is a kind of inspection.
type InspectionType struct {
	ID   string `json:"inspectionTypeId"`
	Name string `json:"description"`
}

// Rule is a rule that makes a record NOT_FINALISABLE.
type Rule struct {
	ID   string `json:"ruleId"`
	Text string `json:"ruleDescription"`
}

// Reference reads the reference data.
func (c *Client) Reference(ctx context.Context, as client.Credentials) (all Reference, failure client.Failure) {
	failure = c.get(ctx, as, ReferencePath, simulator.Request{}, &all)
	return all, failure
}

// PortOf returns a port by its id; the zero Port if it is not known.
func (r *Reference) PortOf(id int) Port {
	at := slices.IndexFunc(r.Ports, func(p Port) bool { return p.ID == id })
	if at < 0 {
		return Port{}
	}
	return r.Ports[at]
}

// CarrierOf returns the name of a carrier by its id; empty if it is not known.
func (r *Reference) CarrierOf(id int) string {
	at := slices.IndexFunc(r.Carriers, func(c Carrier) bool { return c.ID == id })
	if at < 0 {
		return ""
	}
	return r.Carriers[at].Name
}

// InEffect reports whether a route is in effect on a day, such as 2026-12-01. HMRC accepts no other.
func (r Route) InEffect(day string) bool { return r.From <= day && (r.To == "" || day <= r.To) }

// Offered returns the routes in a direction that are in effect on a day.
func (r *Reference) Offered(d Direction, day string) (all []Route) {
	for _, o := range r.Routes {
		if o.Direction == d && o.InEffect(day) {
			all = append(all, o)
		}
	}
	return all
}

// DepartureTime returns the instant of a local time at the port of departure of a route.
func (r *Reference) DepartureTime(o Route, local string) (time.Time, error) {
	zone, err := r.zone(o)
	if err != nil {
		return time.Time{}, err
	}
	at, err := time.ParseInLocation(LocalMinute, local, zone)
	if err != nil {
		return time.Time{}, fmt.Errorf("gvms: departure: %w", err)
	}
	return at, nil
}

// LocalDeparture returns an instant in the local time of the port of departure of a route.
func (r *Reference) LocalDeparture(o Route, at time.Time) (string, error) {
	zone, err := r.zone(o)
	if err != nil {
		return "", err
	}
	return at.In(zone).Format(LocalMinute), nil
}

// zone returns the time zone of the port of departure of a route.
func (r *Reference) zone(o Route) (*time.Location, error) {
	at := slices.IndexFunc(r.Ports, func(p Port) bool { return p.ID == o.Departure })
	if at < 0 {
		return nil, fmt.Errorf("gvms: route %s departs from the unknown port %d", o.ID, o.Departure)
	}
	zone, err := time.LoadLocation(r.Ports[at].Zone)
	if err != nil {
		return nil, fmt.Errorf("gvms: port %d: %w", o.Departure, err)
	}
	return zone, nil
}
