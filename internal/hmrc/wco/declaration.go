// Package wco encodes and decodes declarations for HMRC's Customs Declaration Service: the classes of WCO data model
// 3.6 (DEC-DMS) in XML. Types and fields have the names of the schema's elements, also lists; empty values are left
// out. DE numbers in comments are data elements of the UK's completion guide. The package checks the schema only: an
// encoded declaration is valid XML, but may be incomplete or wrong.
package wco

// FunctionCode values.
const (
	FunctionOriginal = "9"
	FunctionRequest  = "13" // amend, cancel or present what was declared before
)

// TypeCode values (DE 1/1 and 1/2): direction, and whether the goods have arrived.
const (
	TypeImportArrived   = "IMA"
	TypeImportPrelodged = "IMD"
	TypeExportArrived   = "EXA"
	TypeExportPrelodged = "EXD"
	TypeInvalidation    = "INV"
)

// Declaration is the complete message. FunctionalReferenceID is the LRN (DE 2/5), ID the MRN of the declaration that a
// request is about.
type Declaration struct {
	AcceptanceDateTime            DateTime
	FunctionCode                  string
	FunctionalReferenceID         string
	ID                            string
	IssueDateTime                 DateTime
	IssueLocationID               string
	TypeCode                      string
	GoodsItemQuantity             Number // DE 1/9
	DeclarationOfficeID           string
	InvoiceAmount                 Amount // DE 4/11
	LoadingListQuantity           Number
	TotalGrossMassMeasure         Measure // DE 6/5 for the whole, never beside that of items
	TotalPackageQuantity          Number  // DE 6/18
	SpecificCircumstancesCodeCode string
	Authentication                Authentication // DE 1/8
	Submitter                     Party
	AdditionalDocument            []HeaderDocument    // DE 2/6
	AdditionalInformation         []HeaderInformation // DE 2/2
	Agent                         Agent               // DE 3/19 to 3/21
	Amendment                     []Amendment
	AuthorisationHolder           []AuthorisationHolder // DE 3/39
	BorderTransportMeans          BorderTransportMeans  // DE 7/4, 7/14, 7/15
	Consignment                   HeaderConsignment     // safety and security of exports
	CurrencyExchange              []CurrencyExchange    // DE 4/15
	Declarant                     Trader                // DE 3/17, 3/18
	ExitOffice                    Office                // DE 5/12
	Exporter                      Trader                // DE 3/1, 3/2
	GoodsShipment                 GoodsShipment
	ObligationGuarantee           []ObligationGuarantee // DE 8/2, 8/3
	PresentationOffice            Office                // DE 5/26
	SupervisingOffice             Office                // DE 5/27
}

func (d *Declaration) fields(v visitor) {
	one(v, "AcceptanceDateTime", &d.AcceptanceDateTime)
	v.leaf("FunctionCode", &d.FunctionCode, format{kind: listed, allowed: "9 13 14", required: true})
	id(v, "FunctionalReferenceID", &d.FunctionalReferenceID, 35)
	id(v, "ID", &d.ID, 70)
	one(v, "IssueDateTime", &d.IssueDateTime)
	id(v, "IssueLocationID", &d.IssueLocationID, 5)
	code(v, "TypeCode", &d.TypeCode, 3)
	number(v, "GoodsItemQuantity", &d.GoodsItemQuantity, 5, 0)
	id(v, "DeclarationOfficeID", &d.DeclarationOfficeID, 17)
	amount(v, "InvoiceAmount", &d.InvoiceAmount)
	number(v, "LoadingListQuantity", &d.LoadingListQuantity, 5, 0)
	measure(v, "TotalGrossMassMeasure", &d.TotalGrossMassMeasure)
	number(v, "TotalPackageQuantity", &d.TotalPackageQuantity, 8, 0)
	code(v, "SpecificCircumstancesCodeCode", &d.SpecificCircumstancesCodeCode, 3)
	one(v, "Authentication", &d.Authentication)
	one(v, "Submitter", &d.Submitter)
	list(v, "AdditionalDocument", &d.AdditionalDocument)
	list(v, "AdditionalInformation", &d.AdditionalInformation)
	one(v, "Agent", &d.Agent)
	list(v, "Amendment", &d.Amendment)
	list(v, "AuthorisationHolder", &d.AuthorisationHolder)
	one(v, "BorderTransportMeans", &d.BorderTransportMeans)
	one(v, "Consignment", &d.Consignment)
	list(v, "CurrencyExchange", &d.CurrencyExchange)
	one(v, "Declarant", &d.Declarant)
	one(v, "ExitOffice", &d.ExitOffice)
	one(v, "Exporter", &d.Exporter)
	one(v, "GoodsShipment", &d.GoodsShipment)
	list(v, "ObligationGuarantee", &d.ObligationGuarantee)
	one(v, "PresentationOffice", &d.PresentationOffice)
	one(v, "SupervisingOffice", &d.SupervisingOffice)
}

// Authentication is the person who signs the declaration.
type Authentication struct {
	Authentication string
	Authenticator  Named
}

func (a *Authentication) fields(v visitor) {
	text(v, "Authentication", &a.Authentication, 256)
	one(v, "Authenticator", &a.Authenticator)
}

// CurrencyExchange is an agreed exchange rate.
type CurrencyExchange struct {
	CurrencyTypeCode string
	RateNumeric      Number
}

func (c *CurrencyExchange) fields(v visitor) {
	alpha(v, "CurrencyTypeCode", &c.CurrencyTypeCode, 3)
	number(v, "RateNumeric", &c.RateNumeric, 12, 5)
}

// Office is a customs office by its code.
type Office struct {
	ID string
}

func (o *Office) fields(v visitor) {
	id(v, "ID", &o.ID, 17)
}

// ObligationGuarantee is a guarantee: its reference, or an account with ReferenceID; SecurityDetailsCode is its kind.
type ObligationGuarantee struct {
	AmountAmount        Amount
	ID                  string
	ReferenceID         string
	SecurityDetailsCode string
	AccessCode          string
	GuaranteeOffice     Office
}

func (g *ObligationGuarantee) fields(v visitor) {
	amount(v, "AmountAmount", &g.AmountAmount)
	id(v, "ID", &g.ID, 70)
	id(v, "ReferenceID", &g.ReferenceID, 35)
	code(v, "SecurityDetailsCode", &g.SecurityDetailsCode, 3)
	code(v, "AccessCode", &g.AccessCode, 4)
	one(v, "GuaranteeOffice", &g.GuaranteeOffice)
}

// Amendment is the reason and place of a change or cancellation.
type Amendment struct {
	ChangeReasonCode string
	Pointer          []Pointer
}

func (a *Amendment) fields(v visitor) {
	code(v, "ChangeReasonCode", &a.ChangeReasonCode, 3)
	list(v, "Pointer", &a.Pointer)
}

// Pointer is one step of a path through the WCO classes, such as 42A then 67A.
type Pointer struct {
	SequenceNumeric     Number // place among its like, from 1; left out it says nothing
	DocumentSectionCode string
	TagID               string
}

func (p *Pointer) fields(v visitor) {
	number(v, "SequenceNumeric", &p.SequenceNumeric, 5, 0)
	code(v, "DocumentSectionCode", &p.DocumentSectionCode, 3)
	id(v, "TagID", &p.TagID, 4)
}
