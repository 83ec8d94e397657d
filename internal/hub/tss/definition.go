package tss

import (
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/checklist"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/hub/shared/declared"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// HubID is the id of the Hub.
const HubID = "tss"

// Adds lists the fields that the service adds to a declaration.
type Adds struct {
	MRN string `json:"mrn,omitempty" doc:"Movement reference number, after submission" example:"26GB3TTI2CQ1C7FGR4"`
	filing.Sourced
	SubmittedAt string `json:"submittedAt,omitempty" format:"date-time" doc:"When it was submitted"`
	Reason      string `json:"reason,omitempty" doc:"Reason"`
	filing.Decided
	filing.Assignment
}

// Declarations is the kind of filing of this Hub.
var Declarations = filing.Definition[Declaration]{
	Kind: "tss.declaration", Hub: HubID, Path: "/api/tss/declarations", Singular: "declaration", Plural: "declarations", Tag: "TSS",
	Description: "Declarations to the Trader Support Service for goods that move to or from Northern Ireland. They decide whether EU duty is due under the Windsor Framework.",
	MainFields:  []string{"goodsDescription", "movementType", "consigneeName", "riskCategorisation", "mrn"},
	ChoiceTexts: map[string]string{string(ConsumedInNI): "Consumed in Northern Ireland, under UKIMS", string(UKOrigin): "Goods of UK origin"},
	Layout:      form, Lifecycle: lifecycle.Regulated, Rules: Rules, Adds: Adds{}, ReferenceMember: "mrn", Checklist: &checklist.List{Site: "Trader Support Service", Address: "https://www.tradersupportservice.co.uk/"}, ReadReference: readReference, Deadlines: deadlines,
	Complete: func(tx filing.View, d *Declaration, c filing.Completion) (filing.Completion, error) {
		return declared.Complete(tx, d.Declarations, declared.MRN, c)
	},
	Reference: func(ids *ident.Source, now time.Time, _ *Declaration) filing.Reference {
		return filing.Reference{Field: "mrn", Value: ids.MRN(now.Year(), "GB")}
	},
	Note: "The MRN is a mock because there is no connection to the Trader Support Service yet. Mark the declaration accepted after the Trader Support Service has accepted it.",
}
