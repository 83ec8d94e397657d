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
	{Code: "TRD-010", Severity: rules.Blocker, Field: "endUserCountry", Check: sanctionedDestination, Source: sanctionLaw,
		Title: "The end user is in a country under trade sanctions"},
	{Code: "TRD-011", Severity: rules.Blocker, Field: "endUserCountry", Check: embargoed, Source: "Export Control Order 2008, article 4A and Part 4; GOV.UK: UK arms embargoes and other restrictions; " + sanctionLaw,
		Title: "Controlled goods go to a country under an arms embargo"},
	{Code: "TRD-012", Severity: rules.Warning, Field: "endUserCountry", Check: domestic, Source: "Export Control Order 2008, article 2: export from the United Kingdom",
		Title: "The end user is in the United Kingdom"},
	{Code: "TRD-013", Severity: rules.Warning, Field: "endUserCountry", Check: detour, Source: "GOV.UK: Countering Russian sanctions evasion: the common high priority list",
		Title: "High priority goods go to a country on a known route to Russia"},
	{Code: "TRD-014", Severity: rules.Warning, Field: "endUserCountry", Check: onlyFor(outsideGeneral, OpenGeneral), Source: "GOV.UK: Open general export licences (OGELs)",
		Title: "Open general licences do not cover the destination"},
	{Code: "TRD-015", Severity: rules.Info, Field: "licenceType", Check: onlyFor(generalInstead, SIEL), Source: "GOV.UK: Open general export licences (OGELs); Regulation (EC) No 428/2009 as retained, Annex IIa (general export authorisation EU001)",
		Title: "An open general licence may be enough"},
}

const screenAdvice = "Stop, and screen goods and parties. Export only under a licence or an exception."

// sanctionedDestination is less severe for animals, plants and food, which most measures do not cover.
func sanctionedDestination(l *Licence, _ rules.Facts) remarks {
	measure := sanction.Against(l.EndUserCountry)
	remark := rules.Remark{Message: fmt.Sprintf("%s is under the %s.", l.EndUserCountry, measure.Regime), Suggestion: screenAdvice}
	switch {
	case measure.Level == sanction.Financial:
		remark.Severity, remark.Suggestion = rules.Info, "Screen the end user against the UK Sanctions List, because persons there are designated."
	case measure.Level < sanction.Extensive:
		return nil
	case l.EndUserCountry != "KP" && !l.LicenceType.strategic():
		remark.Severity = rules.Warning
	}
	return remarks{remark}
}

// embargoed is less severe for goods that are not military, and for China and Hong Kong, where the embargo covers lethal
// weapons and goods for a military end use.
func embargoed(l *Licence, _ rules.Facts) remarks {
	measure := sanction.Against(l.EndUserCountry)
	if measure.Level != sanction.Embargo || !l.LicenceType.strategic() {
		return nil
	}
	rating, _ := exportcontrol.ParseRating(l.ProductCode)
	remark := rules.Remark{
		Message:    fmt.Sprintf("%s goes to %s, which is under an arms embargo: %s.", l.ProductCode, l.EndUserCountry, measure.Regime),
		Suggestion: "Make sure that neither the goods nor the end user are military. For arms, give the exemption from the embargo.",
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

// lethal lists the entries of weapons, ammunition and their platforms. The embargo against China covers only these.
var lethal = strings.Fields("ML1 ML2 ML3 ML4 ML6 ML9 ML10 ML12 ML19")

// domestic does not apply to certificates and CITES permits for Northern Ireland, which needs them.
func domestic(l *Licence, _ rules.Facts) remarks {
	switch {
	case l.EndUserCountry == "GB":
		return rules.Remarks(fmt.Sprintf("The end user %s is in GB, so this is not an export.", l.EndUserName), "Give the country where the goods will be used, or cancel the application.")
	case ident.Country(l.EndUserCountry) == ident.NorthernIreland && l.LicenceType.strategic():
		return rules.Remarks(fmt.Sprintf("The end user %s is in XI, Northern Ireland: strategic goods need no licence to move within the United Kingdom.", l.EndUserName),
			"Give the country where the goods will finally be used, or cancel the application.")
	}
	return nil
}

func detour(l *Licence, _ rules.Facts) remarks {
	code, err := ident.ParseCommodityCode(l.ProductCode)
	if err != nil || sanction.Against(l.EndUserCountry).Level != sanction.Transhipped && l.EndUserCountry != "CN" && l.EndUserCountry != "HK" || !exportcontrol.HighPriority(code) {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("%s is on the common high priority list, and %s is on a known route to Russia.", code, l.EndUserCountry),
		"Identify the end user, and get an undertaking against re-export to Russia and Belarus.")
}

// outsideGeneral covers only embargoed countries, because some general licence covers each other country.
func outsideGeneral(l *Licence, _ rules.Facts) remarks {
	level := sanction.Against(l.EndUserCountry).Level
	if level != sanction.Embargo || slices.Contains([]string{"CN", "HK", "LB", "IQ"}, l.EndUserCountry) {
		return nil // more severe levels have TRD-010
	}
	return rules.Remarks(fmt.Sprintf("Open general licences do not cover %s.", l.EndUserCountry), "Apply for an individual licence.")
}

func generalInstead(l *Licence, _ rules.Facts) remarks {
	rating, ok := exportcontrol.ParseRating(l.ProductCode)
	if !ok || !rating.Known || rating.Regime != exportcontrol.DualUse || !exportcontrol.General(rating.Entry, l.EndUserCountry) {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("An open general licence may cover %s to %s.", rating.Entry, l.EndUserCountry), "Read its terms. If you meet them, register for it instead of this application.")
}
