package tax

import (
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

var oddRules = ruleSet{
	{Code: "TAX-020", Severity: rules.Warning, Field: "box1VatDueSales", Check: negativeBoxes, Source: boxGuidance + " (negative amounts)",
		Title: "A box is negative"},
	{Code: "TAX-021", Severity: rules.Info, Field: "box6TotalSales", Check: roundBoxes, Source: "House rule: round figures; Value Added Tax Regulations 1995, regulation 25 (a return is of actual figures, estimates only by leave)",
		Title: "The boxes are round numbers, like estimates"},
	{Code: "TAX-022", Severity: rules.Info, Field: "box6TotalSales", Check: nilReturn, Source: boxGuidance,
		Title: "All boxes are zero"},
	{Code: "TAX-023", Severity: rules.Info, Field: "box5NetVat", Check: smallNet, Source: boxGuidance + " (box 5 under £1)",
		Title: "The net VAT is less than £1"},
}

// box is a box with its name in the input.
type box struct {
	field, name string
	value       quantity.Money
}

// inputs returns the boxes that the trader enters.
func (r *Return) inputs() []box {
	return []box{
		{"box1VatDueSales", "Box 1", r.Box1VATDueSales},
		{"box2VatDueAcquisitions", "Box 2", r.Box2VATDueAcquisitions},
		{"box4AdditionalReclaim", "The additional reclaim of box 4", r.Box4AdditionalReclaim},
		{"box6TotalSales", "Box 6", r.Box6TotalSales},
		{"box7TotalPurchases", "Box 7", r.Box7TotalPurchases},
		{"box8TotalSuppliesEu", "Box 8", r.Box8TotalSuppliesEU},
		{"box9TotalAcquisitionsEu", "Box 9", r.Box9TotalAcquisitionsEU},
	}
}

func negativeBoxes(r *Return, _ rules.Facts) (found remarks) {
	for _, b := range r.inputs() {
		if b.value.Sign() < 0 {
			found = append(found, rules.Remark{
				Field:      b.field,
				Message:    fmt.Sprintf("%s is negative, %s.", b.name, whole(b.value)),
				Suggestion: "Check the sign. A box is negative only when credit notes and corrections exceed everything else in it.",
			})
		}
	}
	return found
}

// Number of boxes that must be whole thousands for a finding.
const (
	roundThousand = 1_000 * pound
	roundEnough   = 3
)

func roundBoxes(r *Return, _ rules.Facts) remarks {
	count := 0
	for _, b := range r.inputs() {
		if of(b.value)%roundThousand != 0 {
			return nil
		}
		if !b.value.IsZero() {
			count++
		}
	}
	if count < roundEnough {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("All boxes are whole thousands: box 1 is %s, box 6 %s, box 7 %s.", sterling(r.Box1VATDueSales), whole(r.Box6TotalSales), whole(r.Box7TotalPurchases)),
		"Give the figures of the books; estimates need HMRC's leave.")
}

func (r *Return) isNil() bool {
	for _, b := range r.inputs() {
		if !b.value.IsZero() {
			return false
		}
	}
	return r.Box4ImportVAT.IsZero()
}

func nilReturn(r *Return, _ rules.Facts) remarks {
	if !r.isNil() {
		return nil
	}
	return rules.Remarks("All boxes are £0.", "That is right if nothing was sold, bought or imported in "+r.PeriodKey+"; a return is due in any case.")
}

func smallNet(r *Return, _ rules.Facts) remarks {
	if r.Box5NetVAT.IsZero() || of(r.Box5NetVAT) >= pound {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("Box 5 is %s; amounts under £1 are neither paid nor repaid.", sterling(r.Box5NetVAT)), "Submit the return in any case.")
}
