package cbam

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hub/shared/sanction"
)

var originRules = ruleSet{
	{Code: "CBAM-010", Severity: rules.Info, Field: "imports.countryOfOrigin", Check: exemptOrigin, Source: "Regulation (EU) 2023/956, Articles 1 and 2 and Annex III, point 1",
		Title: "Goods come from a country that is exempt from EU CBAM"},
	{Code: "CBAM-011", Severity: rules.Warning, Field: "imports.countryOfOrigin", Check: ownOrigin, Source: ukLaw + "; GOV.UK: Pay less import duty and VAT when re-importing goods to the UK",
		Title: "Goods have UK origin"},
	{Code: "CBAM-012", Severity: rules.Blocker, Field: "imports.countryOfOrigin", Check: sanctionedOrigin, Source: "Sanctions and Anti-Money Laundering Act 2018 and the regulations under it",
		Title: "Goods come from a country under sanctions"},
	{Code: "CBAM-013", Severity: rules.Info, Field: "imports.countryOfOrigin", Check: russianInputs, Source: "Russia (Sanctions) (EU Exit) Regulations 2019, Part 5 (iron and steel, also when processed in a third country)",
		Title: "Iron and steel may contain Russian iron"},
}

// exempt lists the EU member states, and the countries that EU CBAM exempts because they take part in EU emissions trading
// (as at November 2026).
var exempt = strings.Fields(`AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK IS LI NO CH`)

// origins lists the shares of the countries that match.
func (r *Report) origins(of func(country string) bool) (names string, imports int64) {
	var all []string
	for _, s := range r.ByCountry {
		if of(s.Of) {
			all = append(all, fmt.Sprintf("%s (%d)", s.Of, s.ImportsCount))
			imports += s.ImportsCount
		}
	}
	return strings.Join(all, ", "), imports
}

// exemptOrigin is only a note: EU CBAM does not cover imports into Great Britain, and UK CBAM exempts no country.
func exemptOrigin(r *Report, _ rules.Facts) remarks {
	names, imports := r.origins(func(country string) bool { return slices.Contains(exempt, country) })
	if imports == 0 {
		return nil
	}
	if r.underUK() {
		return rules.Remarks(fmt.Sprintf("Goods of %s come from countries that EU CBAM exempts: %s. UK CBAM exempts none until the two emissions trading schemes are linked.", formatImports(imports), names),
			"Include them for UK CBAM, and exclude them from reports to the EU.")
	}
	return rules.Remarks(fmt.Sprintf("Goods of %s come from the EU or from countries that EU CBAM exempts: %s.", formatImports(imports), names),
		"Exclude them from reports to the EU. UK CBAM includes them from 2027.")
}

func ownOrigin(r *Report, _ rules.Facts) remarks {
	names, imports := r.origins(func(country string) bool { return country == "GB" || country == "XI" })
	if imports == 0 {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("Goods of %s were made in the United Kingdom: %s.", formatImports(imports), names),
		"Check the origin: it is the country where the goods were made, not where they were sent from. Returned goods may have relief.")
}

func sanctionedOrigin(r *Report, _ rules.Facts) (found remarks) {
	for _, s := range r.ByCountry {
		measure := sanction.Against(s.Of)
		remark := rules.Remark{
			Message:    fmt.Sprintf("Goods of %s come from %s, under the %s.", formatImports(s.ImportsCount), s.Of, measure.Regime),
			Suggestion: "Import no more goods without a licence, and get advice about these.",
		}
		switch measure.Level {
		case sanction.Prohibited:
		case sanction.Extensive:
			remark.Severity = rules.Warning
			remark.Suggestion = "Check whether the goods are among those whose import is prohibited."
		default:
			continue
		}
		found = append(found, remark)
	}
	return found
}

func russianInputs(r *Report, _ rules.Facts) remarks {
	o := r.observed(RussianInputs)
	if o.ImportsCount == 0 {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("%s: iron and steel from countries that also process Russian iron: %s.", r.count(o), o.examples(goodsFrom)),
		"Keep the mill certificates that show where the iron was melted. The import of goods with Russian iron is prohibited.")
}
