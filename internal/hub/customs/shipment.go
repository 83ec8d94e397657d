package customs

import (
	"fmt"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/datamodel"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// Shipment is a consignment: its transport and the parties. Missing values are replaced by defaults for the port and the mode
// of transport.
type Shipment struct {
	ClientID             string     `json:"clientId" format:"uuid" doc:"The importer or exporter" example:"0192f3c4-7a10-7c3e-8f00-1f2e3d4c5b6a"`
	PortOfEntry          string     `json:"portOfEntry" minLength:"1" maxLength:"70" doc:"UN/LOCODE or name of the port in the United Kingdom" example:"GBFXT"`
	TransportMode        string     `json:"transportMode" enum:"SEA,AIR,ROAD,RAIL" doc:"Mode of transport at the border" example:"SEA"`
	VesselName           string     `json:"vesselName,omitempty" maxLength:"35" doc:"Vessel, flight, vehicle or train" example:"Ever Tide"`
	ExpectedArrival      *time.Time `json:"expectedArrival,omitempty" doc:"Expected time of arrival" example:"2026-11-24T06:00:00Z"`
	Arrived              bool       `json:"arrived,omitempty" doc:"Whether the goods have been presented. If not, and expectedArrival is to come, the declaration is pre-lodged (IMD, EXD)"`
	GoodsLocation        string     `json:"goodsLocation,omitempty" maxLength:"39" pattern:"^[A-Z]{2}[A-D][U-Z][A-Z0-9]{3,35}$" doc:"Goods location code (DE 5/23)" example:"GBAUFXTFXTFXT"`
	TransportID          string     `json:"transportId,omitempty" maxLength:"35" doc:"IMO number, flight, registration or wagon (DE 7/9, 7/14)" example:"9811000"`
	TransportNationality string     `json:"transportNationality,omitempty" format:"country" maxLength:"2" doc:"Country of registration of the means of transport" example:"PA"`
	CountryOfDispatch    string     `json:"countryOfDispatch,omitempty" format:"country" maxLength:"2" doc:"Country of dispatch" example:"CN"`
	CountryOfDestination string     `json:"countryOfDestination,omitempty" format:"country" maxLength:"2" doc:"Country of destination" example:"GB"`
	Incoterm             string     `json:"incoterm,omitempty" enum:"EXW,FCA,FAS,FOB,CFR,CIF,CPT,CIP,DAP,DPU,DDP" doc:"Delivery terms" example:"CIF"`
	IncotermLocation     string     `json:"incotermLocation,omitempty" maxLength:"5" pattern:"^[A-Z]{2}[A-Z0-9]{3}$" doc:"UN/LOCODE of the delivery terms" example:"GBFXT"`
	Containers           []string   `json:"containers,omitempty" maxItems:"99" doc:"Container numbers" example:"[\"MSKU1234565\"]"`
	CounterpartyName     string     `json:"counterpartyName,omitempty" maxLength:"70" doc:"The exporter of an import, the consignee of an export" example:"Ningbo Cotton Works"`
	CounterpartyAddress  string     `json:"counterpartyAddress,omitempty" maxLength:"70" doc:"Street of the counterparty" example:"88 Harbour Road"`
	CounterpartyCity     string     `json:"counterpartyCity,omitempty" maxLength:"35" doc:"City of the counterparty" example:"Ningbo"`
	CounterpartyPostcode string     `json:"counterpartyPostcode,omitempty" maxLength:"9" doc:"Postcode of the counterparty" example:"315000"`
	CounterpartyCountry  string     `json:"counterpartyCountry,omitempty" format:"country" maxLength:"2" doc:"Country of the counterparty" example:"CN"`
	CarrierEORI          string     `json:"carrierEori,omitempty" maxLength:"17" doc:"EORI of the carrier (exports)" example:"GB025115100010"`
	ExitOffice           string     `json:"exitOffice,omitempty" maxLength:"8" pattern:"^[A-Z]{2}[A-Z0-9]{6}$" doc:"Customs office of exit (exports)" example:"GB000051"`

	datamodel.Journey
	filing.Labels
}

// ShipmentAdds is what the service adds to a shipment.
type ShipmentAdds struct {
	filing.Archival
	Reference        string `json:"reference" doc:"Your own reference of the shipment, or that of the service" example:"SHP-2026-7K3M9QXA"`
	ServiceReference string `json:"serviceReference,omitempty" doc:"Reference of the service, if you sent your own" example:"SHP-2026-7K3M9QXA"`
}

const referenceAlphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

// Shipments defines the kind of record for shipments.
var Shipments = filing.Definition[Shipment]{
	Kind: "shipment", Hub: HubID, Path: "/api/shipments", Singular: "shipment", Plural: "shipments", Tag: "Shipments and Clients",
	Plain: true, Adds: ShipmentAdds{}, Lifecycle: lifecycle.Archivable, Check: checkShipment, CheckInvalid: filing.InvalidBodies(checkShipment),
	ListColumns: strings.Fields("containers transport location loadingPlace equipment deliveryTerms security exporter consignee consignor buyer seller destination ucr"),
	Description: "A consignment: its transport and the parties. Empty fields get the defaults of the port.",
	MainFields:  []string{"reference", "portOfEntry", "transportMode", "expectedArrival", "counterpartyName"},
	Needs: func(s *Shipment) []filing.Need {
		return []filing.Need{{Field: "clientId", Kind: Clients.Kind, ID: s.ClientID}}
	},
	Assign: func(ids *ident.Source, now time.Time) (filing.Added, []filing.Key) {
		reference := fmt.Sprintf("SHP-%d-%s", now.Year(), ids.Text(referenceAlphabet, 8))
		return filing.Added{"reference": reference}, []filing.Key{{Name: "shipment.reference", Value: reference}}
	},
}
