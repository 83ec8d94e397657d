package emcs

import (
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
)

// Rules checks a movement: traders, route, product, strength, quantity, packages and journey.
var Rules = append(onWhole(slices.Concat(traderRules, routeRules, productRules, strengthRules, amountRules, sizeRules, packageRules, journeyRules, pairRules)), messageRules...)

type (
	ruleSet = rules.Set[Movement]
	remarks = []rules.Remark
)

// Sources of several rules.
const (
	ernGuidance     = "HMRC EMCS validation rules for IE815"
	movementLaw     = "Excise Goods (Holding, Movement and Duty Point) Regulations 2010"
	warehouseNotice = "GOV.UK: Receive goods into and remove goods from an excise warehouse (Excise Notice 197)"
	approvalNotice  = "GOV.UK: Registration and approval of excise goods held in duty suspension (Excise Notice 196)"
	productTable    = "EMCS reference table BC36 (excise products)"
	alcoholLaw      = "Directive 92/83/EEC (structures of alcohol duty), the basis of the classes in BC36"
	messageSchema   = "HMRC EMCS message IE815: XML schema"
)
