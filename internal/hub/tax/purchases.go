package tax

import (
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
)

var purchaseRules = ruleSet{
	{Code: "TAX-006", Severity: rules.Warning, Field: "box7TotalPurchases", Check: reclaimWithoutPurchases, Source: boxGuidance + " (boxes 4 and 7)",
		Title: "VAT is reclaimed and there are no purchases"},
	{Code: "TAX-007", Severity: rules.Warning, Field: "box4VatReclaimed", Check: reclaimAboveRate, Source: rateLaw + "; " + boxGuidance + " (boxes 4 and 7)",
		Title: "The VAT reclaimed exceeds the standard rate of the purchases"},
	{Code: "TAX-008", Severity: rules.Info, Field: "box7TotalPurchases", Check: grossPurchases, Source: boxGuidance + " (box 7: without VAT)",
		Title: "The purchases seem to include VAT"},
	{Code: "TAX-009", Severity: rules.Info, Field: "box5NetVat", Check: repayment, Source: repaymentSource + "; " + boxGuidance + " (box 5)",
		Title: "VAT is repaid"},
}

func reclaimWithoutPurchases(r *Return, _ rules.Facts) remarks {
	if r.Box4VATReclaimed.Sign() <= 0 || !r.Box7TotalPurchases.IsZero() {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("Box 4 reclaims %s and box 7 is %s.", sterling(r.Box4VATReclaimed), whole(r.Box7TotalPurchases)),
		"Give the value of purchases and imports, without VAT, in box7TotalPurchases; only relief for bad debts and corrections have none.")
}

// importUplift allows for the additional base of import VAT: duty, freight and insurance to the first place in the United
// Kingdom.
const importUplift = 5 // a fifth of it

// leeway allows for bad debt relief and small corrections, which have no purchase.
const leeway = 40 // a fortieth of what the rate gives: 20.5% of the purchases

func reclaimAboveRate(r *Return, _ rules.Facts) remarks {
	allowed := highest(r.Box7TotalPurchases)
	if r.Box7TotalPurchases.Sign() <= 0 || of(r.Box4VATReclaimed) <= allowed+allowed/leeway+of(r.Box4ImportVAT)/importUplift {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("Box 4 reclaims %s on purchases of %s in box 7; at 20%% it would be %s.", sterling(r.Box4VATReclaimed), whole(r.Box7TotalPurchases), allowed-pound*standardRate/100),
		"Check that box 7 has all purchases, the value of imports among them, and that no VAT is reclaimed twice.")
}

func grossPurchases(r *Return, _ rules.Facts) remarks {
	if !isGross(r.Box4VATReclaimed, r.Box7TotalPurchases) {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("Box 4, %s, is a sixth of box 7, %s, as if box 7 included the VAT.", sterling(r.Box4VATReclaimed), whole(r.Box7TotalPurchases)),
		"Give the purchases without VAT in box7TotalPurchases.")
}

// largeRepayment is the amount from which HMRC is likely to ask questions, if purchases are twice the sales and were not before.
// It is normal for a first return or after a large purchase, so the finding is for information only.
const largeRepayment = 5_000 * pound

func repayment(r *Return, _ rules.Facts) remarks {
	if r.NetVATPosition != Repayable {
		return nil
	}
	remark := rules.Remark{
		Message:    fmt.Sprintf("Box 4, %s, exceeds box 3, %s: HMRC repays %s.", sterling(r.Box4VATReclaimed), sterling(r.Box3TotalVATDue), sterling(r.Box5NetVAT)),
		Suggestion: "Have the largest invoices and import certificates at hand: HMRC may ask for them before it repays.",
	}
	much := of(r.Box5NetVAT) >= largeRepayment && of(r.Box4VATReclaimed) > 2*of(r.Box3TotalVATDue)
	usual := len(r.Earlier) > 0 && r.Earlier[0].repaid()
	if much && !usual && of(r.Box7TotalPurchases) > 2*of(r.Box6TotalSales) {
		remark.Message += fmt.Sprintf(" Purchases of %s are more than twice the sales of %s.", whole(r.Box7TotalPurchases), whole(r.Box6TotalSales))
	}
	return remarks{remark}
}
