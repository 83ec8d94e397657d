package tss

import (
	"slices"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
)

// Rules checks a declaration: parties, scheme, risk, goods, origin, value, movement and restrictions.
var Rules = slices.Concat(partyRules, schemeRules, riskRules, goodsRules, originRules, valueRules, movementRules, restrictedRules, declaredRules)

type (
	ruleSet = rules.Set[Declaration]
	remarks = []rules.Remark
)

// Sources of several rules.
const (
	atRiskLaw     = "Decision No 1/2023 of the EU-UK Joint Committee under the Windsor Framework: goods not at risk"
	ukimsGuidance = "GOV.UK: Apply for authorisation for the UK Internal Market Scheme if you bring goods into Northern Ireland"
	eoriGuidance  = "GOV.UK: Get an EORI number"
	niGuidance    = "GOV.UK: Making declarations for moving goods into, out of, or through Northern Ireland"
	tssGuidance   = "Trader Support Service: data guide to entry summary, simplified frontier and supplementary declarations"
	goodsLaw      = "Delegated Regulation (EU) 2015/2446, Annex B, data element 18 05 000 000 (description of goods)"
	codeLaw       = "Delegated Regulation (EU) 2015/2446, Annex B, data element 18 09 000 000 (commodity code)"
	valueLaw      = "Regulation (EU) No 952/2013 (Union Customs Code), Articles 69 to 74 (customs value)"
)
