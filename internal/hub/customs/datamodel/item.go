package datamodel

import (
	"fmt"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
	"github.com/tidewaiter/tidewaiter/internal/tariff"
)

// Item is one goods item.
type Item struct {
	ProductCode              string           `json:"productCode,omitempty" maxLength:"70" doc:"Code of a product of the client, from which the item takes over what it leaves out when it is stored" example:"TS-1001"`
	CommodityCode            string           `json:"commodityCode,omitempty" pattern:"^[0-9]{6,10}$" doc:"Commodity code: 10 digits for an import, 8 for an export (DE 6/14, 6/15). Required without dataSet" example:"6109100010"`
	Description              string           `json:"description,omitempty" minLength:"1" maxLength:"512" doc:"Description of the goods (DE 6/8). Required without dataSet" example:"Men's knitted cotton T-shirts"`
	NetMassKg                *quantity.Mass   `json:"netMassKg,omitempty" minimum:"0" doc:"Net mass in kilograms (DE 6/1). Required without dataSet" example:"120.5"`
	CustomsValueGBP          *quantity.Money  `json:"customsValueGbp,omitempty" minimum:"0" doc:"Customs value in pounds sterling. Required without dataSet" example:"1850.00"`
	GrossMassKg              *quantity.Mass   `json:"grossMassKg,omitempty" minimum:"0" doc:"Gross mass in kilograms (DE 6/5)" example:"131"`
	CountryOfOrigin          string           `json:"countryOfOrigin,omitempty" format:"country" maxLength:"2" doc:"Country of origin (DE 5/15)" example:"BD"`
	Quantity                 *int64           `json:"quantity,omitempty" minimum:"0" maximum:"99999999" doc:"Quantity in the supplementary unit of the commodity (DE 6/2) or, if it has none, number of pieces" example:"600"`
	AdditionalProcedureCodes []string         `json:"additionalProcedureCodes,omitempty" maxItems:"99" doc:"Additional procedure codes (DE 1/11); 000 when there are none" example:"[\"000\"]"`
	ProcedureCode            string           `json:"procedureCode,omitempty" pattern:"^[0-9A-Z]{4}$" doc:"Requested and previous procedure (DE 1/10); 4000 for an import, 1040 for an export when left out without dataSet" example:"4000"`
	SupplementaryUnits       *quantity.Number `json:"supplementaryUnits,omitempty" minimum:"0" doc:"Quantity that is not whole, such as litres; takes precedence over quantity" example:"600"`
	PackageCount             *int64           `json:"packageCount,omitempty" minimum:"0" maximum:"99999999" doc:"Number of packages (DE 6/10); 1 when left out without dataSet" example:"25"`
	PackageType              string           `json:"packageType,omitempty" pattern:"^[A-Z0-9]{2}$" doc:"Kind of packages (DE 6/9); PK when left out without dataSet" example:"CT"`
	PreferenceCode           string           `json:"preferenceCode,omitempty" pattern:"^[0-9]{3}$" doc:"Preference of the first tax line (DE 4/17); 100 when left out without dataSet" example:"100"`

	PreferentialOrigin      string   `json:"preferentialOrigin,omitempty" minLength:"1" maxLength:"4" doc:"Preferential origin, a country or a group of countries (DE 5/16)" example:"EU"`
	QuotaOrderNumber        string   `json:"quotaOrderNumber,omitempty" pattern:"^[0-9]{6}$" doc:"Quota of the first tax line (DE 8/1)" example:"094067"`
	TARICAdditionalCodes    []string `json:"taricAdditionalCodes,omitempty" maxItems:"99" doc:"TARIC additional codes, of at most 4 characters (DE 6/16)" example:"[\"C999\"]"`
	NationalAdditionalCodes []string `json:"nationalAdditionalCodes,omitempty" maxItems:"99" doc:"National additional codes, of at most 4 characters, such as VATZ (DE 6/17)" example:"[\"VATZ\"]"`
	CUSCode                 string   `json:"cusCode,omitempty" minLength:"1" maxLength:"9" doc:"CUS number of a chemical (DE 6/13)"`

	Number                *int64             `json:"number,omitempty" minimum:"0" maximum:"99999" doc:"Sequence number (DE 1/6), if it is not the position"`
	CustomsValue          *Amount            `json:"customsValue,omitempty" doc:"Intrinsic value (DE 4/18)"`
	StatisticalValue      *Amount            `json:"statisticalValue,omitempty" doc:"Statistical value in pounds (DE 8/6)"`
	TransactionNature     string             `json:"transactionNature,omitempty" pattern:"^[0-9]{1,2}$" doc:"Nature of the transaction of the item (DE 8/5)" example:"11"`
	Documents             []ItemDocument     `json:"documents,omitempty" maxItems:"99" doc:"Documents of the item (DE 2/3)"`
	AdditionalInformation []Statement        `json:"additionalInformation,omitempty" maxItems:"99" doc:"Statements about the item (DE 2/2)"`
	SupplyChainActors     []Role             `json:"supplyChainActors,omitempty" maxItems:"99" doc:"Other actors of the supply chain (DE 3/37)"`
	Buyer                 *Trader            `json:"buyer,omitempty" doc:"Buyer (DE 3/26, 3/27)"`
	Classifications       []Classification   `json:"classifications,omitempty" maxItems:"99" doc:"Codes of the goods, in full form (DE 6/13 to 6/17)"`
	DangerousGoods        []string           `json:"dangerousGoods,omitempty" maxItems:"99" doc:"UN numbers (DE 6/12)" example:"[\"1263\"]"`
	TaxLines              []TaxLine          `json:"taxLines,omitempty" maxItems:"99" doc:"Taxes (DE 4/3 to 4/8)"`
	SupplementaryUnit     string             `json:"supplementaryUnit,omitempty" minLength:"1" maxLength:"5" doc:"Unit of supplementaryUnits, only where it must be declared (DE 6/2)"`
	ItemPrice             *Amount            `json:"itemPrice,omitempty" doc:"Price of the item in the currency of the invoice (DE 4/14)"`
	Containers            []ItemContainer    `json:"containers,omitempty" maxItems:"999" doc:"Containers of the item (DE 7/10)"`
	Consignee             *Party             `json:"consignee,omitempty" doc:"Consignee (DE 3/9, 3/10)"`
	Consignor             *Party             `json:"consignor,omitempty" doc:"Consignor"`
	ValuationMethod       string             `json:"valuationMethod,omitempty" minLength:"1" maxLength:"3" doc:"Valuation method, 1 to 6 (DE 4/16)" example:"1"`
	ValuationAdjustments  []Charge           `json:"valuationAdjustments,omitempty" maxItems:"99" doc:"Additions and deductions of the item (DE 4/9)"`
	Destination           *Destination       `json:"destination,omitempty" doc:"Country of destination of the item (DE 5/8)"`
	FiscalReferences      []Role             `json:"fiscalReferences,omitempty" maxItems:"99" doc:"Fiscal references of the item (DE 3/40)"`
	DispatchCountry       string             `json:"dispatchCountry,omitempty" pattern:"^[A-Za-z]{2}$" doc:"Country of dispatch of the item (DE 5/14)" example:"GB"`
	Procedures            []Procedure        `json:"procedures,omitempty" maxItems:"99" doc:"Procedures, in full form (DE 1/10, 1/11)"`
	Origins               []Origin           `json:"origins,omitempty" maxItems:"99" doc:"Origins, in full form (DE 5/15, 5/16)"`
	Packages              []Package          `json:"packages,omitempty" maxItems:"99" doc:"Packages (DE 6/9 to 6/11)"`
	PreviousDocuments     []PreviousDocument `json:"previousDocuments,omitempty" maxItems:"99" doc:"Previous documents of the item (DE 2/1)"`
	Seller                *Trader            `json:"seller,omitempty" doc:"Seller (DE 3/24, 3/25)"`
	UCR                   *UCR               `json:"ucr,omitempty" doc:"Reference of the item's consignment (DE 2/4)"`
	ValuationIndicators   string             `json:"valuationIndicators,omitempty" minLength:"1" maxLength:"4" doc:"Valuation indicators: four digits 0 or 1 (DE 4/13)" example:"0000"`
}

