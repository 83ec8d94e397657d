package ics2

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hub/shared/goods"
	"github.com/tidewaiter/tidewaiter/internal/platform/lazyregexp"
)

var goodsRules = ruleSet{
	{Code: "ICS2-022", Severity: rules.Blocker, Field: "goodsDescription", Check: missingDescription, Source: gbDesign + " (8207); " + dataLaw,
		Title: "The description of the goods is missing"},
	{Code: "ICS2-023", Severity: rules.Blocker, Field: "goodsDescription", Check: vagueDescription, Source: dataQuality + "; " + dataLaw,
		Title: "The description does not say what the goods are"},
	{Code: "ICS2-024", Severity: rules.Warning, Field: "goodsDescription", Check: hedgedDescription, Source: dataQuality,
		Title: "The description is incomplete"},
	{Code: "ICS2-025", Severity: rules.Info, Field: "goodsDescription", Check: shortDescription, Source: dataQuality,
		Title: "The description is very short"},
	{Code: "ICS2-026", Severity: rules.Warning, Field: "goodsDescription", Check: longDescription, Source: gbDesign + "; " + dataLaw,
		Title: "The description is too long"},
	{Code: "ICS2-027", Severity: rules.Warning, Field: "goodsDescription", Check: dangerousGoods, Source: "UN Recommendations on the Transport of Dangerous Goods (UN numbers); " + dataLaw,
		Title: "Dangerous goods are described without their UN number"},
}

func (f *Filing) description() string { return strings.TrimSpace(f.GoodsDescription) }

func missingDescription(f *Filing, _ rules.Facts) remarks {
	switch {
	case f.description() != "":
		return nil
	case len(f.CommodityCodes) == 0:
		return rules.Remarks("There is neither a description nor a commodity code, so the goods are unknown.", "Describe the goods, and give their six-digit codes.")
	case f.regime() == union:
		return rules.Remarks("There is no description, but ICS2 needs one in addition to the codes.", "Describe the goods in goodsDescription.")
	}
	return remarks{{
		Severity:   rules.Info,
		Message:    fmt.Sprintf("There is no description; only codes such as %s identify the goods.", f.CommodityCodes[0]),
		Suggestion: "Describe the goods: filings with both are held less often.",
	}}
}

// vagueDescription is not a blocker in Great Britain if there is a good code, because that can replace a description.
func vagueDescription(f *Filing, _ rules.Facts) remarks {
	if f.description() == "" || !goods.Vague(f.GoodsDescription) {
		return nil
	}
	remark := rules.Remark{
		Message:    fmt.Sprintf("%q does not identify the goods.", f.GoodsDescription),
		Suggestion: "Say what the goods are, what they are made of and what they are used for, such as “men's cotton T-shirts”.",
	}
	if _, coded := f.firstCode(); coded && f.regime() == greatBritain {
		remark.Severity = rules.Warning
	}
	return remarks{remark}
}

func hedgedDescription(f *Filing, _ rules.Facts) remarks {
	hedge := goods.Hedge(f.GoodsDescription)
	if hedge == "" || goods.Vague(f.GoodsDescription) {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("%q is incomplete: %q leaves other goods undescribed.", f.GoodsDescription, hedge), "Describe all goods of the consignment.")
}

// Lengths of a description, in characters: a shorter one is suspicious, a longer one is rejected.
const (
	shortestDescription     = 5
	longestDescriptionGB    = 280
	longestDescriptionUnion = 512
)

func shortDescription(f *Filing, _ rules.Facts) remarks {
	if text := f.description(); text == "" || len([]rune(text)) >= shortestDescription || goods.Vague(text) {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("%q is very short for a description.", f.GoodsDescription), "Add what the goods are made of or used for.")
}

func longDescription(f *Filing, _ rules.Facts) remarks {
	limit := longestDescriptionUnion
	if f.regime() == greatBritain {
		limit = longestDescriptionGB
	}
	if n := len([]rune(f.description())); n > limit {
		return rules.Remarks(fmt.Sprintf("The description has %d characters; customs accepts at most %d.", n, limit), "Shorten it, but keep what identifies the goods.")
	}
	return nil
}

// Words for dangers, and words for goods that are usually dangerous.
var (
	dangerWords         = strings.Fields("explosive explosives flammable inflammable radioactive toxic poisonous corrosive oxidising oxidizing pyrophoric infectious hazardous hazmat dangerous")
	dangerousGoodsWords = strings.Fields("fireworks ammunition detonators aerosol aerosols lithium airbags kerosene acetone methanol acetylene")
	unNumber            = lazyregexp.New(`(?i)\bUN[ -]?(?:no\.? ?)?[0-9]{4}\b`)
)

// dangerousGoods is only a note for goods that are often not dangerous, because quantity and packing decide.
func dangerousGoods(f *Filing, _ rules.Facts) remarks {
	if f.description() == "" || unNumber.MatchString(f.GoodsDescription) {
		return nil
	}
	words := goods.Words(strings.ToLower(f.GoodsDescription))
	for i, w := range words {
		if i > 0 && slices.Contains([]string{"non", "not", "no", "anti"}, words[i-1]) {
			continue
		}
		remark := rules.Remark{Suggestion: "Add the UN number, such as UN3480, or state that the goods are not dangerous in transport."}
		switch {
		case slices.Contains(dangerWords, w):
			remark.Message = fmt.Sprintf("%q contains %q, like dangerous goods, but no UN number.", f.GoodsDescription, w)
		case slices.Contains(dangerousGoodsWords, w):
			remark.Severity = rules.Info
			remark.Message = fmt.Sprintf("%q may be dangerous goods because of %q, but has no UN number.", f.GoodsDescription, w)
		default:
			continue
		}
		return remarks{remark}
	}
	return nil
}
