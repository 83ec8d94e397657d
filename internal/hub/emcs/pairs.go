package emcs

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
)

// pairRules judge by the imported table of CN codes and excise products.
var pairRules = ruleSet{
	{Code: "EMCS-045", Severity: rules.Warning, Field: "productCode", Judge: otherPair, Source: "EMCS reference table E200 (tariff codes and excise products), as imported",
		Title: "The tariff code does not go with the excise product (where table E200 is imported)"},
}

// cnDigits are those of a CN code, with which longer tariff codes begin.
const cnDigits = 8

// inWords is a CN code that a description names as one.
var inWords = regexp.MustCompile(`(?i)\b(?:CN|HS|commodity|tariff)(?: code)?:? ?([0-9]{4}[ .]?[0-9]{2}[ .]?[0-9]{2})`)

// otherPair looks a tariff code up that stands in for the excise product code, or
// beside it in the description.
func otherPair(m *Movement, f rules.Facts) remarks {
	if !f.ExciseProducts.Loaded() || len(m.products()) == 0 {
		return nil
	}
	if code := m.code(); tariffCode.MatchString(code) {
		if len(code) < cnDigits || !f.ExciseProducts.Lacks(code[:cnDigits]) {
			return nil
		}
		return rules.Say(fmt.Sprintf("No excise product goes with CN code %s by the %s.", code[:cnDigits], f.ExciseProducts.Edition),
			"Check the tariff code against the Combined Nomenclature, and give the excise product code.")
	}
	found := inWords.FindStringSubmatch(m.ProductDescription)
	if found == nil {
		return nil
	}
	code := strings.NewReplacer(" ", "", ".", "").Replace(found[1])
	products, _ := f.ExciseProducts.Find(code)
	if slices.Contains(strings.Fields(products), m.code()) {
		return nil
	}
	remark := fmt.Sprintf("%s does not go with CN code %s by the %s, which has no product for it.", m.code(), code, f.ExciseProducts.Edition)
	if products != "" {
		remark = fmt.Sprintf("%s does not go with CN code %s by the %s, which has %s for it.", m.code(), code, f.ExciseProducts.Edition, products)
	}
	return rules.Say(remark, "Correct productCode, or the code in productDescription.")
}
