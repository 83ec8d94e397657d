package tss

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

var valueRules = ruleSet{
	{Code: "TSS-029", Severity: rules.Blocker, Field: "netMassKg", Check: noMass, Source: "Delegated Regulation (EU) 2015/2446, Annex B, data element 18 01 000 000 (net mass)",
		Title: "The goods have no mass"},
	{Code: "TSS-030", Severity: rules.Warning, Field: "netMassKg", Check: tooHeavy, Source: "Road Vehicles (Authorised Weight) Regulations 1998: 44 tonnes for vehicle and load",
		Title: "The goods are too heavy for the means of transport"},
	{Code: "TSS-031", Severity: rules.Warning, Field: "customsValueGbp", Check: missingValue, Source: valueLaw + "; " + atRiskLaw,
		Title: "The customs value is missing or zero"},
	{Code: "TSS-032", Severity: rules.Warning, Field: "customsValueGbp", Check: implausibleValue, Source: valueLaw,
		Title: "The value does not fit the mass"},
}

func noMass(d *Declaration, _ rules.Facts) remarks {
	if d.NetMassKg.Sign() > 0 {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("The net mass is %s kg.", d.NetMassKg), "Give the mass without packaging, in kilograms.")
}

var (
	lorryLoad = quantity.MustMass("30000")
	shipLoad  = quantity.MustMass("100000000")
)

func tooHeavy(d *Declaration, _ rules.Facts) remarks {
	switch {
	case d.NetMassKg.Cmp(shipLoad) > 0:
		return rules.Remarks(fmt.Sprintf("%s kg is more than a large ship can carry.", d.NetMassKg), "Check the unit: netMassKg is in kilograms.")
	case d.VehicleReg != "" && d.NetMassKg.Cmp(lorryLoad) > 0:
		return rules.Remarks(fmt.Sprintf("%s kg is more than one vehicle (%s) may carry on the road.", d.NetMassKg, d.VehicleReg),
			"Check the unit, or declare a movement for each vehicle.")
	}
	return nil
}

func missingValue(d *Declaration, _ rules.Facts) remarks {
	switch {
	case d.CustomsValueGBP != nil && d.CustomsValueGBP.IsZero():
		return rules.Remarks("The customs value is £0; goods without a price also have a customs value.",
			"Give the value by the next valuation method that applies.")
	case d.CustomsValueGBP != nil || !d.MovementType.intoNI():
		return nil
	case d.MovementType == ImportToNI && d.RiskCategorisation == NotAtRisk:
		return rules.Remarks("There is no customs value; imported goods are at risk if the EU duty exceeds the UK duty by more than 3%.",
			"Give the customs value in customsValueGbp.")
	case d.RiskCategorisation != NotAtRisk:
		return rules.Remarks("There is no customs value, and EU duty on goods at risk is calculated from it.", "Give the customs value in customsValueGbp.")
	}
	return nil
}

// Limits of a plausible value in pounds per kilogram: even gravel costs more than the lower one, and only precious goods
// cost more than the upper one.
var (
	minValuePerKg = big.NewRat(5, 1000)
	maxValuePerKg = big.NewRat(50_000, 1)
)

// precious lists chapters whose goods may cost more: chemicals, medicines, jewellery, watches and art.
var precious = []string{"28", "29", "30", "71", "91", "97"}

func implausibleValue(d *Declaration, _ rules.Facts) remarks {
	if d.CustomsValueGBP == nil || d.CustomsValueGBP.Sign() <= 0 || d.NetMassKg.Sign() <= 0 {
		return nil
	}
	perKg := new(big.Rat).Quo(d.CustomsValueGBP.Rat(), d.NetMassKg.Rat())
	code, err := ident.ParseCommodityCode(d.CommodityCode)
	dear := perKg.Cmp(maxValuePerKg) > 0 && (err != nil || !slices.Contains(precious, code.Chapter()))
	if !dear && perKg.Cmp(minValuePerKg) >= 0 {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("£%s for %s kg is £%s a kilogram.", d.CustomsValueGBP.Fixed(), d.NetMassKg, strings.TrimSuffix(perKg.FloatString(2), ".00")),
		"Check that customsValueGbp is in pounds and netMassKg in kilograms, for the same goods.")
}
