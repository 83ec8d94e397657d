package worksheet

// Offers are usual values of fields that take others too, by the name of their list.
// The countries are those that the United Kingdom trades most with.
var Offers = map[string][]Choice{
	"ports": {
		{"GBFXT", "Felixstowe"}, {"GBSOU", "Southampton"}, {"GBLGP", "London Gateway"}, {"GBDVR", "Dover"}, {"GBIMM", "Immingham"}, {"GBLIV", "Liverpool"},
		{"GBTIL", "Tilbury"}, {"GBHUL", "Hull"}, {"GBHRW", "Harwich"}, {"GBTEE", "Teesport"}, {"GBGRG", "Grangemouth"}, {"GBHLY", "Holyhead"},
		{"GBPME", "Portsmouth"}, {"GBBRS", "Bristol"}, {"GBLHR", "London Heathrow"}, {"GBEMA", "East Midlands Airport"}, {"GBSTN", "London Stansted"},
		{"GBMAN", "Manchester Airport"}, {"GBLGW", "London Gatwick"},
	},
	"countries": {
		{"AE", "United Arab Emirates"}, {"AT", "Austria"}, {"AU", "Australia"}, {"BD", "Bangladesh"}, {"BE", "Belgium"}, {"BR", "Brazil"}, {"CA", "Canada"},
		{"CH", "Switzerland"}, {"CN", "China"}, {"CZ", "Czechia"}, {"DE", "Germany"}, {"DK", "Denmark"}, {"ES", "Spain"}, {"FI", "Finland"}, {"FR", "France"},
		{"GB", "United Kingdom"}, {"HK", "Hong Kong"}, {"HU", "Hungary"}, {"ID", "Indonesia"}, {"IE", "Ireland"}, {"IN", "India"}, {"IT", "Italy"},
		{"JP", "Japan"}, {"KH", "Cambodia"}, {"KR", "South Korea"}, {"LK", "Sri Lanka"}, {"MA", "Morocco"}, {"MX", "Mexico"}, {"MY", "Malaysia"},
		{"NL", "Netherlands"}, {"NO", "Norway"}, {"NZ", "New Zealand"}, {"PK", "Pakistan"}, {"PL", "Poland"}, {"PT", "Portugal"}, {"RO", "Romania"},
		{"SE", "Sweden"}, {"SG", "Singapore"}, {"SK", "Slovakia"}, {"TH", "Thailand"}, {"TR", "Türkiye"}, {"TW", "Taiwan"}, {"US", "United States"},
		{"VN", "Vietnam"}, {"ZA", "South Africa"},
	},
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
