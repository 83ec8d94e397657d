package gvmssim

import "github.com/tidewaiter/tidewaiter/internal/hmrc/gvms"

// An inspection that the simulator asks for.
const (
	inspectionType  = "SIM-1"
	inspectionPlace = "SIM-L1"
)

// reference is the reference data of the simulator. Ports, carriers and routes are its own, with ids that begin with SIM- or
// 9, because HMRC's full list is not public.
var reference = gvms.Reference{
	Ports: []gvms.Port{
		{ID: 9001, Name: "Dover", Country: "GB", Zone: "Europe/London"}, {ID: 9002, Name: "Calais", Country: "FR", Zone: "Europe/Paris"},
		{ID: 9003, Name: "Cairnryan", Country: "GB", Zone: "Europe/London"}, {ID: 9004, Name: "Belfast", Country: "GB", Zone: "Europe/London"},
	},
	Carriers: []gvms.Carrier{{ID: 9001, Name: "Simulated Ferries", Country: "GB"}},
	Routes: []gvms.Route{
		{ID: "SIM-1", Direction: gvms.Inbound, Departure: 9002, Arrival: 9001, Carrier: 9001, From: "2020-01-01"},
		{ID: "SIM-2", Direction: gvms.Outbound, Departure: 9001, Arrival: 9002, Carrier: 9001, From: "2020-01-01"},
		{ID: "SIM-3", Direction: gvms.GBToNI, Departure: 9003, Arrival: 9004, Carrier: 9001, From: "2020-01-01"},
		{ID: "SIM-4", Direction: gvms.NIToGB, Departure: 9004, Arrival: 9003, Carrier: 9001, From: "2020-01-01"},
	},
	Locations:       []gvms.Location{{ID: inspectionPlace, Name: "Simulated inspection site"}},
	InspectionTypes: []gvms.InspectionType{{ID: inspectionType, Name: "Simulated customs inspection"}},
	Rules: []gvms.Rule{
		{ID: notForDirection, Text: "The declaration type is not allowed for this direction."}, {ID: alreadyUsed, Text: "The declaration is in another record."},
		{ID: noDeclaration, Text: "The record has no declaration, and the vehicle is not empty."}, {ID: notEmpty, Text: "The vehicle is empty, but the record has declarations."},
		{ID: noVehicle, Text: "An accompanied movement needs the registration number of the vehicle."}, {ID: noTrailer, Text: "An unaccompanied movement needs a trailer or a container."},
		{ID: noCrossing, Text: "The crossing has no route of the reference data, or no time of departure."}, {ID: wrongRoute, Text: "The route does not go in this direction."},
	},
}
