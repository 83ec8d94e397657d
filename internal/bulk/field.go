package bulk

// field is a field of a client, and how its column may be recognised.
type field struct {
	name     string
	headers  []string // what a header says that means it, in lower case
	numbered bool     // whether "no", "number" or "code" behind it change nothing
	is       func(string) bool
	proof    int // points for values that have the shape, whatever the header says
}

// clientFields are the fields of a client, those first that are told more surely.
var clientFields = []field{
	{name: "eori", numbered: true, is: isEORI, proof: 60, headers: []string{
		"eori", "gb eori", "xi eori", "eori id", "trader eori", "economic operator", "turn"}},
	{name: "vatNumber", numbered: true, is: isVAT, proof: 50, headers: []string{
		"vat", "vat reg", "vat registration", "vat id", "vrn", "vat reference", "vat registered", "gb vat", "tva", "ust id"}},
	{name: "email", is: isEmail, proof: 60, headers: []string{
		"email", "e mail", "email address", "e mail address", "mail", "contact email"}},
	{name: "phone", numbered: true, is: isPhone, proof: 50, headers: []string{
		"phone", "telephone", "tel", "mobile", "phone number", "contact number", "tel no", "landline", "telefon"}},
	{name: "postcode", is: isPostcode, proof: 60, headers: []string{
		"postcode", "post code", "postal code", "zip", "zip code", "plz", "pcode"}},
	{name: "country", is: isCountry, proof: 45, headers: []string{
		"country", "country code", "iso country", "nation", "country of establishment", "ctry"}},
	{name: "role", is: isRole, proof: 60, headers: []string{
		"role", "type", "client type", "customer type", "trader type", "importer exporter"}},
	{name: "addressLine2", headers: []string{
		"address line 2", "address 2", "addr 2", "address line two", "street 2", "locality", "district"}},
	{name: "addressLine1", headers: []string{
		"address line 1", "address 1", "addr 1", "address line one", "address", "street", "street address", "street 1", "road", "registered office"}},
	{name: "city", headers: []string{"city", "town", "post town", "town city", "city town", "town or city", "ort"}},
	{name: "contactName", headers: []string{
		"contact", "contact name", "contact person", "contact full name", "attention", "attn", "fao", "primary contact", "key contact"}},
	{name: "name", is: isCompany, proof: 45, headers: []string{
		"name", "company", "company name", "client", "client name", "customer", "customer name", "trader", "trader name", "business", "business name",
		"legal name", "trading name", "organisation", "organization", "organisation name", "importer", "importer name", "exporter name", "firm",
		"account name", "full name", "legal entity"}},
	{name: "reference", numbered: true, headers: []string{
		"reference", "ref", "our ref", "client ref", "client reference", "customer ref", "customer reference", "client id", "customer id", "account",
		"account id", "account ref", "client number", "customer number", "client code", "customer code", "client no", "customer no", "code", "id"}},
}
