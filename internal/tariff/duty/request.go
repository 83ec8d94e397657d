package duty

import (
	"encoding/json"
	"fmt"
	"math/big"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
)

// Request asks what goods cost at the border. It is checked before: the engine assumes that every member has its form.
type Request struct {
	Date            string           `json:"date"` // YYYY-MM-DD, the day of acceptance
	Destination     string           `json:"destination"`
	Edition         *int64           `json:"edition"`
	RateTable       *string          `json:"rateTable"`
	ExchangeRates   []FixedRate      `json:"exchangeRates"`
	Incoterm        string           `json:"incoterm"`
	IncotermPlace   string           `json:"incotermPlace"`
	Freight         []Cost           `json:"freight"`
	Insurance       []Cost           `json:"insurance"`
	Additions       []CodedAmount    `json:"additions"`
	Deductions      []CodedAmount    `json:"deductions"`
	VATCosts        []Price          `json:"vatCosts"`
	VATAccounting   string           `json:"vatAccounting"`
	PaymentMethod   string           `json:"paymentMethod"`
	NorthernIreland *NorthernIreland `json:"northernIreland"`
	Lines           []RequestLine    `json:"lines"`
}

// Destinations.
const (
	GreatBritain = "GB"
	ToNI         = "NI"
)

// RequestLine is what is known of one line of goods.
type RequestLine struct {
	Ref                   string        `json:"ref"`
	CommodityCode         string        `json:"commodityCode"`
	ProductID             string        `json:"productId"`
	Origin                string        `json:"origin"`
	PreferentialOrigin    string        `json:"preferentialOrigin"`
	DispatchCountry       string        `json:"dispatchCountry"`
	Price                 Price         `json:"price"`
	Freight               []Cost        `json:"freight"`
	Insurance             []Cost        `json:"insurance"`
	Additions             []CodedAmount `json:"additions"`
	Deductions            []CodedAmount `json:"deductions"`
	VATCosts              []Price       `json:"vatCosts"`
	CustomsValue          *Decimal      `json:"customsValueGbp"`
	NetMass               *Decimal      `json:"netMassKg"`
	Quantities            []Quantity    `json:"quantities"`
	AlcoholStrength       *Decimal      `json:"alcoholStrength"`
	SucrosePercent        *Decimal      `json:"sucrosePercent"`
	SmallProducerDiscount *Decimal      `json:"smallProducerDiscount"`
	RetailPrice           *Decimal      `json:"retailPriceGbp"`
	AdditionalCodes       []string      `json:"additionalCodes"`
	ExciseCode            string        `json:"exciseCode"`
	MeursingCode          string        `json:"meursingCode"`
	VATChoice             string        `json:"vatChoice"`
	Facts                 Facts         `json:"facts"`
}

// Facts are answers to what the conditions of measures ask.
type Facts struct {
	Documents         []Document `json:"documents"`
	DocumentsAbsent   []string   `json:"documentsAbsent"`
	OtherDocuments    string     `json:"otherDocuments"`
	ProofOfOrigin     string     `json:"proofOfOrigin"`
	QuotaOrderNumbers []string   `json:"quotaOrderNumbers"`
	EntryPrice        *Price     `json:"entryPrice"`
	DeMinimisAid      *bool      `json:"deMinimisAid"`
}

// Answers of otherDocuments and proofOfOrigin.
const (
	AnswerHeld    = "HELD"
	AnswerNone    = "NONE"
	AnswerUnknown = "UNKNOWN"
)

// Document is a document that is held.
type Document struct {
	Code      string `json:"code"`
	Reference string `json:"reference"`
	Status    string `json:"status"`
}

// NorthernIreland are the answers that decide which tariff applies there; nil is unknown.
type NorthernIreland struct {
	UKIMS                  *bool  `json:"ukims"`
	FinalUseInUK           *bool  `json:"finalUseInUk"`
	TurnoverBelowThreshold *bool  `json:"turnoverBelowThreshold"`
	Processing             string `json:"processing"`
	ProofOfUKOrigin        *bool  `json:"proofOfUkOrigin"`
	UnionGoods             *bool  `json:"unionGoods"`
}

// Kinds of processing in Northern Ireland.
const (
	NoProcessing      = "NONE"
	AllowedProcessing = "ALLOWED"
	OtherProcessing   = "OTHER"
)

// Price is an amount in a currency.
type Price struct {
	Amount   Decimal `json:"amount"`
	Currency string  `json:"currency"`
}

// Cost is the cost of freight or insurance.
type Cost struct {
	Price
	InPrice      *bool `json:"inPrice"` // nil: as the Incoterm says
	AfterArrival bool  `json:"afterArrival"`
}

// CodedAmount is an addition to the price or a deduction from it, by its code of DE 4/9.
type CodedAmount struct {
	Code string `json:"code"`
	Price
}

// FixedRate is an exchange rate that a contract fixes.
type FixedRate struct {
	Currency string  `json:"currency"`
	Rate     Decimal `json:"rate"`
	Source   string  `json:"source"`
	Evidence string  `json:"evidence"`
}

// Quantity is a quantity in a unit of the tariff.
type Quantity struct {
	Unit      string  `json:"unit"`
	Qualifier string  `json:"qualifier"`
	Value     Decimal `json:"value"`
}

func (q *Quantity) unit() measure.Unit { return measure.Unit{Code: q.Unit, Qualifier: q.Qualifier} }

// Decimal is an exact decimal number.
type Decimal struct{ *big.Rat }

// UnmarshalJSON reads a number as it is written.
func (d *Decimal) UnmarshalJSON(text []byte) error {
	r, ok := new(big.Rat).SetString(string(text))
	if !ok {
		return fmt.Errorf("%s is not a number", text)
	}
	d.Rat = r
	return nil
}

// MarshalJSON writes the number without an exponent and without needless zeros.
func (d Decimal) MarshalJSON() ([]byte, error) {
	if d.Rat == nil {
		return []byte("null"), nil
	}
	return json.RawMessage(plain(d.Rat)), nil
}

// mostDecimals is more than the decimal places of any number in a request.
const mostDecimals = 12

// plain writes a decimal number in its shortest form.
func plain(r *big.Rat) string {
	if r.IsInt() {
		return r.Num().String()
	}
	return strings.TrimRight(r.FloatString(mostDecimals), "0")
}

// ParseDecimal reads a decimal number.
func ParseDecimal(text string) (Decimal, error) {
	var d Decimal
	return d, d.UnmarshalJSON([]byte(text))
}
