package whatif

import (
	"cmp"

	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
	"github.com/tidewaiter/tidewaiter/internal/tariff/duty"
)

// Row is one line of a result.
type Row struct {
	Ref           string            `json:"ref" doc:"Reference of the line"`
	CommodityCode string            `json:"commodityCode" doc:"Commodity code"`
	Base          *quantity.Money   `json:"baseGbp" nullable:"true" doc:"Total of the base case; null if it is not complete"`
	Changed       *quantity.Money   `json:"changedGbp" nullable:"true" doc:"Total of the changed case; null if it is not complete"`
	Difference    *quantity.Money   `json:"differenceGbp" nullable:"true" doc:"Changed less base; null if one of them is"`
	OptionBefore  *string           `json:"optionBefore" doc:"Cheapest option of the base case; null for none"`
	OptionAfter   *string           `json:"optionAfter" doc:"Cheapest option of the changed case; null for none"`
	Reasons       []Reason          `json:"reasons" nullable:"false" doc:"Why the cases differ, or why one is not complete"`
	Later         []duty.ChargeLine `json:"laterCharges" nullable:"false" doc:"UK CBAM of the changed case, which is due by return"`
	FactsNeeded   []duty.Fact       `json:"factsNeeded" nullable:"false" doc:"What UK CBAM depends on and is not known"`
}

// Reason says why the cases differ, or why one of them is not complete.
type Reason struct {
	Code    string `json:"code" doc:"Code for programs"`
	Message string `json:"message" doc:"Text for people"`
}

// result is a row with what its totals and its place depend on.
type result struct {
	Row     Row      `json:"row"`
	Index   int      `json:"index"` // in the source
	Key     []string `json:"key"`   // values of the group
	Base    *Totals  `json:"base"`  // nil if the line is not complete
	Changed *Totals  `json:"changed"`
}

// compareResults orders rows: complete ones by falling absolute difference, then the others, each as in the source.
func compareResults(a, b *result) int {
	return cmp.Or(cmp.Compare(b.magnitude(), a.magnitude()), cmp.Compare(a.Index, b.Index))
}

// magnitude is the absolute difference in pence; -1 if there is none.
func (r *result) magnitude() int64 {
	if r.Row.Difference == nil {
		return -1
	}
	pence := r.Row.Difference.Pence()
	return max(pence, -pence)
}
