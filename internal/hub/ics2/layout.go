package ics2

import (
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/filing/layout"
	"github.com/tidewaiter/tidewaiter/internal/hub/shared/source"
)

// form is the layout of the form of an entry summary declaration.
var form = &layout.Form{
	Decides: "filingType",
	Sections: []layout.Section{
		{
			Title: "Type of declaration", Help: "One declaration for each consignment, that is, for each transport document.",
			Fields: []layout.Field{
				{Path: "filingType", Label: "Type of traffic", Hint: "How the goods arrive. It decides the transport document and the time limit.", Closed: true, Options: []layout.Option{
					{Value: string(Sea), Label: "Sea"}, {Value: string(Air), Label: "Air"}, {Value: string(Road), Label: "Road, also on a ferry"},
					{Value: string(Rail), Label: "Rail"}, {Value: string(Postal), Label: "Post"},
				}},
				modeField("", slices.Sorted(slices.Values(modes[Postal]))...), modeField(Road, modes[Road]...), modeField(Air, modes[Air]...), modeField(Sea, modes[Sea]...), modeField(Rail, modes[Rail]...),
				modeField(Postal, modes[Postal]...),
				{Path: "reference", Label: "Your reference", Hint: "Your own number of the consignment. It is not sent."},
			},
			Sources: []layout.Source{declarationSource, shipmentSource},
		},
		{
			Title: "Route", Fields: []layout.Field{
				{Path: "portOfLoading", Label: "Place of loading", Hint: "UN/LOCODE of the place where the goods are loaded, such as KRPUS for Busan"},
				{Path: "portOfUnloading", Label: "Place of unloading", Hint: "UN/LOCODE of the place where they are unloaded, such as GBFXT for Felixstowe. It decides whether the declaration is for Great Britain or for ICS2."},
				{Path: "estimatedArrival", Label: "Estimated arrival", Hint: "At the first place of entry, London time. The time limit is counted from it.", Expected: true},
			},
		},
		{
			Title: "Transport document", Fields: []layout.Field{
				documentField(Sea, "Bill of lading", "House bill of lading, or the master bill if there is no other, such as NSLU260411987"),
				documentField(Air, "Air waybill", "Eleven digits: the airline’s three and the serial number, such as 125-12345675"),
				documentField(Road, "Consignment note (CMR)", "Number of the consignment note, such as CMR-204418"),
				documentField(Rail, "Consignment note (CIM)", "Number of the rail consignment note"),
				documentField(Postal, "Postal item", "S10 identifier of the item, such as RR123456785GB"),
				{Path: "transportDocNumber", Label: "Transport document", Hint: "Number of the bill of lading, air waybill, consignment note or postal item"},
			},
		},
		{
			Title: "Carrier", Help: "The person who brings the goods into the territory and is responsible for the declaration.", Fields: []layout.Field{
				{Path: "carrierName", Label: "Carrier"},
				{Path: "carrierEori", Label: "Carrier’s EORI number", Hint: "GB for Great Britain, XI or an EU country’s for ICS2, such as GB123456789000", Expected: true},
			},
			Sources: []layout.Source{source.Client("carrier", "Take the carrier from a client", source.From("carrierName", "name"), source.From("carrierEori", "eori"))},
		},
		{
			Title: "Consignor", Help: "The person who sends the goods, as the transport contract names them.", Fields: []layout.Field{
				{Path: "consignorName", Label: "Consignor"},
				{Path: "consignorEori", Label: "Consignor’s EORI number", Hint: "If they have one"},
			},
			Sources: []layout.Source{source.Client("consignor", "Take the consignor from a client", source.From("consignorName", "name"), source.From("consignorEori", "eori"))},
		},
		{
			Title: "Consignee", Help: "The person who receives the goods. For goods consigned “to order”, the party to notify.", Fields: []layout.Field{
				{Path: "consigneeName", Label: "Consignee"},
				{Path: "consigneeEori", Label: "Consignee’s EORI number", Hint: "Such as GB205672212000", Expected: true},
			},
			Sources: []layout.Source{source.Client("consignee", "Take the consignee from a client", source.From("consigneeName", "name"), source.From("consigneeEori", "eori"))},
		},
		{
			Title: "Goods", Fields: []layout.Field{
				{Path: "goodsDescription", Label: "Description of the goods", Hint: "In plain words, so that customs can identify them. “Electric espresso machines for household use”, not “machines” or “general cargo”.", Expected: true},
				{Path: "commodityCodes", Label: "Commodity codes", Hint: "At least the six digits of the Harmonised System for each type of goods, one in a line, such as 851671", Expected: true},
				{Path: "totalPackages", Label: "Number of packages", Hint: "Pieces, if they are not packed", Expected: true},
				{Path: "totalGrossMassKg", Label: "Gross mass (kg)", Hint: "With packaging, without the container", Expected: true},
			},
		},
	},
}

// modeField returns the field for the mode of transport with the codes that a type of traffic can have; the empty type is for
// a type that is not chosen yet.
func modeField(t FilingType, codes ...string) layout.Field {
	f := layout.Field{Path: "modeOfTransport", Label: "Mode of transport at the border", Hint: "Of the active means of transport that enters the territory", When: layout.Only("filingType", t), Closed: true}
	for _, code := range codes {
		name := carriageNames[code]
		f.Options = append(f.Options, layout.Option{Value: code, Label: code + ": " + name})
	}
	return f
}

func documentField(t FilingType, label, hint string) layout.Field {
	return layout.Field{Path: "transportDocNumber", Label: label, Hint: hint, When: layout.Only("filingType", t)}
}

var shipmentSource = source.Shipment("shipment", "Take route and parties from a shipment",
	source.From("consignorName", "exporter.name", "counterpartyName"), source.From("consigneeName", "client.name"), source.From("consigneeEori", "client.eori"),
	source.From("portOfLoading", "loadingPlace.code"), source.From("portOfUnloading", "portOfEntry"), source.From("estimatedArrival", "expectedArrival"),
	source.From("carrierEori", "carrierEori"), source.From("reference", "reference"),
)

var declarationSource = source.Declaration("declaration", "Take parties and goods from a declaration", slices.Concat(
	source.Consignor("consignor", "Name", "Eori"), source.Consignee("consignee", "Name", "Eori"), []layout.Take{
		source.From("portOfUnloading", "shipment.portOfEntry"), source.From("estimatedArrival", "shipment.expectedArrival"),
		source.From("goodsDescription", "items[].description"), source.From("commodityCodes", "items[].commodityCode"),
		source.Sum("totalPackages", "items[].packageCount"), source.Sum("totalGrossMassKg", "items[].grossMassKg"), source.From("reference", "reference"),
	})...)
