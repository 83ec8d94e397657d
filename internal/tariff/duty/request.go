package duty

import (
	"math/big"

	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
)

// Request asks what goods cost at the border. Every member has been checked against its schema; lines that the tariff cannot
// answer get a problem.
type Request struct {
	Date            string           `json:"date,omitempty" format:"date" doc:"Day of acceptance; today in London if left out. A replay must state it" example:"2026-11-26"`
	Destination     string           `json:"destination" enum:"GB,NI" doc:"Great Britain or Northern Ireland" example:"GB"`
	Edition         *int64           `json:"edition,omitempty" minimum:"0" doc:"Edition of the tariff to use; the one in force if left out" example:"7"`
	RateTable       *string          `json:"rateTable,omitempty" maxLength:"20" doc:"Table of exchange rates to use; the newest if left out" example:"3"`
	ExchangeRates   []FixedRate      `json:"exchangeRates,omitempty" maxItems:"20" nullable:"false" doc:"Rates that a contract fixes; otherwise HMRC's monthly rate"`
	Incoterm        string           `json:"incoterm,omitempty" pattern:"^[A-Z]{3}$" doc:"Terms of delivery (DE 4/1); without them the price is used as it stands" example:"FOB"`
	IncotermPlace   string           `json:"incotermPlace,omitempty" maxLength:"37" doc:"Place of the terms of delivery" example:"Chittagong"`
	Freight         []Cost           `json:"freight,omitempty" maxItems:"20" nullable:"false" doc:"Freight of all lines, apportioned by price"`
	Insurance       []Cost           `json:"insurance,omitempty" maxItems:"20" nullable:"false" doc:"Insurance of all lines, apportioned by price"`
	Additions       []CodedAmount    `json:"additions,omitempty" maxItems:"20" nullable:"false" doc:"Additions to the price of all lines, AB and AD to AN of DE 4/9, apportioned by price"`
	Deductions      []CodedAmount    `json:"deductions,omitempty" maxItems:"20" nullable:"false" doc:"Deductions from the price of all lines, BA to BG of DE 4/9, apportioned by price"`
	VATCosts        []Price          `json:"vatCosts,omitempty" maxItems:"20" nullable:"false" doc:"Costs up to the first destination in the United Kingdom, on which only VAT is due"`
	VATAccounting   string           `json:"vatAccounting,omitempty" enum:"POSTPONED,PAID" doc:"How import VAT is accounted for; PAID if left out" example:"POSTPONED"`
	PaymentMethod   string           `json:"paymentMethod,omitempty" pattern:"^[A-Z]$" doc:"Method of payment (DE 4/8), which is only repeated in what to declare" example:"E"`
	NorthernIreland *NorthernIreland `json:"northernIreland,omitempty" doc:"Answers that decide which tariff applies in Northern Ireland; each one left out is unknown"`
	Lines           []RequestLine    `json:"lines" minItems:"1" maxItems:"1000" nullable:"false" doc:"The goods. For more lines use a what-if"`
}

// Destinations.
const (
	GreatBritain = "GB"
	ToNI         = "NI"
)

