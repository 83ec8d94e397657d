// Package extract reads trade documents: invoices, bills of lading and packing lists. Each
// field has a value, a confidence and a place in the document. Values without a clear field
// are left out, and nothing is invented. The same bytes give the same answer on every machine.
package extract

import (
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// DocumentType is the type of a document according to the caller.
type DocumentType string

// The supported types of document.
const (
	Invoice      DocumentType = "invoice"
	BillOfLading DocumentType = "bill_of_lading"
	PackingList  DocumentType = "packing_list"
)

// Types are all types of document, in the order of display.
var Types = []DocumentType{Invoice, BillOfLading, PackingList}

// Confidence is how likely a value is right, in percent.
type Confidence int

// MarshalJSON writes a number from 0 to 1.
func (c Confidence) MarshalJSON() ([]byte, error) {
	return fmt.Appendf(nil, "%d.%02d", c/100, c%100), nil
}

// times multiplies two confidences.
func (c Confidence) times(d Confidence) Confidence { return c * d / 100 }

// Box is the edges of a text on a page: left, lower, right and upper, in tenths of a point, or of a dot of a picture.
type Box [4]int

// Place is a place in the file.
type Place struct {
	Page  int    `json:"page,omitempty" doc:"Page, or sheet of a workbook, from 1" example:"1"`
	Sheet string `json:"sheet,omitempty" doc:"Name of the sheet" example:"Invoice"`
	Line  int    `json:"line,omitempty" doc:"Line on the page, from 1; empty ones do not count" example:"4"`
	Cell  int    `json:"cell,omitempty" doc:"Cell on the line, from 1" example:"2"`
	Box   Box    `json:"box,omitzero" minItems:"4" maxItems:"4" doc:"On a page of a PDF or a picture: left, lower, right and upper edge of the text, in tenths of a point from the page's origin, or of a dot from the picture's lower left corner" example:"[720,7405,1835,7520]"`
	XPath string `json:"xpath,omitempty" doc:"Element of an XML document, by local names" example:"/Invoice/ID"`
	Text  string `json:"text" doc:"The text at this place" example:"Invoice No: INV-2026-0042"`

	Source string `json:"source,omitempty" enum:"provider" doc:"provider if a configured model named the value; missing if the offline engine found it"`
}

// Field is a value that was found.
type Field[T any] struct {
	Value      T          `json:"value" doc:"The value in the document"`
	Confidence Confidence `json:"confidence" doc:"Confidence, from 0 to 1" example:"0.95"`
	Found      Place      `json:"found" doc:"Where it stands"`
}

// The kinds of field. Dates are YYYY-MM-DD, countries ISO 3166-1 alpha-2, currencies
// ISO 4217; a mass is in kilograms, a volume in cubic metres.
type (
	Text   = Field[string]
	Amount = Field[quantity.Number]
	Mass   = Field[quantity.Mass]
	Count  = Field[int64]
)

// TradeDocument is the content of a document. Missing members do not occur in this type of
// document or were not found.
type TradeDocument struct {
	DocumentType DocumentType `json:"documentType" enum:"invoice,bill_of_lading,packing_list" doc:"What the file was sent as"`
	Format       string       `json:"format" enum:"pdf,text,csv,xml,xlsx,png,jpeg" doc:"Format of the file, recognised by its content"`
	Pages        int          `json:"pages" doc:"Pages of the file, or sheets" example:"2"`

	InvoiceKind         *Text          `json:"invoiceKind,omitempty" doc:"credit_note if the invoice takes an earlier one back, in whole or in part; its amounts have the signs that they have in the document"`
	InvoiceNumber       *Text          `json:"invoiceNumber,omitempty" doc:"Number of the invoice"`
	InvoiceDate         *Text          `json:"invoiceDate,omitempty" doc:"Date of the invoice, YYYY-MM-DD"`
	DueDate             *Text          `json:"dueDate,omitempty" doc:"When payment is due, YYYY-MM-DD"`
	PurchaseOrderNumber *Text          `json:"purchaseOrderNumber,omitempty" doc:"The buyer's order"`
	Seller              *TradeParty    `json:"seller,omitempty" doc:"Seller or exporter"`
	Buyer               *TradeParty    `json:"buyer,omitempty" doc:"Buyer or importer"`
	Currency            *Text          `json:"currency,omitempty" doc:"Currency of the amounts, ISO 4217"`
	Incoterm            *Text          `json:"incoterm,omitempty" doc:"Delivery term, three letters of Incoterms"`
	IncotermPlace       *Text          `json:"incotermPlace,omitempty" doc:"Place that the delivery term names"`
	PaymentTerms        *Text          `json:"paymentTerms,omitempty" doc:"When and how to pay"`
	Totals              *InvoiceTotals `json:"totals,omitempty" doc:"Sums of the invoice, in its currency"`

	BillOfLadingNumber *Text       `json:"billOfLadingNumber,omitempty" doc:"Number of the bill of lading"`
	IssueDate          *Text       `json:"issueDate,omitempty" doc:"Date of issue, YYYY-MM-DD"`
	ShippedOnBoardDate *Text       `json:"shippedOnBoardDate,omitempty" doc:"When the goods were on board, YYYY-MM-DD"`
	BookingNumber      *Text       `json:"bookingNumber,omitempty" doc:"The carrier's booking"`
	Carrier            *Text       `json:"carrier,omitempty" doc:"Name of the carrier"`
	CarrierCode        *Text       `json:"carrierCode,omitempty" doc:"Standard carrier alpha code (SCAC)"`
	Vessel             *Text       `json:"vessel,omitempty" doc:"Name of the vessel"`
	Voyage             *Text       `json:"voyage,omitempty" doc:"Number of the voyage"`
	PlaceOfReceipt     *Text       `json:"placeOfReceipt,omitempty" doc:"Where the carrier takes the goods over"`
	PortOfLoading      *Text       `json:"portOfLoading,omitempty" doc:"Port of loading"`
	PortOfDischarge    *Text       `json:"portOfDischarge,omitempty" doc:"Port of discharge"`
	PlaceOfDelivery    *Text       `json:"placeOfDelivery,omitempty" doc:"Where the carrier hands the goods over"`
	FreightTerms       *Text       `json:"freightTerms,omitempty" doc:"PREPAID or COLLECT"`
	Shipper            *TradeParty `json:"shipper,omitempty" doc:"Who ships the goods"`
	Consignee          *TradeParty `json:"consignee,omitempty" doc:"Who is to have the goods"`
	NotifyParty        *TradeParty `json:"notifyParty,omitempty" doc:"Company to notify of the arrival"`
	Containers         []Container `json:"containers,omitempty" doc:"Containers"`

	PackingListNumber *Text `json:"packingListNumber,omitempty" doc:"Number of the packing list"`
	PackingListDate   *Text `json:"packingListDate,omitempty" doc:"Date of the packing list, YYYY-MM-DD"`
	InvoiceReference  *Text `json:"invoiceReference,omitempty" doc:"The invoice that a packing list belongs to, or that a credit note corrects"`
	Marks             *Text `json:"marks,omitempty" doc:"Shipping marks"`

	CountryOfOrigin *Text   `json:"countryOfOrigin,omitempty" doc:"Origin of all goods, ISO 3166-1 alpha-2"`
	PackageCount    *Count  `json:"packageCount,omitempty" doc:"Number of packages in all"`
	NetMassKg       *Mass   `json:"netMassKg,omitempty" doc:"Net mass in all, in kilograms"`
	GrossMassKg     *Mass   `json:"grossMassKg,omitempty" doc:"Gross mass in all, in kilograms"`
	VolumeM3        *Amount `json:"volumeM3,omitempty" doc:"Volume in all, in cubic metres"`

	LineItems []LineItem        `json:"lineItems,omitempty" doc:"Lines of goods, in their order"`
	Draft     *DeclarationDraft `json:"draft,omitempty" doc:"A declaration with the values of the document; its items have the numbers of the line items"`
}

// TradeParty is a company in a document.
type TradeParty struct {
	Name      *Text `json:"name,omitempty" doc:"Name"`
	Address   *Text `json:"address,omitempty" doc:"Address, its lines separated by commas"`
	Country   *Text `json:"country,omitempty" doc:"Country, ISO 3166-1 alpha-2"`
	VATNumber *Text `json:"vatNumber,omitempty" doc:"VAT registration number"`
	EORI      *Text `json:"eori,omitempty" doc:"EORI"`
}

// InvoiceTotals are the sums that an invoice states.
type InvoiceTotals struct {
	Goods     *Amount `json:"goods,omitempty" doc:"The goods alone"`
	Freight   *Amount `json:"freight,omitempty" doc:"Freight"`
	Insurance *Amount `json:"insurance,omitempty" doc:"Insurance"`
	VAT       *Amount `json:"vat,omitempty" doc:"VAT or sales tax"`
	Grand     *Amount `json:"grand,omitempty" doc:"Total amount to pay"`
}

// LineItem is one line of goods.
type LineItem struct {
	Description     *Text   `json:"description,omitempty" doc:"Description of the goods"`
	CommodityCode   *Text   `json:"commodityCode,omitempty" doc:"Commodity code, 4 to 10 digits"`
	Quantity        *Amount `json:"quantity,omitempty" doc:"How many or how much"`
	Unit            *Text   `json:"unit,omitempty" doc:"Unit of the quantity"`
	UnitPrice       *Amount `json:"unitPrice,omitempty" doc:"Price of one unit"`
	Amount          *Amount `json:"amount,omitempty" doc:"Amount"`
	CountryOfOrigin *Text   `json:"countryOfOrigin,omitempty" doc:"Country of origin, ISO 3166-1 alpha-2"`
	NetMassKg       *Mass   `json:"netMassKg,omitempty" doc:"Net mass in kilograms"`
	GrossMassKg     *Mass   `json:"grossMassKg,omitempty" doc:"Gross mass in kilograms"`
	PackageCount    *Count  `json:"packageCount,omitempty" doc:"Number of packages"`
	Packages        *Text   `json:"packages,omitempty" doc:"Kind of packages"`
	Marks           *Text   `json:"marks,omitempty" doc:"Marks and numbers"`
	VolumeM3        *Amount `json:"volumeM3,omitempty" doc:"Volume in cubic metres"`
}

// Container is a freight container.
type Container struct {
	Number       *Text   `json:"number" doc:"Number, ISO 6346; with a wrong check digit it has little confidence"`
	Seal         *Text   `json:"seal,omitempty" doc:"Number of the seal"`
	PackageCount *Count  `json:"packageCount,omitempty" doc:"Number of packages in it"`
	GrossMassKg  *Mass   `json:"grossMassKg,omitempty" doc:"Gross mass of the goods in it, in kilograms"`
	VolumeM3     *Amount `json:"volumeM3,omitempty" doc:"Volume of the goods in it, in cubic metres"`
}

// Sources of an answer: the offline engine alone, or with a model.
const (
	Offline  = "offline"
	Provider = "provider"
)

// Extraction is the answer to the caller. Notes are sentences for a person.
type Extraction struct {
	Source     string        `json:"-"` // who read the document
	Document   TradeDocument `json:"document" doc:"What was read"`
	Confidence Confidence    `json:"confidence" doc:"Confidence in the whole, from 0 to 1" example:"0.9"`
	Notes      []string      `json:"notes" doc:"Sentences for a person" example:"[\"The total is not the sum of the lines.\"]"`
}
