package tax

import (
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

var historyRules = ruleSet{
	{Code: "TAX-024", Severity: rules.Warning, Field: "box6TotalSales", Check: sameAsBefore, Source: "House rule: a return like another",
		Title: "The boxes are those of an earlier return"},
	{Code: "TAX-025", Severity: rules.Warning, Field: "box6TotalSales", Check: swing, Source: "House rule: more than threefold, or less than a third of, the average of earlier returns",
		Title: "A box differs greatly from earlier returns"},
	{Code: "TAX-026", Severity: rules.Info, Field: "box6TotalSales", Check: smallTurnover, Source: "Value Added Tax Act 1994, Schedule 1, paragraph 4 (cancelling registration below £88,000)",
		Title: "The sales of a year are below the limit for cancelling the registration"},
	{Code: "TAX-027", Severity: rules.Info, Field: "box5NetVat", Check: onAccount, Source: "Value Added Tax (Payments on Account) Order 1993 (£2.3 million in twelve months)",
		Title: "The VAT of a year is above the limit for payments on account"},
	{Code: "TAX-028", Severity: rules.Info, Field: "box5NetVat", Check: repaidAgain, Source: "Value Added Tax Regulations 1995, regulation 25(1) (other periods by leave); " + repaymentSource,
		Title: "VAT is repaid for the third time in a row"},
}

func (e EarlierReturn) repaid() bool { return e.Box4VATReclaimed.Cmp(e.Box3TotalVATDue) > 0 }

// everBefore reports whether a condition is true for every known earlier return.
func (r *Return) everBefore(holds func(EarlierReturn) bool) bool {
	for _, e := range r.Earlier {
		if !holds(e) {
			return false
		}
	}
	return true
}

// running returns the returns of the periods directly before, without gaps.
func (r *Return) running() []EarlierReturn {
	p, err := ParsePeriod(r.PeriodKey)
	if err != nil {
		return nil
	}
	for i, e := range r.Earlier {
		if p = p.Previous(); e.PeriodKey != p.Key {
			return r.Earlier[:i]
		}
	}
	return r.Earlier
}

func sameAsBefore(r *Return, _ rules.Facts) remarks {
	if r.Box1VATDueSales.IsZero() && r.Box6TotalSales.IsZero() {
		return nil
	}
	for _, e := range r.Earlier {
		if e.Box1VATDueSales.Cmp(r.Box1VATDueSales) == 0 && e.Box4AdditionalReclaim.Cmp(r.Box4AdditionalReclaim) == 0 &&
			e.Box6TotalSales.Cmp(r.Box6TotalSales) == 0 && e.Box7TotalPurchases.Cmp(r.Box7TotalPurchases) == 0 {
			return rules.Remarks(fmt.Sprintf("Boxes 1, 6 and 7 and the additional reclaim are those of %s: %s, %s, %s and %s.", e.PeriodKey,
				sterling(r.Box1VATDueSales), whole(r.Box6TotalSales), whole(r.Box7TotalPurchases), sterling(r.Box4AdditionalReclaim)),
				"Check that the figures are those of "+r.PeriodKey+".")
		}
	}
	return nil
}

// A change is reported only if at least this many returns are known, and if the same quarter of the previous year was
// different too, because of seasonal business.
const (
	swingKnown  = 3
	swingFactor = 3
	aYearAgo    = 4
)

func swing(r *Return, _ rules.Facts) (found remarks) {
	if len(r.Earlier) < swingKnown {
		return nil
	}
	for _, b := range []struct {
		box
		of func(EarlierReturn) quantity.Money
	}{
		{box{"box1VatDueSales", "Box 1", r.Box1VATDueSales}, func(e EarlierReturn) quantity.Money { return e.Box1VATDueSales }},
		{box{"box4VatReclaimed", "Box 4", r.Box4VATReclaimed}, func(e EarlierReturn) quantity.Money { return e.Box4VATReclaimed }},
		{box{"box6TotalSales", "Box 6", r.Box6TotalSales}, func(e EarlierReturn) quantity.Money { return e.Box6TotalSales }},
		{box{"box7TotalPurchases", "Box 7", r.Box7TotalPurchases}, func(e EarlierReturn) quantity.Money { return e.Box7TotalPurchases }},
	} {
		var total pence
		for _, e := range r.Earlier {
			total += of(b.of(e))
		}
		average := total / pence(len(r.Earlier))
		if average <= 0 || !far(of(b.value), average) {
			continue
		}
		if running := r.running(); len(running) == aYearAgo && !far(of(b.value), of(b.of(running[aYearAgo-1]))) {
			continue
		}
		found = append(found, rules.Remark{
			Field:      b.field,
			Message:    fmt.Sprintf("%s is %s; in the last %d returns it was %s on average.", b.name, whole(b.value), len(r.Earlier), average),
			Suggestion: "Check the figure, and keep the reason at hand: HMRC compares returns too.",
		})
	}
	return found
}

func far(value, from pence) bool { return value > swingFactor*from || swingFactor*value < from }

// deregistration is the annual turnover below which a trader may cancel the registration, since 1 April 2024.
const deregistration = 88_000 * pound

func smallTurnover(r *Return, _ rules.Facts) remarks {
	running := r.running()
	if len(running) < 3 || r.Box6TotalSales.Sign() < 0 {
		return nil
	}
	total := of(r.Box6TotalSales)
	for _, e := range running[:3] {
		total += of(e.Box6TotalSales)
	}
	if total <= 0 || total >= deregistration {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("The sales of four quarters are %s, below %s.", total, deregistration), "You may cancel the registration if you do not expect higher sales in the next year.")
}

// largePayer is the annual VAT above which HMRC requires payments on account.
const largePayer = 2_300_000 * pound

func onAccount(r *Return, _ rules.Facts) remarks {
	if r.NetVATPosition != Payable {
		return nil
	}
	total, periods := of(r.Box5NetVAT), 1
	running := r.running()
	for _, e := range running[:min(len(running), 3)] {
		total += of(e.Box3TotalVATDue) - of(e.Box4VATReclaimed)
		periods++
	}
	if total <= largePayer {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("The VAT of %s is %s, above %s.", counted(periods, "quarter"), total, largePayer),
		"Payments on account are due within the quarter, and the return with the balance a week earlier; HMRC's letter names the days.")
}

func repaidAgain(r *Return, _ rules.Facts) remarks {
	running := r.running()
	if r.NetVATPosition != Repayable || len(running) < 2 || !running[0].repaid() || !running[1].repaid() {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("%s, %s and %s are all repaid; this return claims %s.", running[1].PeriodKey, running[0].PeriodKey, r.PeriodKey, sterling(r.Box5NetVAT)),
		"Ask HMRC for monthly returns to have the money earlier.")
}
