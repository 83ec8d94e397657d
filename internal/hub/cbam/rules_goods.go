package cbam

import (
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
)

var goodsRules = ruleSet{
	{Code: "CBAM-005", Severity: rules.Blocker, Field: "imports.commodityCode", Judge: malformedCode, Source: scopeLaw,
		Title: "A commodity code is malformed"},
	{Code: "CBAM-006", Severity: rules.Warning, Field: "imports.commodityCode", Judge: shortCode, Source: scopeLaw,
		Title: "A commodity code has fewer than the eight digits that are reported"},
	{Code: "CBAM-007", Severity: rules.Blocker, Field: "imports.commodityCode", Judge: outOfScope, Source: scopeLaw,
		Title: "A commodity code is outside the mechanism"},
	{Code: "CBAM-008", Severity: rules.Blocker, Field: "imports.category", Judge: otherCategory, Source: scopeLaw,
		Title: "A commodity code belongs to another sector than the one stated"},
	{Code: "CBAM-009", Severity: rules.Info, Field: "imports.category", Judge: electricity, Source: scopeLaw,
		Title: "Electricity is reported in kilowatt-hours, and is outside the United Kingdom's mechanism"},
}

func malformedCode(r *Report, _ rules.Facts) remarks {
	o := r.observed(MalformedCode)
	if o.ImportsCount == 0 {
		return nil
	}
	return rules.Say(fmt.Sprintf("%s: a commodity code that is none: %s.", r.count(o), o.examples(goodsFrom)),
		"A code is eight or ten digits. Record the imports with the codes of the tariff.")
}

func shortCode(r *Report, _ rules.Facts) remarks {
	o := r.observed(ShortCode)
	if o.ImportsCount == 0 {
		return nil
	}
	return rules.Say(fmt.Sprintf("%s: a commodity code of fewer than eight digits: %s.", r.count(o), o.examples(goodsFrom)),
		"Report eight digits: default values and the scope of the mechanism differ below the heading.")
}

func outOfScope(r *Report, _ rules.Facts) remarks {
	o := r.observed(OutOfScope)
	if o.ImportsCount == 0 {
		return nil
	}
	return rules.Say(fmt.Sprintf("%s: goods outside the mechanism: %s.", r.count(o), o.examples(goodsFrom)),
		"Check the code. Scrap (7204, 7602), most ferro-alloys, fertilisers of 3105 60 and what Annex I does not list are not reported.")
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
		return fmt.Sprintf("%q is stated as %s and is %s", x.CommodityCode, x.Category, is)
	}
	return rules.Say(fmt.Sprintf("%s: %s.", r.count(o), o.examples(say)),
		"Correct the code or the category: each sector has a rate of its own.")
}

func electricity(r *Report, _ rules.Facts) remarks {
	s := share(string(Electricity), r.ByCategory)
	if s.ImportsCount == 0 {
		return nil
	}
	return rules.Say(fmt.Sprintf("In %s of electricity, %s kg are read as kilowatt-hours.", several(s.ImportsCount), s.NetMassKg),
		"Check the quantities. The United Kingdom's mechanism does not charge electricity; the Union's does.")
}
