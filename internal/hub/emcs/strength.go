package emcs

import (
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
)

var strengthRules = ruleSet{
	{Code: "EMCS-023", Severity: rules.Blocker, Field: "alcoholAbv", Check: missingStrength, Source: productTable + ": alcoholic strength applies",
		Title: "The alcoholic strength is missing"},
	{Code: "EMCS-024", Severity: rules.Blocker, Field: "alcoholAbv", Check: impossibleStrength, Source: ernGuidance + ": 8169 and 8218",
		Title: "The strength is below 0.5% or above 100%"},
	{Code: "EMCS-025", Severity: rules.Warning, Field: "alcoholAbv", Check: unlikelyStrength, Source: alcoholLaw,
		Title: "The strength is outside the range of the product"},
	{Code: "EMCS-026", Severity: rules.Warning, Field: "alcoholAbv", Check: strengthOfOther, Source: productTable + ": alcoholic strength does not apply",
		Title: "A strength is given for goods that are not alcohol"},
	{Code: "EMCS-027", Severity: rules.Warning, Field: "alcoholAbv", Check: preciseStrength, Source: messageSchema + ", alcoholic strength",
		Title: "The strength has too many decimal places for EMCS"},
}

// alcoholic reports whether the goods have a strength: by their product, or by their category if the product is unknown.
func (m *Movement) alcoholic() bool {
	if all := m.products(); len(all) > 0 {
		return all[0].category == Alcohol
	}
	return m.Category == Alcohol
}

func missingStrength(m *Movement, _ rules.Facts) remarks {
	if m.Strength != nil || !m.alcoholic() {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("There is no alcoholic strength for %s; duty is calculated from it.", m.code()),
		"Give the strength in per cent by volume at 20 °C, as on the label or the analysis.")
}

// possibleStrength is the range of strengths that EMCS accepts.
var possibleStrength = between("0.5", "100")

func impossibleStrength(m *Movement, _ rules.Facts) remarks {
	if m.Strength == nil || !m.alcoholic() || possibleStrength.holds(*m.Strength) {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("The strength is %s%%; EMCS accepts %s%% to %s%%.", m.Strength, possibleStrength.from, possibleStrength.to),
		"Give the strength in per cent by volume: 40 for 40%, not 0.4 or 400.")
}

func unlikelyStrength(m *Movement, _ rules.Facts) remarks {
	if m.Strength == nil || !m.alcoholic() || !possibleStrength.holds(*m.Strength) {
		return nil
	}
	all := m.products()
	if len(all) == 0 || anyProduct(all, func(p product) bool { return p.strength.holds(*m.Strength) }) {
		return nil
	}
	p := all[0]
	return rules.Remarks(fmt.Sprintf("The strength is %s%%; %s (%s) has %s%% to %s%%.", m.Strength, p.code, p.name, p.strength.from, p.strength.to),
		"Correct the strength, or choose the right product: spirits (S200) above 22%, intermediate products (I000) for fortified drinks up to 22%.")
}

func strengthOfOther(m *Movement, _ rules.Facts) remarks {
	if m.Strength == nil || m.Strength.IsZero() || m.alcoholic() {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("The strength is %s%%, but %s is not alcohol.", m.Strength, m.code()),
		"Remove alcoholAbv, or correct productCode.")
}

// strengthPlaces is the maximum number of decimal places in EMCS.
const strengthPlaces = 2

func preciseStrength(m *Movement, _ rules.Facts) remarks {
	if m.Strength == nil || !m.alcoholic() || places(*m.Strength) <= strengthPlaces {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("The strength is %s%%; EMCS accepts at most %d decimal places.", m.Strength, strengthPlaces),
		"Round the strength to two decimal places.")
}

// places counts decimal places.
func places(n quantity.Number) int { return decimals(n.String()) }
