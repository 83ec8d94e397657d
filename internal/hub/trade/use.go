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
	{Code: "TRD-016", Severity: rules.Warning, Field: "endUse", Judge: of(missingUse, SIEL, OIEL, Strategic), Source: licenceGuidance + "; GOV.UK: End-user undertakings",
		Title: "The application does not say what the goods are for"},
	{Code: "TRD-017", Severity: rules.Warning, Field: "endUse", Judge: of(vagueUse, SIEL, OIEL, Strategic), Source: "GOV.UK: End-user undertakings; " + redFlags,
		Title: "The end use does not say what the goods are for"},
	{Code: "TRD-018", Severity: rules.Blocker, Field: "endUse", Judge: massDestruction, Source: endUseLaw,
		Title: "The end use speaks of weapons of mass destruction"},
	{Code: "TRD-019", Severity: rules.Blocker, Field: "endUse", Judge: militaryUse, Source: endUseLaw,
		Title: "The end use is military, in a country under an arms embargo or under a licence for other goods"},
}

func missingUse(l *Licence, _ rules.Facts) remarks {
	if l.EndUse != "" {
		return nil
	}
	return rules.Say(fmt.Sprintf("There is no end use of what %s gets; the authority decides by it.", l.EndUserName),
		"Say what the end user will do with the goods, where and for which products, as in the end-user undertaking.")
}

// idle are words of an end use that say nothing.
var idle = strings.Fields(`a an and any as at be by business commercial company customer customers distribution end for general goods in industrial industry internal intended
	its of on only or own personal private product production project projects purpose purposes resale resell retail sale sales sell stock stockholding supply the their these this to trade
	trading use used user using various we will with work works civil civilian normal usual standard equipment company's our`)

// passingOn are words of an end use that is none: the goods go on to others.
var passingOn = strings.Fields("resale resell distribution stock stockholding retail wholesale")

func vagueUse(l *Licence, _ rules.Facts) remarks {
	if l.EndUse == "" {
		return nil
	}
	words := goods.Words(strings.ToLower(l.EndUse))
	if slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(idle, w) }) && !party.Placeholder(l.EndUse) {
		return nil
	}
	if slices.ContainsFunc(words, func(w string) bool { return slices.Contains(passingOn, w) }) {
		return rules.Say(fmt.Sprintf("By its end use, %q, %s passes the goods on.", l.EndUse, l.EndUserName),
			"Name who will use the goods in the end and what for, or apply for a licence for stockists.")
	}
	return rules.Say(fmt.Sprintf("%q could be said of any goods.", l.EndUse),
		"Say what the end user will do with the goods, where and for which products, as in the end-user undertaking.")
}

// use is what end use and end user say.
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
		Message:    fmt.Sprintf("End use and end user speak of “%s”.", words),
		Suggestion: "Do not export; tell the Export Control Joint Unit what you know and wait for its answer.",
	}
	if l.LicenceType == Strategic && strings.Contains(words, "missile") && !exportcontrol.MilitaryEmbargo(l.EndUserCountry) {
		remark.Severity = rules.Warning // missiles are what such a licence may be for
		remark.Suggestion = "Say what range and payload the missile has: 300 km and 500 kg are what matters."
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
		return rules.Say(fmt.Sprintf("End use and end user speak of “%s”, and %s is under an arms embargo.", words, l.EndUserCountry),
			"Do not export without a licence for this very end use; none is granted but for exemptions from the embargo.")
	case l.LicenceType == SIEL || l.LicenceType == OIEL:
		return at("", rules.Info, fmt.Sprintf("End use and end user speak of “%s”, and the licence is one for dual-use goods.", words),
			"Make sure that the goods are not specially designed or modified for military use; if they are, apply for STRATEGIC_CONTROL.")
	}
	return nil
}
