package datamodel

// Journey holds the members that a shipment and a declaration have in common. A declaration inherits those of its shipment.
type Journey struct {
	Transport       *Transport     `json:"transport,omitempty" doc:"Means of transport at the border, on arrival and on departure"`
	Location        *Location      `json:"location,omitempty" doc:"Location of the goods (DE 5/23)"`
	LoadingPlace    *LoadingPlace  `json:"loadingPlace,omitempty" doc:"Place of loading (DE 5/21)"`
	Equipment       []Equipment    `json:"equipment,omitempty" maxItems:"999" doc:"Containers with their seals (DE 7/10, 7/18)"`
	DeliveryTerms   *DeliveryTerms `json:"deliveryTerms,omitempty" doc:"Terms of delivery (DE 4/1)"`
	Security        *Security      `json:"security,omitempty" doc:"Safety and security data of an export"`
	Exporter        *Trader        `json:"exporter,omitempty" doc:"Exporter (DE 3/1, 3/2)"`
	Consignee       *Party         `json:"consignee,omitempty" doc:"Consignee of an export (DE 3/9, 3/10)"`
	Consignor       *Party         `json:"consignor,omitempty" doc:"Consignor"`
	Buyer           *Trader        `json:"buyer,omitempty" doc:"Buyer, where not the importer (DE 3/26, 3/27)"`
	Seller          *Trader        `json:"seller,omitempty" doc:"Seller, where not the exporter (DE 3/24, 3/25)"`
	DispatchCountry string         `json:"dispatchCountry,omitempty" pattern:"^[A-Za-z]{2}$" doc:"Country of dispatch (DE 5/14)" example:"FR"`
	Destination     *Destination   `json:"destination,omitempty" doc:"Country of destination (DE 5/8)"`
	UCR             *UCR           `json:"ucr,omitempty" doc:"Reference of the consignment (DE 2/4)"`
}

// Transport is how the goods travel.
type Transport struct {
	object
	Border    *Border `json:"border,omitempty" doc:"Active means of transport at the border"`
	Arrival   *Means  `json:"arrival,omitempty" doc:"Means of transport on arrival (DE 7/9)"`
	Departure *Means  `json:"departure,omitempty" doc:"Means of transport on departure (DE 7/7)"`
}

// Border is the means of transport at the border.
type Border struct {
	object
	Mode        string `json:"mode,omitempty" pattern:"^[0-9]$" doc:"Mode of transport at the border: 1 sea, 2 rail, 3 road, 4 air, 5 post, 6 RoRo, 7 fixed installation, 8 inland waterway, 9 own propulsion (DE 7/4)" example:"1"`
	ID          string `json:"id,omitempty" minLength:"1" maxLength:"35" doc:"Identity of the means (DE 7/14)" example:"Wayfarer"`
	IDType      string `json:"idType,omitempty" minLength:"1" maxLength:"17" doc:"10 IMO number, 11 ship's name, 20 wagon, 30 road vehicle, 40 flight, 41 aircraft, 80, 81 inland waterway (DE 7/14)" example:"11"`
	Nationality string `json:"nationality,omitempty" pattern:"^[A-Za-z]{2}$" doc:"Country of registration (DE 7/15)" example:"FR"`
	Name        string `json:"name,omitempty" minLength:"1" maxLength:"35" doc:"Name of the means"`
	Type        string `json:"type,omitempty" minLength:"1" maxLength:"4" doc:"Type of the means"`
}

// Means is the means of transport on arrival or departure.
type Means struct {
	object
	ID         string `json:"id,omitempty" minLength:"1" maxLength:"35" doc:"Identity of the means" example:"12345"`
	IDType     string `json:"idType,omitempty" minLength:"1" maxLength:"17" doc:"What the identity is, as at the border" example:"10"`
	InlandMode string `json:"inlandMode,omitempty" pattern:"^[0-9]$" doc:"Inland mode of transport (DE 7/5)" example:"3"`
	Name       string `json:"name,omitempty" minLength:"1" maxLength:"35" doc:"Name of the means"`
	Type       string `json:"type,omitempty" minLength:"1" maxLength:"4" doc:"Type of the means"`
}

