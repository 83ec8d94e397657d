package analysis

import (
	"fmt"
	"math/big"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/wco/codelist"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

const (
	unitGuide    = bothGuides + ": DE 6/2"
	packageGuide = bothGuides + ": DE 6/9 and 6/10; UN/ECE Recommendation 21 (codes for packages)"
)

var quantityRules = ruleSet{
	{Code: "DEC-037", Severity: rules.Blocker, Field: "items[].quantity", Check: each("quantity", noUnits), Source: unitGuide + "; CDS error CDS40011",
		Title: "The tariff requires a supplementary unit, but there is no quantity"},
	{Code: "DEC-038", Severity: rules.Warning, Field: "items[].quantity", Check: each("quantity", noPieces), Source: unitGuide,
		Title: "The quantity is zero"},
	{Code: "DEC-039", Severity: rules.Warning, Field: "items[].supplementaryUnits", Check: each("supplementaryUnits", twoQuantities), Source: unitGuide,
		Title: "Quantity and supplementary units differ"},
	{Code: "DEC-040", Severity: rules.Warning, Field: "items[].supplementaryUnits", Check: each("supplementaryUnits", brokenPieces), Source: unitGuide,
		Title: "Pieces or pairs are counted in fractions"},
	{Code: "DEC-041", Severity: rules.Warning, Field: "items[].supplementaryUnits", Check: each("supplementaryUnits", strangeVolume), Source: credibility,
		Title: "The volume does not fit the mass"},
	{Code: "DEC-042", Severity: rules.Blocker, Field: "items[].packageCount", Check: noPackages, Source: packageGuide,
		Title: "The number of packages is zero"},
	{Code: "DEC-043", Severity: rules.Warning, Field: "items[].packageCount", Check: each("packageCount", morePackages), Source: packageGuide,
		Title: "There are more packages than pieces"},
	{Code: "DEC-044", Severity: rules.Blocker, Field: "items[].packageType", Check: each("packageType", unknownPackage), Source: packageGuide,
		Title: "The type of packages is not a code of CDS"},
}

// unitNames are the names of supplementary units.
var unitNames = map[string]string{
	"NAR": "number of items", "NPR": "number of pairs", "CEN": "hundreds of items", "MIL": "thousands of items", "LTR": "litres", "LPA": "litres of pure alcohol",
	"MTK": "square metres", "MTQ": "cubic metres", "MTR": "metres", "GRM": "grams", "CTM": "carats", "MWH": "megawatt hours", "TJO": "terajoules",
}

func (i *item) unit() string {
	if name, ok := unitNames[i.line.Unit]; ok {
		return i.line.Unit + ", " + name
	}
	return i.line.Unit
}

func noUnits(_ *Case, i *item) remarks {
	switch {
	case !i.known || i.line.Unit == "":
		return nil
	case i.units == nil:
		return remarkOf(fmt.Sprintf("%s is declared with its quantity in %s, and there is none.", i.CommodityCode, i.unit()), "Give quantity, or supplementaryUnits where it is not a whole number.")
	case i.units.Sign() <= 0:
		return remarkOf(fmt.Sprintf("%s is declared with its quantity in %s, and it is %s.", i.CommodityCode, i.unit(), i.units), "Give how much there is.")
	}
	return nil
}

func noPieces(_ *Case, i *item) remarks {
	if i.units == nil || i.units.Sign() > 0 || i.known && i.line.Unit != "" { // else DEC-037
		return nil
	}
	return remarkOf("The quantity is 0.", "Give how many there are, or leave the quantity out.")
}

func twoQuantities(_ *Case, i *item) remarks {
	if i.Quantity == nil || i.SupplementaryUnits == nil || i.SupplementaryUnits.Rat().Cmp(big.NewRat(*i.Quantity, 1)) == 0 {
		return nil
	}
	return remarkOf(fmt.Sprintf("The quantity is %d and the supplementary units are %s; the latter would be declared.", *i.Quantity, i.SupplementaryUnits), "Keep the one that is in the unit of the commodity code.")
}

func brokenPieces(_ *Case, i *item) remarks {
	if i.units == nil || !isOneOf(i.line.Unit, counted) || i.units.Rat().IsInt() {
		return nil
	}
	return remarkOf(fmt.Sprintf("%s %s are counted, and nothing is counted in fractions.", i.units, i.unit()), "Give the number of pieces; the mass belongs into netMassKg.")
}

// Possible mass of a litre in kilograms: lighter than ether or heavier than brine or syrup is an error.
var (
	litre   = spanOf("0.55", "2")
	alcohol = ratOf("0.5") // of pure alcohol, which comes with water: at least so much for a litre
)

func strangeVolume(_ *Case, i *item) remarks {
	if i.units == nil || i.units.Sign() <= 0 || i.NetMass().Sign() <= 0 || !isOneOf(i.line.Unit, "LTR LPA") || !hasPrefixOf(i.CommodityCode, "22 27 38 33 34 29") {
		return nil
	}
	density := new(big.Rat).Quo(i.NetMass().Rat(), i.units.Rat())
	if i.line.Unit == "LTR" && litre.holds(density) || i.line.Unit == "LPA" && density.Cmp(alcohol) >= 0 {
		return nil
	}
	return remarkOf(fmt.Sprintf("%s kg for %s %s is %s kg a litre.", i.NetMass(), i.units, i.unit(), short(density)), "Check the unit: litres, not bottles or cases; and kilograms of the contents.")
}

func noPackages(c *Case, _ rules.Facts) remarks {
	for n := range c.items {
		if p := c.items[n].PackageCount; p == nil || *p > 0 {
			return nil
		}
	}
	if len(c.items) == 0 {
		return nil
	}
	return remarks{about("items[0].packageCount", "All items have 0 packages.", "Give the number of packages with the first item that is in them; 0 says that goods are packed with those of another item.")}
}

func morePackages(_ *Case, i *item) remarks {
	if i.PackageCount == nil || i.units == nil || i.units.Sign() <= 0 || i.known && !isOneOf(i.line.Unit, counted) || !i.known && i.Quantity == nil {
		return nil
	}
	if i.units.Rat().Cmp(big.NewRat(*i.PackageCount, 1)) >= 0 {
		return nil
	}
	return remarkOf(fmt.Sprintf("There are %d packages of %s pieces.", *i.PackageCount, i.units), "Swap the two, or give the number of the outer packages.")
}

func unknownPackage(_ *Case, i *item) remarks {
	if i.PackageType == "" || codelist.Packages().Has(i.PackageType) {
		return nil
	}
	return remarkOf(fmt.Sprintf("%q is not a kind of packages.", i.PackageType), "Choose a code such as CT (carton), PX (pallet), BX (box), BG (bag) or PK (package).")
}

// pounds formats an amount for messages.
func pounds(m quantity.Money) string { return "£" + m.Fixed() }
