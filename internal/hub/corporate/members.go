package corporate

import (
	"fmt"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
)

// memberFormat is the format of a member of the form.
type memberFormat string

const (
	asText  memberFormat = "text"
	asDay   memberFormat = "a date such as 2026-11-30"
	asSum   memberFormat = "an amount such as 1250.50"
	asCount memberFormat = "a whole number"
	asTruth memberFormat = "true or false"
	asAny   memberFormat = "anything" // a list, an address or an object, which has its own rule
)

// member is a known member: its format, and the severity if it is missing.
type member struct {
	name   string
	as     memberFormat
	need   rules.Severity // "" if it is optional
	person bool           // only for individuals
	firm   bool           // only for companies, not for limited liability partnerships
	what   string         // explanation for the message
}

// members of each form. Others are stored but not read.
var members = map[Form][]member{
	ConfirmationStatement: {
		{name: "reviewPeriodEnd", as: asDay, need: rules.Blocker, what: "the last day of the twelve months of the statement"},
		{name: "lawfulPurposeStatement", as: asTruth, need: rules.Blocker, what: "the statement that the intended future activities of the company are lawful"},
		{name: "registeredEmailAddress", as: asText, need: rules.Warning, what: "the registered email address, required once since 5 March 2024 and then kept up to date"},
		{name: "sicCodes", as: asAny, need: rules.Warning, firm: true, what: "one to four SIC codes for the company's activities"},
		{name: "statementOfCapital", as: asAny},
		{name: "directors", as: asAny},
	},
	AnnualAccounts: {
		{name: "periodStart", as: asDay, need: rules.Warning, what: "the first day of the financial year"},
		{name: "periodEnd", as: asDay, need: rules.Blocker, what: "the last day of the financial year"},
		{name: "accountsType", as: asText, need: rules.Blocker, what: "micro, small, medium, full, group or dormant"},
		{name: "balanceSheetTotal", as: asSum, need: rules.Warning, what: "the total of the assets in the balance sheet, in pounds"},
		{name: "turnover", as: asSum},
		{name: "employees", as: asCount},
		{name: "approvalDate", as: asDay, need: rules.Blocker, what: "the date when the directors approved the accounts"},
		{name: "directorName", as: asText, need: rules.Blocker, what: "the director who signs the balance sheet"},
	},
	PSCNotification: {
		{name: "pscName", as: asText, need: rules.Blocker, what: "the full name of the person, or of the legal entity"},
		{name: "pscType", as: asText, need: rules.Warning, what: "individual, corporate-entity or legal-person"},
		{name: "naturesOfControl", as: asAny, need: rules.Blocker, what: "the list of natures of control, such as ownership-of-shares-75-to-100-percent"},
		{name: "dateOfBirth", as: asDay, need: rules.Blocker, person: true, what: "the date of birth"},
		{name: "nationality", as: asText, need: rules.Blocker, person: true, what: "the nationality"},
		{name: "countryOfResidence", as: asText, need: rules.Blocker, person: true, what: "the country, or part of the United Kingdom, of usual residence"},
		{name: "serviceAddress", as: asAny, need: rules.Blocker, what: "the address for service, or the registered office of a legal entity"},
		{name: "dateBecamePsc", as: asDay, need: rules.Blocker, what: "the date when the control began"},
		{name: "personalCode", as: asText, need: rules.Info, person: true, what: "the personal code of the verified identity, due within 14 days of being registered"},
	},
	DirectorAppointment: {
		{name: "directorName", as: asText, need: rules.Blocker, what: "the full name of the director"},
		{name: "dateOfBirth", as: asDay, need: rules.Blocker, person: true, what: "the date of birth"},
		{name: "nationality", as: asText, need: rules.Blocker, person: true, what: "the nationality"},
		{name: "countryOfResidence", as: asText, need: rules.Blocker, person: true, what: "the country, or part of the United Kingdom, of usual residence"},
		{name: "occupation", as: asText},
		{name: "serviceAddress", as: asAny, need: rules.Blocker, what: "the address for service, which the register shows"},
		{name: "residentialAddress", as: asAny, need: rules.Blocker, person: true, what: "the home address, which the register does not show"},
		{name: "appointedOn", as: asDay, need: rules.Blocker, what: "the date of the appointment"},
		{name: "consentToAct", as: asTruth, need: rules.Blocker, what: "the statement that the person has consented to act as director"},
		{name: "personalCode", as: asText, need: rules.Blocker, person: true, what: "the personal code of the verified identity, required for each director since 18 November 2025"},
	},
	DirectorResignation: {
		{name: "directorName", as: asText, need: rules.Blocker, what: "the full name of the director who leaves"},
		{name: "resignedOn", as: asDay, need: rules.Blocker, what: "the date when the director left"},
	},
	RegisteredOffice: {
		{name: "newAddress", as: asAny, need: rules.Blocker, what: "the complete new address"},
		{name: "appropriateAddress", as: asTruth, need: rules.Blocker, what: "the statement that the new address is an appropriate one"},
		{name: "effectiveDate", as: asDay},
	},
	ICORenewal: {
		{name: "registrationNumber", as: asText, need: rules.Blocker, what: "the registration number, which begins with Z"},
		{name: "tier", as: asAny, need: rules.Blocker, what: "the tier of the fee: 1, 2 or 3"},
		{name: "staff", as: asCount, need: rules.Warning, what: "the average number of staff in the financial year"},
		{name: "turnover", as: asSum},
		{name: "expiryDate", as: asDay, need: rules.Warning, what: "the date when the current registration ends"},
	},
	CT600: {
		{name: "utr", as: asText, need: rules.Blocker, what: "the company's unique taxpayer reference of ten digits"},
		{name: "periodStart", as: asDay, need: rules.Blocker, what: "the first day of the accounting period"},
		{name: "periodEnd", as: asDay, need: rules.Blocker, what: "the last day of the accounting period"},
		{name: "turnover", as: asSum, need: rules.Warning, what: "the turnover from trade (box 145), or 0 if there was none"},
		{name: "profitsChargeable", as: asSum, need: rules.Blocker, what: "the profits chargeable to corporation tax (box 315)"},
		{name: "corporationTax", as: asSum, need: rules.Blocker, what: "the corporation tax chargeable (box 440)"},
		{name: "associatedCompanies", as: asCount},
	},
	TRSUpdate: {
		{name: "urn", as: asText, need: rules.Blocker, what: "the unique reference number of the trust, or its UTR if it is taxable"},
		{name: "trustName", as: asText, need: rules.Blocker, what: "the name of the trust"},
		{name: "changeDate", as: asDay, need: rules.Blocker, what: "the date of the change"},
		{name: "leadTrustee", as: asAny, need: rules.Warning, what: "the lead trustee, who is HMRC's contact"},
	},
}

