package customs

import (
	"fmt"
	"regexp"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
	"github.com/tidewaiter/tidewaiter/internal/tariff"
)

// Directions of a declaration.
const (
	Import = "IMPORT"
	Export = "EXPORT"
)

// Declaration is a customs declaration for one shipment.
type Declaration struct {
	ShipmentID      string     `json:"shipmentId" format:"uuid" doc:"The shipment that is declared" example:"0192f3c4-7a10-7c3e-8f00-1f2e3d4c5b6a"`
	DeclarationType string     `json:"declarationType" enum:"IMPORT,EXPORT" doc:"Direction" example:"IMPORT"`
	Items           []Item     `json:"items" minItems:"1" nullable:"false" maxItems:"999" doc:"Goods items"`
	Documents       []Document `json:"documents,omitempty" maxItems:"99" doc:"Documents that go with every item (DE 2/3)"`

	filing.Labels
}

// Item is one goods item.
type Item struct {
	ProductCode              string           `json:"productCode,omitempty" maxLength:"70" doc:"Code of a product of the client. The item takes over from it what it leaves out, when it is stored" example:"TS-1001"`
	CommodityCode            string           `json:"commodityCode,omitempty" pattern:"^[0-9]{6,10}$" doc:"Commodity code: 10 digits for an import, 8 for an export (DE 6/14, 6/15)" example:"6109100010"`
	Description              string           `json:"description,omitempty" minLength:"1" maxLength:"512" doc:"Description of the goods (DE 6/8)" example:"Men's knitted cotton T-shirts"`
	NetMassKg                quantity.Mass    `json:"netMassKg" minimum:"0" doc:"Net mass in kilograms (DE 6/1)" example:"120.5"`
	CustomsValueGBP          quantity.Money   `json:"customsValueGbp" minimum:"0" doc:"Customs value in pounds sterling" example:"1850.00"`
	GrossMassKg              *quantity.Mass   `json:"grossMassKg,omitempty" minimum:"0" doc:"Gross mass in kilograms (DE 6/5)" example:"131"`
	CountryOfOrigin          string           `json:"countryOfOrigin,omitempty" format:"country" maxLength:"2" doc:"Country of origin (DE 5/15)" example:"BD"`
	Quantity                 *int64           `json:"quantity,omitempty" minimum:"0" maximum:"99999999" doc:"Quantity in the supplementary unit of the commodity (DE 6/2) or, if it has none, number of pieces" example:"600"`
	AdditionalProcedureCodes []string         `json:"additionalProcedureCodes,omitempty" maxItems:"99" doc:"Additional procedure codes (DE 1/11); 000 when there are none" example:"[\"000\"]"`
	ProcedureCode            string           `json:"procedureCode,omitempty" pattern:"^[0-9]{4}$" doc:"Requested and previous procedure (DE 1/10); 4000 for an import, 1040 for an export when left out" example:"4000"`
	SupplementaryUnits       *quantity.Number `json:"supplementaryUnits,omitempty" minimum:"0" doc:"Quantity that is not a whole number, such as litres; takes precedence over quantity" example:"600"`
	PackageCount             *int64           `json:"packageCount,omitempty" minimum:"0" maximum:"99999999" doc:"Number of packages (DE 6/10); 1 when left out" example:"25"`
	PackageType              string           `json:"packageType,omitempty" pattern:"^[A-Z0-9]{2}$" doc:"Kind of packages (DE 6/9); PK when left out" example:"CT"`
	PreferenceCode           string           `json:"preferenceCode,omitempty" pattern:"^[0-9]{3}$" doc:"Preference (DE 4/17); 100 when left out" example:"100"`
}

// Document is a document that the declaration refers to.
type Document struct {
	Type      string `json:"type" minLength:"1" maxLength:"35" doc:"Document code (DE 2/3), such as N935 for an invoice" example:"N935"`
	Reference string `json:"reference" minLength:"1" maxLength:"35" doc:"Number of the document" example:"INV-2026-0042"`
	Status    string `json:"status,omitempty" pattern:"^[A-Z]{2}$" doc:"Document status code (DE 2/3); AC when left out, except for waivers and authorisations" example:"AC"`
}

