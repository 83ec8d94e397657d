package cbam

import (
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
)

var goodsRules = ruleSet{
	{Code: "CBAM-005", Severity: rules.Blocker, Field: "imports.commodityCode", Check: malformedCode, Source: scopeLaw,
		Title: "A commodity code is malformed"},
	{Code: "CBAM-006", Severity: rules.Warning, Field: "imports.commodityCode", Check: shortCode, Source: scopeLaw,
		Title: "A commodity code has fewer than eight digits"},
	{Code: "CBAM-007", Severity: rules.Blocker, Field: "imports.commodityCode", Check: outOfScope, Source: scopeLaw,
		Title: "A commodity code is outside CBAM"},
	{Code: "CBAM-008", Severity: rules.Blocker, Field: "imports.category", Check: otherCategory, Source: scopeLaw,
		Title: "A commodity code belongs to another sector than the one stated"},
	{Code: "CBAM-009", Severity: rules.Info, Field: "imports.category", Check: electricity, Source: scopeLaw,
		Title: "Electricity is reported in kilowatt-hours and is outside UK CBAM"},
}

func malformedCode(r *Report, _ rules.Facts) remarks {
	o := r.observed(MalformedCode)
	if o.ImportsCount == 0 {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("%s: invalid commodity code: %s.", r.count(o), o.examples(goodsFrom)),
		"A code is eight or ten digits. Record the imports with the codes of the tariff.")
}

func shortCode(r *Report, _ rules.Facts) remarks {
	o := r.observed(ShortCode)
	if o.ImportsCount == 0 {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("%s: commodity code with fewer than eight digits: %s.", r.count(o), o.examples(goodsFrom)),
		"Report eight digits, because default values and the scope of CBAM differ within a heading.")
}

func outOfScope(r *Report, _ rules.Facts) remarks {
	o := r.observed(OutOfScope)
	if o.ImportsCount == 0 {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("%s: goods outside CBAM: %s.", r.count(o), o.examples(goodsFrom)),
		"Check the code. Scrap (7204, 7602), most ferro-alloys, fertilisers of 3105 60 and other goods outside Annex I are not reported.")
}

func otherCategory(r *Report, _ rules.Facts) remarks {
	o := r.observed(OtherCategory)
	if o.ImportsCount == 0 {
		return nil
	}
	say := func(x *Example) string {
		is := "another sector"
		if code, ok := digits(x.CommodityCode); ok {
			if g, ok := goodsOf(code); ok {
				is = fmt.Sprintf("%s (%s)", g.category, g.name)
			}
		}
		return fmt.Sprintf("%q is stated as %s but belongs to %s", x.CommodityCode, x.Category, is)
	}
	return rules.Remarks(fmt.Sprintf("%s: %s.", r.count(o), o.examples(say)),
		"Correct the code or the category, because each sector has its own rate.")
}

func electricity(r *Report, _ rules.Facts) remarks {
	s := share(string(Electricity), r.ByCategory)
	if s.ImportsCount == 0 {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("In %s of electricity, %s kg are counted as kilowatt-hours.", formatImports(s.ImportsCount), s.NetMassKg),
		"Check the quantities. UK CBAM does not charge electricity, EU CBAM does.")
}
