package gvms

import (
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
)

// listedRules check places against the imported UN/LOCODE list.
var listedRules = ruleSet{
	{Code: "GVMS-033", Severity: rules.Warning, Field: "routeFrom", Check: unlistedPlace, Source: locodeList + ", as imported",
		Title: "A place is not in the imported UN/LOCODE list"},
}

// unlisted reports whether a place is a code that is not in the list. The ports in this package need no list.
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
