package ics2

import (
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// HubID is the id of the Hub.
const HubID = "ics2"

// Adds is what the service adds to a filing.
type Adds struct {
	MRN         string `json:"mrn,omitempty" doc:"Movement reference number, once submitted" example:"26GB3TTI2CQ1C7FGR4"`
	SubmittedAt string `json:"submittedAt,omitempty" format:"date-time" doc:"When it was submitted"`
	Reason      string `json:"reason,omitempty" doc:"Why it was rejected"`
}

// Filings are the Hub's kind of filing.
var Filings = filing.Definition[Filing]{
	Kind: "ics2.filing", Hub: HubID, Path: "/api/ics2/filings", One: "filing", Many: "filings", Tag: "ICS2",
	About:      "The entry summary declaration (ENS) that goes ahead of goods by sea, air, road, rail or post. Security is assessed by it before they arrive.",
	MainFields: []string{"transportDocNumber", "filingType", "carrierName", "estimatedArrival", "mrn"},
	Lifecycle:  lifecycle.Regulated, Rules: Rules, Adds: Adds{}, Deadlines: due,
	Reference: func(ids *ident.Source, now time.Time, _ *Filing) filing.Reference {
		return filing.Reference{Field: "mrn", Value: ids.MRN(now.Year(), "GB")}
	},
	Note: "The MRN is a mock until the live connection to the safety and security services exists. Mark the filing accepted once customs has answered.",
}
