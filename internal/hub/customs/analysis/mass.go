package analysis

import (
	"fmt"
	"math/big"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

const massGuide = bothGuides + ": DE 6/1 and 6/5"

var massRules = ruleSet{
	{Code: "DEC-030", Severity: rules.Blocker, Field: "items[].netMassKg", Check: each("netMassKg", noMass), Source: massGuide,
		Title: "The goods have no net mass"},
	{Code: "DEC-031", Severity: rules.Blocker, Field: "items[].grossMassKg", Check: each("grossMassKg", netAboveGross), Source: massGuide,
		Title: "The net mass is greater than the gross mass"},
	{Code: "DEC-032", Severity: rules.Warning, Field: "items[].grossMassKg", Check: each("grossMassKg", heavyPackaging), Source: credibility,
		Title: "The packaging is many times heavier than the goods"},
	{Code: "DEC-033", Severity: rules.Info, Field: "items[].grossMassKg", Check: noGross, Source: massGuide,
		Title: "There is no gross mass, so the net mass would be declared instead"},
	{Code: "DEC-034", Severity: rules.Info, Field: "items[].grossMassKg", Check: each("grossMassKg", weightlessPackaging), Source: massGuide,
		Title: "Net and gross mass of packaged goods are equal"},
	{Code: "DEC-035", Severity: rules.Warning, Field: "items[].netMassKg", Check: tooHeavy, Source: "Road Vehicles (Authorised Weight) Regulations 1998; ISO 668 (freight containers); House rule: the largest aircraft, trains and ships",
		Title: "The consignment is too heavy for its means of transport"},
	{Code: "DEC-036", Severity: rules.Warning, Field: "items[].netMassKg", Check: each("netMassKg", strangePieceMass), Source: credibility,
		Title: "The mass per piece is unusual for such goods"},
}

func noMass(_ *Case, i *item) remarks {
	if i.NetMass().Sign() > 0 || i.heading() == "2716" { // electricity
		return nil
	}
	return remarkOf(fmt.Sprintf("The net mass is %s kg.", i.NetMass()), "Give the mass without packaging, in kilograms.")
}

func netAboveGross(_ *Case, i *item) remarks {
	if i.GrossMassKg == nil || i.NetMass().Cmp(*i.GrossMassKg) <= 0 {
		return nil
	}
	return remarkOf(fmt.Sprintf("The net mass is %s kg and the gross mass %s kg.", i.NetMass(), i.GrossMassKg), "Swap the two, or copy them from the packing list again.")
}

// Packaging that is reported: relative to the goods, and in kilograms.
const packagingFactor = 10

var packagingFloor = quantity.MustMass("100")

func heavyPackaging(_ *Case, i *item) remarks {
	if i.GrossMassKg == nil || i.NetMass().Sign() <= 0 {
		return nil
	}
	if i.GrossMassKg.Cmp(i.NetMass().Add(packagingFloor)) <= 0 {
		return nil // of most items; fractions are slow
	}
	net, gross := i.NetMass().Rat(), i.GrossMassKg.Rat()
	if gross.Cmp(new(big.Rat).Mul(net, big.NewRat(packagingFactor, 1))) < 0 {
		return nil
	}
	return remarkOf(fmt.Sprintf("The goods weigh %s kg and %s kg with their packaging.", i.NetMass(), i.GrossMassKg),
		"Check that both are of this item, and the decimal point; the gross mass of the whole consignment belongs to no single item.")
}

func noGross(c *Case, _ rules.Facts) remarks {
	without := 0
	for n := range c.items {
		if c.items[n].GrossMassKg == nil {
			without++
		}
	}
	switch {
	case without == 0:
		return nil
	case len(c.items) == 1:
		return remarks{about("items[0].grossMassKg", "There is no gross mass; the net mass would be declared for it.", "Give the mass with packaging, from the packing list.")}
	}
	return remarks{about("items", fmt.Sprintf("%d of %d items have no gross mass; the net mass would be declared for it.", without, len(c.items)), "Give the mass with packaging, from the packing list.")}
}

// unpacked are chapters and headings of goods that often travel without packaging.
const unpacked = "01 10 12 25 26 27 31 44 47 68 72 73 74 76 84 86 87 88 89"

func weightlessPackaging(_ *Case, i *item) remarks {
	if i.GrossMassKg == nil || i.NetMass().Sign() <= 0 || i.NetMass().Cmp(*i.GrossMassKg) != 0 || hasPrefixOf(i.CommodityCode, unpacked) || strings.HasPrefix(i.PackageType, "V") || i.PackageType == "NE" {
		return nil
	}
	return remarkOf(fmt.Sprintf("Net and gross mass are both %s kg.", i.NetMass()), "Give the mass without packaging as netMassKg, and with it as grossMassKg.")
}

// loads are the maximum loads of one means of transport, in kilograms.
var loads = map[string]struct {
	most quantity.Mass
	what string
}{
	"ROAD": {quantity.MustMass("30000"), "one lorry may carry on British roads"},
	"AIR":  {quantity.MustMass("150000"), "the largest freighter flies with"},
	"RAIL": {quantity.MustMass("4000000"), "a freight train carries"},
	"SEA":  {quantity.MustMass("400000000"), "the largest ship carries"},
}

const containerLoad = 30_000 // kilograms

func tooHeavy(c *Case, _ rules.Facts) remarks {
	var all quantity.Mass
	for n := range c.items {
		mass := c.items[n].NetMass()
		if g := c.items[n].GrossMassKg; g != nil {
			mass = *g
		}
		all = all.Add(mass)
	}
	boxes := len(c.Shipment.Containers)
	load, known := loads[c.Shipment.TransportMode]
	switch {
	case known && all.Cmp(load.most) > 0:
		return remarks{about("items", fmt.Sprintf("The items weigh %s kg together, more than %s.", all, load.what), "Check the unit: masses are in kilograms; or the mode of transport.")}
	case boxes > 0 && all.Rat().Cmp(big.NewRat(int64(boxes)*containerLoad, 1)) > 0:
		return remarks{about("items", fmt.Sprintf("The items weigh %s kg together, more than %d container(s) hold.", all, boxes), "Check the unit: masses are in kilograms; or name all containers.")}
	}
	return nil
}

func strangePieceMass(_ *Case, i *item) remarks {
	usual, pieces := pieceOf(i)
	if pieces == nil || i.NetMass().Sign() <= 0 {
		return nil
	}
	each := new(big.Rat).Quo(i.NetMass().Rat(), pieces)
	if usual.mass.holds(each) {
		return nil
	}
	return remarkOf(fmt.Sprintf("%s kg for %s pieces is %s kg each, and %s usually weigh %s kg.", i.NetMass(), i.units, short(each), usual.what, usual.mass),
		"Check the number of pieces and that the mass is in kilograms, for the same goods.")
}
