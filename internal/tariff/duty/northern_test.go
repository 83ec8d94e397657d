package duty_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/tariff/duty"
	"github.com/tidewaiter/tidewaiter/internal/tariff/measure"
)

func northern(t *testing.T) asking {
	t.Helper()
	return asking{
		to: "NI", uk: simple(t, measure.Measure{Type: "103", Components: rate("4")}, vat20),
		xi: simple(t, measure.Measure{Type: "103", Components: rate("10")}),
	}
}

const safe = `"northernIreland": {"ukims": true, "finalUseInUk": true, "turnoverBelowThreshold": true},`

// Unknown answers count as the costly ones, and each is asked for with what it would save.
func TestAnswersAboutNorthernIreland(t *testing.T) {
	a := northern(t)
	l := a.one(t)
	o := l.Options[0]
	equal(t, "EU duty", o.Tariff+" "+o.Charges[0].TaxType+" "+fixed(o.Totals.Total), "XI A50 320.00")
	equal(t, "no answer would change 6 per cent", len(l.FactsNeeded), 0)
	near := northern(t)
	near.xi = simple(t, measure.Measure{Type: "103", Components: rate("7")})
	var fields []string
	for _, f := range near.one(t).FactsNeeded {
		fields = append(fields, f.Field)
	}
	equal(t, "asked", strings.Join(fields, " "), "northernIreland.finalUseInUk northernIreland.processing northernIreland.turnoverBelowThreshold northernIreland.ukims")
	equal(t, "saving", effects(near.one(t).FactsNeeded, "northernIreland.ukims"), []string{"true 248.00 -36.00", "false 284.00 0.00"})
	equal(t, "processing", effects(near.one(t).FactsNeeded, "northernIreland.processing"), []string{"NONE 248.00 -36.00", "ALLOWED 248.00 -36.00", "OTHER 284.00 0.00"})
}

// Both duties are compared with 3 per cent of the customs value, and a lower one of the EU is pointed out.
func TestComparisonForNorthernIreland(t *testing.T) {
	a := northern(t)
	a.head = safe
	for percent, want := range map[string]string{
		"7": "UK 40.00 70.00 3 UK []", "7.01": "XI 40.00 70.10 3.01 XI []", "0.5": "XI 40.00 5.00 3.5 XI [NI_EU_DUTY_LOWER]", "0": "UK",
	} {
		a.xi = simple(t, measure.Measure{Type: "103", Components: rate(percent)})
		l := a.one(t)
		got := l.Options[0].Tariff
		for _, c := range l.NIComparison {
			difference, _ := c.Difference.MarshalJSON()
			got += fmt.Sprint(" ", c.UK.Fixed(), " ", c.XI.Fixed(), " ", string(difference), " ", c.Applied, " ", codes(l.Warnings))
		}
		equal(t, percent, got, want)
	}
}

// Quotas of the EU are not offered, excise and VAT are the UK's, national controls too.
func TestTariffsInNorthernIreland(t *testing.T) {
	a := northern(t)
	a.uk = simple(t, measure.Measure{Type: "103", Components: rate("4")}, vat20, measure.Measure{Type: "306", Additional: "X611", Components: rate("1")},
		measure.Measure{Type: "750", Conditions: needs("C644")})
	a.xi = simple(t, measure.Measure{Type: "103", Components: rate("10")}, measure.Measure{Type: "122", Order: "090001", Components: rate("0")},
		measure.Measure{Type: "552", Components: rate("1")}, measure.Measure{Type: "410", Conditions: needs("N853")})
	a.head = safe
	l := a.one(t)
	var charges []string
	for _, c := range l.Options[0].Charges {
		charges = append(charges, c.TaxType+" "+c.Tariff)
	}
	equal(t, "charges", fmt.Sprint(len(l.Options), strings.Join(charges, ", ")), "1A50 XI, A30 XI, 611 UK, B00 UK")
	equal(t, "controls", fmt.Sprint(len(l.Controls), l.Controls[0].TypeID, codes(l.Warnings)), "1410[REMEDIES_AT_RISK]")
}

