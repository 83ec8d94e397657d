package tax

import (
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
)

var sumRules = ruleSet{
	{Code: "TAX-001", Severity: rules.Blocker, Field: "box3TotalVatDue", Check: sums, Source: "HMRC: VAT (MTD) API, submit VAT return for period: VAT_TOTAL_VALUE and VAT_NET_VALUE",
		Title: "Boxes 3, 4 and 5 do not follow from the others"},
}

// sums checks returns that were not computed by this version of the service.
func sums(r *Return, _ rules.Facts) (found remarks) {
	const advice = "Compute the return again."
	if want := r.Box1VATDueSales.Add(r.Box2VATDueAcquisitions); r.Box3TotalVATDue.Cmp(want) != 0 {
		found = append(found, rules.Remark{
			Message: fmt.Sprintf("Box 3 is %s; boxes 1 and 2 make %s.", sterling(r.Box3TotalVATDue), sterling(want)), Suggestion: advice,
		})
	}
	if want := r.Box4ImportVAT.Add(r.Box4AdditionalReclaim); r.Box4VATReclaimed.Cmp(want) != 0 {
		found = append(found, rules.Remark{
			Field:   "box4VatReclaimed",
			Message: fmt.Sprintf("Box 4 is %s; import VAT and additional reclaim make %s.", sterling(r.Box4VATReclaimed), sterling(want)), Suggestion: advice,
		})
	}
	if want, _ := net(r.Box3TotalVATDue, r.Box4VATReclaimed); r.Box5NetVAT.Cmp(want) != 0 {
		found = append(found, rules.Remark{
			Field:   "box5NetVat",
			Message: fmt.Sprintf("Box 5 is %s; between boxes 3 and 4 lie %s.", sterling(r.Box5NetVAT), sterling(want)), Suggestion: advice,
		})
	}
	return found
}
