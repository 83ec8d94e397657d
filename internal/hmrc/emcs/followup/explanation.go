package followup

import (
	"strconv"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// DelayExplanation explains why a receipt or a destination is late (IE837).
type DelayExplanation struct {
	By          Party       `json:"by" enum:"CONSIGNOR,CONSIGNEE" doc:"Who explains" example:"CONSIGNEE"`
	Explanation GivenReason `json:"explanation" doc:"Why: 1 cancelled commercial transaction, 2 pending commercial transaction, 3 investigation by officials, 4 bad weather, 5 strike, 6 accident, 0 other"`
	About       Late        `json:"about" enum:"RECEIPT,DESTINATION" doc:"What is late" example:"RECEIPT"`
}

// Late is what is late.
type Late string

// What can be late.
const (
	LateReceipt     Late = "RECEIPT"
	LateDestination Late = "DESTINATION"
)

// code is HMRC's code of the message's role.
func (l Late) code() string {
	if l == LateReceipt {
		return "1"
	}
	return "2"
}

// Delay returns the body of an IE837.
func (m Movement) Delay(d DelayExplanation) *emcs.Element {
	return emcs.Group("ExplanationOnDelayForDelivery",
		emcs.Group("Attributes", emcs.Leaf("SubmitterIdentification", m.Number(d.By)), emcs.Leaf("SubmitterType", d.By.code()), emcs.Leaf("ExplanationCode", d.Explanation.Code),
			english("ComplementaryInformation", d.Explanation.Information), emcs.Leaf("MessageRole", d.About.code())), m.reference())
}

// Number returns the excise number of a party.
func (m Movement) Number(p Party) string {
	if p == Consignor {
		return m.container.Value("ConsignorTrader", "TraderExciseNumber")
	}
	return m.container.Value("ConsigneeTrader", "Traderid")
}

// ShortageExplanation explains shortages and excesses (IE871), as a whole or for items.
type ShortageExplanation struct {
	By          Party           `json:"by" enum:"CONSIGNOR,CONSIGNEE" doc:"Who explains" example:"CONSIGNOR"`
	AnalysedOn  string          `json:"analysedOn,omitempty" format:"date" doc:"Date of the analysis, with the explanation of the whole" example:"2026-11-27"`
	Explanation string          `json:"explanation,omitempty" maxLength:"350" doc:"Explanation of the whole, in English" example:"Evaporated"`
	Items       []ExplainedItem `json:"items,omitempty" maxItems:"999" doc:"Items that are explained"`
}

// ExplainedItem is an item whose shortage or excess is explained.
type ExplainedItem struct {
	Item        int              `json:"item" minimum:"1" maximum:"999" doc:"Number of the item in the movement" example:"1"`
	Explanation string           `json:"explanation" minLength:"1" maxLength:"350" doc:"Explanation in English" example:"Two bottles were broken"`
	Actual      *quantity.Number `json:"actual,omitempty" minimum:"0" doc:"Quantity that arrived" example:"8398.6"`
}

// Shortage returns the body of an IE871. It names the submitter alone.
func (m Movement) Shortage(s ShortageExplanation) *emcs.Element {
	body := emcs.Group("ExplanationOnReasonForShortage", emcs.Group("Attributes", emcs.Leaf("SubmitterType", s.By.code())), m.reference())
	if s.By == Consignor {
		body.Add(m.container.At("ConsignorTrader").Clone())
	} else {
		body.Add(m.container.At("ConsigneeTrader").Clone())
	}
	if s.Explanation != "" {
		body.Add(emcs.Group("Analysis", emcs.Leaf("DateOfAnalysis", s.AnalysedOn), english("GlobalExplanation", s.Explanation)))
	}
	for _, item := range s.Items {
		body.Add(emcs.Group("BodyAnalysis", emcs.Leaf("ExciseProductCode", m.product(item.Item)), emcs.Leaf("BodyRecordUniqueReference", strconv.Itoa(item.Item)),
			english("Explanation", item.Explanation), decimal("ActualQuantity", item.Actual)))
	}
	return body
}