// DeclarationAdds holds the members that the service adds to a declaration.
type DeclarationAdds struct {
	LRN            string           `json:"lrn" doc:"Local reference number" example:"TWS0123456789ABCDEFGHJ"`
	MRN            *string          `json:"mrn" doc:"Movement reference number, null until customs assigns it" example:"26GB3TTI2CQ1C7FGR4"`
	TotalDutyGBP   quantity.Money   `json:"totalDutyGbp" doc:"Customs duty: the estimate, then what customs assessed" example:"222.00"`
	TotalVATGBP    quantity.Money   `json:"totalVatGbp" doc:"Import VAT: the estimate, then what customs assessed" example:"414.40"`
	DutyBasis      string           `json:"dutyBasis,omitempty" enum:"estimated,indicative,provisional,final" doc:"Where the totals come from"`
	DUCR           string           `json:"ducr,omitempty" doc:"Declaration unique consignment reference" example:"6GB123456789000-TWS01234"`
	ConversationID string           `json:"conversationId,omitempty" doc:"Identifies the latest submission in every message from customs"`
	Simulated      bool             `json:"simulated,omitempty" doc:"Whether the caller selected the outcome of the simulator, so that customs decided nothing"`
	SimulatedBy    string           `json:"simulatedBy,omitempty" doc:"The header or reference that selected the simulator's outcome" example:"X-Simulate: BCDS12056"`
	Prelodged      bool             `json:"prelodged,omitempty" doc:"Whether it was submitted before the goods arrived (IMD, EXD)"`
	SubmittedAt    string           `json:"submittedAt,omitempty" format:"date-time" doc:"When the latest submission was sent to customs"`
	AcceptedAt     string           `json:"acceptedAt,omitempty" format:"date-time" doc:"When customs accepted it"`
	ClearedAt      string           `json:"clearedAt,omitempty" format:"date-time" doc:"When customs cleared it"`
	Errors         []CustomsError   `json:"errors,omitempty" doc:"Why customs rejected it"`
	Taxes          []AssessedTax    `json:"taxes,omitempty" doc:"What customs assessed, by item and type of tax"`
	Cancellation   *Cancellation    `json:"cancellation,omitempty" doc:"Cancellation request, if any"`
	Derived        []filing.Derived `json:"derived,omitempty" doc:"Values that the service has filled into the input, each with its source"`
	UnknownOutcome bool             `json:"unknownOutcome,omitempty" doc:"Whether customs may have received a submission without an answer. Submit again, unchanged, to find out"`

	DeclarationProgress
}

// CustomsError is an error of a rejection.
type CustomsError struct {
	Code        string `json:"code" doc:"CDS error code" example:"CDS12056"`
	Field       string `json:"field" doc:"Input field that the error is about" example:"items[0].commodityCode"`
	Pointer     string `json:"pointer" doc:"The pointer as customs wrote it" example:"42A/67A/68A[1]/23A"`
	Title       string `json:"title" doc:"The error in a few words"`
	Description string `json:"description" doc:"Meaning, and what to do"`
}

// AssessedTax is a tax that customs assessed.
type AssessedTax struct {
	Item     int             `json:"item" doc:"Number of the goods item, from 1" example:"1"`
	Type     string          `json:"type" doc:"Type of tax, such as A00 for customs duty and B00 for VAT" example:"A00"`
	Assessed *quantity.Money `json:"assessed" doc:"Assessed amount in pounds" example:"222.00"`
	Payable  *quantity.Money `json:"payable" doc:"Payable amount in pounds; null for a security" example:"222.00"`
}

// Cancellation is the state of a cancellation request.
type Cancellation struct {
	RequestedAt    string `json:"requestedAt" format:"date-time" doc:"When the request was sent to customs"`
	ConversationID string `json:"conversationId" doc:"Identifies the request in every message from customs"`
	Status         string `json:"status" enum:"REQUESTED,GRANTED,DENIED" doc:"Decision of customs"`
}

// DeclarationKind is the kind of declarations.
const DeclarationKind = "declaration"

