package worksheet

// Kind is the type of a field: how its text is converted to JSON.
type Kind int

// Kinds of fields.
const (
	Text     Kind = iota
	Code          // capitals and digits; spaces are ignored
	Number        // exact; commas between thousands are allowed
	Integer       // a number without a fraction
	Checkbox      // checkbox
	List          // codes separated by commas or spaces
	Instant       // date and time in London
)

// Field is one field of the form.
type Field struct {
	Name           string // member of the body
	Label          string
	Hint           string
	Default        string // what an empty field means where the service adds usual values; added to the hint
	Kind           Kind
	Choices        []Choice // allowed values, if limited
	SuggestionList string   // name of a list of suggested values
	Width          string   // short, medium, or empty for full width
	More           bool     // shown under further details
	Direction      string   // IMPORT or EXPORT; empty for both
	Required       bool     // required in every declaration
}

// Choice is a value of a field with its label.
type Choice struct{ Value, Label string }

// AppliesTo reports whether a field is used for a direction.
func (f Field) AppliesTo(direction string) bool { return f.Direction == "" || f.Direction == direction }

// ClientFields are the fields of the client.
var ClientFields = []Field{
	{Name: "name", Label: "Name", Required: true},
	{Name: "eori", Label: "EORI number", Kind: Code, Width: "medium", Hint: "GB and 12 digits, such as GB123456789000"},
	{Name: "vatNumber", Label: "VAT registration number", Kind: Code, Width: "medium", More: true},
	{Name: "addressLine1", Label: "Address line 1", More: true},
	{Name: "addressLine2", Label: "Address line 2", More: true},
	{Name: "city", Label: "Town or city", Width: "medium", More: true},
	{Name: "postcode", Label: "Postcode", Width: "short", More: true},
	{Name: "country", Label: "Country", Kind: Code, Width: "medium", Hint: "Its name or two letters, such as GB", SuggestionList: "countries", More: true},
	{Name: "contactName", Label: "Name of the contact", More: true},
	{Name: "email", Label: "E-mail address", More: true},
	{Name: "phone", Label: "Telephone number", Width: "medium", More: true},
	{Name: "role", Label: "What the client does", Width: "medium", More: true, Choices: []Choice{{"", "Not said"}, {"IMPORTER", "Imports"}, {"EXPORTER", "Exports"}, {"BOTH", "Both"}}},
	{Name: "reference", Label: "Your reference for the client", Width: "medium", More: true},
}

// ShipmentFields are the fields of the shipment.
var ShipmentFields = []Field{
	{Name: "transportMode", Label: "How do the goods cross the border?", Width: "medium", Required: true, Choices: []Choice{{"SEA", "By sea"}, {"AIR", "By air"}, {"ROAD", "By road"}, {"RAIL", "By rail"}}},
	{Name: "portOfEntry", Label: "UK port or airport", Hint: "Its code or name, such as GBFXT for Felixstowe", Width: "medium", SuggestionList: "ports", Required: true},
	{Name: "expectedArrival", Label: "When do the goods arrive?", Kind: Instant, Width: "medium", Hint: "London time. Leave it empty if they are there already."},
	{Name: "counterpartyName", Label: "Exporter", Hint: "The business abroad that sends the goods", Direction: "IMPORT"},
	{Name: "counterpartyName", Label: "Consignee", Hint: "The business abroad that receives the goods", Direction: "EXPORT"},
	{Name: "counterpartyCountry", Label: "Country of the exporter", Kind: Code, Width: "medium", SuggestionList: "countries", Hint: "Its name or two letters, such as CN", Direction: "IMPORT"},
	{Name: "counterpartyCountry", Label: "Country of the consignee", Kind: Code, Width: "medium", SuggestionList: "countries", Hint: "Its name or two letters, such as US", Direction: "EXPORT"},
	{Name: "countryOfDispatch", Label: "Country that the goods come from", Kind: Code, Width: "medium", SuggestionList: "countries", Direction: "IMPORT", Hint: "Where they were dispatched; empty means the exporter’s country"},
	{Name: "countryOfDestination", Label: "Country that the goods go to", Kind: Code, Width: "medium", SuggestionList: "countries", Direction: "EXPORT", Hint: "Empty means the consignee’s country"},
	{Name: "vesselName", Label: "Vessel, flight, vehicle or train", Width: "medium", More: true},
	{Name: "transportId", Label: "Its number", Kind: Code, Width: "medium", Hint: "IMO number, flight, registration or wagon", More: true},
	{Name: "transportNationality", Label: "Its country of registration", Kind: Code, Width: "medium", SuggestionList: "countries", More: true},
	{Name: "containers", Label: "Container numbers", Kind: List, Hint: "Separated by commas or spaces", More: true},
	{Name: "incoterm", Label: "Delivery term (Incoterms)", Width: "short", More: true, Choices: incoterms()},
	{Name: "incotermLocation", Label: "Place of the delivery term", Kind: Code, Width: "short", Hint: "Five letters of UN/LOCODE, such as GBFXT", SuggestionList: "ports", More: true},
	{Name: "arrived", Label: "The goods have been presented to customs", Kind: Checkbox, More: true},
	{Name: "goodsLocation", Label: "Goods location code", Kind: Code, Width: "medium", Hint: "Where customs can see the goods (DE 5/23); empty means the port", More: true},
	{Name: "counterpartyAddress", Label: "Street of the exporter", Direction: "IMPORT", More: true},
	{Name: "counterpartyCity", Label: "City of the exporter", Width: "medium", Direction: "IMPORT", More: true},
	{Name: "counterpartyPostcode", Label: "Postcode of the exporter", Width: "short", Direction: "IMPORT", More: true},
	{Name: "counterpartyAddress", Label: "Street of the consignee", Direction: "EXPORT", More: true},
	{Name: "counterpartyCity", Label: "City of the consignee", Width: "medium", Direction: "EXPORT", More: true},
	{Name: "counterpartyPostcode", Label: "Postcode of the consignee", Width: "short", Direction: "EXPORT", More: true},
	{Name: "carrierEori", Label: "EORI number of the carrier", Kind: Code, Width: "medium", Direction: "EXPORT", More: true},
	{Name: "exitOffice", Label: "Customs office of exit", Kind: Code, Width: "short", Direction: "EXPORT", Hint: "Such as GB000060 for Dover", More: true},
	{Name: "countryOfDestination", Label: "Country that the goods go to", Kind: Code, Width: "medium", SuggestionList: "countries", Direction: "IMPORT", Hint: "Empty means GB", More: true},
	{Name: "countryOfDispatch", Label: "Country that the goods come from", Kind: Code, Width: "medium", SuggestionList: "countries", Direction: "EXPORT", Hint: "Empty means GB", More: true},
}

