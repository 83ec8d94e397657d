package tax

import (
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

var unionRules = ruleSet{
	{Code: "TAX-013", Severity: rules.Warning, Field: "box2VatDueAcquisitions", Check: unionBoxes, Source: unionGuidance,
		Title: "A trader in Great Britain uses the boxes of trade between Northern Ireland and the European Union"},
	{Code: "TAX-014", Severity: rules.Warning, Field: "box9TotalAcquisitionsEu", Check: vatWithoutAcquisitions, Source: unionGuidance,
		Title: "There is VAT on acquisitions and there are no acquisitions"},
	{Code: "TAX-015", Severity: rules.Info, Field: "box2VatDueAcquisitions", Check: acquisitionsWithoutVAT, Source: unionGuidance,
		Title: "There are acquisitions and there is no VAT on them"},
	{Code: "TAX-016", Severity: rules.Warning, Field: "box2VatDueAcquisitions", Check: acquisitionsAboveRate, Source: rateLaw + "; " + unionGuidance,
		Title: "The VAT on acquisitions exceeds the standard rate of them"},
	{Code: "TAX-017", Severity: rules.Warning, Field: "box8TotalSuppliesEu", Check: suppliesAboveSales, Source: boxGuidance + " (box 6 includes box 8)",
		Title: "Supplies to the European Union exceed all sales"},
	{Code: "TAX-018", Severity: rules.Warning, Field: "box9TotalAcquisitionsEu", Check: acquisitionsAbovePurchases, Source: boxGuidance + " (box 7 includes box 9)",
		Title: "Acquisitions from the European Union exceed all purchases"},
	{Code: "TAX-019", Severity: rules.Info, Field: "box8TotalSuppliesEu", Check: salesList, Source: "HMRC: VAT on movements of goods between Northern Ireland and the EU (VAT Notice 725): EC Sales List",
		Title: "Supplies to the European Union go on an EC Sales List"},
}

// unionBoxes detects a trader in Northern Ireland by VAT number, EORI or postcode. If the territory is unknown, the finding is
// for information only.
func unionBoxes(r *Return, _ rules.Facts) (found remarks) {
	if r.Territory == northernIreland {
		return nil
	}
	for _, b := range []struct {
		field, box string
		value      quantity.Money
	}{
		{"box2VatDueAcquisitions", "Box 2", r.Box2VATDueAcquisitions},
		{"box8TotalSuppliesEu", "Box 8", r.Box8TotalSuppliesEU},
		{"box9TotalAcquisitionsEu", "Box 9", r.Box9TotalAcquisitionsEU},
	} {
		if b.value.IsZero() {
			continue
		}
		remark := rules.Remark{
			Field:      b.field,
			Message:    fmt.Sprintf("%s is %s; since 2021 it is only for goods between Northern Ireland and the European Union.", b.box, whole(b.value)),
			Suggestion: "Leave it out for trade with Great Britain: that is import and export. A trader in Northern Ireland shows by an XI number or a BT postcode in the organisation's profile.",
		}
		if r.Territory == "" {
			remark.Severity = rules.Info
		}
		found = append(found, remark)
	}
	return found
}

func vatWithoutAcquisitions(r *Return, _ rules.Facts) remarks {
	if r.Box2VATDueAcquisitions.Sign() <= 0 || !r.Box9TotalAcquisitionsEU.IsZero() {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("Box 2 has VAT of %s and box 9 is £0.", sterling(r.Box2VATDueAcquisitions)), "Give the value of the goods, without VAT, in box9TotalAcquisitionsEu and in box 7.")
}

func acquisitionsWithoutVAT(r *Return, _ rules.Facts) remarks {
	if r.Box9TotalAcquisitionsEU.Sign() <= 0 || !r.Box2VATDueAcquisitions.IsZero() {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("Box 9 has acquisitions of %s and box 2 is £0.00.", whole(r.Box9TotalAcquisitionsEU)), "That is right for zero-rated goods. Otherwise give the VAT on them in box2VatDueAcquisitions, and reclaim it in box 4.")
}

func acquisitionsAboveRate(r *Return, _ rules.Facts) remarks {
	if r.Box9TotalAcquisitionsEU.Sign() <= 0 || of(r.Box2VATDueAcquisitions) <= highest(r.Box9TotalAcquisitionsEU) {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("Box 2 has VAT of %s on acquisitions of %s in box 9, more than 20%%.", sterling(r.Box2VATDueAcquisitions), whole(r.Box9TotalAcquisitionsEU)),
		"Check both: box 2 is for the VAT on the goods in box 9 and nothing else.")
}

func suppliesAboveSales(r *Return, _ rules.Facts) remarks {
	if r.Box8TotalSuppliesEU.Sign() <= 0 || r.Box8TotalSuppliesEU.Cmp(r.Box6TotalSales) <= 0 {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("Box 8 is %s and box 6 is %s, but box 6 includes box 8.", whole(r.Box8TotalSuppliesEU), whole(r.Box6TotalSales)), "Add the supplies of box 8 to box6TotalSales.")
}

func acquisitionsAbovePurchases(r *Return, _ rules.Facts) remarks {
	if r.Box9TotalAcquisitionsEU.Sign() <= 0 || r.Box9TotalAcquisitionsEU.Cmp(r.Box7TotalPurchases) <= 0 {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("Box 9 is %s and box 7 is %s, but box 7 includes box 9.", whole(r.Box9TotalAcquisitionsEU), whole(r.Box7TotalPurchases)), "Add the acquisitions of box 9 to box7TotalPurchases.")
}

func salesList(r *Return, _ rules.Facts) remarks {
	if r.Box8TotalSuppliesEU.Sign() <= 0 || r.Territory == greatBritain { // else TAX-013
		return nil
	}
	return rules.Remarks(fmt.Sprintf("Box 8 has supplies of %s to the European Union.", whole(r.Box8TotalSuppliesEU)), "Send the EC Sales List too, within 21 days of the end of its period.")
}
