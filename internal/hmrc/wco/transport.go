package wco

// BorderTransportMeans is the active means of transport at the border. References of ships, flights and lorries have no
// spaces.
type BorderTransportMeans struct {
	Name                        string
	ID                          string // DE 7/14
	IdentificationTypeCode      string // 10 IMO number, 11 ship's name, 30 lorry, 40 flight
	TypeCode                    string
	RegistrationNationalityCode string // DE 7/15
	ModeCode                    string // DE 7/4: 1 sea, 2 rail, 3 road, 4 air, 5 post
}

func (m *BorderTransportMeans) fields(v visitor) {
	text(v, "Name", &m.Name, 35)
	id(v, "ID", &m.ID, 35)
	code(v, "IdentificationTypeCode", &m.IdentificationTypeCode, 17)
	code(v, "TypeCode", &m.TypeCode, 4)
	alpha(v, "RegistrationNationalityCode", &m.RegistrationNationalityCode, 2)
	numeric(v, "ModeCode", &m.ModeCode, 1)
}

// TransportMeans is the means of transport on arrival (DE 7/9) or departure (DE 7/7, inland mode DE 7/5).
type TransportMeans struct {
	Name                   string
	ID                     string
	IdentificationTypeCode string
	TypeCode               string
	ModeCode               string
}

func (m *TransportMeans) fields(v visitor) {
	text(v, "Name", &m.Name, 35)
	id(v, "ID", &m.ID, 35)
	code(v, "IdentificationTypeCode", &m.IdentificationTypeCode, 17)
	code(v, "TypeCode", &m.TypeCode, 4)
	numeric(v, "ModeCode", &m.ModeCode, 1)
}

// HeaderConsignment contains the safety and security data of an export.
type HeaderConsignment struct {
	Carrier         Carrier
	ConsignmentItem []ConsignmentItem
	Consignor       Consignor
	Freight         Freight     // DE 4/2
	Itinerary       []Itinerary // DE 5/18
}

func (c *HeaderConsignment) fields(v visitor) {
	one(v, "Carrier", &c.Carrier)
	list(v, "ConsignmentItem", &c.ConsignmentItem)
	one(v, "Consignor", &c.Consignor)
	one(v, "Freight", &c.Freight)
	list(v, "Itinerary", &c.Itinerary)
}

// ConsignmentItem is a goods item for safety and security.
type ConsignmentItem struct {
	SequenceNumeric Number // its place when empty
	Consignor       Consignor
	Freight         Freight
}

func (i *ConsignmentItem) fields(v visitor) {
	sequence(v, &i.SequenceNumeric)
	one(v, "Consignor", &i.Consignor)
	one(v, "Freight", &i.Freight)
}

// Freight is the method of payment of the transport, such as D for electronic transfer.
type Freight struct {
	PaymentMethodCode string
}

func (f *Freight) fields(v visitor) {
	code(v, "PaymentMethodCode", &f.PaymentMethodCode, 3)
}

// Itinerary is a country of the route, from the first to the last.
type Itinerary struct {
	SequenceNumeric    Number // its place when empty
	RoutingCountryCode string
}

func (i *Itinerary) fields(v visitor) {
	sequence(v, &i.SequenceNumeric)
	alpha(v, "RoutingCountryCode", &i.RoutingCountryCode, 2)
}

// Consignment is the location and transport of the goods.
type Consignment struct {
	ContainerCode           string         // DE 7/2: 1 in containers, 0 not
	ArrivalTransportMeans   TransportMeans // imports
	DepartureTransportMeans TransportMeans // exports
	GoodsLocation           GoodsLocation  // DE 5/23
	LoadingLocation         LoadingLocation
	TransportEquipment      []TransportEquipment // DE 7/10, 7/18
}

func (c *Consignment) fields(v visitor) {
	oneOf(v, "ContainerCode", &c.ContainerCode, "0 1")
	one(v, "ArrivalTransportMeans", &c.ArrivalTransportMeans)
	one(v, "DepartureTransportMeans", &c.DepartureTransportMeans)
	one(v, "GoodsLocation", &c.GoodsLocation)
	one(v, "LoadingLocation", &c.LoadingLocation)
	list(v, "TransportEquipment", &c.TransportEquipment)
}

// GoodsLocation is where customs can examine the goods. SplitGoodsLocation derives it from a location code.
type GoodsLocation struct {
	Name     string
	ID       string
	TypeCode string
	Address  LocationAddress
}

func (l *GoodsLocation) fields(v visitor) {
	id(v, "Name", &l.Name, 256)
	id(v, "ID", &l.ID, 17)
	code(v, "TypeCode", &l.TypeCode, 3)
	one(v, "Address", &l.Address)
}

// LocationAddress is the address of a GoodsLocation. TypeCode is the type of its Name: U for a UN/LOCODE, Y for an
// authorisation.
type LocationAddress struct {
	TypeCode    string
	CityName    string
	CountryCode string
	Line        string
	PostcodeID  string
}

func (a *LocationAddress) fields(v visitor) {
	code(v, "TypeCode", &a.TypeCode, 3)
	text(v, "CityName", &a.CityName, 35)
	alpha(v, "CountryCode", &a.CountryCode, 2)
	text(v, "Line", &a.Line, 70)
	id(v, "PostcodeID", &a.PostcodeID, 9)
}

// LoadingLocation is the airport or place of loading (DE 5/21).
type LoadingLocation struct {
	Name string
	ID   string
}

func (l *LoadingLocation) fields(v visitor) {
	text(v, "Name", &l.Name, 256)
	id(v, "ID", &l.ID, 17)
}

// TransportEquipment is a container with its seals. An export without seals has one with SequenceNumeric "0" and the
// single Seal NoSeals.
type TransportEquipment struct {
	SequenceNumeric Number // its place when empty
	ID              string
	Seal            []Seal
}

func (e *TransportEquipment) fields(v visitor) {
	sequence(v, &e.SequenceNumeric)
	id(v, "ID", &e.ID, 17)
	list(v, "Seal", &e.Seal)
}

// Seal is one seal of a container.
type Seal struct {
	SequenceNumeric Number // its place when empty
	ID              string
}

// NoSeals is the equipment of an export without seals.
func NoSeals() TransportEquipment {
	return TransportEquipment{SequenceNumeric: "0", Seal: []Seal{{SequenceNumeric: "0", ID: "NOSEALS"}}}
}

func (s *Seal) fields(v visitor) {
	sequence(v, &s.SequenceNumeric)
	id(v, "ID", &s.ID, 35)
}
