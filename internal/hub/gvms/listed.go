package gvms

import (
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
)

// listedRules judge by the imported list of UN/LOCODE.
var listedRules = ruleSet{
	{Code: "GVMS-033", Severity: rules.Warning, Field: "routeFrom", Judge: unlistedPlace, Source: locodeList + ", as imported",
		Title: "A place is not in UN/LOCODE (where the list is imported)"},
}

// unlisted tells whether a place is a code that the list lacks; the ports that are
// known here need no list.
func (p *place) unlisted(f rules.Facts) bool {
	return p.code != "" && p.port() == nil && p.inland == "" && f.Places.Lacks(string(p.code))
}

func unlistedPlace(m *Movement, f rules.Facts) (all remarks) {
	for _, p := range m.ends() {
		if p.unlisted(f) {
			all = append(all, rules.Remark{
				Field:      p.field,
				Message:    fmt.Sprintf("%q is not in the %s.", p.text, f.Places.Edition),
				Suggestion: "Look the port up in UN/LOCODE, or give its name.",
			})
		}
	}
	return all
}
