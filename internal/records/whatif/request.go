package whatif

import (
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/tariff/duty"
)

// Request asks what lines of goods cost as they are, and with a change.
type Request struct {
	Source  Source   `json:"source" doc:"The goods: exactly one of lines, declarations, products and uploadId"`
	Change  Change   `json:"change" doc:"What is different in the changed case; at least one member"`
	GroupBy []string `json:"groupBy,omitempty" maxItems:"3" nullable:"false" enum:"chapter,heading,commodityCode,origin,dispatchCountry,destination,month" doc:"What the lines are grouped by, as they are in the base case" example:"[\"chapter\"]"`
}

// Source says which lines are computed.
type Source struct {
	Lines        []Line        `json:"lines,omitempty" minItems:"1" maxItems:"100000" nullable:"false" doc:"Lines as in a calculation"`
	Declarations *Declarations `json:"declarations,omitempty" doc:"The items of import declarations, with their customs values; what is not declared counts as not held"`
	Products     bool          `json:"products,omitempty" doc:"The products of the catalogue that have a commodity code and an origin, each with a customs value of £1,000.00"`
	UploadID     string        `json:"uploadId,omitempty" format:"uuid" doc:"Lines of an uploaded CSV" example:"01980c57-8b1e-7d4f-9a20-5c3b7e9d1f42"`
	Header
}

// Header holds for all lines of the source that do not say otherwise.
type Header struct {
	Date            string                `json:"date,omitempty" format:"date" doc:"Day of acceptance of lines without one; today in London if left out. Declarations have their own" example:"2026-11-26"`
	Destination     string                `json:"destination,omitempty" enum:"GB,NI" doc:"Destination of lines without one; GB if left out. Declarations have their own" example:"GB"`
	Incoterm        string                `json:"incoterm,omitempty" pattern:"^[A-Z]{3}$" doc:"Terms of delivery of lines without them. Declarations have their own" example:"FOB"`
	NorthernIreland *duty.NorthernIreland `json:"northernIreland,omitempty" doc:"Answers that decide which tariff applies in Northern Ireland, for lines without them"`
	Edition         *int64                `json:"edition,omitempty" minimum:"0" doc:"Edition of the tariff of the base case; the one in force if left out" example:"7"`
	RateTable       *string               `json:"rateTable,omitempty" maxLength:"20" doc:"Table of exchange rates; the newest if left out" example:"3"`
	ExchangeRates   []duty.FixedRate      `json:"exchangeRates,omitempty" maxItems:"20" nullable:"false" doc:"Rates that a contract fixes; otherwise HMRC's rate of the month"`
}

// Line is one line of goods with what a calculation states for all its lines.
type Line struct {
	duty.RequestLine
	Date            string                `json:"date,omitempty" format:"date" doc:"Day of acceptance; that of the source if left out" example:"2026-11-26"`
	Destination     string                `json:"destination,omitempty" enum:"GB,NI" doc:"Great Britain or Northern Ireland; that of the source if left out" example:"GB"`
	Incoterm        string                `json:"incoterm,omitempty" pattern:"^[A-Z]{3}$" doc:"Terms of delivery; those of the source if left out" example:"FOB"`
	NorthernIreland *duty.NorthernIreland `json:"northernIreland,omitempty" doc:"Answers that decide which tariff applies in Northern Ireland; those of the source if left out"`
	Emissions       *duty.Decimal         `json:"embeddedEmissionsKgCo2,omitempty" minimum:"0" maximum:"99999999999" multipleOf:"0.000001" doc:"Embedded emissions in kilograms of CO2 equivalent, for UK CBAM; a default value if left out" example:"2350"`
}

// Goods is a line as it is stored.
type Goods struct {
	Line
	Units       *duty.Decimal `json:"units,omitempty"`       // in the supplementary unit of the code
	SuspendedBy string        `json:"suspendedBy,omitempty"` // procedure of a declaration that suspends charges
}

// Declarations selects import declarations.
type Declarations struct {
	From   string `json:"from" format:"date" doc:"First day on which they were created, in London" example:"2026-01-01"`
	To     string `json:"to" format:"date" doc:"Last day, inclusive" example:"2026-12-31"`
	Status string `json:"status,omitempty" maxLength:"400" pattern:"^[A-Z_]+(,[A-Z_]+)*$" doc:"Their status, or several with commas; any if left out" example:"CLEARED"`
}

// statuses are those that are selected; nil for any.
func (d *Declarations) statuses() []string {
	if d.Status == "" {
		return nil
	}
	return strings.Split(d.Status, ",")
}

