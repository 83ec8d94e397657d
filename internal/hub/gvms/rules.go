package gvms

import (
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
)

// Rules checks a movement: places, route, vehicle, time of the crossing and declarations. HMRC's own rules judge a record that is
// given under HMRC's names, apart from its route.
var Rules = slices.Concat(withoutMessage(slices.Concat(placeRules, routeRules, vehicleRules, crossingRules, listedRules, declarationRules)), offeredRules, withoutMessage(slices.Concat(transitRules, exportRules)))

// withoutMessage returns rules that find nothing in a movement with the member message.
func withoutMessage(all ruleSet) ruleSet {
	for i := range all {
		check := all[i].Check
		all[i].Check = func(m *Movement, f rules.Facts) remarks {
			if len(m.Message) > 0 {
				return nil
			}
			return check(m, f)
		}
	}
	return all
}

type (
	ruleSet = rules.Set[Movement]
	remarks = []rules.Remark
)

// Sources of several rules.
const (
	whoNeedsOne   = "GOV.UK: Check how to move goods through ports that use the Goods Vehicle Movement Service"
	haulierAPI    = "HMRC: Goods Vehicle Movements API for hauliers"
	referenceData = "HMRC: Goods Vehicle Movement Service reference data (routes and ports)"
	locationCodes = "GOV.UK: Goods Vehicle Movement Service codes for Data Element 5/23 of the Customs Declaration Service (appendix 16S)"
	ownTable      = "Plausibility check: ports and crossings as generally known in 2025; GVMS uses HMRC's reference data"
	locodeList    = "UN/ECE Recommendation No. 16: Code for Trade and Transport Locations (UN/LOCODE)"
)
