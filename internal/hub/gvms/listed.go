package gvms

import (
	"fmt"
	"maps"
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
)

// listedRules check places against the imported UN/LOCODE list.
var listedRules = ruleSet{
	{Code: "GVMS-033", Severity: rules.Warning, Field: "routeFrom", Check: unlistedPlace, Source: locodeList + ", as imported",
		Title: "A place is not in the imported UN/LOCODE list"},
}

// offeredRules check a movement, also one with the member message, against what HMRC offers.
var offeredRules = ruleSet{
	{Code: "GVMS-036", Severity: rules.Blocker, Field: "routeId", Check: unlistedRoute, Source: "HMRC: Goods Vehicle Movement Service, reference data of routes, as read once a day",
		Title: "HMRC does not offer the route"},
}

// routeNames returns the numbers of routes that a movement names, with their members.
func (m *Movement) routeNames() map[string]string {
	names := map[string]string{}
	if m.RouteID != "" {
		names["routeId"] = m.RouteID
	}
	if r, err := m.messageOf(); err == nil && r.PlannedCrossing != nil && r.PlannedCrossing.RouteID != "" {
		names["message.plannedCrossing.routeId"] = r.PlannedCrossing.RouteID
	}
	return names
}

func unlistedRoute(m *Movement, f rules.Facts) (all remarks) {
	names := m.routeNames()
	for _, field := range slices.Sorted(maps.Keys(names)) {
		if f.Routes.Lacks(names[field]) {
			all = append(all, rules.Remark{
				Field:      field,
				Message:    fmt.Sprintf("%q is not one of the %s.", names[field], f.Routes.Edition),
				Suggestion: "Choose one of the list at GET /api/gvms/routes, or leave it out: the ports decide if only one carrier sails between them.",
			})
		}
	}
	return all
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
