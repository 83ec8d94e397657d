package corporate

import (
	"fmt"
	"math/big"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
)

var taxRules = ruleSet{
	{Code: "COR-055", Severity: rules.Blocker, Field: "formData.utr", Check: onlyFor(malformedUTR, CT600), Source: "HMRC: unique taxpayer reference, ten digits; " + ctGuidance,
		Title: "The unique taxpayer reference is malformed"},
	{Code: "COR-056", Severity: rules.Warning, Field: "formData.utr", Check: onlyFor(checkUTR, CT600), Source: "HMRC: unique taxpayer reference, check digit",
		Title: "The check digit of the unique taxpayer reference is wrong"},
	{Code: "COR-057", Severity: rules.Blocker, Field: "formData.periodEnd", Check: onlyFor(accountingPeriod, CT600), Source: "Corporation Tax Act 2009, sections 9 and 10: at most twelve months",
		Title: "The accounting period ends before it begins, has not ended, or is longer than twelve months"},
	{Code: "COR-058", Severity: rules.Blocker, Field: "formData.corporationTax", Check: onlyFor(wrongTax, CT600), Source: "Corporation Tax Act 2010, sections 18A to 18E: 25% main rate, 19% small profits rate, marginal relief at 3/200; 19% before 1 April 2023",
		Title: "The tax does not follow from the profits"},
	{Code: "COR-059", Severity: rules.Info, Field: "formData.profitsChargeable", Check: onlyFor(profitAboveTurnover, CT600), Source: ctGuidance + ", boxes 145 and 315",
		Title: "The profits exceed the turnover"},
	{Code: "COR-060", Severity: rules.Info, Field: "formData.profitsChargeable", Check: onlyFor(instalments, CT600), Source: "Corporation Tax (Instalment Payments) Regulations 1998: profits above £1.5 million",
		Title: "The tax was due in instalments"},
}

var utr = lazyregexp.New(`^[0-9]{10}$`)

// plainUTR returns the reference without spaces and without a K at either end.
func (f *Filing) plainUTR() string {
	return strings.Trim(strings.ToUpper(separators.Replace(f.text("utr"))), "K")
}

func malformedUTR(f *Filing, _ rules.Facts) remarks {
	if f.text("utr") == "" || utr.MatchString(f.plainUTR()) {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("%q is not a unique taxpayer reference: it must be ten digits.", f.text("utr")), "Copy the number from an HMRC letter about corporation tax.")
}

// utrDigits holds the check digits for the remainders from 0 to 10.
const utrDigits = "21987654321"

var utrWeights = [9]int{6, 7, 8, 9, 10, 5, 4, 3, 2}

func checkUTR(f *Filing, _ rules.Facts) remarks {
	number := f.plainUTR()
	if !utr.MatchString(number) {
		return nil
	}
	sum := 0
	for i, weight := range utrWeights {
		sum += weight * int(number[i+1]-'0')
	}
	if utrDigits[sum%11] == number[0] {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("The first digit of %s, the check digit, does not match the others.", number), "Copy the number from an HMRC letter. Test numbers also fail this check.")
}

func accountingPeriod(f *Filing, facts rules.Facts) remarks {
	end, ok := f.day("periodEnd")
	if !ok {
		return nil
	}
	if end.After(dateOf(facts.Now)) {
		return rules.Remarks(fmt.Sprintf("The period ends on %s, which is in the future.", formatDate(end)), "Check periodEnd, or file after the period.")
	}
	switch start, ok := f.day("periodStart"); {
	case !ok:
		return nil
	case end.Before(start):
		return rules.Remarks(fmt.Sprintf("The period ends on %s, before it begins on %s.", formatDate(end), formatDate(start)), "Correct periodStart or periodEnd.")
	case !end.Before(start.AddDate(1, 0, 0)):
		return rules.Remarks(fmt.Sprintf("From %s to %s is more than twelve months.", formatDate(start), formatDate(end)),
			"File two returns: one for the first twelve months, one for the rest.")
	}
	return nil
}

// roundingDifference is the accepted rounding difference of the tax, in pounds.
var roundingDifference = big.NewRat(1, 1)

func wrongTax(f *Filing, _ rules.Facts) remarks {
	a, ok := f.assessment()
	tax, given := f.amount("corporationTax")
	if !ok || !given {
		return nil
	}
	if n, known := f.wholeNumber("associatedCompanies"); known && n >= 0 {
		if a.isRight(tax, n) {
			return nil
		}
		return taxIs(tax, fmt.Sprintf("on profits of %s with %d associated companies it is %s", pounds(a.profits), n, pounds(a.tax(n, yearDays))))
	}
	least, most := a.tax(0, yearDays), a.maxTax()
	switch n, found := a.associatedCompanies(tax); {
	case a.isRight(tax, 0):
		return nil
	case found:
		return withSeverity(rules.Info, taxIs(tax, fmt.Sprintf("which is right with %d associated companies; without any it is %s", n, pounds(least))))
	case new(big.Rat).Add(tax, roundingDifference).Cmp(least) < 0 || new(big.Rat).Sub(tax, roundingDifference).Cmp(most) > 0:
		return taxIs(tax, fmt.Sprintf("on profits of %s it is %s, and at most %s with associated companies", pounds(a.profits), pounds(least), pounds(most)))
	}
	return withSeverity(rules.Warning, taxIs(tax, fmt.Sprintf("which is not right for profits of %s with any number of associated companies; without any it is %s", pounds(a.profits), pounds(least))))
}

func taxIs(tax *big.Rat, why string) remarks {
	return rules.Remarks(fmt.Sprintf("The corporation tax is %s; %s.", pounds(tax), why),
		"Calculate box 440 again: 19% up to £50,000, 25% above £250,000, marginal relief between. The limits are shared among associated companies and reduced for a short period.")
}

func profitAboveTurnover(f *Filing, _ rules.Facts) remarks {
	profits, ok1 := f.amount("profitsChargeable")
	turnover, ok2 := f.amount("turnover")
	if !ok1 || !ok2 || profits.Cmp(turnover) <= 0 {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("Profits of %s exceed a turnover of %s.", pounds(profits), pounds(turnover)), "This is right if gains, rents or interest are also taxed. Otherwise check both.")
}

// instalmentProfit is the yearly profit in pounds above which tax is due in instalments.
var instalmentProfit = big.NewRat(1_500_000, 1)

func instalments(f *Filing, _ rules.Facts) remarks {
	a, ok := f.assessment()
	if !ok {
		return nil
	}
	n, _ := f.wholeNumber("associatedCompanies")
	limit := a.share(instalmentProfit, max(0, n), yearDays)
	if a.profits.Cmp(limit) <= 0 {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("Profits of %s exceed %s: unless this is the first such year, the tax was due in quarterly instalments.", pounds(a.profits), pounds(limit)),
		"Check that the instalments were paid. Late instalments bear interest.")
}
