package trade

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hub/exportcontrol"
	"github.com/tidewaiter/tidewaiter/internal/hub/shared/sanction"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

var destinationRules = ruleSet{
	{Code: "TRD-010", Severity: rules.Blocker, Field: "endUserCountry", Judge: sanctionedDestination, Source: sanctionLaw,
		Title: "The end user is in a country under trade sanctions"},
	{Code: "TRD-011", Severity: rules.Blocker, Field: "endUserCountry", Judge: embargoed, Source: "Export Control Order 2008, article 4A and Part 4; GOV.UK: UK arms embargoes and other restrictions; " + sanctionLaw,
		Title: "Goods under control go to a country under an arms embargo"},
	{Code: "TRD-012", Severity: rules.Warning, Field: "endUserCountry", Judge: atHome, Source: "Export Control Order 2008, article 2: export from the United Kingdom",
		Title: "The end user is in the United Kingdom"},
	{Code: "TRD-013", Severity: rules.Warning, Field: "endUserCountry", Judge: detour, Source: "GOV.UK: Countering Russian sanctions evasion: the common high priority list",
		Title: "Goods that are sought for Russia's weapons go to a country on a known detour"},
	{Code: "TRD-014", Severity: rules.Warning, Field: "endUserCountry", Judge: of(outsideGeneral, OpenGeneral), Source: "GOV.UK: Open general export licences (OGELs)",
		Title: "No open general licence covers the destination"},
	{Code: "TRD-015", Severity: rules.Info, Field: "licenceType", Judge: of(generalInstead, SIEL), Source: "GOV.UK: Open general export licences (OGELs); Regulation (EC) No 428/2009 as retained, Annex IIa (general export authorisation EU001)",
		Title: "An open general licence may do instead of an individual one"},
}

const screen = "Stop and screen goods and parties; export only under a licence or a stated exception."

// sanctionedDestination is milder for animals, plants and food, of which the
// measures spare most.
func sanctionedDestination(l *Licence, _ rules.Facts) remarks {
	measure := sanction.Against(l.EndUserCountry)
	remark := rules.Remark{Message: fmt.Sprintf("%s is under the %s.", l.EndUserCountry, measure.Regime), Suggestion: screen}
	switch {
	case measure.Level == sanction.Financial:
		remark.Severity, remark.Suggestion = rules.Info, "Screen the end user against the UK Sanctions List: persons there are designated."
	case measure.Level < sanction.Extensive:
		return nil
	case l.EndUserCountry != "KP" && !l.LicenceType.strategic():
		remark.Severity = rules.Warning
	}
	return remarks{remark}
}

// embargoed is milder for goods that are not military, and for China and Hong Kong,
// whose embargo is on lethal weapons and on goods for a military end use.
func embargoed(l *Licence, _ rules.Facts) remarks {
	measure := sanction.Against(l.EndUserCountry)
	if measure.Level != sanction.Embargo || !l.LicenceType.strategic() {
		return nil
	}
	rating, _ := exportcontrol.ParseRating(l.ProductCode)
	remark := rules.Remark{
		Message:    fmt.Sprintf("%s goes to %s, which is under an arms embargo: %s.", l.ProductCode, l.EndUserCountry, measure.Regime),
		Suggestion: "Make sure that neither goods nor end user are military; for arms, name the exemption from the embargo.",
	}
	china := l.EndUserCountry == "CN" || l.EndUserCountry == "HK"
	military := rating.Regime == exportcontrol.Military || l.LicenceType == Strategic
	switch {
	case china && !military:
		remark.Severity = rules.Info
	case !military || china && !slices.Contains(lethal, rating.Entry):
		remark.Severity = rules.Warning
	}
	return remarks{remark}
}

// lethal are entries of weapons, their ammunition and what carries them into battle,
// which alone the embargo on China is about.
var lethal = strings.Fields("ML1 ML2 ML3 ML4 ML6 ML9 ML10 ML12 ML19")

// atHome leaves Northern Ireland to the permits that it needs.
func atHome(l *Licence, _ rules.Facts) remarks {
	switch {
	case l.EndUserCountry == "GB":
		return rules.Say(fmt.Sprintf("The end user %s is in GB: nothing is exported.", l.EndUserName), "Give the country where the goods will be used, or file nothing.")
	case ident.Country(l.EndUserCountry) == ident.NorthernIreland && l.LicenceType.strategic():
		return rules.Say(fmt.Sprintf("The end user %s is in XI, Northern Ireland: strategic goods need no licence to move within the United Kingdom.", l.EndUserName),
			"Give the country where the goods will be used in the end, or file nothing.")
	}
	return nil
}

func detour(l *Licence, _ rules.Facts) remarks {
	code, err := ident.ParseCommodityCode(l.ProductCode)
	if err != nil || sanction.Against(l.EndUserCountry).Level != sanction.Transhipped && l.EndUserCountry != "CN" && l.EndUserCountry != "HK" || !exportcontrol.HighPriority(code) {
		return nil
	}
	return rules.Say(fmt.Sprintf("%s is on the common high priority list, and %s is on known detours to Russia.", code, l.EndUserCountry),
		"Know who uses the goods in the end, and have it undertaken that they go neither to Russia nor to Belarus.")
}

// outsideGeneral speaks of embargoed countries alone: others are in one general
// licence or another.
func outsideGeneral(l *Licence, _ rules.Facts) remarks {
	level := sanction.Against(l.EndUserCountry).Level
	if level != sanction.Embargo || slices.Contains([]string{"CN", "HK", "LB", "IQ"}, l.EndUserCountry) {
		return nil // graver ones have TRD-010
	}
	return rules.Say(fmt.Sprintf("Open general licences leave out %s.", l.EndUserCountry), "Apply for an individual licence.")
}

func generalInstead(l *Licence, _ rules.Facts) remarks {
	rating, ok := exportcontrol.ParseRating(l.ProductCode)
	if !ok || !rating.Known || rating.Regime != exportcontrol.DualUse || !exportcontrol.General(rating.Entry, l.EndUserCountry) {
		return nil
	}
	return rules.Say(fmt.Sprintf("An open general licence may cover %s to %s.", rating.Entry, l.EndUserCountry), "Read its terms, and register for it in place of this application where they are met.")
}
