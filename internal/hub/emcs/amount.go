package emcs

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
)

var amountRules = ruleSet{
	{Code: "EMCS-028", Severity: rules.Blocker, Field: "quantityLitres", Check: missingAmount, Source: ernGuidance + ": quantity above zero; " + productTable + ": unit of measure",
		Title: "There is no quantity"},
	{Code: "EMCS-029", Severity: rules.Warning, Field: "quantityLitres", Check: wrongUnit, Source: productTable + ": unit of measure",
		Title: "The quantity is not in the unit of the product"},
	{Code: "EMCS-030", Severity: rules.Warning, Field: "quantityLitres", Check: preciseAmount, Source: messageSchema + ", quantity",
		Title: "The quantity has too many decimal places for EMCS"},
	{Code: "EMCS-031", Severity: rules.Warning, Field: "quantityKg", Check: unlikelyDensity, Source: "Plausibility check: density of the product; " + ernGuidance + ": 8217 (net and gross mass)",
		Title: "Litres and kilograms do not fit together"},
	{Code: "EMCS-032", Severity: rules.Info, Field: "quantityKg", Check: countedInPieces, Source: productTable + ": unit of measure 4 (1,000 items)",
		Title: "EMCS counts the goods in pieces"},
}

// amount is a quantity with its field.
type amount struct {
	field, unit string
	n           *big.Rat // nil if not given
	text        string
}

func (m *Movement) litres() amount {
	a := amount{field: "quantityLitres", unit: "litres"}
	if m.Litres != nil {
		a.n, a.text = m.Litres.Rat(), m.Litres.String()
	}
	return a
}

func (m *Movement) kilograms() amount {
	a := amount{field: "quantityKg", unit: "kilograms"}
	if m.Kilograms != nil {
		a.n, a.text = m.Kilograms.Rat(), m.Kilograms.String()
	}
	return a
}

// positive reports whether the amount is given and above zero.
func (a amount) positive() bool { return a.n != nil && a.n.Sign() > 0 }

// exceeds reports whether the amount is above a number of units.
func (a amount) exceeds(than int64) bool { return a.n != nil && a.n.Cmp(big.NewRat(than, 1)) > 0 }

// expected returns the amounts in the units of the product. Tobacco counted in pieces has only a mass.
func (m *Movement) expectedAmounts() []amount {
	all := m.products()
	inLitres := anyProduct(all, func(p product) bool { return p.unit == litres })
	inMass := anyProduct(all, func(p product) bool { return p.unit != litres })
	if len(all) == 0 {
		inLitres, inMass = m.Category != Tobacco, m.Category == Tobacco
	}
	var found []amount
	if inLitres {
		found = append(found, m.litres())
	}
	if inMass {
		found = append(found, m.kilograms())
	}
	return found
}

func missingAmount(m *Movement, _ rules.Facts) (found remarks) {
	expected := m.expectedAmounts()[0]
	advice := fmt.Sprintf("Give the quantity in %s, in %s.", expected.unit, expected.field)
	for _, a := range []amount{m.litres(), m.kilograms()} {
		if a.n != nil && !a.positive() {
			found = append(found, rules.Remark{Field: a.field, Message: fmt.Sprintf("The quantity is %s %s.", a.text, a.unit), Suggestion: advice})
		}
	}
	if m.Litres == nil && m.Kilograms == nil {
		found = append(found, rules.Remark{Field: expected.field, Message: fmt.Sprintf("Neither litres nor kilograms of %s are given.", m.code()), Suggestion: advice})
	}
	return found
}

// wrongUnit finds a quantity in the wrong unit, and litres of tobacco even if the mass is given.
func wrongUnit(m *Movement, _ rules.Facts) remarks {
	l, kg, expected := m.litres(), m.kilograms(), m.expectedAmounts()
	other := kg
	switch {
	case l.positive() && m.isTobacco():
		return rules.Remarks(fmt.Sprintf("There are %s litres of %s, but excise duty on tobacco is not by volume.", l.text, m.code()),
			"Give the mass in quantityKg, and remove quantityLitres.")
	case slices.ContainsFunc(expected, amount.positive) || !l.positive() && !kg.positive():
		return nil
	case l.positive():
		other = l
	}
	return remarks{{
		Field:      expected[0].field,
		Message:    fmt.Sprintf("There are %s %s of %s, which EMCS counts in %s.", other.text, other.unit, m.code(), expected[0].unit),
		Suggestion: fmt.Sprintf("Give the quantity in %s, in %s.", expected[0].unit, expected[0].field),
	}}
}

// isTobacco reports whether the goods are tobacco by their product, or by their category if the product is unknown.
func (m *Movement) isTobacco() bool {
	if all := m.products(); len(all) > 0 {
		return all[0].category == Tobacco
	}
	return m.Category == Tobacco
}

// amountPlaces is the maximum number of decimal places of a quantity in EMCS. Net mass may have more, so the limit applies
// to kilograms only if they are the quantity.
const amountPlaces = 3

func preciseAmount(m *Movement, _ rules.Facts) (found remarks) {
	for _, a := range m.expectedAmounts() {
		if decimals(a.text) > amountPlaces {
			found = append(found, rules.Remark{
				Field:      a.field,
				Message:    fmt.Sprintf("%s %s has more than %d decimal places.", a.text, a.unit, amountPlaces),
				Suggestion: "Round the quantity to three decimal places.",
			})
		}
	}
	return found
}

func decimals(text string) int {
	_, after, _ := strings.Cut(text, ".")
	return len(after)
}

// Kilograms per litre of alcohol, without and with bottles.
var (
	alcoholDensity = between("0.78", "1.25")
	bottleDensity  = between("1.25", "2.5")
)

// densities are those of goods whose product is not known, by category.
var densities = map[Category]*numberRange{Alcohol: alcoholDensity, EnergyOils: between("0.5", "1.1")}

func unlikelyDensity(m *Movement, _ rules.Facts) remarks {
	l, kg := m.litres(), m.kilograms()
	all := m.products()
	if !l.positive() || !kg.positive() || m.isTobacco() {
		return nil
	}
	density := new(big.Rat).Quo(kg.n, l.n)
	if len(all) == 0 && densities[m.Category].contains(density) || anyProduct(all, func(p product) bool { return p.hasDensity(density) }) {
		return nil
	}
	remark := rules.Remark{
		Message:    fmt.Sprintf("%s kg for %s litres of %s is %s kg per litre.", kg.text, l.text, m.code(), density.FloatString(3)),
		Suggestion: "Check both figures: litres at 20 °C (oils at 15 °C), and kilograms without packaging.",
	}
	if m.Category == Alcohol && !m.inBulk() && bottleDensity.contains(density) {
		remark.Severity = rules.Info
		remark.Message += " This looks like the mass including bottles."
		remark.Suggestion = "Give the net mass in quantityKg. The gross mass belongs in the e-AD."
	}
	return remarks{remark}
}

func (p product) hasDensity(density *big.Rat) bool {
	if p.density == nil {
		return alcoholDensity.contains(density)
	}
	return p.density.contains(density)
}

func (s numberRange) contains(n *big.Rat) bool {
	return n.Cmp(s.from.Rat()) >= 0 && n.Cmp(s.to.Rat()) <= 0
}

func countedInPieces(m *Movement, _ rules.Facts) remarks {
	all := m.products()
	if len(all) == 0 || anyProduct(all, func(p product) bool { return p.unit != thousands }) || !m.kilograms().positive() {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("There are %s kg of %s, which the e-AD also counts in thousands of pieces.", m.kilograms().text, m.code()),
		"Prepare the number of pieces for the e-AD.")
}
