package trade

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hub/exportcontrol"
	"github.com/tidewaiter/tidewaiter/internal/hub/shared/goods"
	"github.com/tidewaiter/tidewaiter/internal/hub/shared/party"
)

var useRules = ruleSet{
	{Code: "TRD-016", Severity: rules.Warning, Field: "endUse", Check: onlyFor(missingUse, SIEL, OIEL, Strategic), Source: licenceGuidance + "; GOV.UK: End-user undertakings",
		Title: "The end use is missing"},
	{Code: "TRD-017", Severity: rules.Warning, Field: "endUse", Check: onlyFor(vagueUse, SIEL, OIEL, Strategic), Source: "GOV.UK: End-user undertakings; " + redFlags,
		Title: "The end use is vague"},
	{Code: "TRD-018", Severity: rules.Blocker, Field: "endUse", Check: massDestruction, Source: endUseLaw,
		Title: "The end use mentions weapons of mass destruction"},
	{Code: "TRD-019", Severity: rules.Blocker, Field: "endUse", Check: militaryUse, Source: endUseLaw,
		Title: "The end use is military, but the country is under an arms embargo or the licence is for other goods"},
}

func missingUse(l *Licence, _ rules.Facts) remarks {
	if l.EndUse != "" {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("There is no end use of the goods for %s; the authority decides on this basis.", l.EndUserName),
		"State what the end user will do with the goods, where and for which products, as in the end-user undertaking.")
}

// vagueWords lists words that do not describe an end use.
var vagueWords = strings.Fields(`a an and any as at be by business commercial company customer customers distribution end for general goods in industrial industry internal intended
	its of on only or own personal private product production project projects purpose purposes resale resell retail sale sales sell stock stockholding supply the their these this to trade
	trading use used user using various we will with work works civil civilian normal usual standard equipment company's our`)

// resaleWords lists words for resale, which is not an end use.
var resaleWords = strings.Fields("resale resell distribution stock stockholding retail wholesale")

func vagueUse(l *Licence, _ rules.Facts) remarks {
	if l.EndUse == "" {
		return nil
	}
	words := goods.Words(strings.ToLower(l.EndUse))
	if slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(vagueWords, w) }) && !party.Placeholder(l.EndUse) {
		return nil
	}
	if slices.ContainsFunc(words, func(w string) bool { return slices.Contains(resaleWords, w) }) {
		return rules.Remarks(fmt.Sprintf("The end use is %q, so %s passes the goods on.", l.EndUse, l.EndUserName),
			"Give the final user and the purpose, or apply for a licence for stockists.")
	}
	return rules.Remarks(fmt.Sprintf("%q is true for any goods.", l.EndUse),
		"State what the end user will do with the goods, where and for which products, as in the end-user undertaking.")
}

// use returns the classification of end use and end user.
func (l *Licence) use(facts rules.Facts) exportcontrol.Use {
	type read struct{}
	return rules.Once(facts, read{}, func() exportcontrol.Use { return exportcontrol.UseOf(l.EndUse, l.EndUserName) })
}

func massDestruction(l *Licence, facts rules.Facts) remarks {
	words := l.use(facts).MassDestruction
	if words == "" {
		return nil
	}
	remark := rules.Remark{
		Message:    fmt.Sprintf("The end use or the end user mentions “%s”.", words),
		Suggestion: "Do not export. Report what you know to the Export Control Joint Unit and wait for its answer.",
	}
	if l.LicenceType == Strategic && strings.Contains(words, "missile") && !exportcontrol.MilitaryEmbargo(l.EndUserCountry) {
		remark.Severity = rules.Warning // such a licence may be for missiles
		remark.Suggestion = "Give range and payload of the missile: the limits are 300 km and 500 kg."
	}
	return remarks{remark}
}

func militaryUse(l *Licence, facts rules.Facts) remarks {
	use := l.use(facts)
	words := use.ArmedForces
	switch {
	case words == "" || use.MassDestruction != "" || !l.LicenceType.strategic(): // else TRD-018
		return nil
	case exportcontrol.MilitaryEmbargo(l.EndUserCountry):
		return rules.Remarks(fmt.Sprintf("The end use or the end user mentions “%s”, and %s is under an arms embargo.", words, l.EndUserCountry),
			"Do not export without a licence for this end use. It is granted only for exemptions from the embargo.")
	case l.LicenceType == SIEL || l.LicenceType == OIEL:
		return remarkOn("", rules.Info, fmt.Sprintf("The end use or the end user mentions “%s”, but the licence is for dual-use goods.", words),
			"Make sure that the goods are not specially designed or modified for military use. If they are, apply for STRATEGIC_CONTROL.")
	}
	return nil
}