// Keys by which a declaration is found. Those of earlier submissions stay.
const (
	LRNKey = "declaration.lrn"
	MRNKey = "declaration.mrn"
)

// Tariff computes the charges of goods by the measures in force on their day.
type Tariff interface {
	Estimate(tariff.Goods) tariff.Charge
}

// Completer fills in what the items of a declaration take over from products.
type Completer func(filing.View, *Declaration, filing.Completion) (filing.Completion, error)

// Declarations returns the definition of declarations. Duty and VAT are estimated from a tariff.
func Declarations(t Tariff, complete Completer) filing.Definition[Declaration] {
	return filing.Definition[Declaration]{
		Kind: DeclarationKind, Hub: HubID, Path: "/api/declarations", Singular: "declaration", Plural: "declarations", Tag: "Declarations",
		Plain: true, LargeFields: []string{"items", "documents", filing.DerivedMember}, Adds: DeclarationAdds{},
		Lifecycle: declarationLifecycle, Check: checkDeclaration, Complete: complete,
		Needs: func(d *Declaration) []filing.Need {
			return []filing.Need{{Field: "shipmentId", Kind: Shipments.Kind, ID: d.ShipmentID, SameClient: true}}
		},
		Names: matchingKeys,
		Assign: func(ids *ident.Source, _ time.Time) (filing.Added, []filing.Key) {
			lrn := ids.LRN()
			return filing.Added{"lrn": lrn, "mrn": none}, []filing.Key{{Name: LRNKey, Value: lrn}}
		},
		Derive:    func(d *Declaration, now time.Time) filing.Added { return estimate(t, d, now) },
		Deadlines: due,
		Postings:  importTaxes,
		Trait:     &DemandTrait,
	}
}

var additionalProcedure = regexp.MustCompile(`^[A-Z0-9]{3}$`)

// checkDeclaration rejects codes that the declaration schema does not allow.
func checkDeclaration(d *Declaration) (details []apierr.Detail) {
	for i := range d.Items {
		details = append(details, missingGoods(&d.Items[i], i)...)
		for n, code := range d.Items[i].AdditionalProcedureCodes {
			if !additionalProcedure.MatchString(code) {
				details = append(details, apierr.Detail{
					Field: fmt.Sprintf("items[%d].additionalProcedureCodes[%d]", i, n), Message: "must be three capitals or digits, such as 000",
				})
			}
		}
	}
	return details
}

// missingGoods names the members that an item without a product must have.
func missingGoods(i *Item, n int) (details []apierr.Detail) {
	if i.ProductCode != "" {
		return nil
	}
	if i.CommodityCode == "" {
		details = append(details, apierr.Detail{Field: fmt.Sprintf("items[%d].commodityCode", n), Message: "is required"})
	}
	if i.Description == "" {
		details = append(details, apierr.Detail{Field: fmt.Sprintf("items[%d].description", n), Message: "is required"})
	}
	return details
}

// none makes a member that is null.
var none *string

// estimate returns the estimated charges by the tariff in force. Exports, and items without a known measure, count as zero.
func estimate(t Tariff, d *Declaration, now time.Time) filing.Added {
	var duty, vat quantity.Money
	if d.DeclarationType == Import {
		for i := range d.Items {
			charge := t.Estimate(d.Items[i].Goods(now))
			duty, vat = duty.Add(charge.Duty), vat.Add(charge.VAT)
		}
	}
	return filing.Added{"totalDutyGbp": duty, "totalVatGbp": vat, "dutyBasis": "estimated"}
}

// Goods returns the values that the duty of an item depends on.
func (i *Item) Goods(now time.Time) tariff.Goods {
	return tariff.Goods{
		CommodityCode: i.CommodityCode, CustomsValue: i.CustomsValueGBP, NetMass: i.NetMassKg, Units: i.Units(), On: now,
	}
}

// Units returns the quantity in the supplementary unit of the commodity.
func (i *Item) Units() *quantity.Number {
	if i.SupplementaryUnits != nil || i.Quantity == nil {
		return i.SupplementaryUnits
	}
	n := quantity.MustNumber(fmt.Sprint(*i.Quantity))
	return &n
}
