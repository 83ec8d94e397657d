package cbam

import (
	"fmt"
	"math/big"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

var figureRules = ruleSet{
	{Code: "CBAM-019", Severity: rules.Warning, Field: "imports.embeddedEmissionsKgCo2", Check: missingSupplierData, Source: supplierLaw,
		Title: "Supplier data is missing"},
	{Code: "CBAM-020", Severity: rules.Info, Field: "byBasis", Check: coarseEstimates, Source: "European Commission: default values for 2026 by country and commodity code",
		Title: "Estimates use typical values instead of published default values"},
	{Code: "CBAM-021", Severity: rules.Blocker, Field: "imports.embeddedEmissionsKgCo2", Check: implausibleFactor, Source: figureLaw,
		Title: "A supplier's figure is implausible: far outside the range of such goods"},
	{Code: "CBAM-022", Severity: rules.Warning, Field: "imports.embeddedEmissionsKgCo2", Check: unusualFactor, Source: figureLaw,
		Title: "A supplier's figure is outside the usual range of such goods"},
	{Code: "CBAM-023", Severity: rules.Info, Field: "imports.embeddedEmissionsKgCo2", Check: farBelowTypical, Source: figureLaw,
		Title: "A supplier's figure is less than half of the typical value of the country"},
	{Code: "CBAM-024", Severity: rules.Warning, Field: "imports.embeddedEmissionsKgCo2", Check: uniformFactor, Source: figureLaw,
		Title: "Different goods have the same factor"},
	{Code: "CBAM-025", Severity: rules.Info, Field: "imports.notes", Check: unexplained, Source: supplierLaw,
		Title: "The source of a supplier's figure is not documented"},
}

// maxEstimated is the accepted percentage of estimated emissions: the EU limit for complex goods from July 2024.
var maxEstimated = big.NewRat(20, 1)

func missingSupplierData(r *Report, _ rules.Facts) remarks {
	o := r.observed(Estimated)
	if o.ImportsCount == 0 {
		return nil
	}
	part := percent(o.EmissionsKg, r.TotalEmissionsKg)
	remark := rules.Remark{
		Message:    fmt.Sprintf("%s, with %s of the emissions: no supplier data: %s.", r.count(o), formatPercent(part), o.examples(massOf)),
		Suggestion: "Ask these suppliers first for the emissions of the installation, and record them. Default values are usually higher.",
	}
	if part.Sign() > 0 && part.Cmp(maxEstimated) <= 0 {
		remark.Severity = rules.Info
	}
	return remarks{remark}
}

func coarseEstimates(r *Report, _ rules.Facts) remarks {
	var imports int64
	var emissions quantity.Total
	for _, s := range r.ByBasis {
		if b := Basis(s.Of); b != OnSupplier && b != OnDefaultValue {
			imports += s.ImportsCount
			emissions = emissions.Add(s.EmissionsKg)
		}
	}
	if imports == 0 {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("The emissions of %s are estimated from typical values: %s CO2e of %s.", formatImports(imports), inTonnes(emissions), inTonnes(r.TotalEmissionsKg)),
		"Load the published default values before you record imports, or record the suppliers' figures.")
}

// factorOf formats the factor of an import and the range of such goods.
func factorOf(x *Example) string {
	factor, ok := x.factor()
	if !ok {
		return goodsFrom(x)
	}
	g := goodsOfExample(x)
	return fmt.Sprintf("%s at %s, while %s has %s to %s", goodsFrom(x), perTonne(factor), g.name, g.least, g.most)
}

// goodsOfExample returns the goods of the code, otherwise those of the sector.
func goodsOfExample(x *Example) *goods {
	if code, ok := digits(x.CommodityCode); ok {
		if g, ok := goodsOf(code); ok {
			return g
		}
	}
	return sectors[x.Category]
}

func implausibleFactor(r *Report, _ rules.Facts) remarks {
	o := r.observed(ImplausibleFactor)
	if o.ImportsCount == 0 {
		return nil
	}
	suggestion := "Ask the supplier for the calculation, and check that the emissions cover all goods, in kilograms."
	if slip := unitSlip(&o.Examples[0]); slip != "" {
		suggestion = slip + " " + suggestion
	}
	return rules.Remarks(fmt.Sprintf("%s: implausible emissions: %s.", r.count(o), o.examples(factorOf)), suggestion)
}

var thousand = quantity.MustTotal("1000")

// unitSlip returns a hint if a figure would be right a thousand times larger or smaller.
func unitSlip(x *Example) string {
	g := goodsOfExample(x)
	fits := func(factor quantity.Total) bool {
		return factor.Cmp(g.least) >= 0 && factor.Cmp(g.most) <= 0 && !factor.IsZero()
	}
	mass := x.NetMassKg.Total()
	factor, _ := x.factor()
	if perKilogram, ok := factor.Per(thousand); ok && fits(perKilogram) {
		return "The first would be right a thousand times smaller: is the mass in tonnes, or are the emissions in grams?"
	}
	if perGram, ok := quantity.RoundTotal(new(big.Rat).Mul(x.EmissionsKg.Rat(), tonne), gramPlaces).Per(mass); ok && fits(perGram) {
		return "The first would be right a thousand times larger: are the emissions in tonnes, or for one kilogram of goods?"
	}
	return ""
}

func unusualFactor(r *Report, _ rules.Facts) remarks {
	o := r.observed(UnusualFactor)
	if o.ImportsCount == 0 {
		return nil
	}
	suggestion := "Ask the supplier to confirm it, with the production route and the verification report."
	if factor, _ := o.Examples[0].factor(); goodsOfExample(&o.Examples[0]).includesElectricity(factor) {
		suggestion = "Ask whether the first figure counts electricity: for such goods only direct emissions count. " + suggestion
	}
	return rules.Remarks(fmt.Sprintf("%s: unusual emissions: %s.", r.count(o), o.examples(factorOf)), suggestion)
}

func farBelowTypical(r *Report, _ rules.Facts) remarks {
	o := r.observed(FarBelowTypical)
	if o.ImportsCount == 0 {
		return nil
	}
	say := func(x *Example) string {
		factor, _ := x.factor()
		typical, _ := goodsOfExample(x).typical(x.CountryOfOrigin)
		return fmt.Sprintf("%s at %s, while %s is typical", goodsFrom(x), perTonne(factor), typical)
	}
	return rules.Remarks(fmt.Sprintf("%s: less than half of the typical emissions: %s.", r.count(o), o.examples(say)),
		"Keep the explanation, such as an electric arc furnace or aluminium from scrap. Authorities check such figures first.")
}

func uniformFactor(r *Report, _ rules.Facts) remarks {
	o := r.observed(UniformFactor)
	if o.ImportsCount == 0 {
		return nil
	}
	factor, _ := o.Examples[0].factor()
	return rules.Remarks(fmt.Sprintf("%s of different goods have the same supplier's figure of %s: %s.", r.count(o), perTonne(factor), o.examples(goodsFrom)),
		"Ask for figures for each product. An average of a group is not acceptable.")
}

func unexplained(r *Report, _ rules.Facts) remarks {
	o := r.observed(Unexplained)
	if o.ImportsCount == 0 {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("%s: a supplier's figure without its source: %s.", r.count(o), o.examples(massOf)),
		"Give the installation and the verification report in the notes, and keep the evidence for six years.")
}