// RequestLine is what is known of one line of goods.
type RequestLine struct {
	Ref                   string        `json:"ref,omitempty" maxLength:"64" doc:"Own reference of the line; its index if left out" example:"INV-1/1"`
	CommodityCode         string        `json:"commodityCode,omitempty" pattern:"^[0-9]{6,10}$" doc:"Commodity code; or productId" example:"6109100010"`
	ProductID             string        `json:"productId,omitempty" format:"uuid" doc:"Product of the catalogue, which supplies the code, the origin and facts that the line lacks"`
	Origin                string        `json:"origin,omitempty" format:"trading-country" doc:"Country of non-preferential origin; required unless a product has it" example:"BD"`
	PreferentialOrigin    string        `json:"preferentialOrigin,omitempty" format:"trading-area" doc:"Country or area of preferential origin (DE 5/16); origin if left out" example:"BD"`
	DispatchCountry       string        `json:"dispatchCountry,omitempty" format:"trading-country" doc:"Country that the goods come from; origin if left out" example:"BD"`
	Price                 Price         `json:"price" doc:"Invoice price of the line"`
	Freight               []Cost        `json:"freight,omitempty" maxItems:"20" nullable:"false" doc:"Freight of the line, instead of its share in those of all lines"`
	Insurance             []Cost        `json:"insurance,omitempty" maxItems:"20" nullable:"false" doc:"Insurance of the line, instead of its share in those of all lines"`
	Additions             []CodedAmount `json:"additions,omitempty" maxItems:"20" nullable:"false" doc:"Additions of the line, instead of its share in those of all lines"`
	Deductions            []CodedAmount `json:"deductions,omitempty" maxItems:"20" nullable:"false" doc:"Deductions of the line, instead of its share in those of all lines"`
	VATCosts              []Price       `json:"vatCosts,omitempty" maxItems:"20" nullable:"false" doc:"Costs of the line up to the first destination, instead of its share in those of all lines"`
	CustomsValue          *Decimal      `json:"customsValueGbp,omitempty" minimum:"0" maximum:"99999999999" multipleOf:"0.01" doc:"Customs value in pounds, instead of the build-up" example:"1850"`
	NetMass               *Decimal      `json:"netMassKg,omitempty" minimum:"0" maximum:"99999999999" multipleOf:"0.000001" doc:"Net mass in kilograms; also answers other units of mass" example:"120.5"`
	Quantities            []Quantity    `json:"quantities,omitempty" maxItems:"20" nullable:"false" doc:"Quantities in units of the tariff"`
	AlcoholStrength       *Decimal      `json:"alcoholStrength,omitempty" minimum:"0" maximum:"100" multipleOf:"0.0001" doc:"Strength of alcohol in per cent by volume" example:"12.5"`
	SucrosePercent        *Decimal      `json:"sucrosePercent,omitempty" minimum:"0" maximum:"100" multipleOf:"0.0001" doc:"Sucrose in per cent by weight" example:"8"`
	SmallProducerDiscount *Decimal      `json:"smallProducerDiscount,omitempty" minimum:"0" maximum:"1000" multipleOf:"0.00001" doc:"Discount of a small producer, in pounds for each litre of pure alcohol; without it no relief is claimed" example:"5"`
	RetailPrice           *Decimal      `json:"retailPriceGbp,omitempty" minimum:"0" maximum:"99999999999" multipleOf:"0.001" doc:"Retail price of tobacco in pounds" example:"13.5"`
	AdditionalCodes       []string      `json:"additionalCodes,omitempty" maxItems:"20" nullable:"false" pattern:"^[A-Z0-9]{4}$" doc:"Additional codes of companies and of goods (DE 6/16)" example:"[\"B999\"]"`
	ExciseCode            string        `json:"exciseCode,omitempty" pattern:"^X[0-9A-Z]{3}$" doc:"Excise code, which chooses the excise duty" example:"X321"`
	MeursingCode          string        `json:"meursingCode,omitempty" pattern:"^7[0-9]{3}$" doc:"Meursing code of goods with milk, starch or sugar" example:"7476"`
	VATChoice             string        `json:"vatChoice,omitempty" enum:"VAT,VATR,VATZ,VATE" doc:"VAT rate: standard, reduced, zero, exempt" example:"VATZ"`
	Facts                 Facts         `json:"facts,omitempty" doc:"Answers to what the conditions of measures ask"`

	supplied bool // a product has supplied the commodity code
}

// Supply takes the commodity code of the line's product.
func (l *RequestLine) Supply(code string) { l.CommodityCode, l.supplied = code, true }

// Facts are answers to what the conditions of measures ask.
type Facts struct {
	Documents         []Document `json:"documents,omitempty" maxItems:"99" nullable:"false" doc:"Documents that are held"`
	DocumentsAbsent   []string   `json:"documentsAbsent,omitempty" maxItems:"99" nullable:"false" pattern:"^[A-Z0-9]{4}$" doc:"Codes of documents that are known not to be held" example:"[\"C990\"]"`
	OtherDocuments    string     `json:"otherDocuments,omitempty" enum:"UNKNOWN,NONE" doc:"Whether other documents may be held; UNKNOWN if left out" example:"NONE"`
	ProofOfOrigin     string     `json:"proofOfOrigin,omitempty" enum:"HELD,NONE,UNKNOWN" doc:"Proof for a preference that states no condition; UNKNOWN if left out" example:"HELD"`
	QuotaOrderNumbers []string   `json:"quotaOrderNumbers,omitempty" maxItems:"20" nullable:"false" pattern:"^[0-9]{6}$" doc:"Order numbers of quotas that are claimed" example:"[\"050088\"]"`
	EntryPrice        *Price     `json:"entryPrice,omitempty" doc:"Entry price for 100 kg; the customs value for 100 kg if left out"`
	DeMinimisAid      *bool      `json:"deMinimisAid,omitempty" doc:"Whether a waiver of duty from Great Britain to Northern Ireland is possible; unknown if left out"`
}

// Answers of otherDocuments and proofOfOrigin.
const (
	AnswerHeld    = "HELD"
	AnswerNone    = "NONE"
	AnswerUnknown = "UNKNOWN"
)

// Document is a document that is held.
type Document struct {
	Code      string `json:"code" pattern:"^[A-Z0-9]{4}$" doc:"Code of the document (DE 2/3)" example:"U116"`
	Reference string `json:"reference,omitempty" maxLength:"70" doc:"Reference of the document" example:"UK-BD-77"`
	Status    string `json:"status,omitempty" pattern:"^[A-Z]{2}$" doc:"Status of the document" example:"AC"`
}