// NetMass returns the net mass in kilograms; zero if it is not known.
func (i *Item) NetMass() quantity.Mass {
	if i.NetMassKg == nil {
		return quantity.Mass{}
	}
	return *i.NetMassKg
}

// Value returns the customs value in pounds; zero if it is not known.
func (i *Item) Value() quantity.Money {
	if i.CustomsValueGBP == nil {
		return quantity.Money{}
	}
	return *i.CustomsValueGBP
}

// Priced reports whether the item has a price, in any currency.
func (i *Item) Priced() bool { return i.ItemPrice != nil && i.ItemPrice.Amount != nil }

// Goods returns the values that the duty of an item depends on.
func (i *Item) Goods(on time.Time) tariff.Goods {
	return tariff.Goods{CommodityCode: i.CommodityCode, CustomsValue: i.Value(), NetMass: i.NetMass(), Units: i.Units(), On: on}
}

// Units returns the quantity in the supplementary unit of the commodity; nil if it is not known.
func (i *Item) Units() *quantity.Number {
	if i.SupplementaryUnits != nil || i.Quantity == nil {
		return i.SupplementaryUnits
	}
	n := quantity.MustNumber(fmt.Sprint(*i.Quantity))
	return &n
}

// ItemDocument is a document, licence or authorisation of an item (DE 2/3).
type ItemDocument struct {
	object
	Type      string    `json:"type,omitempty" minLength:"1" maxLength:"4" doc:"Document code, such as N935; without category, split after the first character" example:"N935"`
	Category  string    `json:"category,omitempty" minLength:"1" maxLength:"3" doc:"Category, only if type does not begin with it"`
	Reference string    `json:"reference,omitempty" minLength:"1" maxLength:"70" doc:"Number of the document" example:"12345/19.01.2024"`
	Status    string    `json:"status,omitempty" minLength:"1" maxLength:"3" doc:"Document status code" example:"AC"`
	Reason    string    `json:"reason,omitempty" minLength:"1" maxLength:"35" doc:"Reason, if the status requires one"`
	Date      string    `json:"date,omitempty" pattern:"^20[0-9]{2}-[0-9]{2}-[0-9]{2}(T[0-9]{2}:[0-9]{2}:[0-9]{2}(Z|[+-][0-9]{2}:00))?$" doc:"Date of validity"`
	Issuer    *Issuer   `json:"issuer,omitempty" doc:"Issuing authority"`
	WriteOff  *WriteOff `json:"writeOff,omitempty" doc:"Quantity or amount that is written off (DE 8/7)"`
}

