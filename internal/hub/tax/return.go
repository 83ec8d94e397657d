package tax

import (
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// ReturnRequest holds the boxes that the trader enters for a period. A missing box is zero. Boxes may be negative if credit
// notes exceed sales or purchases; the review reports that.
type ReturnRequest struct {
	PeriodID                string          `json:"periodId" minLength:"1" maxLength:"64" doc:"Period that the return covers, an id from GET /api/tax/periods" example:"019aa2f0-7c1e-7b3a-9d54-3f2b8c6e1a70"`
	Box1VATDueSales         *quantity.Money `json:"box1VatDueSales,omitempty" doc:"Box 1: VAT due on sales and other outputs, with postponed import VAT" example:"8420.50"`
	Box2VATDueAcquisitions  *quantity.Money `json:"box2VatDueAcquisitions,omitempty" doc:"Box 2: VAT due on goods brought into Northern Ireland from the European Union" example:"0"`
	Box4AdditionalReclaim   *quantity.Money `json:"box4AdditionalReclaim,omitempty" doc:"VAT reclaimed in box 4 in addition to the import VAT of cleared declarations" example:"2310.75"`
	Box6TotalSales          *quantity.Money `json:"box6TotalSales,omitempty" doc:"Box 6: sales and other outputs without VAT; truncated to whole pounds" example:"46780"`
	Box7TotalPurchases      *quantity.Money `json:"box7TotalPurchases,omitempty" doc:"Box 7: purchases and other inputs without VAT; truncated to whole pounds" example:"19340"`
	Box8TotalSuppliesEU     *quantity.Money `json:"box8TotalSuppliesEu,omitempty" doc:"Box 8: goods supplied from Northern Ireland to the European Union without VAT; truncated to whole pounds" example:"0"`
	Box9TotalAcquisitionsEU *quantity.Money `json:"box9TotalAcquisitionsEu,omitempty" doc:"Box 9: goods brought into Northern Ireland from the European Union without VAT; truncated to whole pounds" example:"0"`

	filing.Labels
}

// Return is a return as stored and shown: the request, values from the service's records, and the results.
type Return struct {
	PeriodID  string `json:"periodId" doc:"Period that the return covers"`
	PeriodKey string `json:"periodKey" doc:"Quarter of the period" example:"2026-Q4"`

	Box1VATDueSales         quantity.Money `json:"box1VatDueSales" doc:"Box 1: VAT due on sales and other outputs" example:"8420.50"`
	Box2VATDueAcquisitions  quantity.Money `json:"box2VatDueAcquisitions" doc:"Box 2: VAT due on goods brought into Northern Ireland from the European Union" example:"0"`
	Box3TotalVATDue         quantity.Money `json:"box3TotalVatDue" doc:"Box 3: boxes 1 and 2" example:"8420.50"`
	Box4VATReclaimed        quantity.Money `json:"box4VatReclaimed" doc:"Box 4: box4ImportVat and box4AdditionalReclaim" example:"2725.15"`
	Box4ImportVAT           quantity.Money `json:"box4ImportVat" doc:"Import VAT of the import declarations that customs cleared in the period" example:"414.40"`
	Box4AdditionalReclaim   quantity.Money `json:"box4AdditionalReclaim" doc:"VAT reclaimed in addition" example:"2310.75"`
	Box5NetVAT              quantity.Money `json:"box5NetVat" minimum:"0" doc:"Box 5: difference of boxes 3 and 4; netVatPosition is its direction" example:"5695.35"`
	Box6TotalSales          quantity.Money `json:"box6TotalSales" doc:"Box 6: sales and other outputs without VAT, in whole pounds" example:"46780"`
	Box7TotalPurchases      quantity.Money `json:"box7TotalPurchases" doc:"Box 7: purchases and other inputs without VAT, in whole pounds" example:"19340"`
	Box8TotalSuppliesEU     quantity.Money `json:"box8TotalSuppliesEu" doc:"Box 8: goods supplied from Northern Ireland to the European Union without VAT, in whole pounds" example:"0"`
	Box9TotalAcquisitionsEU quantity.Money `json:"box9TotalAcquisitionsEu" doc:"Box 9: goods brought into Northern Ireland from the European Union without VAT, in whole pounds" example:"0"`

	NetVATPosition     Position        `json:"netVatPosition" enum:"PAYABLE,REPAYABLE,NIL" doc:"Whether box 5 is owed to HMRC or by it"`
	ImportDeclarations int             `json:"importDeclarations" minimum:"0" doc:"Cleared import declarations behind box4ImportVat" example:"1"`
	VATNumber          string          `json:"vatNumber,omitempty" doc:"VAT registration number when it was created" example:"GB123456782"`
	Territory          string          `json:"territory,omitempty" enum:"GB,XI" doc:"Great Britain or Northern Ireland, by numbers and postcode"`
	PostponedVAT       bool            `json:"postponedVat,omitempty" doc:"Whether the organisation accounts for import VAT on its returns"`
	Earlier            []EarlierReturn `json:"earlierReturns,omitempty" maxItems:"4" doc:"Submitted returns of the four periods before, newest first, for the review"`

	filing.Labels
}

// Position is the way in which the net VAT goes.
type Position string

// The positions there are.
const (
	Payable   Position = "PAYABLE"   // box 3 exceeds box 4
	Repayable Position = "REPAYABLE" // box 4 exceeds box 3
	Nil       Position = "NIL"
)

// EarlierReturn is what the review knows of an earlier return.
type EarlierReturn struct {
	PeriodKey             string         `json:"periodKey" example:"2026-Q3"`
	Box1VATDueSales       quantity.Money `json:"box1VatDueSales"`
	Box3TotalVATDue       quantity.Money `json:"box3TotalVatDue"`
	Box4VATReclaimed      quantity.Money `json:"box4VatReclaimed"`
	Box4AdditionalReclaim quantity.Money `json:"box4AdditionalReclaim"`
	Box6TotalSales        quantity.Money `json:"box6TotalSales"`
	Box7TotalPurchases    quantity.Money `json:"box7TotalPurchases"`
}

// Adds holds the members that the service adds to a return.
type Adds struct {
	HMRCReference string `json:"hmrcReference,omitempty" pattern:"^[0-9]{12}$" doc:"HMRC's number of the return, once submitted" example:"256660290587"`
	filing.Sourced
	SubmittedAt string `json:"submittedAt,omitempty" format:"date-time" doc:"When it was submitted"`
	filing.Assignment
}
