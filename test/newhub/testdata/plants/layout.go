package plants

import (
	"github.com/tidewaiter/tidewaiter/internal/filing/layout"
)

// form is the layout of the form of a notification.
var form = &layout.Form{Sections: []layout.Section{
	{
		Title: "Plants", Fields: []layout.Field{
			{Path: "botanicalName", Label: "Botanical name", Hint: "Genus and species, such as Lavandula angustifolia"},
			{Path: "countryOfOrigin", Label: "Country where the plants were grown"},
			{Path: "commodityCode", Label: "Commodity code"},
			{Path: "certificateNumber", Label: "Phytosanitary certificate", Hint: "Its number, such as EC/NL/0123456", Expected: true},
		},
	},
	{
		Title: "Consignment", Fields: []layout.Field{
			{Path: "importerName", Label: "Importer"},
			{Path: "arrivesAt", Label: "Arrival at the port or airport", Expected: true},
			{Path: "ownReference", Label: "Your reference"},
		},
		Sources: []layout.Source{{
			ID: "importer", Kind: "client", Title: "Take the importer from a client", Name: []string{"name"}, About: []string{"eori", "city"},
			Take: []layout.Take{{Into: "importerName", From: []string{"name"}}},
		}},
	},
}}
