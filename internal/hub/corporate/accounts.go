package corporate

import (
	"fmt"
	"math/big"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
)

var accountsRules = ruleSet{
	{Code: "COR-048", Severity: rules.Blocker, Field: "formData.periodEnd", Check: onlyFor(financialYear, AnnualAccounts), Source: "Companies Act 2006, sections 390 to 392: at most 18 months",
		Title: "The financial year ends before it begins, has not ended, or is longer than 18 months"},
	{Code: "COR-049", Severity: rules.Blocker, Field: "formData.approvalDate", Check: onlyFor(approval, AnnualAccounts), Source: "Companies Act 2006, sections 414 and 433",
		Title: "The approval date is before the end of the year or in the future"},
	{Code: "COR-050", Severity: rules.Warning, Field: "formData.accountsType", Check: onlyFor(unknownAccounts, AnnualAccounts), Source: "Companies House: types of accounts",
		Title: "The type of accounts does not exist"},
	{Code: "COR-051", Severity: rules.Warning, Field: "formData.accountsType", Check: onlyFor(tooLarge, AnnualAccounts), Source: "Companies Act 2006, sections 382 to 384A and 465, thresholds for years that begin on or after 6 April 2025",
		Title: "The company exceeds two of the three thresholds of its accounts' type"},
	{Code: "COR-052", Severity: rules.Blocker, Field: "formData.accountsType", Check: onlyFor(publicAsSmall, AnnualAccounts), Source: "Companies Act 2006, sections 384, 384B and 467: public companies are excluded",
		Title: "A public company files as micro, small or medium"},
	{Code: "COR-053", Severity: rules.Warning, Field: "formData.turnover", Check: onlyFor(dormantTrades, AnnualAccounts), Source: "Companies Act 2006, sections 480 and 1169: dormant companies",
		Title: "A dormant company has turnover or staff"},
	{Code: "COR-054", Severity: rules.Warning, Field: "formData", Check: onlyFor(negative, AnnualAccounts, CT600, ICORenewal), Source: "Companies Act 2006, section 393: a true and fair view; " + ctGuidance,
		Title: "An amount or a number is negative"},
}

func financialYear(f *Filing, facts rules.Facts) remarks {
	end, ok := f.day("periodEnd")
	if !ok {
		return nil
	}
	if end.After(dateOf(facts.Now)) {
		return rules.Remarks(fmt.Sprintf("The year ends on %s, which is in the future; accounts are filed after it.", formatDate(end)), "Check periodEnd, or file after the accounts are approved.")
	}
	switch start, ok := f.day("periodStart"); {
	case !ok:
		return nil
	case !end.After(start):
		return rules.Remarks(fmt.Sprintf("The year ends on %s, before it begins on %s.", formatDate(end), formatDate(start)), "Correct periodStart or periodEnd.")
	case !end.Before(start.AddDate(1, 6, 0)):
		return rules.Remarks(fmt.Sprintf("From %s to %s is more than 18 months.", formatDate(start), formatDate(end)), "Correct the dates. A longer period needs two sets of accounts.")
	}
	return nil
}

func approval(f *Filing, facts rules.Facts) remarks {
	day, ok := f.day("approvalDate")
	end, ended := f.day("periodEnd")
	switch {
	case !ok:
		return nil
	case day.After(dateOf(facts.Now)):
		return rules.Remarks(fmt.Sprintf("The approval date is %s, which is in the future.", formatDate(day)), "File after the directors have approved the accounts.")
	case ended && day.Before(end):
		return rules.Remarks(fmt.Sprintf("The accounts were approved on %s, before the year ended on %s.", formatDate(day), formatDate(end)), "Correct approvalDate or periodEnd.")
	}
	return nil
}

// size is a type of accounts with its size thresholds.
type size struct {
	name                      string
	turnover, balance, people int64 // maximum in pounds, pounds and persons; two of the three decide
	before                    [3]int64
}

// sizes, smallest first. The field before has the thresholds for years that began before 6 April 2025.
var sizes = []size{
	{"micro", 1_000_000, 500_000, 10, [3]int64{632_000, 316_000, 10}},
	{"small", 15_000_000, 7_500_000, 50, [3]int64{10_200_000, 5_100_000, 50}},
	{"medium", 54_000_000, 27_000_000, 250, [3]int64{36_000_000, 18_000_000, 250}},
}

var raised = time.Date(2025, time.April, 6, 0, 0, 0, 0, time.UTC)

