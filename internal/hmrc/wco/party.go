package wco

// Party is a person by EORI, or by name and complete address.
type Party struct {
	Name    string
	ID      string
	Address Address
}

func (p *Party) fields(v visitor) {
	text(v, "Name", &p.Name, 70)
	id(v, "ID", &p.ID, 17)
	one(v, "Address", &p.Address)
}

// Trader is a Party with contact data.
type Trader struct {
	Name          string
	ID            string
	Address       Address
	Contact       Named
	Communication Communication
}

func (t *Trader) fields(v visitor) {
	text(v, "Name", &t.Name, 70)
	id(v, "ID", &t.ID, 17)
	one(v, "Address", &t.Address)
	one(v, "Contact", &t.Contact)
	one(v, "Communication", &t.Communication)
}

// Agent represents the importer or exporter. With self-representation there is none.
type Agent struct {
	Name         string
	ID           string // only where the agent is not the declarant (DE 3/20)
	FunctionCode string // DE 3/21: Direct or Indirect
	Address      Address
}

// Kinds of representation: in the name of another, or in its own name for another.
const (
	Direct   = "2"
	Indirect = "3"
)

func (a *Agent) fields(v visitor) {
	text(v, "Name", &a.Name, 70)
	id(v, "ID", &a.ID, 17)
	code(v, "FunctionCode", &a.FunctionCode, 3)
	one(v, "Address", &a.Address)
}

// Carrier is the carrier of an export (DE 3/31, 3/32).
type Carrier struct {
	Name          string
	ID            string
	Address       Address
	Communication Communication
}

func (c *Carrier) fields(v visitor) {
	text(v, "Name", &c.Name, 70)
	id(v, "ID", &c.ID, 17)
	one(v, "Address", &c.Address)
	one(v, "Communication", &c.Communication)
}

// Consignor is the sender of the goods, for safety and security (DE 3/7).
type Consignor struct {
	Name    string
	ID      string
	Address TypedAddress
}

func (c *Consignor) fields(v visitor) {
	text(v, "Name", &c.Name, 70)
	id(v, "ID", &c.ID, 17)
	one(v, "Address", &c.Address)
}

// RoledParty is a person in a role: FR1 with the VAT number for postponed VAT, CS for an authorised consolidator, and
// so on.
type RoledParty struct {
	ID       string
	RoleCode string
}

func (p *RoledParty) fields(v visitor) {
	id(v, "ID", &p.ID, 17)
	code(v, "RoleCode", &p.RoleCode, 3)
}

// AuthorisationHolder is the holder of an authorisation, such as DPO for deferred payment.
type AuthorisationHolder struct {
	ID           string
	CategoryCode string
}

func (h *AuthorisationHolder) fields(v visitor) {
	id(v, "ID", &h.ID, 17)
	code(v, "CategoryCode", &h.CategoryCode, 4)
}

// Named is a person with a name only.
type Named struct {
	Name string
}

func (n *Named) fields(v visitor) {
	text(v, "Name", &n.Name, 70)
}

// Communication is a telephone number or other contact data.
type Communication struct {
	ID       string
	TypeCode string
}

func (c *Communication) fields(v visitor) {
	id(v, "ID", &c.ID, 50)
	code(v, "TypeCode", &c.TypeCode, 3)
}

// Address is an address. Line is street and number.
type Address struct {
	CityName               string
	CountryCode            string
	CountrySubDivisionCode string
	CountrySubDivisionName string
	Line                   string
	PostcodeID             string
}

func (a *Address) fields(v visitor) {
	text(v, "CityName", &a.CityName, 35)
	alpha(v, "CountryCode", &a.CountryCode, 2)
	code(v, "CountrySubDivisionCode", &a.CountrySubDivisionCode, 9)
	text(v, "CountrySubDivisionName", &a.CountrySubDivisionName, 35)
	text(v, "Line", &a.Line, 70)
	id(v, "PostcodeID", &a.PostcodeID, 9)
}

// TypedAddress is an Address with a type.
type TypedAddress struct {
	TypeCode               string
	CityName               string
	CountryCode            string
	CountrySubDivisionCode string
	CountrySubDivisionName string
	Line                   string
	PostcodeID             string
}

func (a *TypedAddress) fields(v visitor) {
	code(v, "TypeCode", &a.TypeCode, 3)
	text(v, "CityName", &a.CityName, 35)
	alpha(v, "CountryCode", &a.CountryCode, 2)
	code(v, "CountrySubDivisionCode", &a.CountrySubDivisionCode, 9)
	text(v, "CountrySubDivisionName", &a.CountrySubDivisionName, 35)
	text(v, "Line", &a.Line, 70)
	id(v, "PostcodeID", &a.PostcodeID, 9)
}
