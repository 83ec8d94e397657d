package wco

// GoodsShipment contains the declared goods, with one sender and one receiver.
type GoodsShipment struct {
	ExitDateTime              DateTime
	TransactionNatureCode     string       // DE 8/5, here or on items, never both
	AEOMutualRecognitionParty []RoledParty // DE 3/37
	Buyer                     Trader       // DE 3/26, 3/27
	Consignee                 Party        // DE 3/9, 3/10
	Consignment               Consignment
	Consignor                 Party
	CustomsValuation          ShipmentValuation // DE 4/9, 4/19
	Destination               Destination       // DE 5/8
	DomesticDutyTaxParty      []RoledParty      // DE 3/40
	ExportCountry             ExportCountry     // DE 5/14
	GovernmentAgencyGoodsItem []GovernmentAgencyGoodsItem
	Importer                  Trader // DE 3/15, 3/16
	Invoice                   Invoice
	Payer                     Party
	PreviousDocument          []PreviousDocument // DE 2/1
	Seller                    Trader             // DE 3/24, 3/25
	Surety                    Party
	TradeTerms                TradeTerms // DE 4/1
	UCR                       UCR        // DE 2/4
	Warehouse                 Warehouse  // DE 2/7
}

func (s *GoodsShipment) fields(v visitor) {
	one(v, "ExitDateTime", &s.ExitDateTime)
	numeric(v, "TransactionNatureCode", &s.TransactionNatureCode, 2)
	list(v, "AEOMutualRecognitionParty", &s.AEOMutualRecognitionParty)
	one(v, "Buyer", &s.Buyer)
	one(v, "Consignee", &s.Consignee)
	one(v, "Consignment", &s.Consignment)
	one(v, "Consignor", &s.Consignor)
	one(v, "CustomsValuation", &s.CustomsValuation)
	one(v, "Destination", &s.Destination)
	list(v, "DomesticDutyTaxParty", &s.DomesticDutyTaxParty)
	one(v, "ExportCountry", &s.ExportCountry)
	list(v, "GovernmentAgencyGoodsItem", &s.GovernmentAgencyGoodsItem)
	one(v, "Importer", &s.Importer)
	one(v, "Invoice", &s.Invoice)
	one(v, "Payer", &s.Payer)
	list(v, "PreviousDocument", &s.PreviousDocument)
	one(v, "Seller", &s.Seller)
	one(v, "Surety", &s.Surety)
	one(v, "TradeTerms", &s.TradeTerms)
	one(v, "UCR", &s.UCR)
	one(v, "Warehouse", &s.Warehouse)
}

// ShipmentValuation contains the costs of the whole shipment, which CDS distributes over the items.
type ShipmentValuation struct {
	FreightChargeAmount Amount
	ChargeDeduction     []ChargeDeduction
}

func (c *ShipmentValuation) fields(v visitor) {
	amount(v, "FreightChargeAmount", &c.FreightChargeAmount)
	list(v, "ChargeDeduction", &c.ChargeDeduction)
}

// ChargeDeduction is a cost to add to or deduct from the price, by its code such as AK for transport.
type ChargeDeduction struct {
	ChargesTypeCode            string
	OtherChargeDeductionAmount Amount
}

func (c *ChargeDeduction) fields(v visitor) {
	code(v, "ChargesTypeCode", &c.ChargesTypeCode, 3)
	amount(v, "OtherChargeDeductionAmount", &c.OtherChargeDeductionAmount)
}

// Destination is the country of destination.
type Destination struct {
	CountryCode string
	RegionID    string
}

func (d *Destination) fields(v visitor) {
	alpha(v, "CountryCode", &d.CountryCode, 2)
	id(v, "RegionID", &d.RegionID, 9)
}

// ExportCountry is the country of dispatch; its ID is the country code.
type ExportCountry struct {
	ID string
}

func (c *ExportCountry) fields(v visitor) {
	alpha(v, "ID", &c.ID, 2)
}

// TradeTerms is the Incoterm and the UN/LOCODE of its place, as CIF and GBFXT.
type TradeTerms struct {
	ConditionCode           string
	CountryRelationshipCode string
	Description             string
	LocationID              string
	LocationName            string
}

func (t *TradeTerms) fields(v visitor) {
	alpha(v, "ConditionCode", &t.ConditionCode, 3)
	code(v, "CountryRelationshipCode", &t.CountryRelationshipCode, 3)
	text(v, "Description", &t.Description, 70)
	id(v, "LocationID", &t.LocationID, 17)
	text(v, "LocationName", &t.LocationName, 256)
}

// Warehouse is the customs warehouse of the goods.
type Warehouse struct {
	ID       string
	TypeCode string
}

func (w *Warehouse) fields(v visitor) {
	id(v, "ID", &w.ID, 35)
	code(v, "TypeCode", &w.TypeCode, 3)
}
