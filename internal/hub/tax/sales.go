package tax

import (
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
)

var salesRules = ruleSet{
	{Code: "TAX-002", Severity: rules.Warning, Field: "box6TotalSales", Check: vatWithoutSales, Source: boxGuidance + " (boxes 1 and 6)",
		Title: "There is VAT on sales and there are no sales"},
	{Code: "TAX-003", Severity: rules.Warning, Field: "box1VatDueSales", Check: vatAboveRate, Source: rateLaw + "; " + boxGuidance + " (boxes 1 and 6)",
		Title: "The VAT on sales exceeds the standard rate of the sales"},
	{Code: "TAX-004", Severity: rules.Info, Field: "box1VatDueSales", Check: salesWithoutVAT, Source: boxGuidance + " (boxes 1 and 6); Value Added Tax Act 1994, Schedules 8 and 9 (zero rate and exemption)",
		Title: "There are sales and there is no VAT on them"},
	{Code: "TAX-005", Severity: rules.Info, Field: "box6TotalSales", Check: grossSales, Source: boxGuidance + " (box 6: without VAT)",
		Title: "The sales seem to have the VAT in them"},
}

// vatWithoutSales allows for import VAT, which stands in box 1 under postponed
// accounting although nothing was sold.
func vatWithoutSales(r *Return, _ rules.Facts) remarks {
	vat := of(r.Box1VATDueSales)
	if vat <= 0 || !r.Box6TotalSales.IsZero() || vat <= of(r.Box4ImportVAT) {
		return nil
	}
	remark := rules.Remark{
		Message:    fmt.Sprintf("Box 1 has VAT of %s and box 6 is %s.", sterling(r.Box1VATDueSales), whole(r.Box6TotalSales)),
		Suggestion: "Give the value of the sales, without VAT, in box6TotalSales.",
	}
	if r.PostponedVAT && vat <= of(r.Box4VATReclaimed) {
		remark.Severity = rules.Info
		remark.Suggestion = "That is right where nothing was sold and all of it is import VAT on the postponed VAT statement; else give the sales in box6TotalSales."
	}
	return remarks{remark}
}

// vatAboveRate leaves out what box 1 has besides the VAT on sales: the import VAT of
// a trader with postponed accounting, which comes back in box 4. It is milder where
// box 4 and the purchases of box 7 leave room for such VAT, or for reverse charges.
func vatAboveRate(r *Return, _ rules.Facts) remarks {
	vat, most := of(r.Box1VATDueSales), highest(r.Box6TotalSales)
	if r.Box6TotalSales.Sign() <= 0 || vat <= most {
		return nil
	}
	excess := vat - most
	if r.PostponedVAT && excess <= of(r.Box4ImportVAT) {
		return nil
	}
	remark := rules.Remark{
		Message:    fmt.Sprintf("Box 1 has VAT of %s on sales of %s in box 6; at 20%% it would be %s.", sterling(r.Box1VATDueSales), whole(r.Box6TotalSales), most-pound*standardRate/100),
		Suggestion: "Check that box 6 has all sales, and box 1 no sum twice. Import VAT under postponed accounting and the domestic reverse charge may explain the rest, and come back in box 4.",
	}
	explained := excess <= of(r.Box4VATReclaimed) && excess <= highest(r.Box7TotalPurchases)
	if excess <= of(r.Box4ImportVAT) || r.PostponedVAT && excess <= of(r.Box4VATReclaimed) || explained {
		remark.Severity = rules.Info
	}
	return remarks{remark}
}

// salesWithoutVAT is normal for an exporter, so it is a warning only if every earlier return had VAT.
func salesWithoutVAT(r *Return, _ rules.Facts) remarks {
	if r.Box6TotalSales.Sign() <= 0 || !r.Box1VATDueSales.IsZero() {
		return nil
	}
	remark := rules.Remark{
		Message:    fmt.Sprintf("Box 6 has sales of %s and box 1 is £0.00.", whole(r.Box6TotalSales)),
		Suggestion: "That is right where all sales are exported, zero-rated or exempt; keep the evidence of it.",
	}
	if len(r.Earlier) >= 2 && r.everBefore(func(e EarlierReturn) bool { return e.Box1VATDueSales.Sign() > 0 }) {
		remark.Severity = rules.Warning
		remark.Message += " Every earlier return had VAT on sales."
	}
	return remarks{remark}
}

func grossSales(r *Return, _ rules.Facts) remarks {
	if !isGross(r.Box1VATDueSales, r.Box6TotalSales) {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("Box 1, %s, is a sixth of box 6, %s, as if box 6 had the VAT in it.", sterling(r.Box1VATDueSales), whole(r.Box6TotalSales)),
		"Give the sales without VAT in box6TotalSales.")
}
