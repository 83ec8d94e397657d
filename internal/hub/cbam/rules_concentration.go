package cbam

import (
	"fmt"
	"math/big"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

var concentrationRules = ruleSet{
	{Code: "CBAM-026", Severity: rules.Warning, Field: "byCountry", Judge: oneCountry, Source: goodPractice,
		Title: "Concentration risk: most of the emissions come from one country"},
	{Code: "CBAM-027", Severity: rules.Info, Field: "imports", Judge: oneImport, Source: goodPractice,
		Title: "Concentration risk: most of the emissions come with one import"},
}

// Parts of the emissions, in hundredths, at which one country is worth a note and a
// warning. Of one import alone it says nothing, of two little, and of a country from
// which one large shipment came no more than that.
var (
	concentrated = big.NewRat(60, 1)
	dependent    = big.NewRat(80, 1)
)

const fewestOfCountries = 3

func oneCountry(r *Report, _ rules.Facts) remarks {
	if len(r.ByCountry) == 0 || r.TotalImportsCount < 2 {
		return nil
	}
	first := r.ByCountry[0]
	part := percent(first.EmissionsKg, r.TotalEmissionsKg)
	remark := rules.Remark{
		Message: fmt.Sprintf("%s of the emissions come from %s, with %d of %d imports: a new default value, a price or a measure there changes the cost of them all.",
			written(part), first.Of, first.ImportsCount, r.TotalImportsCount),
		Suggestion: "Get verified figures from the suppliers there first, and look for sources elsewhere.",
	}
	switch {
	case part.Cmp(concentrated) < 0:
		return nil
	case part.Cmp(dependent) < 0 || r.TotalImportsCount < fewestOfCountries || first.ImportsCount < 2:
		remark.Severity = rules.Info
	}
	return remarks{remark}
}

func oneImport(r *Report, _ rules.Facts) remarks {
	o := r.observed(Largest)
	if o.ImportsCount == 0 {
		return nil
	}
	return rules.Say(fmt.Sprintf("%s of the emissions come with one import: %s.", written(percent(o.EmissionsKg, r.TotalEmissionsKg)), o.examples(massOf)),
		"Check its figures before all others.")
}

var thresholdRules = ruleSet{
	{Code: "CBAM-028", Severity: rules.Info, Field: "valueLast12MonthsGbp", Judge: ukThreshold, Source: valueLaw,
		Title: "The United Kingdom's registration threshold is reached, or near"},
	{Code: "CBAM-029", Severity: rules.Info, Field: "totalNetMassKg", Judge: unionThreshold, Source: "Regulation (EU) 2023/956, Article 2a, as amended by Regulation (EU) 2025/2083 (single mass-based threshold)",
		Title: "The Union's threshold of 50 tonnes a year is reached in one quarter"},
}

// Pounds in twelve months at which the United Kingdom's threshold is near, and reached.
var (
	nearThreshold = quantity.MustTotal("40000")
	threshold     = quantity.MustTotal("50000")
)

func ukThreshold(r *Report, _ rules.Facts) remarks {
	switch {
	case r.YearValueGBP.Cmp(threshold) >= 0:
		return rules.Say(fmt.Sprintf("Imports of the last 12 months are worth £%s; from £50,000 on, importers must register for UK CBAM, which begins on 1 January 2027.", r.YearValueGBP.Fixed(2)),
			"Register within 30 days of reaching the threshold in or after 2027, unless you have.")
	case r.YearValueGBP.Cmp(nearThreshold) >= 0:
		return rules.Say(fmt.Sprintf("Imports of the last 12 months are worth £%s, of the £50,000 from which importers must register for UK CBAM.", r.YearValueGBP.Fixed(2)),
			"Reckon again on the first of each month, and with what you expect in the next 30 days.")
	}
	return nil
}

// unionMass is the threshold in kilograms; hydrogen and electricity have none.
var unionMass = quantity.MustTotal("50000")

func unionThreshold(r *Report, _ rules.Facts) remarks {
	var mass quantity.Total
	for _, s := range r.ByCategory {
		if c := Category(s.Of); c != Hydrogen && c != Electricity {
			mass = mass.Add(s.NetMassKg)
		}
	}
	if mass.Cmp(unionMass) < 0 {
		return nil
	}
	return rules.Say(fmt.Sprintf("The goods of %s weigh %s; whoever imports 50 t in a year into the European Union must be an authorised CBAM declarant there.", r.Quarter, inTonnes(mass)),
		"Nothing to do for imports into the United Kingdom alone.")
}
