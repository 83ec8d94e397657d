package ics2

import (
	"fmt"
	"math/big"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

var loadRules = ruleSet{
	{Code: "ICS2-039", Severity: rules.Blocker, Field: "totalGrossMassKg", Check: missingMass, Source: gbDesign + " (8103); " + dataLaw,
		Title: "The gross mass is missing or zero"},
	{Code: "ICS2-040", Severity: rules.Warning, Field: "totalGrossMassKg", Check: tooHeavy, Source: "Road Vehicles (Authorised Weight) Regulations 1998: 44 tonnes for vehicle and load; capacity of ships, trains and aircraft",
		Title: "The goods are too heavy for the means of transport"},
	{Code: "ICS2-041", Severity: rules.Info, Field: "totalGrossMassKg", Check: preciseMass, Source: gbDesign + ": gross mass with three decimals",
		Title: "The mass has too many decimal places for Great Britain"},
	{Code: "ICS2-042", Severity: rules.Info, Field: "totalPackages", Check: missingPackages, Source: gbDesign + " (8109, 8149 to 8153); " + dataLaw,
		Title: "The number of packages is missing or zero"},
	{Code: "ICS2-043", Severity: rules.Warning, Field: "totalPackages", Check: implausiblePackages, Source: gbGuidance,
		Title: "The number of packages does not fit the mass"},
}

func missingMass(f *Filing, _ rules.Facts) remarks {
	const suggestion = "Give the mass with packaging, in kilograms."
	switch {
	case f.TotalGrossMassKg == nil:
		return rules.Remarks("There is no gross mass.", suggestion)
	case f.TotalGrossMassKg.Sign() == 0:
		return rules.Remarks("The gross mass is 0 kg.", suggestion)
	}
	return nil
}

// maxLoads is the maximum load of one means of transport, in kilograms.
var maxLoads = map[string]quantity.Mass{
	byRoad: quantity.MustMass("44000"), byFerry: quantity.MustMass("44000"), byFerryUnmanned: quantity.MustMass("44000"),
	byAir: quantity.MustMass("150000"), byRail: quantity.MustMass("5000000"), bySea: quantity.MustMass("400000000"), byWaterway: quantity.MustMass("30000000"),
}

func tooHeavy(f *Filing, _ rules.Facts) remarks {
	load, known := maxLoads[f.carriage()]
	if f.TotalGrossMassKg == nil || !known || f.TotalGrossMassKg.Cmp(load) <= 0 {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("%s kg is more than one load by %s.", f.TotalGrossMassKg, carriageNames[f.carriage()]),
		"Check the unit: totalGrossMassKg is in kilograms. Make a filing for each vehicle.")
}

const decimalsGB = 3

func preciseMass(f *Filing, _ rules.Facts) remarks {
	if f.TotalGrossMassKg == nil || f.regime() != greatBritain {
		return nil
	}
	if _, fraction, _ := strings.Cut(f.TotalGrossMassKg.String(), "."); len(fraction) > decimalsGB {
		return rules.Remarks(fmt.Sprintf("%s kg has %d decimal places; HMRC accepts at most %d.", f.TotalGrossMassKg, len(fraction), decimalsGB), "Round the mass to grams.")
	}
	return nil
}

// missingPackages does not apply to bulk cargo, which is not counted.
func missingPackages(f *Filing, _ rules.Facts) remarks {
	switch {
	case f.inBulk():
		return nil
	case f.TotalPackages == nil:
		return rules.Remarks("There is no number of packages, but the goods do not look like bulk cargo.", "Give the number of packages, or of pieces if they are not packed.")
	case *f.TotalPackages == 0:
		return remarks{{
			Severity:   rules.Warning,
			Message:    "The number of packages is 0.",
			Suggestion: "Give the number of packages, or of pieces if they are not packed. Remove the number for bulk cargo.",
		}}
	}
	return nil
}

// Limits of a plausible mass of one package, in kilograms. Mail bags weigh up to thirty kilograms, parcels up to fifty.
var (
	minPackageKg = big.NewRat(1, 1000)
	maxPackageKg = big.NewRat(500_000, 1)
	maxMailKg    = big.NewRat(50, 1)
	maxAirKg     = big.NewRat(50_000, 1)
)

const maxPackages = 9_999_999

func implausiblePackages(f *Filing, _ rules.Facts) remarks {
	if f.TotalPackages == nil || *f.TotalPackages == 0 {
		return nil
	}
	if *f.TotalPackages > maxPackages {
		return rules.Remarks(fmt.Sprintf("%d packages are more than customs accepts.", *f.TotalPackages), "Count the packages as loaded, not their contents.")
	}
	if f.TotalGrossMassKg == nil || f.TotalGrossMassKg.Sign() == 0 || f.inBulk() {
		return nil
	}
	each := new(big.Rat).Quo(f.TotalGrossMassKg.Rat(), new(big.Rat).SetInt64(*f.TotalPackages))
	if each.Cmp(minPackageKg) >= 0 && each.Cmp(f.heaviestPackage()) <= 0 {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("%s kg in %d packages is %s kg for each.", f.TotalGrossMassKg, *f.TotalPackages, each.FloatString(decimalsGB+1)),
		"Check that totalGrossMassKg is in kilograms, and that totalPackages covers the entire consignment.")
}

func (f *Filing) heaviestPackage() *big.Rat {
	switch {
	case f.FilingType == Postal:
		return maxMailKg
	case f.carriage() == byAir:
		return maxAirKg
	}
	return maxPackageKg
}
