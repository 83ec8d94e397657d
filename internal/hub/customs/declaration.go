package customs

import (
	"time"

	"github.com/tidewaiter/tidewaiter/internal/access/terms"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/attachment"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/datamodel"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// Directions of a declaration.
const (
	Import = datamodel.Import
	Export = datamodel.Export
)

// Declaration is a customs declaration for one shipment.
type Declaration struct {
	ShipmentID      string     `json:"shipmentId" format:"uuid" doc:"The shipment that is declared" example:"0192f3c4-7a10-7c3e-8f00-1f2e3d4c5b6a"`
	DeclarationType string     `json:"declarationType" enum:"IMPORT,EXPORT" doc:"Direction" example:"IMPORT"`
	Items           []Item     `json:"items" minItems:"1" nullable:"false" maxItems:"999" doc:"Goods items"`
	Documents       []Document `json:"documents,omitempty" maxItems:"99" doc:"Documents that go with every item (DE 2/3)"`

	datamodel.Header
	filing.Labels
}

// Item is one goods item.
type Item = datamodel.Item

// Document is a document that the declaration refers to.
type Document struct {
	Type      string `json:"type" minLength:"1" maxLength:"35" doc:"Document code (DE 2/3), such as N935 for an invoice" example:"N935"`
	Reference string `json:"reference,omitempty" minLength:"1" maxLength:"70" doc:"Number of the document; without dataSet required, of at most 35 characters" example:"INV-2026-0042"`
	Status    string `json:"status,omitempty" pattern:"^[A-Z]{2}$" doc:"Document status code (DE 2/3); AC when left out, except for waivers and authorisations" example:"AC"`
}

// DeclarationAdds holds the members that the service adds to a declaration.
type DeclarationAdds struct {
	LRN string  `json:"lrn" doc:"Local reference number" example:"TWS0123456789ABCDEFGHJ"`
	MRN *string `json:"mrn" doc:"Movement reference number; null until customs gives it" example:"26GB3TTI2CQ1C7FGR4"`
	filing.Sourced
	TotalDutyGBP   quantity.Money      `json:"totalDutyGbp" doc:"Customs duty: the estimate, then what customs assessed" example:"222.00"`
	TotalVATGBP    quantity.Money      `json:"totalVatGbp" doc:"Import VAT: the estimate, then what customs assessed" example:"414.40"`
	TotalOtherGBP  quantity.Money      `json:"totalOtherTaxGbp,omitempty" doc:"Other taxes, such as excise duty: the estimate, then what customs assessed. Absent from declarations that were stored before November 2026" example:"0.00"`
	DutyBasis      string              `json:"dutyBasis,omitempty" enum:"estimated,indicative,provisional,final" doc:"Where the totals come from"`
	Estimate       *Estimate           `json:"estimate,omitempty" doc:"How the estimate was worked out. It stays as it was when customs has assessed the taxes. Lists leave it out"`
	Valuation      *Valuation          `json:"valuation,omitempty" doc:"Working of the customs values, if an item has a price. It is computed with the totals, with the rates in force until the declaration is submitted. Lists and events show what was stored when it was made, changed or submitted"`
	DUCR           string              `json:"ducr,omitempty" doc:"Declaration unique consignment reference" example:"6GB123456789000-TWS01234"`
	ConversationID string              `json:"conversationId,omitempty" doc:"Identifies the latest submission in every message from customs"`
	Simulated      bool                `json:"simulated,omitempty" doc:"Whether the caller selected the outcome of the simulator"`
	SimulatedBy    string              `json:"simulatedBy,omitempty" doc:"The header or reference that selected the simulator's outcome" example:"X-Simulate: BCDS12056"`
	Prelodged      bool                `json:"prelodged,omitempty" doc:"Whether it was submitted before the goods arrived (IMD, EXD)"`
	SubmittedAt    string              `json:"submittedAt,omitempty" format:"date-time" doc:"When it was last submitted"`
	AcceptedAt     string              `json:"acceptedAt,omitempty" format:"date-time" doc:"When customs accepted it"`
	ClearedAt      string              `json:"clearedAt,omitempty" format:"date-time" doc:"When customs cleared it"`
	Errors         []CustomsError      `json:"errors,omitempty" doc:"Why customs rejected it"`
	RejectedFor    []Rejected          `json:"rejectedFor,omitempty" doc:"The codes of all rejections so far, the latest first, each with its latest time"`
	Taxes          []AssessedTax       `json:"taxes,omitempty" doc:"What customs assessed, by item and type of tax"`
	Cancellation   *Cancellation       `json:"cancellation,omitempty" doc:"Cancellation request, if any"`
	Derived        []filing.Derived    `json:"derived,omitempty" doc:"Values that the service has filled into the input, each with its source"`
	ImportedFrom   *Imported           `json:"importedFrom,omitempty" doc:"The document that the declaration was made from"`
	Notes          []string            `json:"notes,omitempty" doc:"What the import of the document assumed or left out"`
	Sources        []attachment.Source `json:"sourceDocuments,omitempty" doc:"Files that the declaration was made from, such as an invoice. They are kept with it, and customs does not get them"`
	SupplementedBy string              `json:"supplementedBy,omitempty" format:"uuid" doc:"The supplementary declaration that customs has accepted for this simplified one"`
	ExitedAt       string              `json:"exitedAt,omitempty" format:"date-time" doc:"When the goods of an export left, as customs reported"`
	DischargeAfter string              `json:"dischargePeriod,omitempty" doc:"Period for discharge of the special procedure, when the declaration was submitted" example:"P6M"`
	UnknownOutcome bool                `json:"unknownOutcome,omitempty" doc:"Whether customs may have received a submission without an answer. Submit again, unchanged, to find out"`

	filing.Assignment
	DeclarationProgress
	DeclarationFiles
	DeclarationMovements
}

// Imported is the document that a declaration was made from.
type Imported struct {
	LRN       string `json:"lrn,omitempty" doc:"LRN of the document; the declaration has another one" example:"TWS0123456789ABCDEFGHJ"`
	Declarant string `json:"declarant,omitempty" doc:"EORI of the declarant in the document" example:"GB603202734852"`
	IssuedAt  string `json:"issuedAt,omitempty" doc:"Time of issue in the document" example:"2026-11-24T09:00:00Z"`
	SHA256    string `json:"sha256" doc:"Digest of the document" example:"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"`
	FileName  string `json:"fileName,omitempty" doc:"Name of its file, if it is known" example:"entry-17.xml"`
}

// CustomsError is an error of a rejection.
type CustomsError struct {
	Code        string `json:"code" doc:"Code of CDS" example:"CDS12056"`
	Field       string `json:"field" doc:"Input field" example:"items[0].commodityCode"`
	Pointer     string `json:"pointer" doc:"Pointer of CDS" example:"42A/67A/68A[1]/23A"`
	Title       string `json:"title" doc:"The error in a few words"`
	Description string `json:"description" doc:"Meaning, and what to do"`
}

// AssessedTax is a tax that customs assessed.
type AssessedTax struct {
	Item     int             `json:"item" doc:"Number of the goods item, from 1" example:"1"`
	Type     string          `json:"type" doc:"Type of tax, such as A00 for customs duty and B00 for VAT" example:"A00"`
	Assessed *quantity.Money `json:"assessed" nullable:"true" doc:"Assessed amount in pounds" example:"222.00"`
	Payable  *quantity.Money `json:"payable" nullable:"true" doc:"Payable amount in pounds; null for a security" example:"222.00"`
}

// Cancellation is the state of a cancellation request.
type Cancellation struct {
	RequestedAt    string `json:"requestedAt" format:"date-time" doc:"When it was requested"`
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

// largeMembers are the lists and objects of a declaration, which lists of declarations leave out.
var largeMembers = []string{
	"items", "documents", filing.DerivedMember, filing.ValuationMember, filing.EstimateMember, "without", "invoiceTotal", "authentication", "submitter", "deferredPayments", "additionalInformation", "representation",
	"authorisations", "exchangeRates", "declarant", "guarantees", "supplyChainActors", "freightCharge", "valuationAdjustments", "fiscalReferences", "importer", "invoice",
	"payer", "previousDocuments", "surety", "warehouse", "transport", "location", "loadingPlace", "equipment", "deliveryTerms", "security", "exporter", "consignee",
	"consignor", "buyer", "seller", "destination", "ucr",
}

// Completer fills in what the items of a declaration take over from products.
type Completer func(filing.View, *Declaration, filing.Completion) (filing.Completion, error)

// Declarations returns the definition of declarations. Duty and VAT are estimated from a tariff, and prices in other currencies
// by exchange rates; nil for none.
func Declarations(t Tariff, r Rates, complete Completer) filing.Definition[Declaration] {
	source := ChargeSource(t, r)
	return filing.Definition[Declaration]{
		Kind: DeclarationKind, Hub: HubID, Path: "/api/declarations", Singular: "declaration", Plural: "declarations", Tag: "Declarations",
		Plain: true, LargeFields: largeMembers, Adds: DeclarationAdds{}, ReferenceMember: "mrn", KnownBy: "ducr", MixedReferences: true,
		Lifecycle: declarationLifecycle, Check: checkDeclaration, CheckInvalid: filing.InvalidBodies(checkDeclaration), Complete: complete,
		Needs: func(d *Declaration) []filing.Need {
			all := []filing.Need{{Field: "shipmentId", Kind: Shipments.Kind, ID: d.ShipmentID, SameClient: true}}
			if d.Supplements != "" {
				all = append(all, filing.Need{Field: "supplements", Kind: DeclarationKind, ID: d.Supplements})
			}
			return all
		},
		Names: matchingKeys, Secrets: &terms.AccessCodes,
		Assign: func(ids *ident.Source, _ time.Time) (filing.Added, []filing.Key) {
			lrn := ids.LRN()
			return filing.Added{"lrn": lrn, "mrn": none}, []filing.Key{{Name: LRNKey, Value: lrn}}
		},
		Derive:    func(d *Declaration, now time.Time) filing.Added { return estimate(source, r, d, now, d.declared) },
		Deadlines: due,
		Postings:  postings,
		Trait:     &DemandTrait,
	}
}

// none makes a member that is null.
var none *string