var formRules = ruleSet{
	{Code: "COR-010", Severity: rules.Blocker, Field: "formData", Check: unreadable, Source: formatsGuidance,
		Title: "A member of the form cannot be read"},
	{Code: "COR-011", Severity: rules.Info, Field: "formData", Check: misspelt, Source: formatsGuidance,
		Title: "A member of the form has another name than expected, but is understood"},
	requiredMembers("COR-012", ConfirmationStatement, statementLaw),
	requiredMembers("COR-013", AnnualAccounts, accountsLaw+", sections 414, 433 and 444"),
	requiredMembers("COR-014", PSCNotification, pscLaw+", section 790K"),
	requiredMembers("COR-015", DirectorAppointment, directorLaw),
	requiredMembers("COR-016", DirectorResignation, directorLaw),
	requiredMembers("COR-017", RegisteredOffice, addressLaw),
	requiredMembers("COR-018", ICORenewal, protectionLaw),
	requiredMembers("COR-019", CT600, ctLaw+", paragraph 3; "+ctGuidance),
	requiredMembers("COR-020", TRSUpdate, trustLaw),
}

// requiredMembers returns the rule that a form has the members that its authority requires.
func requiredMembers(code string, form Form, source string) rules.Rule[Filing] {
	var needed []string
	for _, m := range members[form] {
		if m.need != "" {
			needed = append(needed, m.name)
		}
	}
	return rules.Rule[Filing]{
		Code: code, Severity: rules.Blocker, Field: "formData", Check: onlyFor(missing, form), Source: source,
		Title: "A required member of the " + form.String() + " is missing or not confirmed: " + strings.Join(needed, ", "),
	}
}

func missing(f *Filing, _ rules.Facts) (found remarks) {
	person := f.isIndividual()
	for _, m := range members[f.FilingType] {
		if m.need == "" || m.person && !person || m.firm && f.isLLP() {
			continue
		}
		remark := rules.Remark{Field: "formData." + m.name, Severity: m.need}
		switch confirmed, ok := f.confirmation(m.name); {
		case !f.hasValue(m.name):
			remark.Message = fmt.Sprintf("There is no %s; the form needs %s.", m.name, m.what)
			remark.Suggestion = fmt.Sprintf("Give it in formData.%s.", m.name)
		case m.as == asTruth && ok && !confirmed:
			remark.Message = fmt.Sprintf("%s is %s, but the form needs %s.", m.name, f.format(m.name), m.what)
			remark.Suggestion = "Set it to true when you can make the statement, then file."
		default:
			continue
		}
		found = append(found, remark)
	}
	return found
}

func unreadable(f *Filing, _ rules.Facts) (found remarks) {
	for _, m := range members[f.FilingType] {
		if !f.hasValue(m.name) || f.readable(m) {
			continue
		}
		found = append(found, rules.Remark{
			Field:      "formData." + m.name,
			Message:    fmt.Sprintf("%s is %s, which is not %s.", m.name, f.format(m.name), m.as),
			Suggestion: fmt.Sprintf("Write %s.", m.as),
		})
	}
	return found
}

// readable reports whether a member can be read in its format.
func (f *Filing) readable(m member) (ok bool) {
	switch m.as {
	case asText:
		ok = f.address(m.name) != ""
	case asDay:
		_, ok = f.day(m.name)
	case asSum:
		_, ok = f.amount(m.name)
	case asCount:
		_, ok = f.wholeNumber(m.name)
	case asTruth:
		_, ok = f.confirmation(m.name)
	default:
		ok = true
	}
	return ok
}

func lettersOnly(r rune) rune {
	if r == '_' || r == '-' || r == ' ' || r == '.' {
		return -1
	}
	return r
}
