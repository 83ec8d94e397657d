package duty_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/tariff/duty"
	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
)

// classesOfQuestions are what the random questions must reach, each with an amount that both computations agree on.
var classesOfQuestions = []string{
	"additional code", "alcohol strength", "authorised use", "company rate", "compound", "customs union", "end of season", "entry price", "euro",
	"excise", "increase by costs", "least", "Meursing", "most", "NI of the EU", "NI of the UK", "postponed", "proof", "pure alcohol", "quota", "quota closed",
	"quota secured", "reduction by deductions", "refused", "remedy", "retail price", "safeguard", "sugar", "supplementary unit", "suspension", "VAT choice", "waiver",
}

// classes counts which classes a question reached.
func classes(q *asked, line *duty.ResponseLine, seen map[string]int) {
	count := func(class string, is bool) {
		if is {
			seen[class]++
		}
	}
	l := &q.request.Lines[0]
	costs, deductions := len(q.request.Freight)+len(l.Freight)+len(l.Additions) > 0, len(q.request.Deductions)+len(l.Deductions) > 0
	known := line.CustomsValue.Amount != nil && len(line.Options) > 0
	count("increase by costs", known && costs)
	count("reduction by deductions", known && deductions)
	count("refused", line.Outcome == duty.Refused)
	count("quota closed", slices.ContainsFunc(line.Unavailable, func(o duty.Option) bool { return o.Kind == duty.QuotaOption }))
	for _, m := range q.uk.measures {
		count("end of season", m.To != 0 && m.To < q.on || m.From > q.on)
	}
	for i := range line.Options {
		classesOfOption(&line.Options[i], line.Route, count)
	}
}

func classesOfOption(o *duty.Option, route string, count func(class string, is bool)) {
	count("quota", o.Kind == duty.QuotaOption)
	count("suspension", o.Kind == duty.Suspension)
	count("waiver", o.Kind == duty.Waiver)
	count("NI of the EU", strings.HasSuffix(route, "_NI") && o.Tariff == measure.XI)
	count("NI of the UK", strings.HasSuffix(route, "_NI") && o.Tariff == measure.UK && o.Kind != duty.NoDuty)
	for _, f := range o.FactsNeeded {
		count("proof", strings.HasSuffix(f.Field, "proofOfOrigin"))
		count("additional code", strings.HasSuffix(f.Field, "additionalCodes"))
		count("VAT choice", strings.HasSuffix(f.Field, "vatChoice"))
	}
	for i := range o.Charges {
		if o.Charges[i].Amount != nil {
			classesOfCharge(&o.Charges[i], count)
		}
	}
}

func classesOfCharge(c *duty.ChargeLine, count func(class string, is bool)) {
	typ := ""
	if c.TypeID != nil {
		typ = *c.TypeID
	}
	kind := measure.KindOf(typ)
	count("quota secured", c.Payable == duty.Secured)
	count("postponed", c.Payable == duty.Postponed)
	count("authorised use", slices.Contains([]string{"105", "115", "123", "145", "146"}, typ))
	count("customs union", typ == "106")
	count("remedy", kind == measure.Remedy)
	count("company rate", kind == measure.Remedy && c.Additional != nil)
	count("safeguard", typ == measure.SafeguardType)
	count("excise", kind == measure.Excise)
	count("compound", c.Base.Kind == duty.OfBoth)
	for _, s := range c.Conditions {
		count("entry price", s.Code == "V" && s.State == duty.Met && s.Threshold != nil)
	}
	for _, s := range c.Steps {
		count("euro", s.Rate != nil)
		count("least", s.ExpressionID == "15" && s.Applied != nil && *s.Applied)
		count("most", (s.ExpressionID == "17" || s.ExpressionID == "35") && s.Applied != nil && *s.Applied)
		count("Meursing", slices.Contains([]string{"12", "14", "21", "25", "27", "29"}, s.ExpressionID))
	}
	for _, u := range c.Base.Quantities {
		count("alcohol strength", u.Unit == measure.Strength)
		count("pure alcohol", u.Unit == measure.PureAlcohol)
		count("retail price", u.Unit == measure.RetailPrice)
		count("sugar", u.Qualifier == measure.SugarPercent)
		count("supplementary unit", u.Unit == "NAR" || u.Unit == "LTR")
	}
}

// reached fails for a class that no question reached.
func reached(t *testing.T, seen map[string]int) {
	t.Helper()
	for _, class := range classesOfQuestions {
		if seen[class] == 0 {
			t.Errorf("no question reached %s", class)
		}
	}
}
