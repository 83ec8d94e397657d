package emcs

import (
	"fmt"
	"math/big"
	"regexp"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

var sizeRules = ruleSet{
	{Code: "EMCS-033", Severity: rules.Warning, Field: "quantityLitres", Judge: oversized, Source: "House rule: size of a consignment; " + approvalNotice + ": due diligence",
		Title: "The consignment is larger than is usual for its category"},
	{Code: "EMCS-034", Severity: rules.Warning, Field: "vehicleReg", Judge: overloaded, Source: "Road Vehicles (Authorised Weight) Regulations 1998: 44 tonnes for vehicle and load",
		Title: "The goods are more than what is to carry them can hold"},
	{Code: "EMCS-035", Severity: rules.Info, Field: "quantityLitres", Judge: dutyAtStake, Source: movementLaw + " (movement guarantee); " + warehouseNotice,
		Title: "Much duty is at stake, and the guarantee must cover it"},
}

// largest is how much of a category goes under one e-AD: some containers of alcohol,
// two of tobacco, a tanker of oils. Raw alcohol goes by the tanker too.
var largest = map[Category]int64{Alcohol: 150_000, Tobacco: 25_000, EnergyOils: 100_000_000}

const largestTanker = 20_000_000 // of ethyl alcohol, pure or denatured

func oversized(m *Movement, _ rules.Facts) (found remarks) {
	limit := largest[m.Category]
	if may(m.products(), func(p product) bool { return p.code == "S300" || p.code == "S400" }) {
		limit = largestTanker
	}
	for _, a := range []amount{m.litres(), m.kilograms()} {
		if limit > 0 && a.more(limit) {
			return remarks{{
				Field:      a.field,
				Message:    fmt.Sprintf("%s %s of %s is more than the %d that one consignment of %s has at the most.", a.text, a.unit, m.code(), limit, m.Category),
				Suggestion: "Check unit and figure, or raise an e-AD for each vehicle or container.",
			}}
		}
	}
	return nil
}

// What one vehicle holds: the tank of a lorry by volume, whatever it is by mass.
const (
	lorryTank = 32_000 // litres of alcohol
	fuelTank  = 45_000 // litres of oils
	lorryLoad = 32_000 // kilograms
)

// vessel is a ship, a barge, a train or a pipeline, which no limit of the road binds.
var vessel = regexp.MustCompile(`(?i)^\s*(m\.?\s?/?[vt]\.?|s\.?s\.?|ms|mts)[\s.:/-]+\pL{3}|\b(motor tanker|ship|vessel|barge|coaster|train|rail|wagons?|pipeline)\b|\bimo\W*[0-9]{7}\b`)

func overloaded(m *Movement, _ rules.Facts) remarks {
	if squeezed(m.VehicleReg) == "" || vessel.MatchString(m.VehicleReg) {
		return nil
	}
	tank := int64(lorryTank)
	if m.Category == EnergyOils {
		tank = fuelTank
	}
	load := m.litres()
	if !load.more(tank) {
		load = m.kilograms()
		if !load.more(lorryLoad) {
			return nil
		}
	}
	return rules.Say(fmt.Sprintf("%s %s is more than the one vehicle %s can carry on the road.", load.text, load.unit, m.VehicleReg),
		"Check unit and figure, or raise an e-AD for each vehicle.")
}

// Rounded-down rates of duty as at February 2026 (GOV.UK: Alcohol Duty rates, Tobacco
// Products Duty rates, Fuel Duty), to tell much from little and not to reckon with: pounds for a litre of pure alcohol by the strength of the goods,
// for a kilogram of tobacco, and pence for a litre of road fuel.
var alcoholRates = []struct {
	upTo   quantity.Number
	pounds int64
}{
	{quantity.MustNumber("3.4"), 9}, {quantity.MustNumber("8.4"), 22}, {quantity.MustNumber("22"), 30}, {quantity.MustNumber("100"), 33},
}

var massRates = map[string]int64{"T200": 400, "T300": 400, "T400": 400, "T500": 180}

const (
	roadFuelPence = 50
	much          = 100_000 // pounds
)

// dutyAtStake leaves out beer and wine from warehouse to warehouse within the United
// Kingdom, which need no guarantee.
func dutyAtStake(m *Movement, _ rules.Facts) remarks {
	all := m.products()
	if len(all) != 1 || m.Route == Domestic && (all[0].code == "B000" || all[0].code == "W200" || all[0].code == "W300") {
		return nil
	}
	duty, of := m.roughDuty(all[0])
	if duty.Cmp(big.NewRat(much, 1)) <= 0 {
		return nil
	}
	return remarks{{
		Field:      of.field,
		Message:    fmt.Sprintf("Some £%s of duty is at stake on %s %s of %s, by rounded rates of February 2026.", duty.FloatString(0), of.text, of.unit, all[0].name),
		Suggestion: "See that the movement guarantee covers it, and that the consignee has been checked.",
	}}
}

// roughDuty is nothing where too little is known.
func (m *Movement) roughDuty(p product) (pounds *big.Rat, of amount) {
	switch l, kg := m.litres(), m.kilograms(); {
	case p.category == Alcohol && m.Strength != nil && l.some():
		pure := new(big.Rat).Mul(l.n, new(big.Rat).Quo(m.Strength.Rat(), big.NewRat(100, 1)))
		for _, r := range alcoholRates {
			if m.Strength.Cmp(r.upTo) <= 0 {
				return pure.Mul(pure, big.NewRat(r.pounds, 1)), l
			}
		}
	case p.category == Tobacco && kg.some():
		return new(big.Rat).Mul(kg.n, big.NewRat(massRates[p.code], 1)), kg
	case l.some() && (p.code == "E410" || p.code == "E420" || p.code == "E430"):
		return new(big.Rat).Mul(l.n, big.NewRat(roadFuelPence, 100)), l
	}
	return new(big.Rat), amount{}
}
