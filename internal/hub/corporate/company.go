package corporate

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hub/shared/party"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
)

var companyRules = ruleSet{
	{Code: "COR-001", Severity: rules.Blocker, Field: "companyNumber", Check: malformedNumber, Source: numberGuidance,
		Title: "The company number is malformed"},
	{Code: "COR-002", Severity: rules.Blocker, Field: "filingType", Check: wrongFormForCompany, Source: numberGuidance + "; Limited Liability Partnerships Act 2000; Economic Crime (Transparency and Enforcement) Act 2022",
		Title: "This type of company does not file the form"},
	{Code: "COR-003", Severity: rules.Warning, Field: "companyName", Check: nameOfAnotherKind, Source: nameLaw,
		Title: "The name and the number belong to different types of company"},
	{Code: "COR-004", Severity: rules.Warning, Field: "companyName", Check: implausibleName, Source: nameLaw,
		Title: "The company's name is a placeholder or too long"},
	{Code: "COR-005", Severity: rules.Warning, Field: "subject", Check: emptySubject, Source: formatsGuidance,
		Title: "The subject is a placeholder"},
}

// malformedNumber is only a note for other registers: a trust has no company number, and some who pay the data protection
// fee have none.
func malformedNumber(f *Filing, _ rules.Facts) remarks {
	_, err := ident.ParseCompanyNumber(f.CompanyNumber)
	if err == nil {
		return nil
	}
	remark := rules.Remark{
		Message:    fmt.Sprintf("%q is not a company number: it %s.", f.CompanyNumber, err),
		Suggestion: "Copy the number from the certificate of incorporation or the register of Companies House.",
	}
	if digits := strings.TrimSpace(f.CompanyNumber); len(digits) < 8 && strings.Trim(digits, figures) == "" {
		remark.Suggestion = fmt.Sprintf("Write it with its leading zeros: %s.", strings.Repeat("0", 8-len(digits))+digits)
	}
	if f.FilingType == TRSUpdate || f.FilingType == ICORenewal {
		remark.Severity = rules.Info
	}
	return remarks{remark}
}

// prefix returns the letters at the start of the company number, "" for England and Wales, and whether the number is valid.
func (f *Filing) prefix() (string, bool) {
	number, err := ident.ParseCompanyNumber(f.CompanyNumber)
	return strings.TrimRight(string(number), figures), err == nil
}

func (f *Filing) hasPrefix(any string) bool {
	prefix, ok := f.prefix()
	return ok && prefix != "" && slices.Contains(strings.Fields(any), prefix)
}

// Number prefixes by type of company.
const (
	partnerships = "OC SO NC"    // limited liability partnerships
	overseas     = "FC NF SF BR" // overseas companies with a UK establishment
	entities     = "OE"          // overseas entities with UK land
	limited      = "LP NL SL"    // limited partnerships
	charities    = "CE CS"       // charitable incorporated organisations
)

func (f *Filing) isLLP() bool { return f.hasPrefix(partnerships) }

// wrongForms lists the forms that a type of company does not file, and what to do instead.
var wrongForms = []struct {
	prefixes string
	forms    []Form
	severity rules.Severity
	message  string
	instead  string
}{
	{partnerships, []Form{DirectorAppointment, DirectorResignation}, rules.Blocker, "a limited liability partnership, which has members but no directors", "Appoint a member with form LL AP01, or end a membership with form LL TM01."},
	{partnerships, []Form{CT600}, rules.Warning, "a limited liability partnership, whose members are taxed on its profits", "File a partnership return, unless the partnership does not carry on a business."},
	{entities, []Form{ConfirmationStatement, AnnualAccounts, PSCNotification, DirectorAppointment, DirectorResignation}, rules.Blocker, "an overseas entity, which files neither accounts nor confirmation statements, nor notices of directors or control", "File the overseas entity's annual update statement, form OE02."},
	{overseas, []Form{ConfirmationStatement, PSCNotification}, rules.Blocker, "an overseas company with a UK establishment, which files neither a confirmation statement nor notices of control", "Report changes with the forms that begin with OS."},
	{limited, []Form{DirectorAppointment, DirectorResignation}, rules.Blocker, "a limited partnership, which has partners but no directors", "Report a change of partners with form LP6."},
	{"LP NL", []Form{ConfirmationStatement, PSCNotification}, rules.Blocker, "a limited partnership; only Scottish ones file this form", "Report changes with form LP6."},
	{charities, []Form{ConfirmationStatement, AnnualAccounts, PSCNotification, DirectorAppointment, DirectorResignation, RegisteredOffice}, rules.Warning, "a charitable incorporated organisation, which files with the charity regulator", "File with the Charity Commission, or with OSCR in Scotland."},
}

func wrongFormForCompany(f *Filing, _ rules.Facts) remarks {
	for _, m := range wrongForms {
		if f.hasPrefix(m.prefixes) && slices.Contains(m.forms, f.FilingType) {
			return remarks{{Severity: m.severity, Message: fmt.Sprintf("%s is %s.", f.CompanyNumber, m.message), Suggestion: m.instead}}
		}
	}
	return nil
}

var (
	llpName    = lazyregexp.New(`(?i)\b(llp|l\.l\.p\.?|limited liability partnership|partneriaeth atebolrwydd cyfyngedig|pac)\s*$`)
	publicName = lazyregexp.New(`(?i)\b(plc|p\.l\.c\.?|public limited company|cwmni cyfyngedig cyhoeddus|ccc)\s*$`)
	corporate  = lazyregexp.New(`\b((?i:limited|ltd|plc|llp|cyfyngedig|cyf|gmbh|inc|incorporated|corporation|corp|pty|llc|s\.a|b\.v|n\.v)|AG|BV|NV)\.?\s*$`)
)

// isPublic reports whether the name is that of a public company, which must show this by law.
func (f *Filing) isPublic() bool { return publicName.MatchString(f.CompanyName) }

func nameOfAnotherKind(f *Filing, _ rules.Facts) remarks {
	prefix, ok := f.prefix()
	if !ok || f.hasPrefix(overseas+" "+entities) {
		return nil
	}
	switch named := llpName.MatchString(f.CompanyName); {
	case f.isLLP() && !named:
		return rules.Remarks(fmt.Sprintf("%s is the number of a limited liability partnership, but %q is not the name of one.", f.CompanyNumber, f.CompanyName),
			"Check that number and name belong to the same company. The name of a partnership ends in LLP.")
	case named && !f.isLLP():
		return rules.Remarks(fmt.Sprintf("%q is the name of a limited liability partnership, but %s is not the number of one.", f.CompanyName, f.CompanyNumber),
			"Check that number and name belong to the same company. The number of a partnership begins with OC, SO or NC, not with "+orFigures(prefix)+".")
	}
	return nil
}

func orFigures(prefix string) string {
	if prefix == "" {
		return "a digit"
	}
	return prefix
}

// longestName is the maximum length at Companies House.
const longestName = 160

func implausibleName(f *Filing, _ rules.Facts) remarks {
	switch n := utf8.RuneCountInString(f.CompanyName); {
	case party.Placeholder(f.CompanyName):
		return rules.Remarks(fmt.Sprintf("%q is not the name of a company.", f.CompanyName), "Give the registered name.")
	case n > longestName:
		return rules.Remarks(fmt.Sprintf("The name has %d characters; Companies House accepts at most %d.", n, longestName), "Give the registered name.")
	}
	return nil
}

func emptySubject(f *Filing, _ rules.Facts) remarks {
	if !party.Placeholder(f.Subject) {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("%q does not say what the filing is about.", f.Subject), "Give the form and its period or person.")
}
