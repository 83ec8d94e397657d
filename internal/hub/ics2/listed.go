package ics2

import (
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
)

// listedRules check places against the imported UN/LOCODE list.
var listedRules = ruleSet{
	{Code: "ICS2-052", Severity: rules.Warning, Field: "portOfLoading", Check: unlistedPlace, Source: locodes + ", as imported",
		Title: "A place is not in the imported UN/LOCODE list"},
}

func unlistedPlace(f *Filing, facts rules.Facts) (found remarks) {
	for _, p := range []place{f.loading(), f.unloading()} {
		if p.code == "" || !facts.Places.Lacks(string(p.code)) {
			continue
		}
		found = append(found, rules.Remark{
			Field:      p.field,
			Message:    fmt.Sprintf("%s is not in the %s.", p.code, facts.Places.Edition),
			Suggestion: "Look the place up in UN/LOCODE, and check the three characters after the country.",
		})
	}
	return found
}
