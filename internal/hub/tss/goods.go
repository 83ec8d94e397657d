package tss

import (
	"fmt"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
	"github.com/tidewaiter/tidewaiter/internal/hub/shared/goods"
	"github.com/tidewaiter/tidewaiter/internal/platform/ident"
)

var goodsRules = ruleSet{
	{Code: "TSS-022", Severity: rules.Blocker, Field: "commodityCode", Judge: codeLength, Source: codeLaw,
		Title: "The commodity code is malformed or too short"},
	{Code: "TSS-023", Severity: rules.Blocker, Field: "commodityCode", Judge: unknownHeading, Source: codeLaw,
		Title: "The commodity code names a chapter or heading that does not exist"},
	{Code: "TSS-024", Severity: rules.Warning, Field: "goodsDescription", Judge: vagueDescription, Source: goodsLaw + "; European Commission: ICS2 list of stop words",
		Title: "The description does not say what the goods are"},
	{Code: "TSS-025", Severity: rules.Warning, Field: "goodsDescription", Judge: longDescription, Source: tssGuidance,
		Title: "The description is longer than the Trader Support Service takes"},
	{Code: "TSS-026", Severity: rules.Info, Field: "commodityCode", Judge: controlledGoods, Source: "GOV.UK: Windsor Framework categories of goods; GOV.UK: Import controlled goods",
		Title: "Goods under control need documents of their own"},
}

func codeLength(d *Declaration, _ rules.Facts) remarks {
	code, err := ident.ParseCommodityCode(d.CommodityCode)
	if err != nil || len(code)%2 == 1 {
		return rules.Say(fmt.Sprintf("%q is not a commodity code: it must be 8 or 10 digits.", d.CommodityCode),
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
		remark.Message = fmt.Sprintf("%s is of chapter 77, which is empty.", code)
	case "98", "99":
		remark.Severity = rules.Warning
		remark.Message = fmt.Sprintf("%s is of chapter %s, which is kept for statistics and reliefs.", code, chapter)
		remark.Suggestion = "Give the code of the goods themselves, unless a simplification lets you use this one."
	}
	return remarks{remark}
}

func vagueDescription(d *Declaration, _ rules.Facts) remarks {
	remark := rules.Remark{Suggestion: "Say what the goods are, what they are made of and what they are for, such as “men's cotton T-shirts”."}
	switch {
	case goods.Vague(d.GoodsDescription):
		if d.MovementType.intoNI() {
			remark.Severity = rules.Blocker // the Union's import control system refuses it
		}
		remark.Message = fmt.Sprintf("%q could be anything.", d.GoodsDescription)
	case goods.Hedge(d.GoodsDescription) != "":
		remark.Message = fmt.Sprintf("%q leaves open what else there is, by its %q.", d.GoodsDescription, goods.Hedge(d.GoodsDescription))
	case len([]rune(strings.TrimSpace(d.GoodsDescription))) < shortDescription:
		remark.Severity = rules.Info
		remark.Message = fmt.Sprintf("%q is short for a description.", d.GoodsDescription)
	default:
		return nil
	}
	return remarks{remark}
}

// Lengths of a description: one that hardly says anything, and the most that the
// Trader Support Service takes.
const (
	shortDescription = 5
	longestForTSS    = 254
)

func longDescription(d *Declaration, _ rules.Facts) remarks {
	if n := len([]rune(d.GoodsDescription)); n > longestForTSS {
		return rules.Say(fmt.Sprintf("The description has %d characters; the Trader Support Service takes %d.", n, longestForTSS),
			"Shorten it to what tells the goods apart.")
	}
	return nil
}

// controlled says what goods need on their way into Northern Ireland, by the
// beginnings of their codes.
var controlled = []struct{ codes, need string }{
	{"01 02 03 04 05 16", "products of animal origin need pre-notification and a health certificate, or the Northern Ireland Retail Movement Scheme"},
	{"06 07 08", "plants and fresh produce need a phytosanitary certificate or a plant health label"},
	{"2203 2204 2205 2206 2207 2208", "alcohol is under excise control and moves in duty suspension or with the duty paid"},
	{"24", "tobacco and vaping products are under excise control"},
	{"2707 2710 2711", "mineral oils are under excise control"},
	{"30", "medicines need a licence for the United Kingdom, and the label “UK Only”"},
	{"36", "explosives need a licence"},
	{"41 43", "skins and furs of protected species need a CITES permit"},
	{"93", "arms and ammunition need a licence"},
}

func controlledGoods(d *Declaration, _ rules.Facts) remarks {
	code, err := ident.ParseCommodityCode(d.CommodityCode)
	if err != nil || !d.MovementType.intoNI() {
		return nil
	}
	for _, c := range controlled {
		if beginsWith(code, c.codes) {
			return rules.Say(fmt.Sprintf("%s is under control: %s.", code, c.need),
				"Have the documents at hand, and give them with the full declaration.")
		}
	}
	return nil
}
