package wco

// GovernmentAgencyGoodsItem is a goods item of the declaration.
type GovernmentAgencyGoodsItem struct {
	CustomsValueAmount        Amount
	SequenceNumeric           Number                  // DE 1/6; its place when empty
	StatisticalValueAmount    Amount                  // DE 8/6, in GBP
	TransactionNatureCode     string                  // DE 8/5, here or on the shipment
	AdditionalDocument        []AdditionalDocument    // DE 2/3
	AdditionalInformation     []AdditionalInformation // DE 2/2
	AEOMutualRecognitionParty []RoledParty
	Buyer                     Trader
	Commodity                 Commodity
	Consignee                 Party
	Consignor                 Party
	CustomsValuation          CustomsValuation // DE 4/16, 4/9
	Destination               Destination
	DomesticDutyTaxParty      []RoledParty
	ExportCountry             ExportCountry
	GovernmentProcedure       []GovernmentProcedure // DE 1/10, then one for each of DE 1/11
	Origin                    []Origin              // DE 5/15, 5/16
	Packaging                 []Packaging           // DE 6/9 to 6/11
	PreviousDocument          []PreviousDocument
	Seller                    Trader
	UCR                       UCR
	ValuationAdjustment       ValuationAdjustment // DE 4/13
}

func (i *GovernmentAgencyGoodsItem) fields(v visitor) {
	amount(v, "CustomsValueAmount", &i.CustomsValueAmount)
	sequence(v, &i.SequenceNumeric)
	amount(v, "StatisticalValueAmount", &i.StatisticalValueAmount)
	numeric(v, "TransactionNatureCode", &i.TransactionNatureCode, 2)
	list(v, "AdditionalDocument", &i.AdditionalDocument)
	list(v, "AdditionalInformation", &i.AdditionalInformation)
	list(v, "AEOMutualRecognitionParty", &i.AEOMutualRecognitionParty)
	one(v, "Buyer", &i.Buyer)
	one(v, "Commodity", &i.Commodity)
	one(v, "Consignee", &i.Consignee)
	one(v, "Consignor", &i.Consignor)
	one(v, "CustomsValuation", &i.CustomsValuation)
	one(v, "Destination", &i.Destination)
	list(v, "DomesticDutyTaxParty", &i.DomesticDutyTaxParty)
	one(v, "ExportCountry", &i.ExportCountry)
	list(v, "GovernmentProcedure", &i.GovernmentProcedure)
	list(v, "Origin", &i.Origin)
	list(v, "Packaging", &i.Packaging)
	list(v, "PreviousDocument", &i.PreviousDocument)
	one(v, "Seller", &i.Seller)
	one(v, "UCR", &i.UCR)
	one(v, "ValuationAdjustment", &i.ValuationAdjustment)
}

// CustomsValuation is the valuation method; MethodCode 1 is the price paid.
type CustomsValuation struct {
	MethodCode      string
	ChargeDeduction []ChargeDeduction
}

func (c *CustomsValuation) fields(v visitor) {
	code(v, "MethodCode", &c.MethodCode, 3)
	list(v, "ChargeDeduction", &c.ChargeDeduction)
}

// GovernmentProcedure is the requested and the previous procedure, such as 40 and 00; an additional procedure such as
// 000 has a CurrentCode only.
type GovernmentProcedure struct {
	CurrentCode  string
	PreviousCode string
}

func (p *GovernmentProcedure) fields(v visitor) {
	code(v, "CurrentCode", &p.CurrentCode, 7)
	code(v, "PreviousCode", &p.PreviousCode, 7)
}

// Origin is a country of origin; a group of countries has four characters.
type Origin struct {
	CountryCode string
	RegionID    string
	TypeCode    string // OriginNonPreferential or OriginPreferential
}

// Types of Origin: without preference (DE 5/15), or with (DE 5/16).
const (
	OriginNonPreferential = "1"
	OriginPreferential    = "2"
)

func (o *Origin) fields(v visitor) {
	code(v, "CountryCode", &o.CountryCode, 4)
	id(v, "RegionID", &o.RegionID, 9)
	code(v, "TypeCode", &o.TypeCode, 3)
}

// Packaging is a number of packages of one kind, with their marks. A quantity of "0" means that the goods share a
// package with another item.
type Packaging struct {
	SequenceNumeric            Number // its place when empty
	MarksNumbersID             string // DE 6/11
	QuantityQuantity           Number // DE 6/10
	TypeCode                   string // DE 6/9
	PackingMaterialDescription string
	LengthMeasure              Number
	WidthMeasure               Number
	HeightMeasure              Number
	VolumeMeasure              Measure
}

func (p *Packaging) fields(v visitor) {
	sequence(v, &p.SequenceNumeric)
	text(v, "MarksNumbersID", &p.MarksNumbersID, 512)
	number(v, "QuantityQuantity", &p.QuantityQuantity, 8, 0)
	code(v, "TypeCode", &p.TypeCode, 2)
	text(v, "PackingMaterialDescription", &p.PackingMaterialDescription, 256)
	number(v, "LengthMeasure", &p.LengthMeasure, 15, 0)
	number(v, "WidthMeasure", &p.WidthMeasure, 15, 0)
	number(v, "HeightMeasure", &p.HeightMeasure, 15, 0)
	measure(v, "VolumeMeasure", &p.VolumeMeasure)
}

// ValuationAdjustment contains the four valuation indicators; 0000 means none.
type ValuationAdjustment struct {
	AdditionCode string
}

func (a *ValuationAdjustment) fields(v visitor) {
	code(v, "AdditionCode", &a.AdditionCode, 4)
}
