package fields

// Value is a value of a code list with its meaning.
type Value struct{ Code, Name string }

// Lists are the code lists by name. Those without values here (countries, currencies and packages) are kept elsewhere. A list
// with fewer values than customs has is a help for typing, not a check.
//
// Source: UK Trade Tariff, volume 3, CDS declaration instructions and appendices (GOV.UK), read 2026-11-24.
var Lists = map[string][]Value{
	"directions": {{"IMPORT", "Import"}, {"EXPORT", "Export"}},
	"dataSets": {
		{"H1", "H1 Free circulation or end use"}, {"H2", "H2 Customs warehousing"}, {"H3", "H3 Temporary admission"}, {"H4", "H4 Inward processing"},
		{"H5", "H5 Goods from special fiscal territories"}, {"H7", "H7 Low value imports"}, {"H8", "H8 Great Britain to Northern Ireland, not at risk"},
		{"I1", "I1 Simplified import"},
		{"C21I", "C21I Import clearance request"}, {"C21I_EIDR", "C21I EIDR Notice for entry in the declarant’s records"},
		{"FSD", "FSD Final supplementary declaration"},
		{"B1", "B1 Export and re-export"}, {"B2", "B2 Outward processing"}, {"B4", "B4 Dispatch to special fiscal territories"}, {"C1", "C1 Simplified export"},
		{"C21E", "C21E Export clearance request"}, {"C21E_EIDR", "C21E EIDR Notice for entry in the declarant’s records"},
	},
	"additionalTypes": {
		{"A", "A Standard, goods have arrived"}, {"D", "D Standard, pre-lodged"}, {"C", "C Simplified, regular use, goods have arrived"},
		{"F", "F Simplified, regular use, pre-lodged"},
		{"B", "B Simplified, occasional use, goods have arrived"}, {"E", "E Simplified, occasional use, pre-lodged"}, {"Y", "Y Supplementary to C or F"},
		{"X", "X Supplementary to B or E"},
		{"Z", "Z Supplementary to entry in the declarant’s records"}, {"J", "J Clearance request, goods have arrived"},
		{"K", "K Clearance request, pre-lodged"}, {"Q", "Q Final supplementary"}, {"R", "R Retrospective"},
	},
	"declarationTypes": {{"IM", "IM Import"}, {"EX", "EX Export"}, {"CO", "CO Special fiscal territories"}},
	"fills":            {{"USUAL", "Known values and usual ones"}, {"KNOWN", "Known values only"}, {"NONE", "Nothing"}},
	"representations":  {{"DIRECT", "Direct representative"}, {"INDIRECT", "Indirect representative"}, {"SELF", "Self-representation"}},
	"ownRepresentations": {
		{"direct", "Direct representative"}, {"indirect", "Indirect representative"}, {"self", "Self-representation"},
	},
	"supplyChainRoles": {{"CS", "Consolidator"}, {"FW", "Freight forwarder"}, {"MF", "Manufacturer"}, {"WH", "Warehouse keeper"}},
	"fiscalRoles":      {{"FR1", "Importer"}, {"FR2", "Customer"}, {"FR3", "Tax representative"}, {"FR5", "Vendor under the Import One Stop Shop"}},
	"modes": {
		{"1", "Sea"}, {"2", "Rail"}, {"3", "Road"}, {"4", "Air"}, {"5", "Post"}, {"6", "RoRo"}, {"7", "Fixed transport installation"},
		{"8", "Inland waterway"}, {"9", "Own propulsion"},
	},
	"transportModes": {{"SEA", "By sea"}, {"AIR", "By air"}, {"ROAD", "By road"}, {"RAIL", "By rail"}},
	"meansTypes": {
		{"10", "IMO ship identification number"}, {"11", "Name of the sea-going vessel"}, {"20", "Wagon number"}, {"30", "Registration of the road vehicle"},
		{"40", "IATA flight number"},
		{"41", "Registration of the aircraft"}, {"80", "European vessel identification number"}, {"81", "Name of the inland waterways vessel"},
	},
	"locationTypes":      {{"A", "Designated location"}, {"B", "Authorised place"}, {"C", "Approved place"}, {"D", "Other"}},
	"locationQualifiers": {{"U", "UN/LOCODE"}, {"Y", "Authorisation number"}, {"Z", "Free text"}},
	"incoterms": {
		{"EXW", "Ex works"}, {"FCA", "Free carrier"}, {"FAS", "Free alongside ship"}, {"FOB", "Free on board"}, {"CFR", "Cost and freight"},
		{"CIF", "Cost, insurance and freight"}, {"CPT", "Carriage paid to"},
		{"CIP", "Carriage and insurance paid to"}, {"DAP", "Delivered at place"}, {"DPU", "Delivered at place unloaded"}, {"DDP", "Delivered duty paid"},
		{"XXX", "Other terms"},
	},
	"transportCharges": {
		{"A", "Cash"}, {"B", "Credit card"}, {"C", "Cheque"}, {"D", "Other, such as direct debit"}, {"H", "Electronic transfer"},
		{"Y", "Account holder with the carrier"}, {"Z", "Not pre-paid"},
	},
	"previousCategories": {{"X", "Declaration for temporary storage"}, {"Y", "Initial declaration"}, {"Z", "Previous document"}},
	"documentTypes": {
		{"N935", "Commercial invoice"}, {"N380", "Invoice"}, {"N325", "Proforma invoice"}, {"N271", "Packing list"}, {"N705", "Bill of lading"},
		{"N740", "Air waybill"}, {"N730", "Road consignment note"},
		{"U116", "Statement on origin, one consignment"}, {"U118", "Statement on origin, several"}, {"N954", "Movement certificate EUR.1"},
		{"C506", "Deferment account"}, {"C505", "Comprehensive guarantee"},
		{"C512", "Simplified declaration"}, {"C517", "Private customs warehouse"}, {"C601", "Inward processing"}, {"C990", "End use"},
		{"1UKI", "UK Internal Market Scheme"}, {"Y900", "Not on the list of endangered species"},
	},
	"authorisations": {
		{"DPO", "Deferment of payment"}, {"CGU", "Comprehensive guarantee"}, {"SDE", "Simplified declaration"}, {"EIR", "Entry in the declarant’s records"},
		{"CWP", "Private customs warehouse"},
		{"CW1", "Public customs warehouse type I"}, {"CW2", "Public customs warehouse type II"}, {"IPO", "Inward processing"}, {"OPO", "Outward processing"},
		{"EUS", "End use"}, {"TEA", "Temporary admission"},
		{"TST", "Temporary storage"}, {"ACR", "Authorised consignor"}, {"ACE", "Authorised consignee"},
	},
	"guarantees":  {{"0", "Guarantee waiver"}, {"1", "Comprehensive guarantee"}, {"2", "Individual guarantee by undertaking"}, {"3", "Individual guarantee in cash"}, {"Y", "Cash account"}},
	"rateSources": {{"CONTRACT", "Contract of buyer and seller"}, {"HMRC_MONTHLY", "HMRC, monthly"}, {"HMRC_WEEKLY", "HMRC, weekly"}, {"OTHER", "Other"}},
	"transactions": {{"1", "Transfer of ownership"}, {"2", "Return or replacement"}, {"3", "Transfer without payment"}, {"4", "For processing under contract"},
		{"5", "After processing under contract"}, {"9", "Other"}},
	"warehouses": {
		{"R", "Public customs warehouse type I"}, {"S", "Public customs warehouse type II"}, {"T", "Public customs warehouse type III"},
		{"U", "Private customs warehouse"}, {"V", "Storage facility for temporary storage"},
		{"Y", "Warehouse that is not a customs warehouse"}, {"Z", "Free zone"},
	},
	"procedures": {
		{"4000", "Release for free circulation"}, {"4071", "From a customs warehouse to free circulation"}, {"4400", "End use"}, {"5100", "Inward processing"},
		{"5300", "Temporary admission"},
		{"6123", "Return of goods exported for a time"}, {"7100", "Customs warehousing"}, {"1040", "Permanent export"}, {"2100", "Outward processing"},
		{"2300", "Temporary export"}, {"3151", "Re-export after inward processing"},
	},
	"preferences": {
		{"100", "No preference"}, {"110", "Tariff suspension"}, {"120", "Tariff quota without preference"}, {"140", "End use"}, {"200", "Developing countries trading scheme"},
		{"300", "Preference by a trade agreement"}, {"320", "Tariff quota with preference"}, {"400", "Customs union"},
	},
	"classifications": {{"TSP", "Combined Nomenclature, 8 digits"}, {"TRC", "TARIC, 2 digits"}, {"TRA", "TARIC additional code"},
		{"GN", "National additional code"}, {"CV", "CUS code"}},
	"origins": {{"1", "Non-preferential origin"}, {"2", "Preferential origin"}},
	"valuationMethods": {{"1", "Transaction value"}, {"2", "Value of identical goods"}, {"3", "Value of similar goods"}, {"4", "Deductive method"},
		{"5", "Computed value"}, {"6", "Fall-back method"}},
	"taxes":    {{"A00", "Customs duty"}, {"B00", "VAT"}, {"A30", "Definitive anti-dumping duty"}, {"A40", "Definitive countervailing duty"}},
	"payments": {{"E", "Duty deferment account"}, {"P", "Cash account"}, {"R", "Security from the deferment account"}},
	"charges": {
		{"AB", "Commissions and brokerage"}, {"AD", "Containers and packing"}, {"AE", "Materials incorporated in the goods"}, {"AI", "Royalties and licence fees"},
		{"AK", "Transport, loading and insurance"}, {"AL", "Indirect payments"}, {"BA", "Transport after arrival"}, {"BB", "Construction and assembly after import"}, {"BC", "Import duties"},
		{"BD", "Interest"}, {"BF", "Buying commissions"},
	},
	"clientRoles":          {{"IMPORTER", "Imports"}, {"EXPORTER", "Exports"}, {"BOTH", "Both"}},
	"vatAccounting":        {{"POSTPONED", "Postponed, on the VAT return"}, {"PAID", "Paid at import"}},
	"defermentAuthorities": {{"NONE", "None"}, {"STANDING", "Standing authority"}, {"SPECIFIC", "Specific authority for a consignment"}},
}

// Named are the lists without values in Lists.
var Named = []string{"countries", "currencies", "packages"}
