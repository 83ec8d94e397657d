package corporate

import (
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
)

// Rules checks a filing: company, due date and members of the form, then each type of form.
var Rules = slices.Concat(companyRules, dueRules, formRules, statementRules, controlRules, personRules, officeRules, accountsRules, taxRules, protectionRules, trustRules, termRules)

type (
	ruleSet   = rules.Set[Filing]
	remarks   = []rules.Remark
	checkFunc = func(*Filing, rules.Facts) []rules.Remark
)

// Sources of several rules.
const (
	numberGuidance  = "Companies House: company number formats and prefixes"
	nameLaw         = "Companies Act 2006, sections 58 and 59, and Limited Liability Partnerships Act 2000, Schedule, Part 1"
	statementLaw    = "Companies Act 2006, sections 853A to 853G, as amended by the Economic Crime and Corporate Transparency Act 2023"
	sicLaw          = "Companies Act 2006, section 853C; Companies House: condensed SIC 2007 list"
	pscLaw          = "Companies Act 2006, Part 21A"
	pscGuidance     = "Companies House: People with significant control: guidance for companies"
	identityLaw     = "Economic Crime and Corporate Transparency Act 2023; GOV.UK: Verifying your identity for Companies House, required since 18 November 2025"
	directorLaw     = "Companies Act 2006, sections 155 to 167"
	addressLaw      = "Companies Act 2006, section 86, as amended from 4 March 2024: appropriate address"
	accountsLaw     = "Companies Act 2006, Part 15"
	ctLaw           = "Finance Act 1998, Schedule 18"
	ctGuidance      = "HMRC: Company Tax Return guide (CT600)"
	protectionLaw   = "Data Protection (Charges and Information) Regulations 2018, as amended from 17 February 2025"
	trustLaw        = "Money Laundering, Terrorist Financing and Transfer of Funds (Information on the Payer) Regulations 2017, regulations 45 to 45ZA"
	formatsGuidance = "Tidewaiter: the members of formData that the review reads"
)

// onlyFor limits a rule to types of form.
func onlyFor(fn checkFunc, forms ...Form) checkFunc {
	return func(f *Filing, facts rules.Facts) []rules.Remark {
		if !slices.Contains(forms, f.FilingType) {
			return nil
		}
		return fn(f, facts)
	}
}

// remarkOn returns one remark about a member of the form.
func remarkOn(member, message, suggestion string) remarks {
	return remarks{{Field: "formData." + member, Message: message, Suggestion: suggestion}}
}

// withSeverity returns remarks with a lower severity than the rule's.
func withSeverity(severity rules.Severity, all remarks) remarks {
	for i := range all {
		all[i].Severity = severity
	}
	return all
}
