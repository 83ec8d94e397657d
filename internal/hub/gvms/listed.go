package gvms

import (
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/review"
)

// listedRules judge by the imported list of UN/LOCODE.
var listedRules = rules{
	{Code: "GVMS-033", Severity: review.Warning, Field: "routeFrom", Judge: unlistedPlace, Source: locodeList + ", as imported",
		Title: "A place is not in UN/LOCODE (where the list is imported)"},
}

// unlisted tells whether a place is a code that the list lacks; the ports that are
// known here need no list.
func (p *place) unlisted(f review.Facts) bool {
	return p.code != "" && p.port() == nil && p.inland == "" && f.Places.Lacks(string(p.code))
}

func unlistedPlace(m *Movement, f review.Facts) (all remarks) {
	for _, p := range m.ends() {
		if p.unlisted(f) {
			all = append(all, review.Remark{
				Field:      p.field,
				Message:    fmt.Sprintf("%q is not in the %s.", p.text, f.Places.Edition),
				Suggestion: "Look the port up in UN/LOCODE, or give its name.",
			})
		}
	}
	return all
}
