package trade

import (
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
)

// Rules checks a licence: parties, destination, end use, goods, quantity and validity.
var Rules = slices.Concat(partyRules, destinationRules, useRules, productRules, amountRules, validityRules)

type (
	ruleSet   = rules.Set[Licence]
	remarks   = []rules.Remark
	checkFunc = func(*Licence, rules.Facts) []rules.Remark
)

// Sources of several rules.
const (
	eoriGuidance    = "GOV.UK: Get an EORI number"
	lawOfExport     = "Export Control Act 2002 and Export Control Order 2008"
	consolidated    = "UK Strategic Export Control Lists: the consolidated list of strategic military and dual-use items that require export authorisation"
	licenceGuidance = "GOV.UK: Standard Individual Export Licences"
	redFlags        = "GOV.UK: Export controls: compliance and end-user due diligence (signs of suspicious enquiries and orders)"
	endUseLaw       = "Export Control Order 2008, articles 4A, 6 and 19, and Regulation (EC) No 428/2009 as retained, Article 4: end-use controls"
	sanctionLaw     = "Sanctions and Anti-Money Laundering Act 2018 and the (Sanctions) (EU Exit) Regulations for the country"
	ehcGuidance     = "GOV.UK: Get an export health certificate"
	citesLaw        = "Regulation (EC) No 338/97 as retained, and Regulation (EC) No 865/2006 as retained (endangered species)"
)

// onlyFor limits a rule to types of licence.
func onlyFor(fn checkFunc, types ...Type) checkFunc {
	return func(l *Licence, facts rules.Facts) []rules.Remark {
		if !slices.Contains(types, l.LicenceType) {
			return nil
		}
		return fn(l, facts)
	}
}

// remarkOn returns one remark with a field or severity that differs from the rule's own.
func remarkOn(field string, severity rules.Severity, message, suggestion string) remarks {
	return remarks{{Field: field, Severity: severity, Message: message, Suggestion: suggestion}}
}
