package cbam

import (
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/filing/rules"
)

var amountRules = ruleSet{
	{Code: "CBAM-014", Severity: rules.Blocker, Field: "imports.netMassKg", Check: noMass, Source: scopeLaw,
		Title: "An import has no mass"},
	{Code: "CBAM-015", Severity: rules.Warning, Field: "imports.netMassKg", Check: largeMass, Source: goodPractice,
		Title: "An import is heavier than a shipload"},
	{Code: "CBAM-016", Severity: rules.Warning, Field: "imports", Check: repeated, Source: reportLaw,
		Title: "An import may be recorded twice"},
	{Code: "CBAM-017", Severity: rules.Info, Field: "imports.customsValueGbp", Check: noValue, Source: valueLaw,
		Title: "An import has no customs value"},
	{Code: "CBAM-018", Severity: rules.Warning, Field: "imports.customsValueGbp", Check: implausibleValue, Source: valueLaw,
		Title: "A customs value does not fit the mass"},
}

func massOf(x *Example) string { return fmt.Sprintf("%s kg of %s", x.NetMassKg, goodsFrom(x)) }

func noMass(r *Report, _ rules.Facts) remarks {
	o := r.observed(NoMass)
	if o.ImportsCount == 0 {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("%s: no mass: %s.", r.count(o), o.examples(massOf)), "Record the imports with the net mass in kilograms, or kilowatt-hours for electricity.")
}

func largeMass(r *Report, _ rules.Facts) (found remarks) {
	const suggestion = "Check the unit: netMassKg is in kilograms. Record each shipment separately."
	if o := r.observed(ExcessiveMass); o.ImportsCount > 0 {
		found = append(found, rules.Remark{
			Severity: rules.Blocker, Message: fmt.Sprintf("%s: more than a million tonnes in one import: %s.", r.count(o), o.examples(massOf)), Suggestion: suggestion,
		})
	}
	if o := r.observed(LargeMass); o.ImportsCount > 0 {
		found = append(found, rules.Remark{
			Message: fmt.Sprintf("%s: more than a shipload of such goods: %s.", r.count(o), o.examples(massOf)), Suggestion: suggestion,
		})
	}
	return found
}

func repeated(r *Report, _ rules.Facts) remarks {
	o := r.observed(Repeated)
	if o.ImportsCount == 0 {
		return nil
	}
	return rules.Remarks(fmt.Sprintf("%s: identical to another import within a day: %s.", r.count(o), o.examples(massOf)),
		"Check that each is a separate consignment, and distinguish them in the notes.")
}

// noValue matters for the UK CBAM threshold, which is based on values.
func noValue(r *Report, _ rules.Facts) remarks {
	o := r.observed(NoValue)
	if o.ImportsCount == 0 {
		return nil
	}
	remark := rules.Remark{
		Message:    fmt.Sprintf("%s: no customs value: %s.", r.count(o), o.examples(massOf)),
		Suggestion: "Record customs values. They decide whether UK CBAM applies.",
	}
	if r.underUK() {
		remark.Severity = rules.Warning
	}
	return remarks{remark}
}

func implausibleValue(r *Report, _ rules.Facts) remarks {
	o := r.observed(ImplausibleValue)
	if o.ImportsCount == 0 {
		return nil
	}
	say := func(x *Example) string { return fmt.Sprintf("£%s for %s", x.CustomsValueGBP, massOf(x)) }
	return rules.Remarks(fmt.Sprintf("%s: the value does not fit the mass: %s.", r.count(o), o.examples(say)),
		"Check that customsValueGbp is in pounds and netMassKg in kilograms, for the same goods.")
}
