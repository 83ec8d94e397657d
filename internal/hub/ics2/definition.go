package ics2

import (
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hub/shared/ownreference"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// HubID is the id of the Hub.
const HubID = "ics2"

// Adds lists the fields that the service adds to a filing.
type Adds struct {
	MRN *string `json:"mrn" nullable:"true" doc:"Movement reference number; null until the filing is submitted or, with the regime GB, accepted by HMRC" example:"26GB3TTI2CQ1C7FGR4"`
	filing.Sourced
	SubmittedAt string `json:"submittedAt,omitempty" format:"date-time" doc:"When it was submitted"`
	Reason      string `json:"reason,omitempty" doc:"Reason"`
	Course
	filing.Replacement
	filing.Decided
	filing.Assignment
}

// Filings is the kind of filing of this Hub.
var Filings = filing.Definition[Filing]{
	Kind: "ics2.filing", Hub: HubID, Path: "/api/ics2/filings", Singular: "filing", Plural: "filings", Tag: "ICS2",
	Description: "Entry summary declarations (ENS) for goods by sea, air, road, rail or post. Customs uses them to assess safety and security risks before the goods arrive.",
	MainFields:  []string{"transportDocNumber", "filingType", "carrierName", "estimatedArrival", "mrn"},
	Layout:      form, Lifecycle: course, Rules: Rules, Adds: Adds{}, ReferenceMember: "mrn", ReadReference: ownreference.For[Filing](ownreference.MRN), Deadlines: deadlines, Check: checkFiling, Message: messageForm, Trait: &interventionTrait,
	Reference: func(ids *ident.Source, now time.Time, _ *Filing) filing.Reference {
		return filing.Reference{Field: "mrn", Value: ids.MRN(now.Year(), "GB")}
	},
	Note: "The MRN is a mock because there is no connection to the safety and security services yet. Mark the filing accepted after customs has accepted it.",
}
