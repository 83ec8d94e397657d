package tss

import (
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/lifecycle"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

// HubID is the id of the Hub.
const HubID = "tss"

// Adds is what the service adds to a declaration.
type Adds struct {
	MRN         string `json:"mrn,omitempty" doc:"Movement reference number, once submitted" example:"26GB3TTI2CQ1C7FGR4"`
	SubmittedAt string `json:"submittedAt,omitempty" format:"date-time" doc:"When it was submitted"`
	Reason      string `json:"reason,omitempty" doc:"Why it was rejected"`
}

// Declarations are the Hub's kind of filing.
var Declarations = filing.Definition[Declaration]{
	Kind: "tss.declaration", Hub: HubID, Path: "/api/tss/declarations", One: "declaration", Many: "declarations", Tag: "TSS",
	About:       "Goods that move to or from Northern Ireland, as the Trader Support Service takes them under the Windsor Framework. It decides whether duty of the European Union is owed.",
	MainFields:  []string{"goodsDescription", "movementType", "consigneeName", "riskCategorisation", "mrn"},
	ChoiceTexts: map[string]string{string(ConsumedInNI): "Consumed in Northern Ireland, under UKIMS", string(UKOrigin): "Goods of UK origin"},
	Lifecycle:   lifecycle.Regulated, Rules: Rules, Adds: Adds{}, Deadlines: due,
	Reference: func(ids *ident.Source, now time.Time, _ *Declaration) filing.Reference {
		return filing.Reference{Field: "mrn", Value: ids.MRN(now.Year(), "GB")}
	},
	Note: "The MRN is a mock until the live connection to the Trader Support Service exists. Mark the declaration accepted once the service has answered.",
}
