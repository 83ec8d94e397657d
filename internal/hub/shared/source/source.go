// Package source has the records from which the forms of several Hubs take values: clients, shipments, and customs
// declarations with the shipment and the client that belong to them.
package source

import (
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/filing/layout"
)

// Exports and Imports are the conditions that a declaration is for an export or an import. Its client is the exporter or the importer.
var (
	Exports = layout.Only("declarationType", "EXPORT")
	Imports = layout.Only("declarationType", "IMPORT")
)

var (
	client           = layout.Follow{As: "client", From: "clientId", Kind: "client"}
	shipment         = layout.Follow{As: "shipment", From: "shipmentId", Kind: "shipment"}
	clientOfShipment = layout.Follow{As: "client", From: "shipment.clientId", Kind: "client"}
)

// Client takes values from a client.
func Client(id, title string, takes ...layout.Take) layout.Source {
	return layout.Source{
		ID: id, Kind: "client", Title: title, Name: []string{"name"}, About: []string{"eori", "reference", "city", "country"}, Take: takes,
	}
}

// Shipment takes values from a shipment and its client.
func Shipment(id, title string, takes ...layout.Take) layout.Source {
	return layout.Source{
		ID: id, Kind: "shipment", Title: title, Follow: []layout.Follow{client}, Name: []string{"reference"},
		About: []string{"client.name", "counterpartyName", "vesselName", "transportMode", "portOfEntry", "expectedArrival"}, Take: takes,
	}
}

// Declaration takes values from a customs declaration.
func Declaration(id, title string, takes ...layout.Take) layout.Source {
	return layout.Source{
		ID: id, Kind: "declaration", Title: title, Follow: []layout.Follow{shipment, clientOfShipment}, Name: []string{"reference", "mrn", "lrn"},
		About: []string{"mrn", "declarationType", "client.name", "shipment.vesselName", "items[].description"}, Take: takes,
	}
}

// Item takes values from one item of a customs declaration.
func Item(id, title string, takes ...layout.Take) layout.Source {
	s := Declaration(id, title, takes...)
	s.Each, s.About = "items", []string{"entry.commodityCode", "entry.description", "entry.countryOfOrigin", "entry.netMassKg", "mrn"}
	return s
}

// From takes a member under one name.
func From(into string, from ...string) layout.Take { return layout.Take{Into: into, From: from} }

// Registration takes the registration of a vehicle. Otherwise than by road, the number is that of a ship, a flight or a wagon.
func Registration(into string) layout.Take {
	return layout.Take{Into: into, From: []string{"shipment.transportId"}, When: layout.Only("shipment.transportMode", "ROAD")}
}

// Transit takes the MRNs of the transit declarations that a customs declaration names: as documents (N820 mixed consignments, N821 T1, N822 T2) and as previous
// documents (820, 821, 822), of the whole declaration and of its items. Source: HMRC, CDS UK Trade Tariff, data elements 2/1 and 2/3.
func Transit(into string) layout.Take {
	const documents, previous = "documents[type=N820|N821|N822].reference", "previousDocuments[type=820|821|822].reference"
	return layout.Take{Into: into, All: true, From: []string{documents, previous, "items[]." + documents, "items[]." + previous}}
}

// Sum adds up a member.
func Sum(into string, from ...string) layout.Take {
	return layout.Take{Into: into, From: from, Sum: true}
}

// consignor and consignee are the members with the parties of a declaration, the best first.
var (
	consignor = []layout.Take{
		{Into: "Name", From: []string{"exporter.name", "consignor.name", "shipment.counterpartyName"}, When: Imports},
		{Into: "Name", From: []string{"exporter.name", "client.name"}, When: Exports},
		{Into: "Eori", From: []string{"exporter.eori", "consignor.eori"}, When: Imports},
		{Into: "Eori", From: []string{"exporter.eori", "client.eori"}, When: Exports},
		{Into: "Country", From: []string{"exporter.address.country", "shipment.counterpartyCountry", "dispatchCountry", "shipment.countryOfDispatch"}, When: Imports},
		{Into: "Country", From: []string{"client.country"}, When: Exports},
	}
	consignee = []layout.Take{
		{Into: "Name", From: []string{"importer.name", "client.name"}, When: Imports},
		{Into: "Name", From: []string{"consignee.name", "shipment.counterpartyName"}, When: Exports},
		{Into: "Eori", From: []string{"importer.eori", "client.eori"}, When: Imports},
		{Into: "Eori", From: []string{"consignee.eori"}, When: Exports},
		{Into: "Country", From: []string{"client.country"}, When: Imports},
		{Into: "Country", From: []string{"consignee.address.country", "shipment.counterpartyCountry", "shipment.countryOfDestination"}, When: Exports},
	}
)

// Consignor takes the sender of the goods of a declaration: the parts Name, Eori and Country into fields with a prefix, such
// as consignorName.
func Consignor(prefix string, parts ...string) []layout.Take { return party(consignor, prefix, parts) }

// Consignee takes the receiver of the goods of a declaration.
func Consignee(prefix string, parts ...string) []layout.Take { return party(consignee, prefix, parts) }

func party(members []layout.Take, prefix string, parts []string) (takes []layout.Take) {
	for _, t := range members {
		if slices.Contains(parts, t.Into) {
			t.Into = prefix + t.Into
			takes = append(takes, t)
		}
	}
	return takes
}
