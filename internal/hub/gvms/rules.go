package gvms

import (
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
)

// Rules checks a movement: places, route, vehicle, time of the crossing and declarations.
var Rules = slices.Concat(placeRules, routeRules, vehicleRules, crossingRules, listedRules, declarationRules)

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