// Location is where customs can examine the goods (DE 5/23).
type Location struct {
	object
	Country   string `json:"country,omitempty" pattern:"^[A-Za-z]{2}$" doc:"Country" example:"GB"`
	Type      string `json:"type,omitempty" minLength:"1" maxLength:"3" doc:"A designated, B authorised, C approved, D other" example:"A"`
	Qualifier string `json:"qualifier,omitempty" minLength:"1" maxLength:"3" doc:"U UN/LOCODE, Y authorisation, Z free text" example:"U"`
	Name      string `json:"name,omitempty" minLength:"1" maxLength:"256" doc:"The code or authorisation after the first four characters" example:"WLALONBTW"`
	ID        string `json:"id,omitempty" minLength:"1" maxLength:"17" doc:"Additional identifier"`
	Line      string `json:"line,omitempty" minLength:"1" maxLength:"70" doc:"Street"`
	City      string `json:"city,omitempty" minLength:"1" maxLength:"35" doc:"Town or city"`
	Postcode  string `json:"postcode,omitempty" minLength:"1" maxLength:"9" doc:"Postcode"`
}

// LoadingPlace is where the goods were loaded (DE 5/21).
type LoadingPlace struct {
	object
	Code string `json:"code,omitempty" minLength:"1" maxLength:"17" doc:"Place of loading, by code" example:"CNSHA"`
	Name string `json:"name,omitempty" minLength:"1" maxLength:"256" doc:"Place of loading, by name"`
}

// Equipment is a container with its seals.
type Equipment struct {
	object
	Container string `json:"container,omitempty" minLength:"1" maxLength:"17" doc:"Container (DE 7/10)" example:"AD12345"`
	Seals     []Seal `json:"seals,omitempty" maxItems:"99" doc:"Seals (DE 7/18)"`
	Number    *int64 `json:"number,omitempty" minimum:"0" maximum:"99999" doc:"Sequence number, if it is not the position"`
}

// Seal is a seal of a container.
type Seal struct {
	object
	ID     string `json:"id,omitempty" minLength:"1" maxLength:"35" doc:"Seal (DE 7/18)" example:"17583753"`
	Number *int64 `json:"number,omitempty" minimum:"0" maximum:"99999" doc:"Sequence number, if it is not the position"`
}

// ItemContainer is a container of an item.
type ItemContainer struct {
	object
	ID     string `json:"id,omitempty" minLength:"1" maxLength:"17" doc:"Container (DE 7/10)" example:"AD12345"`
	Number *int64 `json:"number,omitempty" minimum:"0" maximum:"99999" doc:"Sequence number, if it is not the position"`
}

// DeliveryTerms are the terms of delivery (DE 4/1).
type DeliveryTerms struct {
	object
	Incoterm     string `json:"incoterm,omitempty" pattern:"^[A-Za-z]{3}$" doc:"Incoterm (DE 4/1)" example:"CIF"`
	Place        string `json:"place,omitempty" minLength:"1" maxLength:"17" doc:"UN/LOCODE of its place" example:"GBTIL"`
	PlaceName    string `json:"placeName,omitempty" minLength:"1" maxLength:"256" doc:"Place in words, with the country, where there is no UN/LOCODE"`
	Relationship string `json:"relationship,omitempty" minLength:"1" maxLength:"3" doc:"Relationship code"`
	Description  string `json:"description,omitempty" minLength:"1" maxLength:"70" doc:"Terms in words"`
}

// Security is the safety and security data of an export.
type Security struct {
	object
	Carrier          *Carrier       `json:"carrier,omitempty" doc:"Carrier (DE 3/31, 3/32)"`
	Consignor        *SafetyParty   `json:"consignor,omitempty" doc:"Consignor (DE 3/7, 3/8)"`
	TransportCharges string         `json:"transportCharges,omitempty" minLength:"1" maxLength:"3" doc:"How the transport is paid: A, B, C, D, H, Y or Z (DE 4/2)" example:"B"`
	Itinerary        []RouteCountry `json:"itinerary,omitempty" maxItems:"99" doc:"Countries of the route, in order (DE 5/18)"`
	Items            []SecurityItem `json:"items,omitempty" maxItems:"999" doc:"Data of single items"`
}

// RouteCountry is a country of the route.
type RouteCountry struct {
	object
	Country string `json:"country,omitempty" pattern:"^[A-Za-z]{2}$" doc:"Country (DE 5/18)" example:"GB"`
	Number  *int64 `json:"number,omitempty" minimum:"0" maximum:"99999" doc:"Sequence number, if it is not the position"`
}

// SecurityItem is the safety and security data of one item.
type SecurityItem struct {
	object
	Consignor        *SafetyParty `json:"consignor,omitempty" doc:"Consignor (DE 3/7, 3/8)"`
	TransportCharges string       `json:"transportCharges,omitempty" minLength:"1" maxLength:"3" doc:"How the transport of the item is paid (DE 4/2)"`
	Number           *int64       `json:"number,omitempty" minimum:"0" maximum:"99999" doc:"Sequence number, if it is not the position"`
}
