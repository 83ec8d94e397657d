package duty

import (
	"math/big"

	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// Response is what goods cost at the border.
type Response struct {
	Date          string         `json:"date"`
	Destination   string         `json:"destination"`
	Edition       Edition        `json:"edition"`
	RateTable     string         `json:"rateTable"`
	EngineVersion string         `json:"engineVersion"`
	Lines         []ResponseLine `json:"lines"`
	Totals        Totals         `json:"totals"`
	Warnings      []Notice       `json:"warnings"`
}

// Edition names the tariff that was used.
type Edition struct {
	ID int64    `json:"id"`
	UK *Holding `json:"uk"`
	XI *Holding `json:"xi"`
}

// Holding is the tariff of one service within an edition.
type Holding struct {
	AsOf   string `json:"asOf"`
	Source string `json:"source"`
}

// ResponseLine is what one line of goods costs.
type ResponseLine struct {
	Ref           string       `json:"ref"`
	CommodityCode string       `json:"commodityCode"`
	Product       *Product     `json:"product"`
	Route         string       `json:"route"`
	Outcome       string       `json:"outcome"`
	CustomsValue  CustomsValue `json:"customsValue"`
	Options       []Option     `json:"options"`
	Unavailable   []Option     `json:"unavailable"`
	Controls      []Control    `json:"controls"`
	NIComparison  []Comparison `json:"niComparison"`
	FactsNeeded   []Fact       `json:"factsNeeded"`
	Problems      []Notice     `json:"problems"`
	Warnings      []Notice     `json:"warnings"`
}

// Product is the product of the catalogue that supplied facts.
type Product struct {
	ID      string `json:"id"`
	Code    string `json:"code"`
	Version int64  `json:"version"`
}

// Outcomes of a line.
const (
	Calculated    = "CALCULATED"
	NoDuty        = "NO_DUTY"
	Refused       = "REFUSED"
	NotCalculable = "NOT_CALCULABLE"
)

// CustomsValue is the customs value of a line with its parts.
type CustomsValue struct {
	Method int             `json:"method"`
	Parts  []ValuePart     `json:"parts"`
	Amount *quantity.Money `json:"amountGbp"` // nil if a rate is missing
}

// ValuePart is one amount that the customs value is made of, or that is left out.
type ValuePart struct {
	Kind     string          `json:"kind"`
	Code     *string         `json:"code"` // of DE 4/9
	Amount   Decimal         `json:"amount"`
	Currency string          `json:"currency"`
	Rate     *Decimal        `json:"rate"` // units of the currency for one pound
	Period   *string         `json:"period"`
	Source   *string         `json:"source"`
	Pounds   *quantity.Money `json:"amountGbp"`
	Included bool            `json:"included"`
	Reason   *string         `json:"reason"`
}

// Kinds of parts of a customs value.
const (
	PartPrice     = "PRICE"
	PartFreight   = "FREIGHT"
	PartInsurance = "INSURANCE"
	PartAddition  = "ADDITION"
	PartDeduction = "DEDUCTION"
	PartGiven     = "GIVEN"
)

// Option is one lawful way to bring the goods in.
type Option struct {
	Kind           string       `json:"kind"`
	Label          string       `json:"label"`
	Tariff         string       `json:"tariff"`
	PreferenceCode *string      `json:"preferenceCode"`
	Order          *string      `json:"quotaOrderNumber"`
	SID            *int64       `json:"measureSid"`
	Status         string       `json:"status"`
	Reason         *string      `json:"reason,omitempty"` // why it is not available
	Charges        []ChargeLine `json:"charges"`
	Declare        []Entry      `json:"declare"`
	FactsNeeded    []Fact       `json:"factsNeeded"`
	Totals         Totals       `json:"totals"`
}

// Kinds of options.
const (
	ThirdCountry = "THIRD_COUNTRY"
	Preference   = "PREFERENCE"
	Suspension   = "SUSPENSION"
	QuotaOption  = "QUOTA"
	Waiver       = "WAIVER"
)

// Statuses of options and of controls.
const (
	Available   = "AVAILABLE"
	Conditional = "CONDITIONAL"
	Unavailable = "UNAVAILABLE"
)

// Reasons why an option is not available.
const (
	DocumentAbsent  = "DOCUMENT_ABSENT"
	QuotaExhausted  = "QUOTA_EXHAUSTED"
	QuotaSuspended  = "QUOTA_SUSPENDED"
	QuotaBlocked    = "QUOTA_BLOCKED"
	ProofAbsent     = "PROOF_ABSENT"
	ThresholdNotMet = "THRESHOLD_NOT_MET"
)

// ChargeLine is one charge.
type ChargeLine struct {
	TaxType    string           `json:"taxType"`
	TypeID     *string          `json:"measureTypeId"`
	SID        *int64           `json:"measureSid"`
	Tariff     string           `json:"tariff"`
	Additional *string          `json:"additionalCode"`
	Base       Base             `json:"base"`
	Rate       string           `json:"rateExpression"`
	Resolved   string           `json:"resolvedExpression"`
	Steps      []Step           `json:"steps"`
	Amount     *quantity.Money  `json:"amountGbp"`
	Exact      *string          `json:"exactGbp"`
	Payable    string           `json:"payable"`
	LegalAct   *LegalAct        `json:"legalAct"`
	Footnotes  []Footnote       `json:"footnotes"`
	Conditions []ConditionState `json:"conditions"`
}

// How a charge is settled.
const (
	Paid      = "PAID"
	Secured   = "SECURED"
	Postponed = "POSTPONED"
	NotDue    = "NOT_DUE"
)

// Base is what a charge is computed of.
type Base struct {
	Kind       string          `json:"kind"`
	Amount     *quantity.Money `json:"amountGbp"`
	Quantities []Quantity      `json:"quantities"`
}

// Kinds of bases.
const (
	OfValue    = "VALUE"
	OfQuantity = "QUANTITY"
	OfBoth     = "MIXED"
)

// Step is the amount of one component of a duty.
type Step struct {
	ExpressionID string   `json:"expressionId"`
	Text         string   `json:"text"`
	Amount       *string  `json:"amountGbp"` // exact, cut at nine places
	Rate         *Decimal `json:"rate"`      // pounds for one unit of the currency
	Period       *string  `json:"period"`
	Applied      *bool    `json:"applied"` // of a least or most amount: whether it decided

	exact *big.Rat
}

// LegalAct is the law behind a charge.
type LegalAct struct {
	ID          string  `json:"id"`
	Code        string  `json:"code"`
	Description *string `json:"description"`
	URL         *string `json:"url"`
}

// Footnote is a note to a measure.
type Footnote struct {
	Code string `json:"code"`
	Text string `json:"text"`
}

// ConditionState is how a condition of a measure was judged.
type ConditionState struct {
	Code      string  `json:"code"`
	Sequence  int     `json:"sequence"`
	Document  *string `json:"document"`
	Threshold *string `json:"threshold"`
	Action    string  `json:"action"`
	State     string  `json:"state"`
}

// States of conditions.
const (
	Met        = "MET"
	Unmet      = "UNMET"
	Unknown    = "UNKNOWN"
	NotReached = "NOT_REACHED"
)

// Entry is what has to be declared.
type Entry struct {
	Element string  `json:"dataElement"`
	Code    string  `json:"code"`
	Status  *string `json:"status"`
	Why     string  `json:"why"`
}

// Fact is a missing answer, with what each value would change.
type Fact struct {
	Field    string   `json:"field"`
	Question string   `json:"question"`
	Unit     *string  `json:"unit"`
	Values   []string `json:"values"`
	Effects  []Effect `json:"effects"`
}

// Effect is what a value of a fact would change.
type Effect struct {
	Value      string          `json:"value"`
	Total      *quantity.Money `json:"totalGbp"`
	Difference *quantity.Money `json:"differenceGbp"`
	Option     *string         `json:"option"`
}

// Control is a measure without money.
type Control struct {
	TypeID     string           `json:"measureTypeId"`
	SID        int64            `json:"measureSid"`
	Status     string           `json:"status"`
	Conditions []ConditionState `json:"conditions"`
	LegalAct   *LegalAct        `json:"legalAct"`
	Footnotes  []Footnote       `json:"footnotes"`
}

// Statuses of controls.
const (
	Satisfied     = "SATISFIED"
	NotSatisfied  = "NOT_SATISFIED"
	UnknownStatus = "UNKNOWN"
)

// Comparison is the UK's and the EU's duty of one kind for goods that arrive in Northern Ireland.
type Comparison struct {
	Kind       string         `json:"kind"`
	UK         quantity.Money `json:"ukDutyGbp"`
	XI         quantity.Money `json:"xiDutyGbp"`
	Difference Decimal        `json:"differencePercent"`
	Applied    string         `json:"applied"`
}

// Totals are sums of charges.
type Totals struct {
	Duty     quantity.Money  `json:"dutyGbp"`
	Remedies quantity.Money  `json:"remediesGbp"`
	Excise   quantity.Money  `json:"exciseGbp"`
	VAT      quantity.Money  `json:"vatGbp"`
	Total    *quantity.Money `json:"totalGbp"` // nil unless complete
	Known    quantity.Money  `json:"knownGbp"`
	Complete bool            `json:"complete"`
}

// Notice is a problem of a line, or a warning.
type Notice struct {
	Code    string   `json:"code"`
	Message string   `json:"message"`
	Codes   []string `json:"codes"` // commodity codes, documents or kinds of measures that it names
}
