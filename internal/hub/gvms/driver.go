package gvms

import (
	"github.com/tidewaiter/tidewaiter/internal/filing/checklist"
	"github.com/tidewaiter/tidewaiter/internal/filing/layout"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
)

// driver is what the driver of a vehicle shows at check-in, besides the id of the record.
var driver = &checklist.List{
	Site: "Show this at check-in",
	Sections: []layout.Section{
		{
			Title: "Inspection", Fields: []layout.Field{
				{Path: "inspectionRequired", Label: "Report for an inspection"},
				{Path: "reportToLocations", Columns: []layout.Field{{Path: "locationIds", Label: "Report to this location of HMRC’s list"}, {Path: "inspectionTypeId", Label: "Type of inspection"}}},
			},
		},
		{
			Title: "Crossing", Fields: []layout.Field{
				{Path: "vehicleReg", Label: "Vehicle"}, {Path: "message.trailerRegistrationNums", Label: "Trailers"}, {Path: "message.containerReferenceNums", Label: "Containers"},
				{Path: "routeFrom", Label: "From", Options: portOptions}, {Path: "routeTo", Label: "To", Options: portOptions},
				{Path: "crossingDate", Label: "Departure (London time)"},
			},
		},
	},
	Blocked: map[lifecycle.State]string{
		NotFinalisable: "HMRC finds something missing or wrong. The vehicle cannot check in with this record until it is corrected: ask the office before you drive to the port.",
	},
}
