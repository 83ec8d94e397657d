package gvms_test

import (
	"strings"
	"testing"

	api "github.com/tidewaiter/tidewaiter/internal/hmrc/gvms"
	"github.com/tidewaiter/tidewaiter/internal/hub/gvms"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

// Of several carriers between two ports the caller chooses one: the error names their routes and carriers. A typed route decides, and
// one that is not in the reference data is refused.
func TestRouteChoice(t *testing.T) {
	reference := &api.Reference{
		Ports:    []api.Port{{ID: 1, Name: "Calais", Country: "FR", Zone: "Europe/Paris"}, {ID: 2, Name: "Dover", Country: "GB", Zone: "Europe/London"}},
		Carriers: []api.Carrier{{ID: 7, Name: "Northern Star"}, {ID: 8, Name: "Channel Line"}},
		Routes: []api.Route{
			{ID: "19", Direction: api.Inbound, Departure: 1, Arrival: 2, Carrier: 7, From: "2020-01-01"},
			{ID: "20", Direction: api.Inbound, Departure: 1, Arrival: 2, Carrier: 8, From: "2020-01-01"},
			{ID: "21", Direction: api.Inbound, Departure: 1, Arrival: 2, Carrier: 8, From: "2020-01-01", To: "2020-12-31"},
		},
	}
	m := inbound()
	m.RouteFrom = "Calais"
	_, details := m.Record(reference)
	if len(details) != 1 || details[0].Field != "routeId" || !strings.Contains(details[0].Message, "19 (Northern Star), 20 (Channel Line)") || strings.Contains(details[0].Message, "21") {
		t.Errorf("%+v", details)
	}
	m.RouteID = "20"
	r, details := m.Record(reference)
	if len(details) != 0 || r.PlannedCrossing == nil || r.PlannedCrossing.RouteID != "20" {
		t.Errorf("%+v %+v", r, details)
	}
	m.RouteID = "21" // ended in 2020
	if _, details = m.Record(reference); len(details) != 1 || details[0].Field != "routeId" {
		t.Errorf("%+v", details)
	}
}

// A transit declaration goes to HMRC's own list. One that HMRC's names also give is refused, with the field that says it twice.
func TestTransitDeclarations(t *testing.T) {
	m := inbound()
	m.CrossingDate, m.Transit = nil, []string{" 26frb0000q4xj5m2k7"}
	r, details := m.Record(&api.Reference{})
	if len(details) != 0 || len(r.Transit) != 1 || r.Transit[0].MRN != "26FRB0000Q4XJ5M2K7" || r.Customs != nil {
		t.Errorf("%+v %+v", r, details)
	}
	_, err := gvms.Movements.Type().Parse([]byte(`{"vehicleReg":"AB24 CDE","transitDeclarations":["26FRB0000Q4XJ5M2K7"],"message":{"transitDeclarations":[{"transitDeclarationId":"26FRB0000Q4XJ5M2K7","isTSAD":false}]}}`), now)
	refused, _ := apierr.As(err)
	if refused == nil || len(refused.Details) != 1 || refused.Details[0].Field != "transitDeclarations" {
		t.Errorf("%v %+v", err, refused)
	}
}