// Incoterms are the Incoterms 2020 of the International Chamber of Commerce.
var Incoterms = []string{"EXW", "FCA", "FAS", "FOB", "CFR", "CIF", "CPT", "CIP", "DAP", "DPU", "DDP"}

// incoterms returns them as choices.
func incoterms() []Choice {
	all := []Choice{{"", "Not said"}}
	for _, term := range Incoterms {
		all = append(all, Choice{term, term})
	}
	return all
}

// GeneralFields are the fields of the declaration as a whole. Those under More say that it is not a plain import or export.
var GeneralFields = []Field{
	{Name: "declarationType", Label: "Import or export", Required: true, Choices: []Choice{{"IMPORT", "Import"}, {"EXPORT", "Export"}}},
	{Name: "dataSet", Label: "Data set", Hint: "What the declaration must contain. The service then adds no usual values.", More: true},
	{Name: "additionalType", Label: "Additional declaration type", Hint: "DE 1/2", More: true},
	{Name: "declarationCode", Label: "Declaration type", Hint: "DE 1/1. Empty means IM or EX", More: true},
	{Name: "fill", Label: "What the service may add", More: true},
	{Name: "supplements", Label: "The simplified declaration that this one completes", Kind: Text, Hint: "Its id. It is filled in if you start from the simplified declaration.", More: true},
}

// ItemFields are the fields of a goods item.
var ItemFields = []Field{
	{Name: "description", Label: "What are the goods?", Hint: "In plain words: what they are, what they are made of and what they are for", Required: true},
	{Name: "commodityCode", Label: "Commodity code", Kind: Code, Width: "medium", Hint: "10 digits for an import, 8 for an export", Required: true},
	{Name: "customsValueGbp", Label: "Customs value (£)", Kind: Number, Width: "short", Required: true},
	{Name: "netMassKg", Label: "Net mass (kg)", Kind: Number, Width: "short", Hint: "Without packaging", Required: true},
	{Name: "countryOfOrigin", Label: "Country of origin", Kind: Code, Width: "medium", SuggestionList: "countries", Hint: "Where they were made: its name or two letters"},
	{Name: "grossMassKg", Label: "Gross mass (kg)", Kind: Number, Width: "short", Hint: "With packaging"},
	{Name: "packageCount", Label: "Number of packages", Kind: Integer, Width: "short", Default: "Empty means 1"},
	{Name: "quantity", Label: "Quantity", Kind: Integer, Width: "short", Hint: "Pieces, or the supplementary unit of the code"},
	{Name: "packageType", Label: "Kind of packages", Kind: Code, Width: "short", SuggestionList: "packages", Hint: "Two letters", Default: "Empty means PK, a package", More: true},
	{Name: "procedureCode", Label: "Procedure code", Kind: Code, Width: "short", SuggestionList: "procedures", Hint: "Requested and previous procedure, such as 4000", Default: "Empty means 4000 for an import, 1040 for an export", More: true},
	{Name: "additionalProcedureCodes", Label: "Additional procedure codes", Kind: List, Width: "medium", Hint: "Separated by commas", Default: "Empty means 000", More: true},
	{Name: "preferenceCode", Label: "Preference code", Kind: Code, Width: "short", SuggestionList: "preferences", Default: "Empty means 100, no preference", More: true},
	{Name: "productCode", Label: "Product code", Width: "medium", Hint: "Code of a product of the client, which fills in what is empty", More: true},
	{Name: "supplementaryUnits", Label: "Supplementary units", Kind: Number, Width: "short", Hint: "Where the quantity is not a whole number", More: true},
}

// DocumentFields are the fields of a document.
var DocumentFields = []Field{
	{Name: "type", Label: "Document code", Kind: Code, Width: "short", SuggestionList: "documents", Required: true},
	{Name: "reference", Label: "Number", Width: "medium", Required: true},
	{Name: "status", Label: "Status", Kind: Code, Width: "short"},
}
