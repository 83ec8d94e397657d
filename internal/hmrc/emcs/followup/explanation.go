package followup

import (
	"strconv"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/emcs"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

// Delay explains why a receipt or a destination is late (IE837).
type Delay struct {
	By          Party  `json:"by"`
	Explanation Reason `json:"explanation"`
	About       string `json:"about"` // 1 the report of receipt, 2 the destination
}

// Delay returns the body of an IE837.
func (m Movement) Delay(d Delay) *emcs.Element {
	return emcs.Group("ExplanationOnDelayForDelivery",
		emcs.Group("Attributes", emcs.Leaf("SubmitterIdentification", m.number(d.By)), emcs.Leaf("SubmitterType", string(d.By)), emcs.Leaf("ExplanationCode", d.Explanation.Code),
			english("ComplementaryInformation", d.Explanation.Information), emcs.Leaf("MessageRole", d.About)), m.reference())
}

// number returns the excise number of a party.
func (m Movement) number(p Party) string {
	if p == Consignor {
		return m.container.Value("ConsignorTrader", "TraderExciseNumber")
	}
	return m.container.Value("ConsigneeTrader", "Traderid")
}

// Shortage explains shortages and excesses (IE871), as a whole or for items.
type Shortage struct {
	By          Party           `json:"by"`
	AnalysedOn  string          `json:"analysedOn,omitempty"`  // date, with the explanation of the whole
	Explanation string          `json:"explanation,omitempty"` // of the whole, in English
	Items       []ExplainedItem `json:"items,omitempty"`
}

// ExplainedItem is an item whose shortage or excess is explained.
type ExplainedItem struct {
	Item        int              `json:"item"`
	Explanation string           `json:"explanation"` // in English
	Actual      *quantity.Number `json:"actual,omitempty"`
}

// Shortage returns the body of an IE871. It names the submitter alone.
func (m Movement) Shortage(s Shortage) *emcs.Element {
	body := emcs.Group("ExplanationOnReasonForShortage", emcs.Group("Attributes", emcs.Leaf("SubmitterType", string(s.By))), m.reference())
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
