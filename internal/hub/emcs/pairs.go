package emcs

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
)

// pairRules check codes against the imported table of CN codes and excise products.
var pairRules = ruleSet{
	{Code: "EMCS-045", Severity: rules.Warning, Field: "productCode", Check: wrongPair, Source: "EMCS reference table E200 (commodity codes and excise products), as imported",
		Title: "The commodity code does not belong to the excise product (needs the imported table E200)"},
}

// cnDigits is the length of a CN code, which is the prefix of longer commodity codes.
const cnDigits = 8

// cnCodeInText finds a CN code in a description, after a word such as "CN code".
var cnCodeInText = lazyregexp.New(`(?i)\b(?:CN|HS|commodity|tariff)(?: code)?:? ?([0-9]{4}[ .]?[0-9]{2}[ .]?[0-9]{2})`)

// wrongPair checks a commodity code that is given instead of the excise product code, or in the description.
func wrongPair(m *Movement, f rules.Facts) remarks {
	if !f.ExciseProducts.Loaded() || len(m.products()) == 0 {
		return nil
	}
	if code := m.code(); tariffCode.MatchString(code) {
		if len(code) < cnDigits || !f.ExciseProducts.Lacks(code[:cnDigits]) {
			return nil
		}
		return rules.Remarks(fmt.Sprintf("CN code %s has no excise product in the %s.", code[:cnDigits], f.ExciseProducts.Edition),
			"Check the commodity code against the Combined Nomenclature, and give the excise product code.")
	}
	found := cnCodeInText.FindStringSubmatch(m.ProductDescription)
	if found == nil {
		return nil
	}
	code := strings.NewReplacer(" ", "", ".", "").Replace(found[1])
	products, _ := f.ExciseProducts.Find(code)
	if slices.Contains(strings.Fields(products), m.code()) {
		return nil
	}
	remark := fmt.Sprintf("%s does not belong to CN code %s, which has no excise product in the %s.", m.code(), code, f.ExciseProducts.Edition)
	if products != "" {
		remark = fmt.Sprintf("%s does not belong to CN code %s: the %s has %s.", m.code(), code, f.ExciseProducts.Edition, products)
	}
	return rules.Remarks(remark, "Correct productCode, or the code in productDescription.")
}