// Goods of Great Britain: nothing is due if they are not at risk or of UK origin; otherwise duty, or a waiver of it.
func TestFromGreatBritain(t *testing.T) {
	a := northern(t)
	a.from = "GB"
	for head, want := range map[string]string{
		safe: "NO_DUTY 0.00 2/2 NIDOM, 2/2 NIREM, 2/3 1UKI",
		`"northernIreland": {"proofOfUkOrigin": true},`: "NO_DUTY 0.00 2/2 NIDOM, 4/17 300",
	} {
		l := a.with(head).one(t)
		var declared []string
		for _, e := range l.Options[0].Declare {
			declared = append(declared, e.Element+" "+e.Code)
		}
		equal(t, head, fmt.Sprint(l.Outcome, " ", fixed(l.Options[0].Totals.Total), " ", strings.Join(declared, ", ")), want)
	}
	l := a.with(`"northernIreland": {"ukims": false, "proofOfUkOrigin": false},`).one(t)
	var options []string
	for _, o := range l.Options {
		options = append(options, o.Kind+" "+o.Status+" "+fixed(o.Totals.Total))
	}
	equal(t, "options", strings.Join(options, ", "), "WAIVER CONDITIONAL 200.00, THIRD_COUNTRY AVAILABLE 320.00")
	equal(t, "questions", len(l.FactsNeeded), 1) // no answer but that about aid changes anything
	a.line = `"facts": {"deMinimisAid": false}`
	equal(t, "no waiver", len(a.one(t).Options), 1)
	a.line = `"facts": {"documents": [{"code": "1UKI"}]}`
	equal(t, "contradiction", codes(a.with(`"northernIreland": {"ukims": false},`).one(t).Problems), []string{"FACT_CONTRADICTS"})
	a.xi, a.line = nil, ""
	equal(t, "without the EU's tariff", a.with(safe).one(t).Outcome, duty.NoDuty)
	equal(t, "at risk without it", codes(a.with(``).one(t).Problems), []string{"XI_NOT_HELD"})
}

func (a asking) with(head string) asking {
	a.head = head
	return a
}

// Goods from the EU are Union goods unless it is denied; those from Northern Ireland bear nothing in Great Britain.
func TestFreeMovements(t *testing.T) {
	a := northern(t)
	a.from = "FR"
	equal(t, "from the EU", a.one(t).Route+" "+a.one(t).Outcome, "EU_NI NO_DUTY")
	equal(t, "not of the Union", a.with(`"northernIreland": {"unionGoods": false},`).one(t).Options[0].Tariff, measure.XI)
	a.from, a.to = "XI", "GB"
	equal(t, "to Great Britain", a.one(t).Route+" "+a.one(t).Outcome, "NI_GB NO_DUTY")
	a.from = "FR"
	equal(t, "EU to Great Britain", a.one(t).Route+" "+a.one(t).Options[0].Tariff, "EU_GB UK")
}

// Amounts in euro are converted with the rate of the month, or the latest one with a warning; without one they are not known.
func TestEuro(t *testing.T) {
	a := northern(t)
	a.xi = simple(t, measure.Measure{Type: "103", Components: []measure.Component{{Expression: "01", Amount: decimal("10"), Currency: "EUR", Unit: "DTN"}}})
	a.line = `"netMassKg": 250`
	a.euro = duty.EuroRate{Rate: decimal("0.8571"), Period: "2021-12", Earlier: true}
	l := a.one(t)
	step := l.Options[0].Charges[0].Steps[0]
	equal(t, "earlier", fmt.Sprint(fixed(l.Options[0].Charges[0].Amount), " ", *step.Amount, " ", step.Rate.FloatString(4), " ", *step.Period, " ", codes(l.Warnings)),
		"21.42 21.4275 0.8571 2021-12 [RATE_FROM_EARLIER_MONTH]")
	a.euro = duty.EuroRate{}
	l = a.one(t)
	equal(t, "none", fmt.Sprint(fixed(l.Options[0].Totals.Total), codes(l.Problems)), "null[RATE_MISSING]")
}
