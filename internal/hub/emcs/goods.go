package emcs

import (
	"fmt"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hub/shared/goods"
)

var productRules = ruleSet{
	{Code: "EMCS-016", Severity: rules.Blocker, Field: "productCode", Judge: unknownProduct, Source: productTable + "; " + ernGuidance + ": 8097",
		Title: "The excise product code does not exist"},
	{Code: "EMCS-017", Severity: rules.Info, Field: "productCode", Judge: tariffCodeGiven, Source: "EMCS reference table E200 (tariff codes and excise products)",
		Title: "A tariff code stands in for the excise product code"},
	{Code: "EMCS-018", Severity: rules.Blocker, Field: "productCode", Judge: wrongCategory, Source: productTable,
		Title: "The product is not of the category that is declared"},
	{Code: "EMCS-019", Severity: rules.Blocker, Field: "productCode", Judge: neverSuspended, Source: ernGuidance + ": 8724",
		Title: "The product does not move in duty suspension"},
	{Code: "EMCS-020", Severity: rules.Warning, Field: "productDescription", Judge: vagueDescription, Source: messageForm + ", commercial description; " + warehouseNotice,
		Title: "The description does not say what the goods are"},
	{Code: "EMCS-021", Severity: rules.Warning, Field: "productDescription", Judge: otherProduct, Source: productTable,
		Title: "The description names another product than the code"},
	{Code: "EMCS-022", Severity: rules.Warning, Field: "productDescription", Judge: longDescription, Source: messageForm + ", commercial description",
		Title: "The description is longer than EMCS takes"},
}

// vaping is the code that HMRC keeps for vaping products, which bear a duty of
// their own since October 2026 and are not in the table of EMCS.
const vaping = "V000"

func unknownProduct(m *Movement, _ rules.Facts) remarks {
	const advice = "Give the excise product code: a letter and three digits, such as B000, W200, S200, T200 or E430."
	code := m.code()
	switch {
	case len(m.products()) > 0:
		return nil
	case code == vaping:
		return remarks{{
			Severity:   rules.Warning,
			Message:    "V000 stands for vaping products, which bear a duty of their own and are not among the excise products of EMCS.",
			Suggestion: "Move them under the rules of Vaping Products Duty, or correct the code.",
		}}
	case tariffCode.MatchString(code):
		return rules.Say(fmt.Sprintf("%s is not the tariff code of goods that EMCS knows.", code), advice)
	}
	return rules.Say(fmt.Sprintf("%q is not an excise product code.", m.ProductCode), advice)
}

func tariffCodeGiven(m *Movement, _ rules.Facts) remarks {
	all := m.products()
	if len(all) == 0 || !tariffCode.MatchString(m.code()) {
		return nil
	}
	return rules.Say(fmt.Sprintf("%s is a tariff code; the e-AD gives it beside the excise product code, which may be %s.", m.code(), names(all)),
		"Give the excise product code in productCode, and keep the tariff code for the e-AD.")
}

func wrongCategory(m *Movement, _ rules.Facts) remarks {
	all := m.products()
	if len(all) == 0 || may(all, func(p product) bool { return p.category == m.Category }) {
		return nil
	}
	return rules.Say(fmt.Sprintf("%s stands for %s, of category %s, and %s is declared.", m.code(), all[0].name, all[0].category, m.Category),
		"Correct category or productCode.")
}

func neverSuspended(m *Movement, _ rules.Facts) remarks {
	if m.code() != "S600" {
		return nil
	}
	return rules.Say("S600 stands for completely denatured alcohol, which EMCS takes as duty-paid goods only.",
		"Correct the code (S400 for partly denatured alcohol), or move the goods without an e-AD in duty suspension.")
}

func vagueDescription(m *Movement, _ rules.Facts) remarks {
	const advice = "Say what the goods are as the trade names them, with brand, strength or size, such as “Scotch whisky, 12 x 70 cl”."
	switch hedge := goods.Hedge(m.ProductDescription); {
	case goods.Vague(m.ProductDescription):
		return rules.Say(fmt.Sprintf("%q could be anything.", m.ProductDescription), advice)
	case hedge != "":
		return rules.Say(fmt.Sprintf("%q leaves open what else there is, by its %q.", m.ProductDescription, hedge), advice)
	}
	return nil
}

// otherProduct looks at the words that name a product. A description may name
// several, such as beer from whisky casks: one that fits is enough.
func otherProduct(m *Movement, _ rules.Facts) remarks {
	declared := m.products()
	var word string
	for _, w := range goods.Words(strings.ToLower(m.ProductDescription)) {
		codes, known := wording[w]
		if !known {
			continue
		}
		if may(declared, func(p product) bool { return strings.Contains(codes, p.code) }) {
			return nil
		}
		word = w
	}
	if word == "" || len(declared) == 0 {
		return nil
	}
	return rules.Say(fmt.Sprintf("The description names %q, which goes with %s, and the code %s stands for %s.", word, names(listed(wording[word])), m.code(), declared[0].name),
		"Correct productCode or the description.")
}

// longestDescription is what the commercial description of an e-AD holds.
const longestDescription = 350

func longDescription(m *Movement, _ rules.Facts) remarks {
	if n := len([]rune(m.ProductDescription)); n > longestDescription {
		return rules.Say(fmt.Sprintf("The description has %d characters; EMCS takes %d.", n, longestDescription),
			"Shorten it to what tells the goods apart.")
	}
	return nil
}
