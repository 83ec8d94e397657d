package tss

import (
	"fmt"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hub/shared/goods"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

var goodsRules = ruleSet{
	{Code: "TSS-022", Severity: rules.Blocker, Field: "commodityCode", Check: codeLength, Source: codeLaw,
		Title: "The commodity code is malformed or too short"},
	{Code: "TSS-023", Severity: rules.Blocker, Field: "commodityCode", Check: unknownHeading, Source: codeLaw,
		Title: "The chapter or heading of the commodity code does not exist"},
	{Code: "TSS-024", Severity: rules.Warning, Field: "goodsDescription", Check: vagueDescription, Source: goodsLaw + "; European Commission: ICS2 list of stop words",
		Title: "The description does not say what the goods are"},
	{Code: "TSS-025", Severity: rules.Warning, Field: "goodsDescription", Check: longDescription, Source: tssGuidance,
		Title: "The description is too long for the Trader Support Service"},
	{Code: "TSS-026", Severity: rules.Info, Field: "commodityCode", Check: controlledGoods, Source: "GOV.UK: Windsor Framework categories of goods; GOV.UK: Import controlled goods",
		Title: "Controlled goods need additional documents"},
}

func codeLength(d *Declaration, _ rules.Facts) remarks {
	code, err := ident.ParseCommodityCode(d.CommodityCode)
	if err != nil || len(code)%2 == 1 {
		return rules.Remarks(fmt.Sprintf("%q is not a commodity code: it must be 8 or 10 digits.", d.CommodityCode),
			"Look the goods up in the Northern Ireland Online Tariff and give all digits.")
	}
	remark := rules.Remark{
		Message:    fmt.Sprintf("%s has %d digits; the supplementary declaration needs 10.", code, len(code)),
		Suggestion: "Look the goods up in the Northern Ireland Online Tariff and give all digits.",
	}
	switch len(code) {
	case 6:
		remark.Severity = rules.Warning
		remark.Message = fmt.Sprintf("%s has 6 digits; goods are declared with 8, and with 10 in the supplementary declaration.", code)
		return remarks{remark}
	case 8:
		if d.MovementType.intoNI() {
			remark.Severity = rules.Info
			return remarks{remark}
		}
	}
	return nil
}

func unknownHeading(d *Declaration, _ rules.Facts) remarks {
	code, err := ident.ParseCommodityCode(d.CommodityCode)
	if err != nil || goods.HeadingExists(code.Heading()) {
		return nil
	}
	remark := rules.Remark{
		Message:    fmt.Sprintf("%s begins with %s, and the Harmonised System has no such heading.", code, code.Heading()),
		Suggestion: "Check the first four digits of the code.",
	}
	switch chapter := code.Chapter(); chapter {
	case "77":
		remark.Message = fmt.Sprintf("%s is in chapter 77, which has no headings.", code)
	case "98", "99":
		remark.Severity = rules.Warning
		remark.Message = fmt.Sprintf("%s is in chapter %s, which is reserved for statistics and reliefs.", code, chapter)
		remark.Suggestion = "Give the code of the goods, unless a simplification allows this one."
	}
	return remarks{remark}
}

func vagueDescription(d *Declaration, _ rules.Facts) remarks {
	remark := rules.Remark{Suggestion: "Say what the goods are, what they are made of and what they are used for, such as “men's cotton T-shirts”."}
	switch {
	case goods.Vague(d.GoodsDescription):
		if d.MovementType.intoNI() {
			remark.Severity = rules.Blocker // ICS2 rejects it
		}
		remark.Message = fmt.Sprintf("%q does not identify the goods.", d.GoodsDescription)
	case goods.Hedge(d.GoodsDescription) != "":
		remark.Message = fmt.Sprintf("%q is incomplete: %q leaves other goods undescribed.", d.GoodsDescription, goods.Hedge(d.GoodsDescription))
	case len([]rune(strings.TrimSpace(d.GoodsDescription))) < shortDescription:
		remark.Severity = rules.Info
		remark.Message = fmt.Sprintf("%q is very short for a description.", d.GoodsDescription)
	default:
		return nil
	}
	return remarks{remark}
}

// Lengths of a description, in characters: a shorter one is suspicious, a longer one is rejected by the Trader Support
// Service.
const (
	shortDescription = 5
	longestForTSS    = 254
)

func longDescription(d *Declaration, _ rules.Facts) remarks {
	if n := len([]rune(d.GoodsDescription)); n > longestForTSS {
		return rules.Remarks(fmt.Sprintf("The description has %d characters; the Trader Support Service accepts at most %d.", n, longestForTSS),
			"Shorten it, but keep what identifies the goods.")
	}
	return nil
}

// controlled lists what goods need to enter Northern Ireland, by prefix of the commodity code.
var controlled = []struct{ codes, need string }{
	{"01 02 03 04 05 16", "products of animal origin need pre-notification and a health certificate, or the Northern Ireland Retail Movement Scheme"},
	{"06 07 08", "plants and fresh produce need a phytosanitary certificate or a plant health label"},
	{"2203 2204 2205 2206 2207 2208", "alcohol is under excise control and moves in duty suspension or with the duty paid"},
	{"24", "tobacco and vaping products are under excise control"},
	{"2707 2710 2711", "mineral oils are under excise control"},
	{"30", "medicines need a licence for the United Kingdom, and the label “UK Only”"},
	{"41 43", "skins and furs of protected species need a CITES permit"},
}

func controlledGoods(d *Declaration, _ rules.Facts) remarks {
	code, err := ident.ParseCommodityCode(d.CommodityCode)
	if err != nil || !d.MovementType.intoNI() {
		return nil
	}
	for _, c := range controlled {
		if beginsWith(code, c.codes) {
			return rules.Remarks(fmt.Sprintf("%s is controlled: %s.", code, c.need),
				"Prepare the documents, and give them with the full declaration.")
		}
	}
	return nil
}
