package whatif

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/platform/quantity"
	"github.com/tidewaiter/tidewaiter/internal/tariff/duty"
)

// Codes of reasons besides those of problems.
const (
	reasonRoute       = "ROUTE"
	reasonValue       = "CUSTOMS_VALUE"
	reasonOption      = "OPTION"
	reasonCharge      = "CHARGE"
	reasonConditional = "CONDITIONAL"
	reasonMeaningless = "MEANINGLESS"
	reasonTooLarge    = "AMOUNT_TOO_LARGE"
	reasonMissing     = "AMOUNT_MISSING"
	reasonCBAM        = "CBAM"
	reasonSuspended   = "SUSPENDED"
)

// differences are the reasons why two cases differ.
func differences(before, after *answer) []Reason {
	all := []Reason{}
	add := func(code, format string, values ...any) {
		all = append(all, Reason{code, fmt.Sprintf(format, values...)})
	}
	if before.Route != after.Route {
		add(reasonRoute, "The route is %s instead of %s.", after.Route, before.Route)
	}
	if x, y := pounds(before.CustomsValue.Amount), pounds(after.CustomsValue.Amount); x != y {
		add(reasonValue, "The customs value is %s instead of %s.", y, x)
	}
	x, y := before.option(), after.option()
	if x.Label != y.Label {
		add(reasonOption, "The cheapest option is “%s” instead of “%s”.", y.Label, x.Label)
	}
	for _, r := range chargeReasons(x.Charges, y.Charges) {
		add(reasonCharge, "%s", r)
	}
	if y.Status == duty.Conditional && x.Status != duty.Conditional {
		add(reasonConditional, "The amount of the changed case assumes %s", assumption(y))
	}
	return all
}

// assumption is what the amount of a conditional option assumes.
func assumption(o *duty.Option) string {
	switch {
	case len(o.FactsNeeded) > 0:
		return "facts that are missing: " + questions(o.FactsNeeded)
	case o.Kind == duty.QuotaOption:
		return "that the quota has enough left."
	case o.Kind == duty.Suspension:
		return "that the goods are among those that the footnotes of the suspension describe."
	}
	return "what is not known, such as an exchange rate."
}

// charges are those of one kind of an option.
type charges struct {
	rates  []string
	amount quantity.Money
}

// chargeReasons compares the charges by tax type, in the order in which the options have them.
func chargeReasons(before, after []duty.ChargeLine) (all []string) {
	x, y := byType(before), byType(after)
	seen := map[string]bool{}
	for _, c := range append(before[:len(before):len(before)], after...) {
		name := c.TaxType
		if seen[name] {
			continue
		}
		seen[name] = true
		was, is := x[name], y[name]
		switch {
		case was == nil:
			all = append(all, fmt.Sprintf("%s of %s (%s) is added.", name, pounds(&is.amount), is.rate()))
		case is == nil:
			all = append(all, fmt.Sprintf("%s of %s (%s) falls away.", name, pounds(&was.amount), was.rate()))
		case was.rate() != is.rate():
			all = append(all, fmt.Sprintf("%s is %s (%s) instead of %s (%s).", name, pounds(&is.amount), is.rate(), pounds(&was.amount), was.rate()))
		case was.amount.Cmp(is.amount) != 0:
			all = append(all, fmt.Sprintf("%s is %s instead of %s, at the same rate of another base.", name, pounds(&is.amount), pounds(&was.amount)))
		}
	}
	return all
}

func byType(all []duty.ChargeLine) map[string]*charges {
	found := map[string]*charges{}
	for i := range all {
		c := found[all[i].TaxType]
		if c == nil {
			c = &charges{}
			found[all[i].TaxType] = c
		}
		c.rates = append(c.rates, all[i].Resolved)
		if all[i].Amount != nil {
			c.amount = c.amount.Add(*all[i].Amount)
		}
	}
	return found
}

func (c *charges) rate() string { return strings.Join(c.rates, " and ") }

// pounds writes an amount for people.
func pounds(m *quantity.Money) string {
	if m == nil {
		return "an unknown amount"
	}
	return "£" + m.Fixed()
}

// mostQuestions is how many questions a reason names.
const mostQuestions = 3

func questions(facts []duty.Fact) string {
	var all []string
	for i := range facts[:min(len(facts), mostQuestions)] {
		all = append(all, facts[i].Question)
	}
	return strings.Join(all, " ")
}

// missing are the reasons why the cases are not complete, with the case that each holds for.
func missing(before, after []Reason) []Reason {
	all := []Reason{}
	add := func(which string, r Reason) { all = append(all, Reason{r.Code, which + ": " + r.Message}) }
	for _, r := range before {
		if slices.Contains(after, r) {
			add("Both cases", r)
		} else {
			add("Base case", r)
		}
	}
	for _, r := range after {
		if !slices.Contains(before, r) {
			add("Changed case", r)
		}
	}
	return all
}

// lacks are the reasons why a case is not complete; none if it is.
func (a *answer) lacks() (all []Reason) {
	add := func(code, format string, values ...any) {
		all = append(all, Reason{code, fmt.Sprintf(format, values...)})
	}
	if a.fault != "" {
		add(reasonMeaningless, "%s.", a.fault)
		return all
	}
	if a.totals() != nil {
		return nil
	}
	for _, n := range a.Problems {
		add(n.Code, "%s", n.Message)
	}
	if o := a.option(); o != nil {
		for _, c := range o.Charges {
			if c.Amount == nil {
				add(reasonMissing, "%s (%s) needs facts: %s", c.TaxType, c.Resolved, questions(o.FactsNeeded))
			}
		}
		if o.Totals.Total != nil && largest.Cmp(*o.Totals.Total) < 0 {
			add(reasonTooLarge, "The amount is more than %s.", pounds(&largest))
		}
	}
	for _, n := range a.Warnings {
		if gaps[n.Code] {
			add(n.Code, "%s", n.Message)
		}
	}
	return all
}

// gaps are the warnings that come with a total that is not complete.
var gaps = map[string]bool{"KINDS_NOT_HELD": true, "VAT_MEASURE_MISSING": true}
