package cbam

import (
	"fmt"
	"math/big"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

var concentrationRules = ruleSet{
	{Code: "CBAM-026", Severity: rules.Warning, Field: "byCountry", Check: oneCountry, Source: goodPractice,
		Title: "Concentration risk: most of the emissions come from one country"},
	{Code: "CBAM-027", Severity: rules.Info, Field: "imports", Check: oneImport, Source: goodPractice,
		Title: "Concentration risk: most of the emissions come from one import"},
}

// Percentages of the emissions from one country for a note and a warning. They do not apply to a single import, and are
// less severe for two imports or one large shipment.
var (
	concentrated = big.NewRat(60, 1)
	dependent    = big.NewRat(80, 1)
)

const minCountries = 3

func oneCountry(r *Report, _ rules.Facts) remarks {
	if len(r.ByCountry) == 0 || r.TotalImportsCount < 2 {
		return nil
	}
	first := r.ByCountry[0]
	part := percent(first.EmissionsKg, r.TotalEmissionsKg)
	remark := rules.Remark{
		Message: fmt.Sprintf("%s of the emissions come from %s, with %d of %d imports; a change there changes the cost of all of them.",
			formatPercent(part), first.Of, first.ImportsCount, r.TotalImportsCount),
		Suggestion: "Get verified figures from these suppliers first, and look for other sources.",
	}
	switch {
	case part.Cmp(concentrated) < 0:
		return nil
	case part.Cmp(dependent) < 0 || r.TotalImportsCount < minCountries || first.ImportsCount < 2:
		remark.Severity = rules.Info
	}
	return remarks{remark}
}

func oneImport(r *Report, _ rules.Facts) remarks {
	o := r.observed(Largest)
	if o.ImportsCount == 0 {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("%s of the emissions come from one import: %s.", formatPercent(percent(o.EmissionsKg, r.TotalEmissionsKg)), o.examples(massOf)),
		"Check its figures first.")
}

var thresholdRules = ruleSet{
	{Code: "CBAM-028", Severity: rules.Info, Field: "valueLast12MonthsGbp", Check: ukThreshold, Source: valueLaw,
		Title: "The UK CBAM registration threshold is reached or near"},
	{Code: "CBAM-029", Severity: rules.Info, Field: "totalNetMassKg", Check: unionThreshold, Source: "Regulation (EU) 2023/956, Article 2a, as amended by Regulation (EU) 2025/2083 (single mass-based threshold)",
		Title: "The EU CBAM threshold of 50 tonnes a year is reached in one quarter"},
}

// Customs values in twelve months, in pounds, at which the UK CBAM threshold is near and reached.
var (
	nearThreshold = quantity.MustTotal("40000")
	threshold     = quantity.MustTotal("50000")
)

func ukThreshold(r *Report, _ rules.Facts) remarks {
	switch {
	case r.YearValueGBP.Cmp(threshold) >= 0:
		return rules.Remarks(fmt.Sprintf("Imports of the last 12 months are worth £%s; from £50,000, importers must register for UK CBAM, which begins on 1 January 2027.", r.YearValueGBP.Fixed(2)),
			"Register within 30 days of reaching the threshold in or after 2027, unless you are registered.")
	case r.YearValueGBP.Cmp(nearThreshold) >= 0:
		return rules.Remarks(fmt.Sprintf("Imports of the last 12 months are worth £%s; importers must register for UK CBAM from £50,000.", r.YearValueGBP.Fixed(2)),
			"Check again on the first day of each month, and include expected imports of the next 30 days.")
	}
	return nil
}

// unionMass is the EU CBAM threshold in kilograms. Hydrogen and electricity have none.
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
	return rules.Remarks(fmt.Sprintf("The goods of %s weigh %s; importers of 50 t a year into the European Union must be authorised CBAM declarants there.", r.Quarter, inTonnes(mass)),
		"You need no action if you import only into the United Kingdom.")
}