// Change is what is different in the changed case.
type Change struct {
	Origin          string      `json:"origin,omitempty" format:"trading-country" doc:"Country of origin, also the preferential one" example:"BD"`
	DispatchCountry string      `json:"dispatchCountry,omitempty" format:"trading-country" doc:"Country that the goods come from" example:"BD"`
	Destination     string      `json:"destination,omitempty" enum:"GB,NI" doc:"Great Britain or Northern Ireland" example:"NI"`
	Date            string      `json:"date,omitempty" format:"date" doc:"Day of acceptance; amounts in other currencies need a rate of its month" example:"2027-01-01"`
	Incoterm        string      `json:"incoterm,omitempty" pattern:"^[A-Z]{3}$" doc:"Terms of delivery" example:"CIF"`
	Edition         *int64      `json:"edition,omitempty" minimum:"0" doc:"Edition of the tariff" example:"8"`
	Facts           *duty.Facts `json:"facts,omitempty" doc:"Answers to what the conditions of measures ask; each member that is given replaces that of the line"`
	CBAM            bool        `json:"cbam,omitempty" doc:"Whether UK CBAM is added, for imports from 1 January 2027"`
}

// IsNone reports whether nothing would change.
func (c *Change) IsNone() bool {
	return c.Origin == "" && c.DispatchCountry == "" && c.Destination == "" && c.Date == "" && c.Incoterm == "" && c.Edition == nil && c.Facts == nil && !c.CBAM
}

// Settings is what a run needs besides the lines. Edition, table and day are fixed when the what-if is made, so that a run that
// is interrupted continues with the same.
type Settings struct {
	Declarations *Declarations         `json:"declarations,omitempty"`
	Products     bool                  `json:"products,omitempty"`
	Change       Change                `json:"change"`
	GroupBy      []string              `json:"groupBy,omitempty"`
	Date         string                `json:"date"`
	Destination  string                `json:"destination"`
	Incoterm     string                `json:"incoterm,omitempty"`
	NI           *duty.NorthernIreland `json:"northernIreland,omitempty"`
	Edition      int64                 `json:"edition"`
	RateTable    string                `json:"rateTable"`
	Rates        []duty.FixedRate      `json:"exchangeRates,omitempty"`
}

// ChangedEdition is the edition of the changed case.
func (s *Settings) ChangedEdition() int64 {
	if s.Change.Edition != nil {
		return *s.Change.Edition
	}
	return s.Edition
}

// gathers reports whether the lines are read from records while the job runs.
func (s *Settings) gathers() bool { return s.Declarations != nil || s.Products }

// complete fills in what a line leaves out.
func (s *Settings) complete(l *Line) {
	if l.Date == "" {
		l.Date = s.Date
	}
	if l.Destination == "" {
		l.Destination = s.Destination
	}
	if l.Incoterm == "" {
		l.Incoterm = s.Incoterm
	}
	if l.NorthernIreland == nil {
		l.NorthernIreland = s.NI
	}
}

// request is a line as a calculation of its own.
func (s *Settings) request(l *Line) *duty.Request {
	return &duty.Request{
		Date: l.Date, Destination: l.Destination, Incoterm: l.Incoterm, NorthernIreland: l.NorthernIreland, ExchangeRates: s.Rates,
		Lines: []duty.RequestLine{l.RequestLine},
	}
}

// changed is a line with the change.
func (c *Change) changed(l Line) Line {
	if c.Origin != "" {
		l.Origin, l.PreferentialOrigin = c.Origin, ""
	}
	if c.DispatchCountry != "" {
		l.DispatchCountry = c.DispatchCountry
	}
	if c.Destination != "" {
		l.Destination = c.Destination
	}
	if c.Date != "" {
		l.Date = c.Date
	}
	if c.Incoterm != "" {
		l.Incoterm = c.Incoterm
	}
	if c.Facts != nil {
		l.Facts = replaced(l.Facts, c.Facts)
	}
	return l
}

// replaced are facts with the members that are given in place of their own.
func replaced(f duty.Facts, by *duty.Facts) duty.Facts {
	if by.Documents != nil {
		f.Documents = by.Documents
	}
	if by.DocumentsAbsent != nil {
		f.DocumentsAbsent = by.DocumentsAbsent
	}
	if by.OtherDocuments != "" {
		f.OtherDocuments = by.OtherDocuments
	}
	if by.ProofOfOrigin != "" {
		f.ProofOfOrigin = by.ProofOfOrigin
	}
	if by.QuotaOrderNumbers != nil {
		f.QuotaOrderNumbers = by.QuotaOrderNumbers
	}
	if by.EntryPrice != nil {
		f.EntryPrice = by.EntryPrice
	}
	if by.DeMinimisAid != nil {
		f.DeMinimisAid = by.DeMinimisAid
	}
	return f
}
