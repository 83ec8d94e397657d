package cbam

import (
	"github.com/tidewaiter/tidewaiter/internal/filing/layout"
	"github.com/tidewaiter/tidewaiter/internal/hub/shared/source"
)

// form is the layout of the form of an import of CBAM goods.
var form = &layout.Form{Sections: []layout.Section{
	{
		Title: "Goods", Help: "One import for each commodity code, origin and installation of a consignment. It cannot be changed later, because reports are based on it.", Fields: []layout.Field{
			{Path: "category", Label: "Sector"},
			{Path: "commodityCode", Label: "Commodity code", Hint: "Eight digits or more, as on the import declaration, such as 72085120"},
			{Path: "countryOfOrigin", Label: "Country of origin", Hint: "Where the goods were made, not where they were sent from"},
			{Path: "netMassKg", Label: "Net mass (kg)", Hint: "For electricity, kilowatt-hours"},
			{Path: "customsValueGbp", Label: "Customs value (£)", Hint: "It counts towards the threshold of £50,000 in twelve months", Expected: true},
			{Path: "reference", Label: "Your reference", Hint: "Such as the declaration or the order"},
		},
		Sources: []layout.Source{source.Item("declaration", "Take the goods from a declaration",
			source.From("commodityCode", "entry.commodityCode"), source.From("countryOfOrigin", "entry.countryOfOrigin"), source.From("netMassKg", "entry.netMassKg"),
			source.From("customsValueGbp", "entry.customsValueGbp"), source.From("reference", "mrn", "reference", "lrn"))},
	},
	{
		Title: "Embedded emissions", Help: "As the supplier states them. Left empty, they are estimated from default or typical values, which are often higher.", Fields: []layout.Field{
			{Path: "embeddedEmissionsKgCo2", Label: "Embedded emissions (kg CO₂e)", Hint: "Of the whole consignment, direct and, where they count, indirect emissions"},
			{Path: "notes", Label: "Source of the figure", Hint: "Supplier, installation and verification report"},
		},
	},
}}
