package mapping

// Fields of a client.
const (
	eori         = "eori"
	vatNumber    = "vatNumber"
	email        = "email"
	phone        = "phone"
	postcode     = "postcode"
	country      = "country"
	role         = "role"
	addressLine2 = "addressLine2"
	addressLine1 = "addressLine1"
	city         = "city"
	contactName  = "contactName"
	name         = "name"
	reference    = "reference"
)

// fields are all fields of a client, those that are recognised most reliably first.
var fields = []string{
	eori, vatNumber, email, phone, postcode, country, role, addressLine2, addressLine1, city, contactName, name, reference,
}

// Fields returns the fields of a client that can be recognised.
func Fields() []string { return append([]string(nil), fields...) }

// numbered are the fields whose header may end with a word for number or code.
var numbered = map[string]bool{eori: true, vatNumber: true, phone: true, postcode: true, country: true, reference: true}
