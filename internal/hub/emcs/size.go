package emcs

import (
	"fmt"
	"math/big"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

var sizeRules = ruleSet{
	{Code: "EMCS-033", Severity: rules.Warning, Field: "quantityLitres", Check: oversized, Source: "Plausibility check: size of a consignment; " + approvalNotice + ": due diligence",
		Title: "The consignment is larger than is usual for its category"},
	{Code: "EMCS-034", Severity: rules.Warning, Field: "vehicleReg", Check: overloaded, Source: "Road Vehicles (Authorised Weight) Regulations 1998: 44 tonnes for vehicle and load",
		Title: "The goods exceed the capacity of the vehicle"},
	{Code: "EMCS-035", Severity: rules.Info, Field: "quantityLitres", Check: highDutyNote, Source: movementLaw + " (movement guarantee); " + warehouseNotice,
		Title: "The duty is high, and the guarantee must cover it"},
}

// largestConsignment is the plausible maximum for one e-AD by category, in litres or kilograms: some containers of alcohol, two of
// tobacco, a tanker ship of oils. Ethyl alcohol also moves by tanker.
var largestConsignment = map[Category]int64{Alcohol: 150_000, Tobacco: 25_000, EnergyOils: 100_000_000}

const largestTanker = 20_000_000 // litres of ethyl alcohol, pure or denatured

func oversized(m *Movement, _ rules.Facts) (found remarks) {
	limit := largestConsignment[m.Category]
	if anyProduct(m.products(), func(p product) bool { return p.code == "S300" || p.code == "S400" }) {
		limit = largestTanker
	}
	for _, a := range []amount{m.litres(), m.kilograms()} {
		if limit > 0 && a.exceeds(limit) {
			return remarks{{
				Field:      a.field,
				Message:    fmt.Sprintf("%s %s of %s is more than %d, the plausible maximum for one consignment of %s.", a.text, a.unit, m.code(), limit, m.Category),
				Suggestion: "Check the unit and the number, or create an e-AD for each vehicle or container.",
			}}
		}
	}
	return nil
}

// Capacity of one road vehicle: of a tank by volume, and of any lorry by mass.
const (
	lorryTank = 32_000 // litres of alcohol
	fuelTank  = 45_000 // litres of oils
	lorryLoad = 32_000 // kilograms
)

// vessel matches a ship, barge, train or pipeline, which has no road limits.
var vessel = lazyregexp.New(`(?i)^\s*(m\.?\s?/?[vt]\.?|s\.?s\.?|ms|mts)[\s.:/-]+\pL{3}|\b(motor tanker|ship|vessel|barge|coaster|train|rail|wagons?|pipeline)\b|\bimo\W*[0-9]{7}\b`)

func overloaded(m *Movement, _ rules.Facts) remarks {
	if squeezed(m.VehicleReg) == "" || vessel.MatchString(m.VehicleReg) {
		return nil
	}
	tank := int64(lorryTank)
	if m.Category == EnergyOils {
		tank = fuelTank
	}
	load := m.litres()
	if !load.exceeds(tank) {
		load = m.kilograms()
		if !load.exceeds(lorryLoad) {
			return nil
		}
	}
	return rules.Remarks(fmt.Sprintf("%s %s is more than one vehicle (%s) can carry on the road.", load.text, load.unit, m.VehicleReg),
		"Check the unit and the number, or create an e-AD for each vehicle.")
}

// Duty rates as at February 2026, rounded down (GOV.UK: Alcohol Duty rates, Tobacco Products Duty rates, Fuel Duty), to
// estimate and not to calculate duty: pounds per litre of pure alcohol by strength of the goods, pounds per kilogram of
// tobacco, and pence per litre of road fuel.
var alcoholRates = []struct {
	upTo   quantity.Number
	pounds int64
}{
	{quantity.MustNumber("3.4"), 9}, {quantity.MustNumber("8.4"), 22}, {quantity.MustNumber("22"), 30}, {quantity.MustNumber("100"), 33},
}

var massRates = map[string]int64{"T200": 400, "T300": 400, "T400": 400, "T500": 180}

const (
	roadFuelPence = 50
	highDuty      = 100_000 // pounds
)

// highDutyNote excludes beer and wine that move between UK warehouses, which need no guarantee.
func highDutyNote(m *Movement, _ rules.Facts) remarks {
	all := m.products()
	if len(all) != 1 || m.Route == Domestic && (all[0].code == "B000" || all[0].code == "W200" || all[0].code == "W300") {
		return nil
	}
	duty, of := m.estimateDuty(all[0])
	if duty.Cmp(big.NewRat(highDuty, 1)) <= 0 {
		return nil
	}
	return remarks{{
		Field:      of.field,
		Message:    fmt.Sprintf("The duty on %[2]s %[3]s of %[4]s is about £%[1]s, by rounded rates of February 2026.", duty.FloatString(0), of.text, of.unit, all[0].name),
		Suggestion: "Check the consignee, and check that the movement guarantee covers the duty.",
	}}
}

// estimateDuty estimates the duty; nil if the data is not sufficient.
func (m *Movement) estimateDuty(p product) (pounds *big.Rat, of amount) {
	switch l, kg := m.litres(), m.kilograms(); {
	case p.category == Alcohol && m.Strength != nil && l.positive():
		pure := new(big.Rat).Mul(l.n, new(big.Rat).Quo(m.Strength.Rat(), big.NewRat(100, 1)))
		for _, r := range alcoholRates {
			if m.Strength.Cmp(r.upTo) <= 0 {
				return pure.Mul(pure, big.NewRat(r.pounds, 1)), l
			}
		}
	case p.category == Tobacco && kg.positive():
		return new(big.Rat).Mul(kg.n, big.NewRat(massRates[p.code], 1)), kg
	case l.positive() && (p.code == "E410" || p.code == "E420" || p.code == "E430"):
		return new(big.Rat).Mul(l.n, big.NewRat(roadFuelPence, 100)), l
	}
	return new(big.Rat), amount{}
}
