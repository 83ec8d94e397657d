package corporate

import (
	"fmt"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
)

var trustRules = ruleSet{
	{Code: "COR-065", Severity: rules.Warning, Field: "formData.urn", Check: onlyFor(malformedURN, TRSUpdate), Source: "HMRC: Manage your trust's registration service, unique reference number",
		Title: "The trust's reference is malformed"},
	{Code: "COR-066", Severity: rules.Blocker, Field: "formData.changeDate", Check: onlyFor(futureChange, TRSUpdate), Source: trustLaw,
		Title: "The change is in the future"},
	{Code: "COR-067", Severity: rules.Warning, Field: "formData.changeDate", Check: onlyFor(lateTrustUpdate, TRSUpdate), Source: laws[TRSUpdate],
		Title: "The update of the trust register is late"},
}

var trustReference = lazyregexp.New(`^[A-Z]{2}TRUST[0-9]{8}$`)

func malformedURN(f *Filing, _ rules.Facts) remarks {
	number := strings.ToUpper(withoutPunctuation(f.text("urn")))
	if number == "" || trustReference.MatchString(number) || utr.MatchString(strings.Trim(number, "K")) {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("%q is not the reference of a trust.", f.text("urn")),
		"Give the unique reference number, such as XATRUST12345678, or the unique taxpayer reference of ten digits for a taxable trust.")
}

func futureChange(f *Filing, facts rules.Facts) remarks {
	day, ok := f.day("changeDate")
	if !ok || !day.After(dateOf(facts.Now)) {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("changeDate is %s, which is in the future.", formatDate(day)), "Update the register after the change.")
}

// urgentTrustDays is the number of days before the deadline in which there is a note.
const urgentTrustDays = 14

func lateTrustUpdate(f *Filing, facts rules.Facts) remarks {
	day, ok := f.day("changeDate")
	last, today := day.AddDate(0, 0, trustWindow), dateOf(facts.Now)
	left := daysBetween(today, last)
	switch {
	case !ok || left > urgentTrustDays:
		return nil
	case left >= 0:
		return withSeverity(rules.Info, rules.Remarks(fmt.Sprintf("The change was on %s; the 90 days to register it end on %s, %s.", formatDate(day), formatDate(last), formatDays(left)), "Update the register in time."))
	}
	return rules.Remarks(fmt.Sprintf("The change was on %s; the 90 days to register it ended on %s, %s.", formatDate(day), formatDate(last), formatDays(left)),
		"Update the register now. The penalty for a deliberate failure is up to £5,000.")
}
