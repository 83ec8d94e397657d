package datamodel

import "github.com/tidewaiter/tidewaiter/internal/platform/quantity"

// Values of Header.Fill: what the service may add to a declaration.
const (
	FillUsual = "USUAL" // values of other records, computed ones and usual constants
	FillKnown = "KNOWN" // values of other records, computed ones and those that the guide prescribes
	FillNone  = "NONE"  // only the LRN, the declarant and sequence numbers
)

// Header holds the members of a declaration beside its type, items and documents.
type Header struct {
	DataSet               string             `json:"dataSet,omitempty" enum:"H1,H2,H3,H4,H5,H7,H8,I1,C21I,C21I_EIDR,FSD,B1,B2,B4,C1,C21E,C21E_EIDR" doc:"Data set that the declaration must satisfy. With it, the service adds no usual constants" example:"H1"`
	Fill                  string             `json:"fill,omitempty" enum:"USUAL,KNOWN,NONE" doc:"What the service may add: usual constants too, known values, or nothing. KNOWN with dataSet, otherwise USUAL" example:"KNOWN"`
	DeclarationCode       string             `json:"declarationCode,omitempty" enum:"IM,EX,CO" doc:"Declaration type (DE 1/1); IM or EX by the direction when left out" example:"IM"`
	AdditionalType        string             `json:"additionalType,omitempty" pattern:"^[A-Z]$" doc:"Additional declaration type (DE 1/2), such as A for arrived and D for pre-lodged goods" example:"A"`
	Supplements           string             `json:"supplements,omitempty" format:"uuid" doc:"The simplified declaration that this one completes"`
	Without               []string           `json:"without,omitempty" maxItems:"999" doc:"Paths of members that the service must not add, such as seller or items[].taxLines" example:"[\"seller\"]"`
	TaxPointAt            string             `json:"taxPointAt,omitempty" pattern:"^20[0-9]{2}-[0-9]{2}-[0-9]{2}(T[0-9]{2}:[0-9]{2}:[0-9]{2}(Z|[+-][0-9]{2}:00))?$" doc:"Tax point of a supplementary declaration: a date, or a time with whole hours of UTC offset" example:"2025-03-26T11:22:00+00:00"`
	IssueLocation         string             `json:"issueLocation,omitempty" minLength:"1" maxLength:"5" doc:"Place of issue"`
	GoodsItemCount        *int64             `json:"goodsItemCount,omitempty" minimum:"0" maximum:"99999" doc:"Number of items (DE 1/9)" example:"1"`
	DeclarationOffice     string             `json:"declarationOffice,omitempty" minLength:"1" maxLength:"17" doc:"Office of declaration"`
	InvoiceTotal          *Amount            `json:"invoiceTotal,omitempty" doc:"Total and currency of the invoice (DE 4/10, 4/11)"`
	LoadingListCount      *int64             `json:"loadingListCount,omitempty" minimum:"0" maximum:"99999" doc:"Number of loading lists (DE 1/5)"`
	TotalGrossMassKg      *quantity.Mass     `json:"totalGrossMassKg,omitempty" minimum:"0" doc:"Total gross mass in kilograms, instead of that of the items (DE 6/5)" example:"150"`
	TotalPackages         *int64             `json:"totalPackages,omitempty" minimum:"0" maximum:"99999999" doc:"Number of packages (DE 6/18)" example:"50"`
	SpecificCircumstances string             `json:"specificCircumstances,omitempty" minLength:"1" maxLength:"3" doc:"Specific circumstance indicator (DE 1/7)"`
	Authentication        *Signature         `json:"authentication,omitempty" doc:"Signature (DE 1/8)"`
	Submitter             *Party             `json:"submitter,omitempty" doc:"Submitter, if it is not the one of the consent"`
	DeferredPayments      []DeferredPayment  `json:"deferredPayments,omitempty" maxItems:"99" doc:"Deferment accounts (DE 2/6)"`
	AdditionalInformation []Statement        `json:"additionalInformation,omitempty" maxItems:"99" doc:"Statements about the whole; customs allows only RRS01 here (DE 2/2)"`
	Representation        *Representation    `json:"representation,omitempty" doc:"How the importer or exporter is represented (DE 3/19 to 3/21)"`
	Authorisations        []Authorisation    `json:"authorisations,omitempty" maxItems:"99" doc:"Authorisations used (DE 3/39)"`
	ExchangeRates         []ExchangeRate     `json:"exchangeRates,omitempty" maxItems:"99" doc:"Exchange rates (DE 4/15). Only those of a contract are declared"`
	Declarant             *Trader            `json:"declarant,omitempty" doc:"Declarant (DE 3/17, 3/18)"`
	Guarantees            []Guarantee        `json:"guarantees,omitempty" maxItems:"99" doc:"Guarantees (DE 8/2, 8/3)"`
	PresentationOffice    string             `json:"presentationOffice,omitempty" minLength:"1" maxLength:"17" doc:"Office of presentation (DE 5/26)"`
	SupervisingOffice     string             `json:"supervisingOffice,omitempty" minLength:"1" maxLength:"17" doc:"Supervising office (DE 5/27)" example:"GBLBA001"`
	ExitOffice            string             `json:"exitOffice,omitempty" minLength:"1" maxLength:"17" doc:"Office of exit (DE 5/12)" example:"GB000290"`
	ExitAt                string             `json:"exitAt,omitempty" pattern:"^20[0-9]{2}-[0-9]{2}-[0-9]{2}(T[0-9]{2}:[0-9]{2}:[0-9]{2}(Z|[+-][0-9]{2}:00))?$" doc:"When the goods leave"`
	TransactionNature     string             `json:"transactionNature,omitempty" pattern:"^[0-9]{1,2}$" doc:"Nature of the transaction, here or at items (DE 8/5)" example:"1"`
	SupplyChainActors     []Role             `json:"supplyChainActors,omitempty" maxItems:"99" doc:"Other actors of the supply chain (DE 3/37)"`
	Containerised         *bool              `json:"containerised,omitempty" doc:"Whether the goods are in containers (DE 7/2)"`
	FreightCharge         *Amount            `json:"freightCharge,omitempty" doc:"Postal or freight charge of the whole (DE 4/19)"`
	ValuationAdjustments  []Charge           `json:"valuationAdjustments,omitempty" maxItems:"99" doc:"Additions and deductions of the whole (DE 4/9)"`
	FiscalReferences      []Role             `json:"fiscalReferences,omitempty" maxItems:"99" doc:"Fiscal references (DE 3/40)"`
	Importer              *Trader            `json:"importer,omitempty" doc:"Importer (DE 3/15, 3/16)"`
	Invoice               *Invoice           `json:"invoice,omitempty" doc:"Invoice of the shipment"`
	Payer                 *Party             `json:"payer,omitempty" doc:"Payer"`
	PreviousDocuments     []PreviousDocument `json:"previousDocuments,omitempty" maxItems:"999" doc:"Previous documents of the whole (DE 2/1)"`
	Surety                *Party             `json:"surety,omitempty" doc:"Surety"`
	Warehouse             *Warehouse         `json:"warehouse,omitempty" doc:"Warehouse of the goods (DE 2/7)"`

	Journey
}