// accountsWords maps words to types of accounts. The first match counts.
var accountsWords = []struct{ word, kind string }{
	{"micro", "micro"}, {"frs105", "micro"}, {"dormant", "dormant"}, {"small", "small"}, {"abridged", "small"}, {"filleted", "small"}, {"frs1021a", "small"}, {"frs102section1a", "small"}, {"totalexemption", "small"}, {"medium", "medium"},
	{"full", "full"}, {"group", "group"}, {"initial", "full"}, {"interim", "full"}, {"exemption", "full"}, {"large", "full"}, {"ifrs", "full"}, {"frs101", "full"}, {"frs102", "full"}, {"gaap", "full"},
	{"consolidated", "group"}, {"audit", "full"}, {"aa02", "dormant"},
}

// accountsKind returns the type of accounts, or "" if it is unknown. Abridged, filleted and total exemption accounts are
// those of small companies.
func (f *Filing) accountsKind() string {
	text := strings.ToLower(strings.Map(lettersOnly, f.text("accountsType")))
	for _, w := range accountsWords {
		if strings.Contains(text, w.word) {
			return w.kind
		}
	}
	return ""
}

func unknownAccounts(f *Filing, _ rules.Facts) remarks {
	if f.text("accountsType") == "" || f.accountsKind() != "" {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("%q is not a type of accounts.", f.text("accountsType")), "Write micro, small, medium, full, group or dormant.")
}

// tooLarge compares with the thresholds of one year. A company changes size after it exceeds them in two consecutive years.
func tooLarge(f *Filing, _ rules.Facts) remarks {
	for _, s := range sizes {
		if s.name != f.accountsKind() {
			continue
		}
		if over := f.over(s); len(over) >= 2 {
			return rules.Remarks(fmt.Sprintf("The accounts are for a %s company, but %s.", s.name, strings.Join(over, " and ")),
				"Check the figures. If the previous year was also too large, file accounts of the next larger size.")
		}
	}
	return nil
}

// over returns the thresholds of a size that the company exceeds, in words.
func (f *Filing) over(s size) (over []string) {
	most := [3]int64{s.turnover, s.balance, s.people}
	start, known := f.day("periodStart")
	end, ok := f.day("periodEnd")
	if !known && ok {
		start, known = end.AddDate(-1, 0, 1), true
	}
	if known && start.Before(raised) {
		most = s.before
	}
	limit := big.NewRat(most[0], 1)
	if known && ok && end.After(start) {
		if days := daysBetween(start, end) + 1; days < 350 || days > 380 {
			limit.Mul(limit, big.NewRat(int64(days), 365)) // for a shorter or longer year
		}
	}
	if turnover, ok := f.amount("turnover"); ok && turnover.Cmp(limit) > 0 {
		over = append(over, fmt.Sprintf("the turnover of %s exceeds %s", pounds(turnover), pounds(limit)))
	}
	if total, ok := f.amount("balanceSheetTotal"); ok && total.Cmp(big.NewRat(most[1], 1)) > 0 {
		over = append(over, fmt.Sprintf("the balance sheet total of %s exceeds %s", pounds(total), pounds(big.NewRat(most[1], 1))))
	}
	if people, ok := f.wholeNumber("employees"); ok && people > most[2] {
		over = append(over, fmt.Sprintf("%d employees exceed %d", people, most[2]))
	}
	return over
}

func publicAsSmall(f *Filing, _ rules.Facts) remarks {
	switch kind := f.accountsKind(); kind {
	case "micro", "small", "medium":
		if f.isPublic() {
			return rules.Remarks(fmt.Sprintf("%q is a public company and cannot file accounts for a %s company.", f.CompanyName, kind), "File full or group accounts.")
		}
	}
	return nil
}

func dormantTrades(f *Filing, _ rules.Facts) remarks {
	if f.accountsKind() != "dormant" {
		return nil
	}
	if turnover, ok := f.amount("turnover"); ok && turnover.Sign() > 0 {
		return rules.Remarks(fmt.Sprintf("The accounts are for a dormant company, but the turnover is %s.", pounds(turnover)), "File accounts of the company's size, or correct the turnover.")
	}
	if people, ok := f.wholeNumber("employees"); ok && people > 0 {
		return withSeverity(rules.Info, remarkOn("employees", fmt.Sprintf("The accounts are for a dormant company, but it has %d employees.", people), "Count directors only if they have a contract of employment. Wages are a transaction that ends dormancy."))
	}
	return nil
}

// neverNegative lists members that cannot be negative.
var neverNegative = []string{"turnover", "balanceSheetTotal", "employees", "staff", "profitsChargeable", "corporationTax", "associatedCompanies"}

func negative(f *Filing, _ rules.Facts) (found remarks) {
	for _, m := range neverNegative {
		if amount, ok := f.amount(m); ok && amount.Sign() < 0 {
			found = append(found, remarkOn(m, fmt.Sprintf("%s is %s.", m, f.text(m)), "Give a positive number or 0. Losses belong in other boxes of the form.")...)
		}
	}
	return found
}
