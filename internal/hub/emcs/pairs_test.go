package emcs_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hub/emcs"
)

// imported is a table with two lines.
var imported = rules.Listing{Edition: "table of the test", Find: func(code string) (string, bool) {
	products := map[string]string{"22083030": "S200", "22042138": "I000 W200"}[code]
	return products, products != ""
}}

// With an imported table, a commodity code that does not belong to the excise product is found, and the message names the
// table. Without a table there is no finding.
func TestPairs(t *testing.T) {
	for _, c := range []struct {
		name, product, description, want string
	}{
		{"a code that is in the table", "2208 30 30 00", "Single malt Scotch whisky", ""},
		{"a code that is not", "22083099", "Single malt Scotch whisky", "CN code 22083099"},
		{"a code that is too short", "2208", "Single malt Scotch whisky", ""},
		{"a product and its code", "S200", "Single malt Scotch whisky, CN 2208 30 30", ""},
		{"a product and the code of another product", "S200", "Single malt Scotch whisky, CN code 22042138", "the table of the test has I000 W200"},
		{"a product and a code without product", "S200", "Single malt Scotch whisky (commodity code: 2208.30.99)", "which has no excise product"},
		{"a number that is no code", "S200", "Single malt Scotch whisky, lot 22042138", ""},
	} {
		m := whisky()
		m.ProductCode, m.ProductDescription = c.product, c.description
		at := func(f rules.Facts) int {
			return slices.IndexFunc(emcs.Rules.Review(m, f).Findings, func(f rules.Finding) bool { return f.Code == "EMCS-045" })
		}
		if at(rules.Facts{Now: now}) >= 0 {
			t.Errorf("%s: finding without a table", c.name)
		}
		facts := rules.Facts{Now: now, ExciseProducts: imported}
		i := at(facts)
		if i < 0 {
			if c.want != "" {
				t.Errorf("%s: no finding", c.name)
			}
			continue
		}
		if f := emcs.Rules.Review(m, facts).Findings[i]; c.want == "" || !strings.Contains(f.Message, c.want) || !strings.Contains(f.Message, "table of the test") || f.Severity != rules.Warning {
			t.Errorf("%s: %+v", c.name, f)
		}
	}
}
