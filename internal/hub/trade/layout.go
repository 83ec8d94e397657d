package trade

import (
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/filing/layout"
	"github.com/tidewaiter/tidewaiter/internal/hub/shared/source"
)

// form is the layout of the form of an application for a licence.
var form = &layout.Form{
	Decides: "licenceType",
	Sections: []layout.Section{
		{
			Title: "Licence", Fields: []layout.Field{
				{Path: "licenceType", Label: "Type of licence", Hint: "If you do not know it, describe the goods and their end use below and press “Classify without saving”", Closed: true, Options: []layout.Option{
					{Value: string(SIEL), Label: "Standard individual export licence (SIEL), dual-use goods"}, {Value: string(OIEL), Label: "Open individual export licence (OIEL), dual-use goods"},
					{Value: string(OpenGeneral), Label: "Open general export licence (OGEL)"}, {Value: string(Strategic), Label: "Licence for military goods"},
					{Value: string(CITES), Label: "Permit for endangered species (CITES)"}, {Value: string(EHC), Label: "Export health certificate (EHC)"},
				}},
				{Path: "ownReference", Label: "Your reference", Hint: "Your own number of the application. It is not sent."},
			},
		},
		{
			Title: "Exporter", Fields: []layout.Field{
				{Path: "exporterName", Label: "Exporter"},
				{Path: "exporterEori", Label: "Exporter’s EORI number", Hint: "GB and twelve digits; the export declaration needs it", Expected: true},
			},
			Sources: []layout.Source{source.Client("exporter", "Take the exporter from a client", source.From("exporterName", "name"), source.From("exporterEori", "eori"))},
		},
		{
			Title: "End user", When: layout.Only("licenceType", "", SIEL, OIEL, OpenGeneral, Strategic), Help: "The person who finally uses the goods, not a forwarder or a dealer.", Fields: endUser("End user", "Address of the site where the goods are used"),
			Sources: []layout.Source{endUserSource},
		},
		{
			Title: "Recipient", When: layout.Only("licenceType", CITES, EHC), Help: "The person abroad who receives the goods.", Fields: endUser("Recipient", "Where the consignment is delivered"),
			Sources: []layout.Source{endUserSource},
		},
		{
			Title: "Goods", Fields: []layout.Field{
				{Path: "productCode", Label: "Control entry", Hint: "Entry of the UK Strategic Export Control Lists, such as 2B001.b.2 or ML10.a", When: layout.Only("licenceType", SIEL, OIEL, OpenGeneral, Strategic)},
				{Path: "productCode", Label: "Commodity code", Hint: "Such as 0406901300 for Cheddar, or that of the specimen", When: layout.Only("licenceType", EHC, CITES)},
				{Path: "productCode", Label: "Control entry or commodity code", Hint: "Entry of the UK Strategic Export Control Lists, such as 2B001.b.2, or otherwise the commodity code"},
				{Path: "productDescription", Label: "Description of the goods", Hint: "With the technical data that decides about control, such as accuracy, power or material", When: layout.Only("licenceType", "", SIEL, OIEL, OpenGeneral, Strategic)},
				{Path: "productDescription", Label: "Description of the specimen", Hint: "Scientific name, what it is made into, and its age if it is an antique", When: layout.Only("licenceType", CITES)},
				{Path: "productDescription", Label: "Description of the product", Hint: "Species, treatment and packaging, such as “Cheddar from pasteurised cow’s milk, 20 kg blocks”", When: layout.Only("licenceType", EHC)},
				{Path: "quantity", Label: "Quantity", Hint: "In the unit beside it"},
				{Path: "unitOfMeasure", Label: "Unit", Hint: "Such as units, kg or m", Options: []layout.Option{{Value: "units", Label: "Pieces"}, {Value: "kg", Label: "Kilograms"}, {Value: "l", Label: "Litres"}, {Value: "m", Label: "Metres"}, {Value: "m²", Label: "Square metres"}, {Value: "sets", Label: "Sets"}}},
				{Path: "endUse", Label: "End use", Hint: "What the end user will do with the goods, where. “Milling of turbine blades for civil power stations at the Changwon works”, not “industrial use”.", When: layout.Only("licenceType", "", SIEL, OIEL, OpenGeneral, Strategic), Expected: true},
				{Path: "endUse", Label: "Purpose", Hint: "Such as trade, exhibition, breeding or human consumption", When: layout.Only("licenceType", CITES, EHC)},
			},
			Sources: []layout.Source{source.Item("declaration", "Take exporter, destination and goods from a declaration", slices.Concat(
				source.Consignor("exporter", "Name", "Eori"), []layout.Take{
					{Into: "endUserName", From: []string{"consignee.name", "shipment.counterpartyName"}, When: source.Exports},
					{Into: "endUserCountry", From: []string{"consignee.address.country", "shipment.counterpartyCountry", "shipment.countryOfDestination"}, When: source.Exports},
					source.From("productCode", "entry.commodityCode"), source.From("productDescription", "entry.description"), source.From("quantity", "entry.quantity"),
				})...)},
		},
		{
			Title: "Validity", Help: "The period that you apply for, or that of an open licence. It cannot be changed after the submission.", Fields: []layout.Field{
				{Path: "validFrom", Label: "Valid from"},
				{Path: "validUntil", Label: "Valid until", Hint: "An approved licence expires after it"},
			},
		},
	},
}

// endUser returns the fields for the person who gets the goods.
func endUser(name, address string) []layout.Field {
	return []layout.Field{
		{Path: "endUserName", Label: name},
		{Path: "endUserCountry", Label: "Country of destination"},
		{Path: "endUserAddress", Label: "Address", Hint: address, Expected: true},
	}
}

var endUserSource = source.Shipment("shipment", "Take the recipient from a shipment",
	source.From("endUserName", "counterpartyName"), source.From("endUserCountry", "counterpartyCountry", "countryOfDestination"),
	layout.Take{Into: "endUserAddress", From: []string{"counterpartyAddress", "counterpartyCity", "counterpartyPostcode"}, Join: ", "})
