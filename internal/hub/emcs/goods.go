package emcs

import (
	"fmt"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hub/shared/goods"
)

var productRules = ruleSet{
	{Code: "EMCS-016", Severity: rules.Blocker, Field: "productCode", Check: unknownProduct, Source: productTable + "; " + ernGuidance + ": 8097",
		Title: "The excise product code does not exist"},
	{Code: "EMCS-017", Severity: rules.Info, Field: "productCode", Check: tariffCodeGiven, Source: "EMCS reference table E200 (commodity codes and excise products)",
		Title: "A commodity code is given instead of the excise product code"},
	{Code: "EMCS-018", Severity: rules.Blocker, Field: "productCode", Check: wrongCategory, Source: productTable,
		Title: "The product does not belong to the declared category"},
	{Code: "EMCS-019", Severity: rules.Blocker, Field: "productCode", Check: neverSuspended, Source: ernGuidance + ": 8724",
		Title: "The product cannot move in duty suspension"},
	{Code: "EMCS-020", Severity: rules.Warning, Field: "productDescription", Check: vagueDescription, Source: messageSchema + ", commercial description; " + warehouseNotice,
		Title: "The description does not say what the goods are"},
	{Code: "EMCS-021", Severity: rules.Warning, Field: "productDescription", Check: otherProduct, Source: productTable,
		Title: "The description names another product than the code"},
	{Code: "EMCS-022", Severity: rules.Warning, Field: "productDescription", Check: longDescription, Source: messageSchema + ", commercial description",
		Title: "The description is too long for EMCS"},
}

// vaping is HMRC's code for vaping products, which have their own duty since October 2026 and are not in the EMCS table.
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
			Message:    "V000 is the code of vaping products, which have their own duty and do not move under EMCS.",
			Suggestion: "Move them under the rules of Vaping Products Duty, or correct the code.",
		}}
	case tariffCode.MatchString(code):
		return rules.Remarks(fmt.Sprintf("%s is not the commodity code of excise goods.", code), advice)
	}
	return rules.Remarks(fmt.Sprintf("%q is not an excise product code.", m.ProductCode), advice)
}

func tariffCodeGiven(m *Movement, _ rules.Facts) remarks {
	all := m.products()
	if len(all) == 0 || !tariffCode.MatchString(m.code()) {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("%s is a commodity code; the e-AD also needs the excise product code, which may be %s.", m.code(), names(all)),
		"Give the excise product code in productCode. The commodity code belongs in the e-AD.")
}

func wrongCategory(m *Movement, _ rules.Facts) remarks {
	all := m.products()
	if len(all) == 0 || anyProduct(all, func(p product) bool { return p.category == m.Category }) {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("%s means %s, which is in category %s, but %s is declared.", m.code(), all[0].name, all[0].category, m.Category),
		"Correct category or productCode.")
}

func neverSuspended(m *Movement, _ rules.Facts) remarks {
	if m.code() != "S600" {
		return nil
	}
	return rules.Remarks("S600 means completely denatured alcohol, which EMCS accepts only as duty-paid goods.",
		"Correct the code (S400 for partly denatured alcohol), or move the goods outside duty suspension.")
}

func vagueDescription(m *Movement, _ rules.Facts) remarks {
	const advice = "Use the trade name with brand, strength or size, such as “Scotch whisky, 12 x 70 cl”."
	switch hedge := goods.Hedge(m.ProductDescription); {
	case goods.Vague(m.ProductDescription):
		return rules.Remarks(fmt.Sprintf("%q does not identify the goods.", m.ProductDescription), advice)
	case hedge != "":
		return rules.Remarks(fmt.Sprintf("%q is incomplete: %q leaves other goods undescribed.", m.ProductDescription, hedge), advice)
	}
	return nil
}

// otherProduct checks words that name a product. A description may name several, such as beer from whisky casks: one that
// fits is enough.
func otherProduct(m *Movement, _ rules.Facts) remarks {
	declared := m.products()
	var word string
	for _, w := range goods.Words(strings.ToLower(m.ProductDescription)) {
		codes, known := productsByWord[w]
		if !known {
			continue
		}
		if anyProduct(declared, func(p product) bool { return strings.Contains(codes, p.code) }) {
			return nil
		}
		word = w
	}
	if word == "" || len(declared) == 0 {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("The description contains %q, which belongs to %s, but the code %s means %s.", word, names(listed(productsByWord[word])), m.code(), declared[0].name),
		"Correct productCode or the description.")
}

// longestDescription is the maximum length of the commercial description in an e-AD.
const longestDescription = 350

func longDescription(m *Movement, _ rules.Facts) remarks {
	if n := len([]rune(m.ProductDescription)); n > longestDescription {
		return rules.Remarks(fmt.Sprintf("The description has %d characters; EMCS accepts at most %d.", n, longestDescription),
			"Shorten it, but keep what identifies the goods.")
	}
	return nil
}