// Filling returns what the service may add.
func (h *Header) Filling() string {
	switch {
	case h.Fill != "":
		return h.Fill
	case h.DataSet != "":
		return FillKnown
	}
	return FillUsual
}

// LiftsRequired reports whether the data set, and not the creation, decides what an item must have.
func (h *Header) LiftsRequired() bool { return h.DataSet != "" || h.Fill == FillNone }

// ExchangeRate is the rate of a currency.
type ExchangeRate struct {
	object
	Currency string         `json:"currency,omitempty" pattern:"^[A-Za-z]{3}$" doc:"Currency" example:"USD"`
	Rate     *quantity.Rate `json:"rate,omitempty" doc:"Units of the currency for one pound (DE 4/15)" example:"1.5"`
	Source   string         `json:"source,omitempty" enum:"CONTRACT,HMRC_MONTHLY,HMRC_WEEKLY,OTHER" doc:"Source of the rate. Only CONTRACT is declared" example:"CONTRACT"`
	On       string         `json:"on,omitempty" pattern:"^20[0-9]{2}-[0-9]{2}-[0-9]{2}$" doc:"Day of the rate"`
	Evidence string         `json:"evidence,omitempty" minLength:"1" maxLength:"70" doc:"The document that fixes a rate of a contract"`
}

// FromContract is the source of a rate that buyer and seller have fixed.
const FromContract = "CONTRACT"

// Invoice is the commercial invoice of the shipment.
type Invoice struct {
	object
	Number   string `json:"number,omitempty" minLength:"1" maxLength:"70" doc:"Number of the invoice"`
	IssuedAt string `json:"issuedAt,omitempty" pattern:"^20[0-9]{2}-[0-9]{2}-[0-9]{2}(T[0-9]{2}:[0-9]{2}:[0-9]{2}(Z|[+-][0-9]{2}:00))?$" doc:"Its date"`
}

// Warehouse is the warehouse of the goods (DE 2/7).
type Warehouse struct {
	object
	Type string `json:"type,omitempty" minLength:"1" maxLength:"3" doc:"Kind of warehouse: R, S, T, U, V, Y or Z (DE 2/7)" example:"U"`
	ID   string `json:"id,omitempty" minLength:"1" maxLength:"35" doc:"Its number (DE 2/7)" example:"1212342GB"`
}
