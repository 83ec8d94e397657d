package gvms

import (
	"github.com/tidewaiter/tidewaiter/internal/filing/layout"
	"github.com/tidewaiter/tidewaiter/internal/hub/shared/source"
)

// form is the layout of the form of a goods movement record.
var form = &layout.Form{Sections: []layout.Section{
	{
		Title: "Vehicle", Help: "One goods movement record (GMR) for each vehicle or trailer and each crossing. The driver shows it at check-in.", Fields: []layout.Field{
			{Path: "vehicleReg", Label: "Vehicle registration number", Hint: "Of the vehicle that makes the crossing, such as AB24 CDE. For a trailer that travels alone, that of the trailer."},
			{Path: "reference", Label: "Your reference", Hint: "Your own number of the journey"},
		},
	},
	{
		Title: "Crossing", Fields: []layout.Field{
			{Path: "routeFrom", Label: "Departure port", Hint: "Its name or its UN/LOCODE. Type a few letters and choose.", Options: portOptions, List: "ports"},
			{Path: "routeTo", Label: "Arrival port", Hint: "Its name or its UN/LOCODE. Type a few letters and choose.", Options: portOptions, List: "ports"},
			{Path: "routeId", Label: "Route", Hint: "HMRC’s number of the carrier’s route. It is needed only if several carriers offer the crossing.", Routes: true},
			{Path: "crossingDate", Label: "Departure of the ferry or shuttle", Hint: "Local time of the booking, in London time", Expected: true},
		},
	},
	{
		Title: "Declarations on the vehicle", Help: "All of them must be accepted and in the record before the vehicle checks in; a vehicle with a missing one is not let on board.",
		Fields: []layout.Field{
			{Path: "customsDeclarations", Label: "Customs declarations", Hint: "Inbound the MRN of each, outbound the DUCR of each export. Of an entry in the declarant’s records, its DUCR", Expected: true},
			{Path: "transitDeclarations", Label: "Transit declarations", Hint: "MRN of each transit movement (NCTS), one in a line. Those that the chosen customs declarations name are taken from them"},
		},
		Sources: []layout.Source{declarationSource},
	},
}}

// declarationSource adds the declarations that customs has accepted.
var declarationSource = func() layout.Source {
	s := source.Declaration("declarations", "Choose the declarations on the vehicle",
		source.From("customsDeclarations", "mrn"), source.From("customsDeclarations", "ducr", "mrn"), source.Registration("vehicleReg"), source.From("routeTo", "shipment.portOfEntry"), source.Transit("transitDeclarations"))
	s.Several, s.Statuses = true, []string{"ACCEPTED", "CLEARED"}
	s.Take[0].When, s.Take[1].When = source.Imports, source.Exports
	s.Take[2].Fill, s.Take[3].Fill = true, true
	return s
}()

// portOptions are the ports by their codes, those with GVMS first.
var portOptions = func() []layout.Option {
	all := make([]layout.Option, len(ports))
	for i, p := range ports {
		all[i] = layout.Option{Value: string(p.code()), Label: p.name}
	}
	return all
}()
