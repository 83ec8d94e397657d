package worksheet

import "github.com/tidewaiter/tidewaiter/internal/platform/ident"

// SuggestionLists are lists of suggested values by name; the fields accept other values too.
var SuggestionLists = map[string][]Choice{
	"ports": {
		{"GBFXT", "Felixstowe"}, {"GBSOU", "Southampton"}, {"GBLGP", "London Gateway"}, {"GBDVR", "Dover"}, {"GBIMM", "Immingham"}, {"GBLIV", "Liverpool"},
		{"GBTIL", "Tilbury"}, {"GBHUL", "Hull"}, {"GBHRW", "Harwich"}, {"GBTEE", "Teesport"}, {"GBGRG", "Grangemouth"}, {"GBHLY", "Holyhead"},
		{"GBFOL", "Folkestone Eurotunnel"}, {"GBPME", "Portsmouth"}, {"GBBRS", "Bristol"}, {"GBLHR", "London Heathrow"}, {"GBEMA", "East Midlands Airport"}, {"GBSTN", "London Stansted"},
		{"GBMAN", "Manchester Airport"}, {"GBLGW", "London Gatwick"},
	},
	"countries": countries(),
	"packages": {
		{"PK", "Package"}, {"CT", "Carton"}, {"BX", "Box"}, {"PX", "Pallet"}, {"CS", "Case"}, {"BG", "Bag"}, {"CR", "Crate"}, {"DR", "Drum"}, {"RO", "Roll"}, {"BE", "Bundle"},
	},
	"procedures": {
		{"4000", "Release for free circulation"}, {"1040", "Permanent export"}, {"6123", "Return of goods exported for a time"}, {"5100", "Inward processing"},
		{"5300", "Temporary admission"}, {"7100", "Customs warehousing"}, {"2100", "Outward processing"}, {"2300", "Temporary export"}, {"3151", "Re-export after inward processing"},
	},
	"preferences": {
		{"100", "No preference"}, {"300", "Preference by a trade agreement"}, {"200", "Developing countries trading scheme"}, {"400", "Customs union"},
	},
	"documents": {
		{"N935", "Commercial invoice"}, {"N380", "Invoice"}, {"N325", "Proforma invoice"}, {"N271", "Packing list"}, {"N705", "Bill of lading"}, {"N740", "Air waybill"},
		{"N730", "Road consignment note"}, {"U116", "Statement on origin, one consignment"}, {"U118", "Statement on origin, several"}, {"N954", "Movement certificate EUR.1"},
		{"Y900", "Not on the list of endangered species"},
	},
}

// countries returns all countries.
func countries() (all []Choice) {
	for _, c := range ident.Countries() {
		all = append(all, Choice{Value: string(c), Label: c.Name()})
	}
	return all
}
