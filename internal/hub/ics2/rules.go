package ics2

import (
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
)

// Rules checks a filing: mode of transport, route, EORIs, parties, goods, codes, risks, sanctions, load, transport document
// and arrival; and what HMRC finds in a declaration for Great Britain.
var Rules = append(onWhole(slices.Concat(modeRules, routeRules, eoriRules, partyRules, goodsRules, codeRules, riskRules, sanctionRules, loadRules, documentRules, arrivalRules, listedRules)), messageRules...)

type (
	ruleSet = rules.Set[Filing]
	remarks = []rules.Remark
)

// Sources of several rules.
const (
	gbGuidance   = "GOV.UK: Making an entry summary declaration"
	gbDesign     = "HMRC: Safety and Security Import declarations API, rules of the IE315 message"
	dataLaw      = "Delegated Regulation (EU) 2015/2446, Annex B, data requirements of the entry summary declaration"
	eoriGuidance = "GOV.UK: Get an EORI number"
	dataQuality  = "European Commission: ICS2 data quality and list of stop words"
	locodes      = "UN/ECE Recommendation No. 16 (UN/LOCODE)"
	entryLaw     = "Regulation (EU) No 952/2013 (Union Customs Code), Articles 127 to 130 (entry summary declaration)"
	timeLaw      = "Delegated Regulation (EU) 2015/2446, Articles 105 to 110 (time limits for the entry summary declaration)"
)
