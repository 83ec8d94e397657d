package tss

import (
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

var schemeRules = ruleSet{
	{Code: "TSS-010", Severity: rules.Blocker, Field: "ukimsAuthNumber", Check: missingAuthorisation, Source: ukimsGuidance + "; " + atRiskLaw,
		Title: "Goods are claimed not to be at risk, or there is no claim, without a UKIMS authorisation"},
	{Code: "TSS-011", Severity: rules.Blocker, Field: "ukimsAuthNumber", Check: malformedAuthorisation, Source: ukimsGuidance,
		Title: "The UKIMS number is malformed"},
	{Code: "TSS-012", Severity: rules.Blocker, Field: "ukimsAuthNumber", Check: authorisedInFuture, Source: ukimsGuidance,
		Title: "The UKIMS number contains a date in the future"},
	{Code: "TSS-013", Severity: rules.Warning, Field: "ukimsAuthNumber", Check: authorisedAnother, Source: ukimsGuidance,
		Title: "The UKIMS number belongs to another EORI"},
}

// missingAuthorisation is a warning if the claim may be right without UKIMS: the EU duty can be nil, for example because
// of a preference for UK origin.
func missingAuthorisation(d *Declaration, _ rules.Facts) remarks {
	if d.UKIMSNumber != "" || !d.MovementType.intoNI() || d.RiskCategorisation == AtRisk {
		return nil
	}
	if d.RiskCategorisation != NotAtRisk {
		return remarks{{
			Severity:   rules.Warning,
			Message:    "There is no UKIMS authorisation and no claim about risk: the goods will be charged Union duty as goods at risk.",
			Suggestion: "Give the trader's UKIMS number and claim NOT_AT_RISK, or declare AT_RISK.",
		}}
	}
	if d.NotAtRiskReason == UKOrigin {
		return remarks{{
			Severity:   rules.Warning,
			Message:    "Goods are claimed as NOT_AT_RISK for their UK origin without a UKIMS authorisation; that is right only if the EU duty is nil.",
			Suggestion: "Give the UKIMS number, or check that the EU duty on the code is zero and keep proof of origin.",
		}}
	}
	return rules.Remarks("Goods are claimed as NOT_AT_RISK without a UKIMS authorisation, which only an authorised trader may do.",
		"Give the trader's UKIMS number in ukimsAuthNumber, or declare AT_RISK.")
}

func malformedAuthorisation(d *Declaration, _ rules.Facts) remarks {
	if d.UKIMSNumber == "" {
		return nil
	}
	if _, err := ident.ParseUKIMS(d.UKIMSNumber); err != nil {
		return rules.Remarks(fmt.Sprintf("%q is not a UKIMS number: it %s.", d.UKIMSNumber, err),
			"Copy the number from HMRC's letter of authorisation.")
	}
	return nil
}

func authorisedInFuture(d *Declaration, f rules.Facts) remarks {
	ukims, err := ident.ParseUKIMS(d.UKIMSNumber)
	if err != nil || !ukims.Granted().After(f.Now) {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("%s says that it was granted on %s, which is in the future.", ukims, ukims.Granted().Format(day)),
		"Check the last 14 digits against HMRC's letter of authorisation.")
}

func authorisedAnother(d *Declaration, _ rules.Facts) remarks {
	ukims, errUKIMS := ident.ParseUKIMS(d.UKIMSNumber)
	eori, errEORI := ident.ParseEORI(d.TraderEORI)
	if errUKIMS != nil || errEORI != nil || eori.Digits()[:min(12, len(eori.Digits()))] == ukims.Holder() {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("The authorisation was granted to the holder of %s, and the trader is %s.", ukims.Holder(), eori),
		"Declare under the EORI of the authorised trader, or give the authorisation of this trader.")
}