// Issuer is the authority that issued a document.
type Issuer struct {
	object
	Name string `json:"name,omitempty" minLength:"1" maxLength:"70" doc:"Name of the authority"`
	Role string `json:"role,omitempty" minLength:"1" maxLength:"3" doc:"Its role"`
}

// WriteOff is what a declaration uses up of a licence.
type WriteOff struct {
	object
	Quantity *Measure `json:"quantity,omitempty" doc:"Quantity written off, with unit and qualifier"`
	Amount   *Amount  `json:"amount,omitempty" doc:"Amount written off"`
}

// Classification is a code of the goods.
type Classification struct {
	object
	ID   string `json:"id,omitempty" minLength:"1" maxLength:"18" doc:"Code" example:"61091000"`
	Type string `json:"type,omitempty" minLength:"1" maxLength:"3" doc:"TSP Combined Nomenclature, TRC TARIC, TRA TARIC additional code, GN national additional code, CV CUS number" example:"TSP"`
}

// TaxLine is a tax of an item.
type TaxLine struct {
	object
	Type             string         `json:"type,omitempty" minLength:"1" maxLength:"3" doc:"Type of tax, such as A00 for customs duty and B00 for VAT (DE 4/3)" example:"A00"`
	MethodOfPayment  string         `json:"methodOfPayment,omitempty" pattern:"^[A-Za-z]$" doc:"Method of payment (DE 4/8)" example:"E"`
	PreferenceCode   string         `json:"preferenceCode,omitempty" minLength:"1" maxLength:"3" doc:"Preference (DE 4/17)"`
	QuotaOrderNumber string         `json:"quotaOrderNumber,omitempty" minLength:"1" maxLength:"17" doc:"Quota, where it is not on the first line (DE 8/1)"`
	BaseAmount       *Amount        `json:"baseAmount,omitempty" doc:"Tax base as an amount (DE 4/4)"`
	BaseQuantity     *Measure       `json:"baseQuantity,omitempty" doc:"Tax base as a quantity with its unit (DE 4/4)"`
	Rate             *quantity.Rate `json:"rate,omitempty" doc:"Rate (DE 4/5)"`
	Deduction        *Amount        `json:"deduction,omitempty" doc:"Deduction"`
	Assessed         *Amount        `json:"assessed,omitempty" doc:"Total of the tax (DE 4/7)"`
	Payable          *Amount        `json:"payable,omitempty" doc:"Amount payable (DE 4/6)"`
}

// Procedure is a procedure in full form.
type Procedure struct {
	object
	Current  string `json:"current,omitempty" minLength:"1" maxLength:"7" doc:"Requested procedure, or additional procedure (DE 1/10, 1/11)" example:"40"`
	Previous string `json:"previous,omitempty" minLength:"1" maxLength:"7" doc:"Previous procedure (DE 1/10)" example:"00"`
}

// Origin is a country of origin in full form.
type Origin struct {
	object
	Country string `json:"country,omitempty" minLength:"1" maxLength:"4" doc:"Country, or group of countries (DE 5/15, 5/16)" example:"FR"`
	Region  string `json:"region,omitempty" minLength:"1" maxLength:"9" doc:"Region"`
	Type    string `json:"type,omitempty" minLength:"1" maxLength:"3" doc:"1 non-preferential, 2 preferential" example:"1"`
}

// Package is a number of packages of one kind.
type Package struct {
	object
	Type     string   `json:"type,omitempty" minLength:"1" maxLength:"2" doc:"Kind of packages (DE 6/9)" example:"BX"`
	Count    *int64   `json:"count,omitempty" minimum:"0" maximum:"99999999" doc:"Number of packages; 0 if the goods share a package with another item (DE 6/10)" example:"50"`
	Marks    string   `json:"marks,omitempty" minLength:"1" maxLength:"512" doc:"Marks and numbers (DE 6/11)" example:"BX-1234228/34"`
	Material string   `json:"material,omitempty" minLength:"1" maxLength:"256" doc:"Material"`
	Length   *int64   `json:"length,omitempty" minimum:"0" maximum:"999999999999999" doc:"Length"`
	Width    *int64   `json:"width,omitempty" minimum:"0" maximum:"999999999999999" doc:"Width"`
	Height   *int64   `json:"height,omitempty" minimum:"0" maximum:"999999999999999" doc:"Height"`
	Volume   *Measure `json:"volume,omitempty" doc:"Volume"`
	Number   *int64   `json:"number,omitempty" minimum:"0" maximum:"99999" doc:"Sequence number, if it is not the position"`
}
