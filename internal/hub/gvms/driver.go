package gvms

import (
	"github.com/tidewaiter/tidewaiter/internal/filing/checklist"
	"github.com/tidewaiter/tidewaiter/internal/filing/layout"
)

// driver is what the driver of a vehicle shows at check-in, besides the id of the record.
var driver = &checklist.List{
	Site: "Show this at check-in",
	Sections: []layout.Section{{
		Title: "Crossing", Fields: []layout.Field{
			{Path: "vehicleReg", Label: "Vehicle"},
			{Path: "routeFrom", Label: "From"}, {Path: "routeTo", Label: "To"}, {Path: "crossingDate", Label: "Departure (London time)"},
		},
	}},
}
