package duty

import (
	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// Response is what goods cost at the border.
type Response struct {
	Date          string         `json:"date" doc:"Day of the calculation"`
	Destination   string         `json:"destination" doc:"As asked"`
	Edition       Edition        `json:"edition" doc:"The tariff that was used"`
	RateTable     string         `json:"rateTable" doc:"Table of exchange rates that was used"`
	EngineVersion string         `json:"engineVersion" doc:"Version of the rules"`
	Lines         []ResponseLine `json:"lines" nullable:"false" doc:"The lines, in the order of the request"`
	Totals        Totals         `json:"totals" doc:"Sums of the first option of each line"`
	Warnings      []Notice       `json:"warnings" nullable:"false" doc:"What to know of the whole answer"`
}

// Edition names the tariff that was used.
type Edition struct {
	ID int64    `json:"id" doc:"Number of the edition; 0 for the built-in table"`
	UK *Holding `json:"uk" doc:"Tariff of the United Kingdom"`
	XI *Holding `json:"xi" doc:"Tariff of Northern Ireland; null if it is not held"`
}

// Holding is the tariff of one service within an edition.
type Holding struct {
	AsOf   string `json:"asOf" doc:"Day of its newest content"`
	Source string `json:"source" doc:"Publisher"`
}

// TransformSchema implements huma.SchemaTransformer: a tariff that is not held is null.
func (Holding) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema { return orNull(s) }

// TransformSchema implements huma.SchemaTransformer: there is no product without productId.
func (Product) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema { return orNull(s) }

// TransformSchema implements huma.SchemaTransformer: the tariff may name no law.
func (LegalAct) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema { return orNull(s) }

// orNull adds null to the values of an object, because huma has no pointers to objects that can be null.
func orNull(s *huma.Schema) *huma.Schema {
	s.Nullable = true
	return s
}

// ResponseLine is what one line of goods costs.
type ResponseLine struct {
	Ref           string       `json:"ref" doc:"Reference of the line"`
	CommodityCode string       `json:"commodityCode" doc:"Commodity code"`
	Product       *Product     `json:"product" doc:"Product that supplied facts; null without productId"`
	Route         string       `json:"route" enum:"ROW_GB,EU_GB,ROW_NI,GB_NI,EU_NI,NI_GB" doc:"Way of the goods"`
	Outcome       string       `json:"outcome" enum:"CALCULATED,NO_DUTY,REFUSED,NOT_CALCULABLE" doc:"What could be computed"`
	CustomsValue  CustomsValue `json:"customsValue" doc:"Customs value with its parts"`
	Options       []Option     `json:"options" nullable:"false" doc:"Lawful ways to bring the goods in, cheapest first"`
	Unavailable   []Option     `json:"unavailable" nullable:"false" doc:"Ways that are closed on the facts given"`
	Controls      []Control    `json:"controls" nullable:"false" doc:"Measures without money"`
	NIComparison  []Comparison `json:"niComparison" nullable:"false" doc:"Duties of both tariffs, for goods to Northern Ireland"`
	FactsNeeded   []Fact       `json:"factsNeeded" nullable:"false" doc:"Facts that are missing in any option"`
	Problems      []Notice     `json:"problems" nullable:"false" doc:"Why the line could not be computed, or facts that contradict"`
	Warnings      []Notice     `json:"warnings" nullable:"false" doc:"What to know of the line"`
}

// Product is the product of the catalogue that supplied facts.
type Product struct {
	ID      string `json:"id" doc:"Id of the product"`
	Code    string `json:"code" doc:"Own code of the product"`
	Version int64  `json:"version" doc:"Version of the product that was used"`
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
	Method int             `json:"method" doc:"Valuation method; only 1 is computed"`
	Parts  []ValuePart     `json:"parts" nullable:"false" doc:"What the value is made of"`
	Amount *quantity.Money `json:"amountGbp" nullable:"true" doc:"Customs value in pounds, rounded to the penny; null if a rate is missing"`
}

// ValuePart is one amount that the customs value is made of, or that is left out.
type ValuePart struct {
	Kind     string          `json:"kind" enum:"PRICE,FREIGHT,INSURANCE,ADDITION,DEDUCTION,GIVEN" doc:"What it is"`
	Code     *string         `json:"code" doc:"Code of DE 4/9; null for other parts"`
	Amount   Decimal         `json:"amount" doc:"Amount"`
	Currency string          `json:"currency" doc:"Currency (ISO 4217)"`
	Rate     *Decimal        `json:"rate" nullable:"true" doc:"Units of the currency for one pound; null for pounds"`
	Period   *string         `json:"period" doc:"Days that the rate applies to, as FROM/TO"`
	Source   *string         `json:"source" doc:"Who published or fixed the rate"`
	Pounds   *quantity.Money `json:"amountGbp" nullable:"true" doc:"Amount in pounds, rounded for display"`
	Included bool            `json:"included" doc:"Whether it is part of the customs value"`
	Reason   *string         `json:"reason" doc:"Why it is not"`
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
	Kind           string       `json:"kind" enum:"THIRD_COUNTRY,PREFERENCE,SUSPENSION,QUOTA,WAIVER,NO_DUTY" doc:"Kind of option"`
	Label          string       `json:"label" doc:"Name for people"`
	Tariff         string       `json:"tariff" enum:"UK,XI" doc:"Tariff of its own duty"`
	PreferenceCode *string      `json:"preferenceCode" doc:"Code of DE 4/17"`
	Order          *string      `json:"quotaOrderNumber" doc:"Order number of the quota"`
	SID            *int64       `json:"measureSid" doc:"Measure of its own duty"`
	Status         string       `json:"status" enum:"AVAILABLE,CONDITIONAL,UNAVAILABLE" doc:"AVAILABLE if nothing is unknown; CONDITIONAL amounts assume that what is unknown turns out as the option requires"`
	Reason         *string      `json:"reason,omitempty" doc:"Why it is not available"`
	Charges        []ChargeLine `json:"charges" nullable:"false" doc:"Duty, remedies, excise and VAT"`
	Declare        []Entry      `json:"declare" nullable:"false" doc:"What to declare"`
	FactsNeeded    []Fact       `json:"factsNeeded" nullable:"false" doc:"Facts that are missing"`
	Totals         Totals       `json:"totals" doc:"Sums"`
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
	TaxType    string           `json:"taxType" doc:"Tax type of CDS"`
	TypeID     *string          `json:"measureTypeId" doc:"Type of the measure"`
	SID        *int64           `json:"measureSid" doc:"Number of the measure; null in tables that have none"`
	Tariff     string           `json:"tariff" enum:"UK,XI" doc:"Tariff of the measure"`
	Additional *string          `json:"additionalCode" doc:"Additional code of the measure"`
	Base       Base             `json:"base" doc:"What it is computed of"`
	Rate       string           `json:"rateExpression" doc:"Duty as the tariff states it"`
	Resolved   string           `json:"resolvedExpression" doc:"Duty with the amounts of conditions and Meursing codes in place"`
	Steps      []Step           `json:"steps" nullable:"false" doc:"Its components"`
	Amount     *quantity.Money  `json:"amountGbp" nullable:"true" doc:"Charge, cut at the penny; null if a fact is missing"`
	Exact      *string          `json:"exactGbp" doc:"Charge before it is cut"`
	Payable    string           `json:"payable" enum:"PAID,SECURED,POSTPONED,NOT_DUE" doc:"How it is settled"`
	LegalAct   *LegalAct        `json:"legalAct" doc:"Law behind it; null if the tariff names none"`
	Footnotes  []Footnote       `json:"footnotes" nullable:"false" doc:"Notes of the tariff"`
	Conditions []ConditionState `json:"conditions" nullable:"false" doc:"How its conditions were judged"`
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
	Kind       string          `json:"kind" enum:"VALUE,QUANTITY,MIXED" doc:"Value, quantity or both"`
	Amount     *quantity.Money `json:"amountGbp" nullable:"true" doc:"Value in pounds"`
	Quantities []Quantity      `json:"quantities" nullable:"false" doc:"Quantities"`
}

// Kinds of bases.
const (
	OfValue    = "VALUE"
	OfQuantity = "QUANTITY"
	OfBoth     = "MIXED"
)

// Step is the amount of one component of a duty.
type Step struct {
	ExpressionID string   `json:"expressionId" doc:"How it is combined with those before it"`
	Text         string   `json:"text" doc:"Component as text"`
	Amount       *string  `json:"amountGbp" doc:"Amount, cut at nine places"`
	Rate         *Decimal `json:"rate" nullable:"true" doc:"Pounds for one euro"`
	Period       *string  `json:"period" doc:"Days that the rate applies to"`
	Applied      *bool    `json:"applied" doc:"Of a least or most amount: whether it decided"`
}

// LegalAct is the law behind a charge.
type LegalAct struct {
	ID          string  `json:"id" doc:"Id"`
	Code        string  `json:"code" doc:"Number of the act"`
	Description *string `json:"description" doc:"Title"`
	URL         *string `json:"url" doc:"Where to read it"`
}

// Footnote is a note to a measure.
type Footnote struct {
	Code string `json:"code" doc:"Code"`
	Text string `json:"text" doc:"Text"`
}

// ConditionState is how a condition of a measure was judged.
type ConditionState struct {
	Code      string  `json:"code" doc:"Group of the condition"`
	Sequence  int     `json:"sequence" doc:"Place in the group"`
	Document  *string `json:"document" doc:"Document that it asks for"`
	Threshold *string `json:"threshold" doc:"Amount that it compares with"`
	Action    string  `json:"action" doc:"What follows if it is met"`
	State     string  `json:"state" enum:"MET,UNMET,UNKNOWN,NOT_REACHED" doc:"Whether it is met"`
}

// States of conditions.
const (
	Met        = "MET"
	Unmet      = "UNMET"
	Unknown    = "UNKNOWN"
	NotReached = "NOT_REACHED"
)

// Entry is what must be declared.
type Entry struct {
	Element string  `json:"dataElement" doc:"Data element"`
	Code    string  `json:"code" doc:"Value"`
	Status  *string `json:"status" doc:"Status of a document"`
	Why     string  `json:"why" doc:"Reason"`
}

// Fact is a missing answer, with what each value would change.
type Fact struct {
	Field    string   `json:"field" doc:"Path in the request"`
	Question string   `json:"question" doc:"Question for people"`
	Unit     *string  `json:"unit" doc:"Unit of the answer"`
	Values   []string `json:"values" nullable:"false" doc:"Possible answers; none for a number"`
	Effects  []Effect `json:"effects" nullable:"false" doc:"What each answer would change; none for a number"`
}

// Effect is what a value of a fact would change.
type Effect struct {
	Value      string          `json:"value" doc:"Answer"`
	Total      *quantity.Money `json:"totalGbp" nullable:"true" doc:"Total with this answer; null if it is not known"`
	Difference *quantity.Money `json:"differenceGbp" nullable:"true" doc:"Difference to the total now"`
	Option     *string         `json:"option" doc:"Option of this total"`
}

// Control is a measure without money.
type Control struct {
	TypeID     string           `json:"measureTypeId" doc:"Type of the measure"`
	SID        int64            `json:"measureSid" doc:"Number of the measure"`
	Status     string           `json:"status" enum:"SATISFIED,NOT_SATISFIED,UNKNOWN" doc:"Whether the facts given satisfy it"`
	Conditions []ConditionState `json:"conditions" nullable:"false" doc:"How its conditions were judged"`
	LegalAct   *LegalAct        `json:"legalAct" doc:"Law behind it"`
	Footnotes  []Footnote       `json:"footnotes" nullable:"false" doc:"Notes of the tariff"`
}

// Statuses of controls.
const (
	Satisfied     = "SATISFIED"
	NotSatisfied  = "NOT_SATISFIED"
	UnknownStatus = "UNKNOWN"
)

// Comparison is the UK's and the EU's duty of one kind for goods that arrive in Northern Ireland.
type Comparison struct {
	Kind       string         `json:"kind" doc:"Kind of option"`
	UK         quantity.Money `json:"ukDutyGbp" doc:"Duty of the United Kingdom's tariff"`
	XI         quantity.Money `json:"xiDutyGbp" doc:"Duty of the European Union's tariff"`
	Difference Decimal        `json:"differencePercent" doc:"Difference in per cent of the customs value"`
	Applied    string         `json:"applied" enum:"UK,XI" doc:"Tariff that applies"`
}

// Totals are sums of charges.
type Totals struct {
	Duty     quantity.Money  `json:"dutyGbp" doc:"Duty"`
	Remedies quantity.Money  `json:"remediesGbp" doc:"Trade remedies"`
	Excise   quantity.Money  `json:"exciseGbp" doc:"Excise duty"`
	VAT      quantity.Money  `json:"vatGbp" doc:"VAT"`
	Total    *quantity.Money `json:"totalGbp" nullable:"true" doc:"Sum; null unless it is complete"`
	Known    quantity.Money  `json:"knownGbp" doc:"Sum of what is known"`
	Complete bool            `json:"complete" doc:"Whether nothing is missing"`
}

// Notice is a problem of a line, or a warning.
type Notice struct {
	Code    string   `json:"code" doc:"Code for programs"`
	Message string   `json:"message" doc:"Text for people"`
	Codes   []string `json:"codes" nullable:"false" doc:"Codes that it names"`
}