// NorthernIreland are the answers that decide which tariff applies there; nil is unknown.
type NorthernIreland struct {
	UKIMS                  *bool  `json:"ukims,omitempty" doc:"Whether the importer is authorised under the UK Internal Market Scheme"`
	FinalUseInUK           *bool  `json:"finalUseInUk,omitempty" doc:"Whether the goods are for sale to, or final use by, consumers in the United Kingdom"`
	TurnoverBelowThreshold *bool  `json:"turnoverBelowThreshold,omitempty" doc:"Whether the importer's turnover is below the threshold"`
	Processing             string `json:"processing,omitempty" enum:"NONE,ALLOWED,OTHER" doc:"How the goods are processed in Northern Ireland" example:"NONE"`
	ProofOfUKOrigin        *bool  `json:"proofOfUkOrigin,omitempty" doc:"Whether there is a proof that the goods originate in the United Kingdom"`
	UnionGoods             *bool  `json:"unionGoods,omitempty" doc:"Whether the goods are in free circulation in the European Union; true for goods from there if left out"`
}

// Kinds of processing in Northern Ireland.
const (
	NoProcessing      = "NONE"
	AllowedProcessing = "ALLOWED"
	OtherProcessing   = "OTHER"
)

// Price is an amount in a currency.
type Price struct {
	Amount   Decimal `json:"amount" minimum:"0" maximum:"9999999999999" multipleOf:"0.001" doc:"The amount" example:"1850"`
	Currency string  `json:"currency" pattern:"^[A-Z]{3}$" doc:"Currency (ISO 4217)" example:"USD"`
}

// Cost is the cost of freight or insurance. Carriers apportion it to a millionth.
type Cost struct {
	Amount       Decimal `json:"amount" minimum:"0" maximum:"99999999999" multipleOf:"0.000001" doc:"The amount" example:"240"`
	Currency     string  `json:"currency" pattern:"^[A-Z]{3}$" doc:"Currency (ISO 4217)" example:"USD"`
	InPrice      *bool   `json:"inPrice,omitempty" doc:"Whether the price includes it; as the Incoterm says if left out"`
	AfterArrival bool    `json:"afterArrival,omitempty" doc:"Whether it arises after the arrival in the United Kingdom"`
}

func (c *Cost) price() Price { return Price{c.Amount, c.Currency} }

// CodedAmount is an addition to the price or a deduction from it.
type CodedAmount struct {
	Code     string  `json:"code" enum:"AB,AD,AE,AF,AG,AH,AI,AJ,AK,AL,AM,AN,BA,BB,BC,BD,BE,BF,BG" doc:"Code of DE 4/9" example:"AB"`
	Amount   Decimal `json:"amount" minimum:"0" maximum:"9999999999999" multipleOf:"0.001" doc:"The amount" example:"55"`
	Currency string  `json:"currency" pattern:"^[A-Z]{3}$" doc:"Currency (ISO 4217)" example:"USD"`
}

func (c *CodedAmount) price() Price { return Price{c.Amount, c.Currency} }

// FixedRate is an exchange rate that a contract fixes.
type FixedRate struct {
	Currency string  `json:"currency" pattern:"^[A-Z]{3}$" doc:"Currency (ISO 4217)" example:"USD"`
	Rate     Decimal `json:"rate" minimum:"0.00001" maximum:"9999999" multipleOf:"0.00001" doc:"Units of the currency for one pound" example:"1.31"`
	Source   string  `json:"source" minLength:"1" maxLength:"100" doc:"Who fixed the rate" example:"Contract 17"`
	Evidence string  `json:"evidence,omitempty" maxLength:"200" doc:"Where it is stated" example:"Clause 4"`
}

// Quantity is a quantity in a unit of the tariff.
type Quantity struct {
	Unit      string  `json:"unit" pattern:"^[A-Z0-9]{3}$" doc:"Unit of the tariff, such as LTR, NAR or TNE" example:"NAR"`
	Qualifier string  `json:"qualifier,omitempty" pattern:"^[A-Z]$" doc:"Qualifier of the unit, such as I for biodiesel content" example:"I"`
	Value     Decimal `json:"value" minimum:"0" maximum:"99999999999" multipleOf:"0.000001" doc:"How much it is" example:"600"`
}

func (q *Quantity) unit() measure.Unit { return measure.Unit{Code: q.Unit, Qualifier: q.Qualifier} }

// Decimal is an exact decimal number.
type Decimal = quantity.Decimal

// plain writes a decimal number in its shortest form.
func plain(r *big.Rat) string { return Decimal{Rat: r}.Plain() }
